//! Captured payloads from outside the repository: `PORTOLAN_HOOK_PAYLOADS` names a folder of files
//! `platform.Event[.Tool][.variant].json`.

use std::fs;
use std::path::{Path, PathBuf};

use portolan::hooks::{self, EventKind, Reply, ToolKind};

use super::fixture::is_acceptable;

#[test]
fn every_captured_payload_is_read_and_answered() {
    let Some(folder) = std::env::var_os("PORTOLAN_HOOK_PAYLOADS").map(PathBuf::from) else {
        eprintln!("skipped: PORTOLAN_HOOK_PAYLOADS names no folder of captured payloads");
        return;
    };
    let files: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder that PORTOLAN_HOOK_PAYLOADS names")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    assert!(!files.is_empty(), "no payloads in {}", folder.display());
    for file in files {
        check(&file);
    }
}

fn check(file: &Path) {
    let stem = file.file_stem().expect("a name").to_string_lossy().into_owned();
    let (host, rest) = stem.split_once('.').expect("platform.Event");
    let rest = rest.trim_start_matches("pascal.").trim_start_matches("event.");
    // An event's name may have dots of its own.
    let dotted = |parts: usize| rest.split('.').take(parts).collect::<Vec<_>>().join(".");
    let known =
        |event: &String| !matches!(hooks::read(host, event, b"{}", &|_| None), Err(hooks::Error::UnknownEvent { .. }));
    let event = (1..=3).rev().map(dotted).find(known).unwrap_or_else(|| panic!("{stem}: unknown event"));
    let stdin = fs::read(file).expect("a payload");
    let read = hooks::read(host, &event, &stdin, &|_| None).unwrap_or_else(|error| panic!("{stem}: {error}"));
    assert_eq!(
        hooks::answer(host, "", &Reply::Nothing),
        hooks::answer(&read.owner.host, "", &Reply::Nothing),
        "{stem}"
    );
    if let EventKind::BeforeTool(tool) | EventKind::AfterTool { tool, .. } = &read.kind {
        let names_files = matches!(tool.kind, ToolKind::Read | ToolKind::Edit);
        assert_eq!(names_files, !tool.paths.is_empty(), "{stem}: {tool:?}");
        let windows = stem.contains("windows");
        assert!(tool.paths.iter().all(|path| path.is_absolute() || windows), "{stem}: {tool:?}");
    }
    for reply in [
        Reply::Nothing,
        Reply::Context("a map".to_owned()),
        Reply::Deny("taken".to_owned()),
        Reply::Ask("taken".to_owned()),
    ] {
        let output = hooks::answer(&read.owner.host, &read.name, &reply);
        assert!(is_acceptable(&read.owner.host, &output), "{stem}: {output:?}");
    }
}
