//! What depends on something, a change judged, and code for a model: their own pages within a budget.

use super::choices;
use crate::context::ask::Context;
use crate::impact::ask::Impact;
use crate::render::budget::Page;
use crate::render::impact::{ImpactPage, impact_text};

/// Tokens that the foot of a page may take.
const FOOT: usize = 90;

/// The page of `impact`.
pub fn impact(found: &Impact, budget: usize) -> Page {
    if let Some((name, candidates)) = found.sought.targets.many.first() {
        return choices(name, candidates);
    }
    let mut page = Page::default();
    page.head.extend(found.sought.targets.unknown.iter().map(|name| format!("nothing here is called {name}")));
    let unparsed = found.sought.targets.unparsed.iter();
    page.head.extend(
        unparsed.map(|file| format!("{file} holds no definitions that are known; `history` says what changes with it")),
    );
    if found.sought.seeds.is_empty() && found.sought.files.is_empty() {
        if page.head.is_empty() {
            page.head.push(format!("nothing changed: {}", found.sought.asked));
        }
        return page;
    }
    page.body = impact_text(&ImpactPage {
        asked: &found.sought.asked,
        files: &found.sought.files,
        seeds: &found.sought.seeds,
        left_out: found.sought.left_out,
        radius: &found.radius,
        tests: &found.tests,
        commands: &found.commands,
        reading: &found.reading,
        most_tokens: budget.saturating_sub(FOOT),
        one_file: None,
    });
    page
}

/// The text of `context`.
pub fn context(asked: &str, found: &Context) -> Page {
    match found {
        Context::Many(name, candidates) => choices(name, candidates),
        Context::None => Page::of(format!("nothing here is called {asked}, and no place fits it as a question")),
        Context::Text { assembled, .. } if assembled.parts.is_empty() => {
            Page::of("nothing of it fits; give a larger `budget`")
        }
        Context::Text { assembled, tail, .. } => {
            Page { body: assembled.text.clone(), foot: vec![tail.clone()], ..Page::default() }
        }
    }
}
