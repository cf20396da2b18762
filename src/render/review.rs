//! The pages of `review`: text, and markdown that fits a comment on a pull request. At most 60 lines.

use super::impact::reading_text;
use super::line::one_line;
use super::page::{Page, by_file, count};
use crate::impact::runner::Command;
use crate::impact::{ChangeKind, Reading, Status};
use crate::review::{Grade, Review, Risk};

/// Most lines of a page.
pub const MAX_LINES: usize = 60;
/// Most tokens of a page.
pub const MAX_TOKENS: usize = 1500;
/// Definitions of a page.
const RISKS: usize = 15;
const MAX_NAME: usize = 90;
const MAX_PATH: usize = 160;
/// The mark by which a comment is found again.
pub const MARK: &str = "<!-- portolan review -->";

/// How the parts of a page are dressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dress {
    /// For a terminal or a model.
    Text,
    /// For a comment.
    Markdown,
}

impl Dress {
    /// A name or path. In markdown nothing in it can close the code span or begin HTML.
    fn code(self, text: &str, most: usize) -> String {
        let text = one_line(text, most);
        match self {
            Dress::Text => text,
            Dress::Markdown => format!("`{}`", text.replace('`', "'").replace('|', "\\|")),
        }
    }

    fn bold(self, text: &str) -> String {
        if self == Dress::Markdown { format!("**{text}**") } else { text.to_owned() }
    }

    fn item(self) -> &'static str {
        if self == Dress::Markdown { "- " } else { "  " }
    }
}

/// The page.
pub fn review_text(review: &Review, commands: &[Command], reading: &Reading, dress: Dress) -> String {
    let mut out = Page::new(MAX_TOKENS, MAX_LINES);
    if dress == Dress::Markdown {
        out.add(MARK, 0, 0);
    }
    if review.files.is_empty() {
        out.add(&format!("nothing changed against {}", dress.code(&review.against, 120)), 0, 0);
        return out.into_text();
    }
    let added: u32 = review.files.iter().map(|f| f.added).sum();
    let removed: u32 = review.files.iter().map(|f| f.removed).sum();
    let changed = format!("{} +{added} -{removed}", count(review.files.len(), "file"));
    let title = format!("Risk {}: {changed} against {}", review.grade.as_str(), dress.code(&review.against, 120));
    out.add(&if dress == Dress::Markdown { format!("### Portolan: {title}") } else { title }, 0, 0);
    if review.unapplied {
        out.add("The patch is not applied here: the graph shows the code before it.", 0, 0);
    }
    kinds_line(&mut out, review);
    risks_lines(&mut out, review, dress);
    let radius = &review.radius;
    if radius.total > 0 {
        let line = format!(
            "{} {} in {} within 3 steps: {}",
            dress.bold("Depends on it:"),
            count(radius.total, "symbol"),
            count(radius.files.len(), "file"),
            by_file(&radius.files, 110)
        );
        out.add(&line, 250, 8);
    } else if !review.risks.is_empty() {
        out.add("Nothing outside of the change is known to depend on it.", 250, 8);
    }
    if !radius.entry_points.is_empty() {
        let flows: Vec<String> = radius.entry_points.iter().take(4).map(|e| flow(e, dress)).collect();
        let more = radius.entry_points.len().saturating_sub(4);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        out.add(&format!("{} {}{more}", dress.bold("Entry points:"), flows.join("; ")), 220, 7);
    }
    broken_line(&mut out, review, dress);
    tests_lines(&mut out, review, commands, dress);
    if !review.forgotten.is_empty() {
        let list: Vec<String> = review
            .forgotten
            .iter()
            .take(5)
            .map(|f| {
                format!(
                    "{} ({} of {} commits with {})",
                    dress.code(&f.path, MAX_PATH),
                    f.together,
                    f.commits,
                    dress.code(&f.with, MAX_PATH)
                )
            })
            .collect();
        out.add(&format!("{} {}", dress.bold("Usually changes too:"), list.join(", ")), 120, 3);
    }
    if !review.claims.is_empty() {
        let list: Vec<String> = review
            .claims
            .iter()
            .take(5)
            .map(|c| {
                format!("{} by {} {}", dress.code(&c.target, MAX_PATH), one_line(&c.host, 40), one_line(&c.session, 60))
            })
            .collect();
        let more = review.claims.len().saturating_sub(5);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        out.add(&format!("{} {}{more}", dress.bold("Claimed by others:"), list.join(", ")), 90, 2);
    }
    if let Some(line) = reading_text(reading, out.room()) {
        // Paths are a stranger's: none of their characters is markup.
        let line = if dress == Dress::Markdown { line.replace('`', "'").replace('<', "&lt;") } else { line };
        let line = line.replacen("Read:", &dress.bold("Read:"), 1);
        out.add(&line, 0, 0);
    }
    out.into_text()
}

/// What the change is made of, where that is not definitions.
fn kinds_line(out: &mut Page, review: &Review) {
    let n = |keep: &dyn Fn(&crate::impact::Compared) -> bool| review.files.iter().filter(|f| keep(f)).count();
    let mut parts = Vec::new();
    for (n, what) in [
        (n(&|f| f.cosmetic && f.status == Status::Renamed), "renamed with no other change"),
        (n(&|f| f.cosmetic && f.status != Status::Renamed), "only comments, docs or layout"),
        (n(&|f| f.binary), "binary"),
        (n(&|f| !f.parsed && !f.binary), "not parsed"),
        (n(&|f| f.is_test), "of tests"),
        (n(&|f| f.status == Status::Deleted), "deleted"),
    ] {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    }
    if !parts.is_empty() {
        out.add(&format!("Files: {}", parts.join(", ")), 0, 0);
    }
}

