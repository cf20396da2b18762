//! A symbol: where, what, who calls it, what it calls, its tests.

use super::{brief, sureness};
use crate::ask::{Brief, CallEdge, Calls, Card, Certainty, Relative};
use crate::render::budget::{Page, Section};
use crate::render::phrase::{count, lines};

/// The cards of one definition.
pub fn cards(cards: &[Card]) -> Page {
    let mut page = Page::default();
    for card in cards {
        let s = &card.symbol;
        let flags = [(card.is_test, "test"), (card.exported, "exported"), (card.entry_point, "entry point")];
        let flags: String = flags.iter().filter(|(is, _)| *is).map(|(_, word)| format!(", {word}")).collect();
        page.head.push(format!("{}  {}{flags}  {}:{}-{}", s.id, s.kind, s.file, s.start_line, s.end_line));
        if !s.signature.is_empty() {
            page.head.push(s.signature.clone());
        }
        page.head.extend(card.doc.lines().map(str::trim).find(|l| !l.is_empty()).map(str::to_owned));
        calls(&mut page, "called by", &card.callers);
        page.sections.push(relatives("tested by", &card.tests));
        calls(&mut page, "calls", &card.callees);
        page.sections.push(relatives("inherits from", &card.bases));
        page.sections.push(relatives("inherited by", &card.derived));
        let unplaced = card.callers.unresolved_sites;
        if unplaced > 0 {
            let bare = s.qualname.rsplit('.').next().unwrap_or(&s.qualname);
            page.foot.push(format!(
                "{} `{bare}` on something unknown: each may be one more caller",
                if unplaced == 1 { "1 site calls".into() } else { format!("{unplaced} sites call") }
            ));
        } else if card.callers.total() == 0 {
            page.foot.push("no caller is known".into());
        }
        if card.callees.unresolved_sites > 0 {
            let names: Vec<&str> = card.callees.unresolved.iter().take(8).map(|u| u.called.as_str()).collect();
            let more = if card.callees.unresolved.len() > names.len() { ", ..." } else { "" };
            let sites = count(card.callees.unresolved_sites, "call");
            page.foot.push(format!("{sites} in it tied to no definition here: {}{more}", names.join(", ")));
        }
    }
    page
}

fn calls(page: &mut Page, what: &str, calls: &Calls) {
    for certainty in [Certainty::Exact, Certainty::Inferred, Certainty::Possible, Certainty::Guess] {
        let edges: Vec<String> = calls.edges.iter().filter(|e| e.certainty == certainty).map(edge).collect();
        page.sections.push(Section::whole(format!("{what}, {}", sureness(certainty)), edges));
    }
    for constructor in &calls.constructors {
        let edges = constructor.edges.iter().map(|e| format!("{} [{}]", edge(e), sureness(e.certainty))).collect();
        page.sections.push(Section::whole(format!("made through {}", constructor.qualname), edges));
    }
}

/// `src/a.py:12,40 Class.method`: where the calls stand, and the other end.
fn edge(edge: &CallEdge) -> String {
    let place = lines(&edge.site_file, &edge.lines);
    match edge.id.rsplit_once("::") {
        Some((file, name)) if file == edge.site_file => format!("{place} {name}"),
        _ => format!("{place} -> {}", edge.id),
    }
}

fn relatives(head: &str, list: &[Relative]) -> Section {
    let line = |r: &Relative| {
        let name = r.id.rsplit_once("::").map_or(r.id.as_str(), |(_, name)| name);
        format!("{}:{} {name} [{}]", r.file, r.start_line, r.how)
    };
    Section::whole(head, list.iter().map(line).collect())
}

/// A name that stands for several definitions.
pub fn choices(asked: &str, candidates: &[Brief]) -> Page {
    Page {
        head: vec![format!("{asked} stands for several definitions; ask again with `path::Qual.name` or `path:line`")],
        sections: vec![Section::whole("definitions, most central first", candidates.iter().map(brief).collect())],
        ..Page::default()
    }
}

/// A name that stands for nothing here. `sites`: calls of it that were tied to no definition; `near`: names like it.
pub fn unknown(asked: &str, sites: i64, near: &[String]) -> Page {
    let mut page = Page::of(format!("nothing here is called {asked}"));
    if sites > 0 {
        let calls = count(sites, "call");
        page.head.push(format!("{calls} of that name: its definition is not part of this repository"));
    }
    page.sections.push(Section::whole("names like it", near.to_vec()));
    page
}
