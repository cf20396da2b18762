//! Adding up the evidence and ordering the places.
//!
//! A file's score is the weighted sum of its best hit of each signal (a hit on a symbol counts for its file too),
//! a place's score that of its file plus its own. Sums are plain, so `--explain` can show each part.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use super::text::TextScores;
use super::weights::{Fusion, Substance, bounds};
use super::{Evidence, Ground, Hit, Limits, Place, SIGNALS, Signal, Target};
use crate::facts::SymbolKind;
use crate::search::UnitView;
use crate::terms::Field;

/// Places of the map that a far better file takes back.
const MOST_BACK: usize = 2;
/// Places of one file before the last ones of all files.
const MOST_BELOW: usize = 10;

#[derive(Clone, Default)]
struct Parts {
    points: [f32; SIGNALS],
    notes: BTreeMap<Signal, String>,
}

impl Parts {
    fn raise(&mut self, signal: Signal, points: f32, note: &str) {
        if points > self.points[signal as usize] {
            self.points[signal as usize] = points;
            self.notes.insert(signal, note.to_owned());
        }
    }

    fn sum(&self) -> f32 {
        self.points.iter().sum()
    }
}

/// Everything known of files and units.
pub struct Fused<'a> {
    on: Ground<'a>,
    text: &'a TextScores,
    files: BTreeMap<u32, Parts>,
    units: BTreeMap<u32, Parts>,
}

impl<'a> Fused<'a> {
    /// Takes the text's scores and the hits.
    pub fn new(on: Ground<'a>, text: &'a TextScores, hits: Vec<Hit>) -> Self {
        let (Ground { index, classes, .. }, w) = (on, &on.weights.fusion);
        let mut fused = Fused { on, text, files: BTreeMap::new(), units: BTreeMap::new() };
        let mut by_score: Vec<(u32, f32)> = (0..text.files.len() as u32)
            .map(|f| (f, text.files[f as usize] * classes.weight(f)))
            .filter(|f| f.1 > 0.0)
            .collect();
        by_score.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        by_score.truncate(bounds::CANDIDATES);
        for (file, _) in by_score {
            fused.files.entry(file).or_default();
        }
        fused.add(hits);
        let all: Vec<u32> = fused.files.keys().copied().collect();
        for file in all {
            // The best symbol of a file says as much of it as its words in sum.
            let mut own: Vec<f32> = index.units_of(file).map(|u| text.units[u as usize]).collect();
            own.sort_by(|a, b| b.total_cmp(a));
            let best = own.first().copied().unwrap_or(0.0);
            let points = w.file[Signal::Text as usize] * text.files[file as usize] + w.best_unit * best;
            fused.files.entry(file).or_default().raise(Signal::Text, points, "");
        }
        fused
    }

    /// Takes further hits.
    pub fn add(&mut self, hits: Vec<Hit>) {
        let w = &self.on.weights.fusion;
        for hit in hits {
            let s = hit.signal as usize;
            let file = match hit.target {
                Target::File(file) => file,
                Target::Unit(unit) => {
                    let Some(view) = self.on.index.unit(unit) else { continue };
                    self.units.entry(unit).or_default().raise(hit.signal, w.unit[s] * hit.strength, &hit.note);
                    view.file
                }
            };
            let parts = self.files.entry(file).or_default();
            parts.raise(hit.signal, w.file[s] * hit.strength, &hit.note);
        }
    }

    fn file_score(&self, file: u32) -> f32 {
        let w = &self.on.weights.fusion;
        self.files.get(&file).map_or(0.0, |parts| {
            let named = parts.points[Signal::Path as usize] >= 0.8 * w.file[Signal::Path as usize];
            let class = self.on.classes.weight(file);
            // A document that the text names outright is a place.
            parts.sum() * if named && class > 0.0 { class.max(0.8) } else { class }
        })
    }

    /// The best files: (file, share of the best score, path).
    pub fn best_files(&self, most: usize) -> Vec<(u32, f32, String)> {
        let ranked = self.ranked_files();
        let best = ranked.first().map_or(1.0, |f| f.1);
        let path = |f| self.on.index.file(f).map_or(String::new(), |v| v.path.to_owned());
        ranked.into_iter().take(most).map(|(f, s)| (f, s / best, path(f))).collect()
    }

