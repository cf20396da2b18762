//! The pages of `impact` and `tests`.

use std::collections::BTreeMap;

use super::line::one_line;
use super::page::{Page, by_file, cost, count, thousands};
use crate::ask::Certainty;
use crate::impact::runner::Command;
use crate::impact::{Affected, ChangeKind, Compared, Hit, Level, Radius, Reached, Reading, Seed};

/// Most tokens of a page unless told otherwise.
pub const MAX_TOKENS: usize = 1500;
/// A page that must be shorter than this says so instead.
const LEAST: usize = 120;
const MAX_NAME: usize = 90;
const MAX_PATH: usize = 160;

/// What a page of `impact` is made of.
#[derive(Debug)]
pub struct ImpactPage<'a> {
    /// What was asked, in words: `src/a.py::f`, `the change against HEAD`.
    pub asked: &'a str,
    /// The changed files; empty when names were given.
    pub files: &'a [Compared],
    /// Where the walk began.
    pub seeds: &'a [Seed],
    /// Changed definitions that the walk left out.
    pub left_out: usize,
    /// What depends on them.
    pub radius: &'a Radius,
    /// Tests that reach them.
    pub tests: &'a Affected,
    /// Command lines for the first tests.
    pub commands: &'a [Command],
    /// What to read.
    pub reading: &'a Reading,
    /// Most tokens of the page.
    pub most_tokens: usize,
    /// The one file that changed, with its tokens: reading it must not be cheaper than the page.
    pub one_file: Option<(&'a str, usize)>,
}

/// The page as text. At most `most_tokens` o200k tokens.
pub fn impact_text(page: &ImpactPage<'_>) -> String {
    let most = page.one_file.map_or(page.most_tokens, |(_, tokens)| page.most_tokens.min(tokens));
    if let Some((file, tokens)) = page.one_file
        && most < LEAST
        // Of a change without a radius the page is a line or two.
        && !page.seeds.is_empty()
    {
        return rather_read(page, file, tokens);
    }
    let mut out = Page::new(most, usize::MAX);
    let radius = page.radius;
    out.add(&format!("impact of {}", one_line(page.asked, 200)), 0, 0);
    seeds_lines(&mut out, page, most / 6);
    let reach = match radius.total {
        0 => "nothing outside of it is known to depend on it".to_owned(),
        n => format!("{} in {} depend on it within 3 steps", count(n, "symbol"), count(radius.files.len(), "file")),
    };
    let imported = if radius.importers > 0 {
        format!("; {} import its files", count(radius.importers, "other file"))
    } else {
        String::new()
    };
    out.add(&format!("{reach}{imported}"), 0, 0);
    if !radius.entry_points.is_empty() {
        let names: Vec<String> = radius.entry_points.iter().take(5).map(place).collect();
        let more = radius.entry_points.len().saturating_sub(5);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        out.add(&format!("entry points: {}{more}", names.join(", ")), 200, 0);
    }
    broken_lines(&mut out, radius);
    // What follows the levels: tests, what to read, counts by file.
    let tail = (most / 3).min(420);
    let shares = [0.55, 0.75, 1.0];
    for (level, share) in radius.levels.iter().zip(shares) {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
        let room = ((out.room().saturating_sub(tail)) as f64 * share) as usize;
        level_lines(&mut out, level, room, tail);
    }
    if radius.files.len() > 1 {
        let room = out.room().saturating_sub(tail * 2 / 3).min(220);
        out.add(&format!("by file: {}", by_file(&radius.files, room)), 0, 0);
    }
    tests_lines(&mut out, page.tests, page.commands, &radius.tests);
    reading_line(&mut out, page.reading);
    let text = out.into_text();
    match page.one_file {
        Some((file, tokens)) if cost(&text) > tokens => rather_read(page, file, tokens),
        _ => text,
    }
}

/// The one line instead of a page that would cost more than the file.
fn rather_read(page: &ImpactPage<'_>, file: &str, tokens: usize) -> String {
    format!(
        "{} has about {} tokens, less than this page would: read it. {} within 3 steps, {}.\n",
        one_line(file, MAX_PATH),
        thousands(tokens),
        count(page.radius.total, "symbol") + " depend on the change",
        count(page.tests.hits.len(), "test") + " reach it",
    )
}

