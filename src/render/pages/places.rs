//! The places for a task, with the evidence.

use crate::locate::{Answer, Place, Signal};
use crate::render::budget::{Page, Section};
use crate::render::map::NOTHING;

/// More evidence of a place is not named.
const REASONS: usize = 2;

/// The ranking and its tests.
pub fn places(answer: &Answer) -> Page {
    if answer.places.is_empty() {
        return Page::of(if answer.silent { "this is not a task about code" } else { NOTHING });
    }
    Page {
        sections: vec![
            Section::whole(
                format!("likely places, best first; confidence {}", answer.confidence.as_str()),
                answer.places.iter().map(place).collect(),
            ),
            Section::whole("tests", answer.tests.clone()),
        ],
        ..Page::default()
    }
}

fn place(place: &Place) -> String {
    let mut line = place.file.clone();
    if place.start_line > 0 {
        line.push_str(&format!(":{}-{}", place.start_line, place.end_line));
    }
    if !place.qualname.is_empty() {
        line.push(' ');
        line.push_str(&place.qualname);
    }
    let why: Vec<String> = place.why.iter().take(REASONS).map(|e| reason(e.signal, &e.note)).collect();
    if !why.is_empty() {
        line.push_str(&format!(" ({})", why.join("; ")));
    }
    line
}

fn reason(signal: Signal, note: &str) -> String {
    let what = match signal {
        Signal::Text => "its words",
        Signal::Mention => "named",
        Signal::Path => "path named",
        Signal::Frame => "stack frame",
        Signal::Literal => "holds the message",
        Signal::Calls => "called by what is named",
        Signal::Commits => "past commits",
        Signal::CoChange => "changes with others",
        Signal::Witness => "tested by the same tests",
    };
    if note.is_empty() { what.into() } else { format!("{what}: {note}") }
}