    /// All files with a score, best first.
    pub fn ranked_files(&self) -> Vec<(u32, f32)> {
        let mut ranked: Vec<(u32, f32)> =
            self.files.keys().map(|&f| (f, self.file_score(f))).filter(|f| f.1 > 0.0).collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        ranked
    }

    /// Evidence of a file by signal, in points.
    pub fn file_points(&self, file: u32) -> [f32; SIGNALS] {
        self.files.get(&file).map_or([0.0; SIGNALS], |p| p.points)
    }

    /// The text's scores.
    pub fn text(&self) -> &TextScores {
        self.text
    }

    /// The places, best first.
    pub fn places(&self, limits: Limits) -> Vec<Place> {
        let files = self.ranked_files();
        let mut candidates: Vec<Candidate> = Vec::new();
        for &(file, file_score) in files.iter().take(bounds::FILES_LOOKED_INTO) {
            let before = candidates.len();
            for unit in self.on.index.units_of(file) {
                let Some(view) = self.on.index.unit(unit) else { continue };
                let Some(kind) = kind_weight(&self.on.weights.fusion, &view) else { continue };
                let own = self.unit_score(unit, &view) * kind;
                if own > 0.0 {
                    candidates.push((file_score + own, file, Some(unit)));
                }
            }
            if candidates.len() == before {
                candidates.push((file_score, file, None));
            }
        }
        candidates.sort_by(best_first);
        let order = self.interleave(candidates, limits);
        order.into_iter().map(|(score, file, unit)| self.place(score, file, unit)).collect()
    }

    /// Among the places that the map shows, at most `per_file` of one file before others have theirs, and of what overloads
    /// one name the best alone; the rest follows by score, and last what is too much of one file.
    fn interleave(&self, candidates: Vec<Candidate>, limits: Limits) -> Vec<Candidate> {
        let mut taken: BTreeMap<u32, usize> = BTreeMap::new();
        let mut names: BTreeSet<(u32, &str)> = BTreeSet::new();
        let (mut shown, mut rest, mut last) = (Vec::new(), Vec::new(), Vec::new());
        for candidate in candidates {
            let (_, file, unit) = candidate;
            let name = unit.and_then(|u| self.on.index.unit(u)).map_or("", |v| plain_name(v.qualname));
            let facade = !name.is_empty() && !names.insert((file, name));
            let count = taken.entry(file).or_default();
            *count += usize::from(!facade);
            if !facade && shown.len() < Limits::MAP.places && *count <= limits.per_file {
                shown.push(candidate);
            } else if *count > MOST_BELOW {
                last.push(candidate);
            } else {
                rest.push((facade, candidate));
            }
        }
        // Another file's place that has far less for it makes room again.
        let mut back: Vec<usize> = Vec::new();
        for (at, &(facade, candidate)) in rest.iter().enumerate() {
            let Some(weak) = shown.get(shown.len().wrapping_sub(1 + back.len())).copied() else { break };
            if back.len() == MOST_BACK || weak.0 >= self.on.weights.fusion.rival * candidate.0 {
                break;
            }
            if !facade {
                back.push(at);
            }
        }
        let weak: Vec<Candidate> = shown.split_off(shown.len() - back.len());
        for (at, weak) in back.into_iter().zip(weak) {
            shown.push(rest[at].1);
            rest[at].1 = weak;
        }
        let mut rest: Vec<Candidate> = rest.into_iter().map(|r| r.1).collect();
        rest.sort_by(best_first);
        shown.extend(rest);
        shown.extend(last);
        shown.truncate(limits.places);
        shown
    }

    fn unit_parts(&self, unit: u32, view: &UnitView<'_>) -> Parts {
        let mut parts = self.units.get(&unit).cloned().unwrap_or_default();
        let w = &self.on.weights.fusion;
        let substance = substance(&self.on.weights.substance, view);
        // Of a chain of calls it is not the link that hands on.
        parts.points[Signal::Calls as usize] *= more_than_a_link(&self.on.weights.substance, view);
        let words = self.text.units[unit as usize] * substance;
        parts.raise(Signal::Text, w.unit[Signal::Text as usize] * words, "");
        // What is said of a class is said of its members, a little.
        let mut holder = view.parent;
        let mut share = w.member_share;
        while let Some(no) = holder {
            let Some(above) = self.on.index.unit(no) else { break };
            if above.kind == Some(SymbolKind::Module) {
                break;
            }
            if let Some(of_holder) = self.units.get(&no) {
                for signal in [Signal::Mention, Signal::Calls] {
                    let points = of_holder.points[signal as usize] * share;
                    parts.raise(signal, points, of_holder.notes.get(&signal).map_or("", |n| n));
                }
            }
            share *= 0.5;
            holder = above.parent;
        }
        parts
    }