fn seeds_lines(out: &mut Page, page: &ImpactPage<'_>, most: usize) {
    if page.files.is_empty() {
        if page.seeds.len() > 1 {
            out.add(&format!("taken as {}", count(page.seeds.len(), "symbol")), 0, 0);
        }
        return;
    }
    let mut kinds: BTreeMap<ChangeKind, Vec<&Seed>> = BTreeMap::new();
    for seed in page.seeds {
        if let Some(change) = seed.change {
            kinds.entry(change).or_default().push(seed);
        }
    }
    let cosmetic = page.files.iter().filter(|f| f.cosmetic && f.status != crate::impact::Status::Renamed).count();
    let moved = page.files.iter().filter(|f| f.cosmetic && f.status == crate::impact::Status::Renamed).count();
    let binary = page.files.iter().filter(|f| f.binary).count();
    let other = page.files.iter().filter(|f| !f.parsed && !f.binary).count();
    let tests = page.files.iter().filter(|f| f.is_test).count();
    let mut parts = vec![format!("{} changed", count(page.files.len(), "file"))];
    for (n, what) in [
        (cosmetic, "only in comments, docs or layout"),
        (moved, "renamed with no other change"),
        (binary, "binary"),
        (other, "of a kind that is not parsed"),
        (tests, "of tests"),
    ] {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    out.add(&parts.join(", "), 0, 0);
    let mut room = most;
    for (change, seeds) in kinds {
        let mut line = format!("{}:", change.as_str());
        let mut shown = 0;
        for seed in &seeds {
            let one = format!(
                " {}:{} {},",
                one_line(&seed.file, MAX_PATH),
                seed.start_line,
                one_line(&seed.qualname, MAX_NAME)
            );
            if cost(&line) + cost(&one) > room.max(30) {
                break;
            }
            line.push_str(&one);
            shown += 1;
        }
        let line = line.trim_end_matches(',').to_owned();
        let more = seeds.len() - shown;
        let line = if more > 0 { format!("{line} and {more} more") } else { line };
        room = room.saturating_sub(cost(&line));
        out.add(&line, 0, 0);
    }
    if page.left_out > 0 {
        out.add(
            &format!(
                "{} beyond the first {} are not followed",
                count(page.left_out, "changed symbol"),
                page.seeds.len()
            ),
            0,
            0,
        );
    }
}

fn broken_lines(out: &mut Page, radius: &Radius) {
    let mut names: BTreeMap<&str, (i64, Vec<&str>)> = BTreeMap::new();
    for (name, caller, sites) in &radius.broken {
        let entry = names.entry(name).or_default();
        entry.0 += sites;
        entry.1.push(caller);
    }
    for (name, (sites, callers)) in names.into_iter().take(5) {
        let shown: Vec<String> = callers.iter().take(4).map(|c| one_line(c, MAX_PATH)).collect();
        let more = callers.len().saturating_sub(4);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let sites = count(usize::try_from(sites).unwrap_or(0), "site");
        out.add(
            &format!("still called by that name, {}: {sites} in {}{more}", one_line(name, MAX_NAME), shown.join(", ")),
            200,
            0,
        );
    }
}

/// `Context.invoke src/click/core.py:12`.
fn place(r: &Reached) -> String {
    format!("{} {}:{}", one_line(&r.qualname, MAX_NAME), one_line(&r.file, MAX_PATH), r.start_line)
}

fn mark(certainty: Certainty) -> &'static str {
    match certainty {
        Certainty::Exact | Certainty::Inferred => "",
        Certainty::Possible => "~",
        Certainty::Guess => "?",
    }
}

/// The definitions of a level, by file, within `room` tokens; what is cut is counted by file.
fn level_lines(out: &mut Page, level: &Level, room: usize, keep: usize) {
    let steps = if level.hops == 1 { "1 step".to_owned() } else { format!("{} steps", level.hops) };
    let head = format!("{steps} back ({}):", level.total);
    let mut files: Vec<(&str, Vec<&Reached>)> = Vec::new();
    for reached in &level.shown {
        match files.iter_mut().find(|(file, _)| *file == reached.file) {
            Some((_, list)) => list.push(reached),
            None => files.push((&reached.file, vec![reached])),
        }
    }
    let mut lines: Vec<String> = Vec::new();
    let mut left = room.saturating_sub(cost(&head));
    let mut cut: BTreeMap<String, usize> = level.cut.clone();
    let cut_room = if level.total > level.shown.len() { 60 } else { 30 };
    for (file, list) in files {
        let mut line = format!("  {}:", one_line(file, MAX_PATH));
        let mut shown = 0;
        for reached in &list {
            let percent = (reached.probability * 100.0).round();
            let via = match reached.path.last() {
                Some(last) if reached.hops > 1 => {
                    format!(" via {}", one_line(crate::impact::radius::name_of(last), MAX_NAME))
                }
                _ => String::new(),
            };
            let one = format!(
                " {}{}:{} {percent}%{via},",
                one_line(&reached.qualname, MAX_NAME),
                mark(reached.certainty),
                reached.start_line
            );
            if cost(&line) + cost(&one) + cut_room > left {
                break;
            }
            line.push_str(&one);
            shown += 1;
        }
        if shown < list.len() {
            *cut.entry(file.to_owned()).or_default() += list.len() - shown;
        }
        if shown > 0 {
            let line = line.trim_end_matches(',').to_owned();
            left = left.saturating_sub(cost(&line));
            lines.push(line);
        }
    }
    if !out.add(&head, keep / 2, 0) {
        return;
    }
    for line in lines {
        out.add(&line, keep / 2, 0);
    }
    if !cut.is_empty() {
        let total: usize = cut.values().sum();
        let mut list: Vec<(String, usize)> = cut.into_iter().collect();
        list.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        out.add(&format!("  and {total} more: {}", by_file(&list, 80.min(left.max(40)))), keep / 2, 0);
    }
}

