//! `portolan.toml`.

use std::path::Path;

use portolan::config::{Config, ConfigError};

use super::fixture::Fixture;

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(text, Path::new("/r/portolan.toml"))
}

#[test]
fn without_a_file_the_defaults_hold() {
    let config = Config::load(&Fixture::plain().repo()).expect("defaults");
    assert_eq!((config.max_file_size, config.history_depth), (1024 * 1024, 5000));
    assert!(config.parses("python") && config.warnings.is_empty());
}

#[test]
fn settings_are_read_and_unknown_keys_only_warned_of() {
    let text = "exclude = [\"vendor/\"]\nlanguages = [\"go\"]\nendpoint = \"http://x\"\n\
        [limits]\nmax_file_size = 10\nhistory_depth = 7\nmax = 1\n[command]\nrun = \"x\"\n";
    let config = parse(text).expect("settings");
    assert_eq!((config.max_file_size, config.history_depth), (10, 7));
    assert!(config.parses("go") && !config.parses("python"));
    let expected: Vec<String> = ["command", "endpoint", "limits.max"]
        .map(|key| format!("/r/portolan.toml: unknown key `{key}` is ignored"))
        .to_vec();
    assert_eq!(config.warnings, expected);
}

#[test]
fn errors_name_the_line() {
    let cases = [
        ("exclude = [\n  \"a\",\n", 2..=3),
        ("\n\nexclude = 3\n", 3..=3),
        ("[limits]\nmax_file_size = -1\n", 2..=2),
        ("exclude = [\n  \"ok\",\n  \"a[z-a]\",\n]\n", 3..=3),
        ("languages = [\n  \"python\",\n  \"cobol\",\n]\n", 3..=3),
    ];
    for (text, lines) in cases {
        match parse(text) {
            Err(ConfigError::Invalid { line, ref message, .. }) => {
                assert!(lines.contains(&line), "{text:?}: line {line}: {message}");
            }
            other => panic!("{text:?} gave {other:?}"),
        }
    }
    let said = parse("languages = [\"cobol\"]").expect_err("no such language").to_string();
    assert!(said.starts_with("/r/portolan.toml:1: unknown language \"cobol\" (there are "), "{said}");
}

#[test]
fn a_file_that_is_no_file_is_an_error_and_not_waited_for() {
    let fixture = Fixture::plain();
    let path = std::ffi::CString::new(fixture.root.join("portolan.toml").to_str().expect("UTF-8")).expect("a path");
    // SAFETY: the path is a valid C string.
    assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
    let error = Config::load(&fixture.repo()).expect_err("a pipe");
    assert!(error.to_string().contains("not a regular file"), "{error}");
}
