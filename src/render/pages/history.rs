//! What the git history says.

use crate::ask::{CoChange, Hotspot, Owner, Past};
use crate::render::budget::{Page, Section};
use crate::render::phrase::{count, day};

/// One file: what changes with it, who knows it, what was mended in it.
pub fn file_history(file: &str, together: &[CoChange], owners: &[Owner], past: &[Past]) -> Page {
    let owner = |o: &Owner| {
        let share = o.share * 100.0;
        format!("{share:.0} %, {}, last {}: {}", count(o.commits, "commit"), day(o.last_at), o.name)
    };
    let commit = |c: &Past| format!("{} {} {}", &c.hash[..c.hash.len().min(10)], day(c.at), c.subject);
    let change = |c: &CoChange| format!("{}: {} of {}", c.path, c.together, count(c.commits, "commit"));
    let mut page = Page::of(match past.len() {
        0 => format!("{file}: no commit of the indexed history touched it"),
        n => format!("{file}: {} in the indexed history", count(n, "commit")),
    });
    let fixes: Vec<String> = past.iter().filter(|c| c.is_fix).map(commit).collect();
    page.sections = vec![
        Section::whole("changes together with it", together.iter().map(change).collect()),
        Section::whole("owners", owners.iter().map(owner).collect()),
        Section::whole("past fixes", fixes),
        Section::whole("other commits", past.iter().filter(|c| !c.is_fix).map(commit).collect()),
    ];
    page
}

/// The repository: where work and faults gather.
pub fn hotspots(found: &[Hotspot]) -> Page {
    let line = |h: &Hotspot| {
        let commits = count(h.commits, "commit");
        format!("{}: {commits}, {}, last {}", h.path, count(h.lines, "line"), day(h.last_at))
    };
    let mut page = Page::default();
    if found.is_empty() {
        page.head.push("no commits".into());
    }
    page.sections.push(Section::whole("large files that change often", found.iter().map(line).collect()));
    page
}