fn tests_lines(out: &mut Page, tests: &Affected, commands: &[Command], by_distance: &[(String, usize)]) {
    if tests.suite == 0 {
        out.add("Tests: this repository has none that Portolan knows", 0, 0);
        return;
    }
    let direct = tests.hits.iter().filter(|h| h.direct).count();
    if tests.hits.is_empty() {
        out.add("Tests: none is known to reach it", 0, 0);
    } else {
        let files = if by_distance.is_empty() {
            String::new()
        } else {
            // Room for the command lines and what to read is kept.
            format!("; within 3 steps: {}", by_file(by_distance, (out.room().saturating_sub(300) / 2).clamp(60, 260)))
        };
        out.add(
            &format!("Tests: {} of {} reach it, {direct} directly{files}", tests.hits.len(), thousands(tests.suite)),
            60,
            0,
        );
        for command in commands.iter().take(3) {
            let shown = one_line(&command.line, 600);
            if cost(&shown) + 90 < out.room() && shown.len() == command.line.len() {
                out.add(&format!("  {shown}"), 60, 0);
            }
        }
    }
    untested_line(out, &tests.untested);
}

fn untested_line(out: &mut Page, untested: &[String]) {
    if untested.is_empty() {
        return;
    }
    let shown: Vec<String> = untested.iter().take(4).map(|id| one_line(id, MAX_PATH)).collect();
    let more = untested.len().saturating_sub(4);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    out.add(&format!("no known test reaches {}{more}", shown.join(", ")), 60, 0);
}

pub(super) fn reading_line(out: &mut Page, reading: &Reading) {
    if let Some(line) = reading_text(reading, out.room()) {
        out.add(&line, 0, 0);
    }
}

/// The `Read:` line within so many tokens.
pub(super) fn reading_text(reading: &Reading, room: usize) -> Option<String> {
    if reading.stretches.is_empty() {
        return None;
    }
    let mut line = format!(
        "Read: {} of {}, {}, at most {} tokens:",
        reading.files,
        count(reading.of, "file"),
        count(usize::try_from(reading.lines).unwrap_or(0), "line"),
        thousands(reading.tokens)
    );
    let mut file = "";
    let mut shown = 0;
    for stretch in &reading.stretches {
        let lines = if stretch.start == stretch.end {
            stretch.start.to_string()
        } else {
            format!("{}-{}", stretch.start, stretch.end)
        };
        let one = if file == stretch.file {
            format!(",{lines}")
        } else {
            format!(" {}:{lines}", one_line(&stretch.file, MAX_PATH))
        };
        if cost(&line) + cost(&one) + 8 > room {
            break;
        }
        line.push_str(&one);
        file = &stretch.file;
        shown += 1;
    }
    let more = reading.stretches.len() - shown;
    if more > 0 {
        line.push_str(&format!(" and {more} more"));
    }
    Some(line)
}

/// The page of `tests`. `most`: tests that are named.
pub fn tests_text(asked: &str, tests: &Affected, commands: &[Command], most: usize, most_tokens: usize) -> String {
    let mut out = Page::new(most_tokens, usize::MAX);
    if tests.suite == 0 {
        out.add("this repository has no tests that Portolan knows", 0, 0);
        return out.into_text();
    }
    if tests.hits.is_empty() {
        out.add(&format!("no test covers {} as far as the graph tells", one_line(asked, 200)), 0, 0);
        return out.into_text();
    }
    let direct: Vec<&Hit> = tests.hits.iter().filter(|h| h.direct).collect();
    let others: Vec<&Hit> = tests.hits.iter().filter(|h| !h.direct).collect();
    out.add(
        &format!(
            "tests of {}: {} of {} reach it, {} directly",
            one_line(asked, 200),
            tests.hits.len(),
            thousands(tests.suite),
            direct.len()
        ),
        0,
        0,
    );
    for command in commands {
        let line =
            format!("  {}{}", one_line(&command.line, 1400), if command.whole_files { "  (whole files)" } else { "" });
        out.add(&line, 100, 0);
    }
    let mut left = most;
    for (title, list) in [("directly", direct), ("through others", others)] {
        if list.is_empty() {
            continue;
        }
        let shown = list.len().min(left);
        left -= shown;
        if !out.add(&format!("{title} ({}):", list.len()), 40, 0) {
            break;
        }
        let mut named = 0;
        for hit in &list[..shown] {
            let via = hit.through.iter().rev().find(|t| !crate::scan::holds_tests(crate::impact::radius::file_of(t)));
            let via = match via {
                Some(via) if !hit.direct => {
                    format!("  via {}", one_line(crate::impact::radius::name_of(via), MAX_NAME))
                }
                _ => String::new(),
            };
            let line = format!(
                "  {}:{} {}{via}",
                one_line(&hit.file, MAX_PATH),
                hit.start_line,
                one_line(&hit.qualname, MAX_NAME)
            );
            if !out.add(&line, 40, 0) {
                break;
            }
            named += 1;
        }
        if named < list.len() {
            out.add(
                &format!("  and {} more (--all-affected names the likely ones, --all every one)", list.len() - named),
                20,
                0,
            );
        }
    }
    untested_line(&mut out, &tests.untested);
    out.into_text()
}
