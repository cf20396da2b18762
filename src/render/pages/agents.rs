//! Who edits what, and what was learned.

use crate::agents::clock::span;
use crate::agents::lesson::Lesson;
use crate::agents::{Claim, Moment, Outcome, Owner};
use crate::render::budget::{Page, Section};
use crate::render::phrase::day;

/// All claims. `mine`: who asks.
pub fn claims(claims: &[Claim], mine: &Owner, now: &Moment) -> Page {
    let line = |claim: &Claim| {
        let note = if claim.note { ", uncommitted changes only" } else { "" };
        let you = if claim.owner.key() == mine.key() { " (you)" } else { "" };
        format!("{}: {}{you}, since {}{note}", claim.path, claim.owner.shown(), span(now.wall - claim.since))
    };
    let mut page = Page::default();
    if claims.is_empty() {
        page.head.push("nobody edits anything that was claimed".into());
    }
    page.sections.push(Section::whole("claimed", claims.iter().map(line).collect()));
    page
}

/// What came of a wish to edit.
pub fn outcome(outcome: &Outcome, paths: &[String]) -> Page {
    match outcome {
        Outcome::Granted { notes, .. } => {
            let mut page = Page::of(format!("granted: {}", paths.join(", ")));
            page.head.extend(notes.iter().cloned());
            page
        }
        Outcome::Taken { message, .. } => Page::of(message.clone()),
    }
}

/// What was given back.
pub fn released(gone: &[Claim]) -> Page {
    let mut page = Page::default();
    if gone.is_empty() {
        page.head.push("you hold nothing of that".into());
    }
    page.sections.push(Section::whole("released", gone.iter().map(|claim| claim.path.clone()).collect()));
    page
}

/// A lesson that was noted.
pub fn learned(lesson: &Lesson) -> Page {
    Page::of(format!("noted{}: {}", about(lesson), lesson.text))
}

/// All lessons whose place is there.
pub fn lessons(lessons: &[Lesson]) -> Page {
    let there: Vec<&Lesson> = lessons.iter().filter(|lesson| !lesson.gone).collect();
    let line = |l: &&Lesson| format!("{}{}: {} ({} times)", day(l.at), about(l), l.text, l.confirmed);
    let mut page = Page::default();
    if there.is_empty() {
        page.head.push("no lessons yet".into());
    }
    page.sections.push(Section::whole("lessons", there.iter().map(line).collect()));
    page
}

fn about(lesson: &Lesson) -> String {
    if lesson.about.is_empty() { String::new() } else { format!(" about {}", lesson.about) }
}