    fn unit_score(&self, unit: u32, view: &UnitView<'_>) -> f32 {
        self.unit_parts(unit, view).sum()
    }

    fn place(&self, score: f32, file: u32, unit: Option<u32>) -> Place {
        let mut parts = self.files.get(&file).cloned().unwrap_or_default();
        let view = unit.and_then(|u| self.on.index.unit(u).map(|v| (u, v)));
        if let Some((no, view)) = &view {
            let own = self.unit_parts(*no, view);
            for s in 0..SIGNALS {
                parts.points[s] += own.points[s];
            }
            parts.notes.extend(own.notes);
        }
        let mut why: Vec<Evidence> = SIGNAL_LIST
            .iter()
            .filter(|&&s| parts.points[s as usize] > 0.0)
            .map(|&signal| Evidence {
                signal,
                points: parts.points[signal as usize],
                note: parts.notes.get(&signal).cloned().unwrap_or_default(),
            })
            .collect();
        why.sort_by(|a, b| b.points.total_cmp(&a.points).then(a.signal.cmp(&b.signal)));
        let path = self.on.index.file(file).map_or(String::new(), |f| f.path.to_owned());
        match view {
            Some((_, v)) if v.kind != Some(SymbolKind::Module) => Place {
                file: path,
                qualname: v.qualname.to_owned(),
                kind: v.kind.map_or("lines", SymbolKind::as_str),
                start_line: v.start_line,
                end_line: v.end_line,
                score,
                why,
            },
            _ => Place { file: path, qualname: String::new(), kind: "file", start_line: 0, end_line: 0, score, why },
        }
    }
}

/// A score, its file, its unit.
type Candidate = (f32, u32, Option<u32>);

fn best_first(a: &Candidate, b: &Candidate) -> Ordering {
    b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)).then(a.2.cmp(&b.2))
}

/// Without the ordinal of what repeats: overloads of one name.
fn plain_name(qualname: &str) -> &str {
    qualname.split('#').next().unwrap_or(qualname)
}

const SIGNAL_LIST: [Signal; SIGNALS] = [
    Signal::Text,
    Signal::Mention,
    Signal::Path,
    Signal::Frame,
    Signal::Literal,
    Signal::Calls,
    Signal::Commits,
    Signal::CoChange,
    Signal::Witness,
];

/// How much of its words counts: a constructor that stores its arguments, a method that hands on, have little in
/// them that can be wrong.
fn substance(s: &Substance, view: &UnitView<'_>) -> f32 {
    doing(s, view).map_or(1.0, |weight| s.none + (1.0 - s.none) * weight / (weight + s.half))
}

/// How much a function does, in calls; none for what is no function.
fn doing(s: &Substance, view: &UnitView<'_>) -> Option<f32> {
    use SymbolKind::{Function, Macro, Method, Property};
    matches!(view.kind, Some(Function | Method | Property | Macro))
        .then(|| f32::from(view.calls) + view.lengths[Field::Ident as usize] as f32 / s.per_call)
}

/// Near 0 for a function that hands on to the next and does nothing else, near 1 for one that does two or three things (Hill's
/// function of order 2).
fn more_than_a_link(s: &Substance, view: &UnitView<'_>) -> f32 {
    doing(s, view).map_or(1.0, |weight| weight * weight / (weight * weight + s.link * s.link))
}

/// How likely a unit of a kind is what has to change, before any evidence; `None` for what is no place.
fn kind_weight(w: &Fusion, view: &UnitView<'_>) -> Option<f32> {
    use SymbolKind::*;
    Some(match view.kind {
        None => 1.0,
        Some(Function | Method | Property | Macro) => 1.0,
        Some(Class | Interface | Trait | Struct | Enum | Namespace) => w.type_place,
        Some(Constant | Variable | TypeAlias) => w.value_place,
        Some(Module) => w.module_place,
        Some(EnumMember | Field) => return None,
    })
}