fn risks_lines(out: &mut Page, review: &Review, dress: Dress) {
    if review.risks.is_empty() {
        out.add("No code outside of tests changed what it does.", 0, 0);
        return;
    }
    let mut shown = 0;
    for risk in review.risks.iter().take(RISKS) {
        if !out.add(&risk_line(risk, dress), 520, 14) {
            break;
        }
        shown += 1;
    }
    let more = review.risks.len() - shown + review.not_judged;
    if more > 0 {
        let high = review.risks[shown..].iter().filter(|r| r.grade == Grade::High).count();
        let judged =
            if review.not_judged > 0 { format!(", {} of them not judged", review.not_judged) } else { String::new() };
        out.add(
            &format!("{}{} more, {high} of them high{judged}", dress.item(), count(more, "changed symbol")),
            400,
            12,
        );
    }
}

/// `high 61 signature src/a.py:10 f: 12 users outside, untested, 3 past fixes, 14 lines`.
fn risk_line(risk: &Risk, dress: Dress) -> String {
    let (symbol, factors) = (&risk.symbol, &risk.factors);
    let mut why = Vec::new();
    if factors.users_outside > 0 {
        why.push(format!("{} outside its file", count(factors.users_outside, "user")));
    }
    match factors.untested {
        1.0 => why.push("no known test".to_owned()),
        0.5 => why.push("tests not looked for".to_owned()),
        _ => {}
    }
    if factors.entry >= 1.0 {
        why.push("entry point".to_owned());
    } else if factors.entry > 0.0 {
        why.push("behind an entry point".to_owned());
    }
    if factors.past_fixes > 0 {
        why.push(format!("{} of {} commits to its file were fixes", factors.past_fixes, factors.past_commits));
    }
    if factors.doubt > 0.0 {
        why.push(format!("{:.0} % of its callers by name only", factors.doubt * 100.0));
    }
    if symbol.changed_lines > 0 {
        why.push(count(symbol.changed_lines as usize, "line"));
    }
    let was = match &symbol.was {
        Some(was) if symbol.change == ChangeKind::Renamed => {
            format!(" (was {})", dress.code(crate::impact::radius::name_of(was), MAX_NAME))
        }
        _ => String::new(),
    };
    format!(
        "{}{} {:.0} {} {} {}{was}: {}",
        dress.item(),
        dress.bold(risk.grade.as_str()),
        risk.risk,
        symbol.change.as_str(),
        dress.code(&format!("{}:{}", symbol.file, symbol.start_line), MAX_PATH),
        dress.code(&symbol.qualname, MAX_NAME),
        why.join(", ")
    )
}

/// `main (src/cli.py:3) <- run <- load`.
fn flow(entry: &crate::impact::Reached, dress: Dress) -> String {
    let mut text = dress.code(&format!("{} {}:{}", entry.qualname, entry.file, entry.start_line), MAX_PATH);
    for id in entry.path.iter().rev() {
        text.push_str(" > ");
        text.push_str(&dress.code(crate::impact::radius::name_of(id), MAX_NAME));
    }
    text
}

fn broken_line(out: &mut Page, review: &Review, dress: Dress) {
    if review.radius.broken.is_empty() {
        return;
    }
    let list: Vec<String> = review
        .radius
        .broken
        .iter()
        .take(4)
        .map(|(name, caller, _)| format!("{} in {}", dress.code(name, MAX_NAME), dress.code(caller, MAX_PATH)))
        .collect();
    let more = review.radius.broken.len().saturating_sub(4);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    out.add(&format!("{} {}{more}", dress.bold("Still named though gone:"), list.join(", ")), 180, 6);
}

fn tests_lines(out: &mut Page, review: &Review, commands: &[Command], dress: Dress) {
    let tests = &review.tests;
    if tests.suite == 0 {
        out.add(&format!("{} this repository has none that Portolan knows", dress.bold("Tests:")), 160, 5);
        return;
    }
    if review.risks.is_empty() {
        return;
    }
    let direct = tests.hits.iter().filter(|h| h.direct).count();
    let line = match tests.hits.len() {
        0 => format!("{} none is known to reach the change", dress.bold("Tests:")),
        n => format!("{} {n} of {} reach the change, {direct} directly", dress.bold("Tests:"), tests.suite),
    };
    out.add(&line, 160, 5);
    for command in commands.iter().take(2).filter(|_| !tests.hits.is_empty()) {
        if command.line.len() <= 500 {
            let line = one_line(&command.line, 500);
            let line = if dress == Dress::Markdown {
                format!("  `{}`", line.replace('`', "'"))
            } else {
                format!("    {line}")
            };
            out.add(&line, 150, 5);
        }
    }
    if !tests.untested.is_empty() {
        let list: Vec<String> =
            tests.untested.iter().take(5).map(|id| dress.code(crate::impact::radius::name_of(id), MAX_NAME)).collect();
        let more = tests.untested.len().saturating_sub(5);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        out.add(&format!("{} {}{more}", dress.bold("No known test:"), list.join(", ")), 140, 4);
    }
}
