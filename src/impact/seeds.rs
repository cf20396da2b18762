//! Where a walk begins: what a user names, or what a change touched, as definitions of the graph.

use serde::Serialize;

use super::compare::{ChangeKind, Compared, SymbolChange};
use super::radius::places;
use crate::ask::{self, AskError, Brief, Named, named};
use crate::store::Graph;

/// A definition from which the walk goes out.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Seed {
    /// Its id in the graph.
    pub id: String,
    /// Its file.
    pub file: String,
    /// Dotted name within the file.
    pub qualname: String,
    /// `function`, `class`, ...
    pub kind: String,
    /// First line.
    pub start_line: i64,
    /// Last line.
    pub end_line: i64,
    /// What is done to it; `None` when it was only named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<ChangeKind>,
    /// Whether the graph holds it. What was removed, and what is newer than the graph, is not in it.
    pub in_graph: bool,
}

impl Seed {
    /// The probability that whoever uses it directly is affected: a rough order, not a measurement. A name that is gone or
    /// a signature breaks who relies on it, a value is seen by who reads it, a body may do the same as before, and what is new
    /// has only users that came with it.
    pub fn weight(&self) -> f64 {
        match self.change {
            None | Some(ChangeKind::Removed | ChangeKind::Renamed | ChangeKind::Signature) => 1.0,
            Some(ChangeKind::Value) => 0.9,
            Some(ChangeKind::Body) => 0.7,
            Some(ChangeKind::Added) => 0.4,
        }
    }

    /// Whether mentions of it as a type count.
    pub fn reaches_types(&self) -> bool {
        !matches!(self.change, Some(ChangeKind::Body | ChangeKind::Added | ChangeKind::Value))
    }

    fn of(symbol: &Brief, change: Option<ChangeKind>) -> Seed {
        Seed {
            id: symbol.id.clone(),
            file: symbol.file.clone(),
            qualname: symbol.qualname.clone(),
            kind: symbol.kind.clone(),
            start_line: symbol.start_line,
            end_line: symbol.end_line,
            change,
            in_graph: true,
        }
    }

    /// Its bare name.
    pub fn name(&self) -> &str {
        let name = self.qualname.rsplit('.').next().unwrap_or(&self.qualname);
        name.split('#').next().unwrap_or(name)
    }
}

/// What one TARGET of a command line stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// Definitions.
    Symbols(Vec<Seed>),
    /// Several definitions of that name: the user must choose.
    Many(Vec<Brief>),
    /// A file without definitions that are known.
    Unparsed(String),
    /// Nothing of that name.
    None,
}

/// All that was named.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Targets {
    /// Definitions.
    pub seeds: Vec<Seed>,
    /// Files without definitions that are known.
    pub unparsed: Vec<String>,
    /// What stands for several definitions, with them.
    pub many: Vec<(String, Vec<Brief>)>,
    /// What stands for nothing.
    pub unknown: Vec<String>,
}

/// Looks up symbols, files and `file:10-20`; `file` turns a path of the user's into one of the graph.
///
/// # Errors
/// What the store says.
pub fn targets(graph: &Graph, asked: &[(String, String)]) -> Result<Targets, AskError> {
    let mut all = Targets::default();
    for (name, path) in asked {
        match target(graph, name, path)? {
            Target::Symbols(seeds) => all.seeds.extend(seeds),
            Target::Unparsed(file) => all.unparsed.push(file),
            Target::Many(candidates) => all.many.push((name.clone(), candidates)),
            Target::None => all.unknown.push(name.clone()),
        }
    }
    let mut seen = std::collections::HashSet::new();
    all.seeds.retain(|seed| seen.insert(seed.id.clone()));
    Ok(all)
}

/// `name` as the user wrote it, `path` the same as a path of the graph.
fn target(graph: &Graph, name: &str, path: &str) -> Result<Target, AskError> {
    if ask::has_file(graph, path)? {
        let outline = ask::outline(graph, path)?;
        return Ok(match outline.is_empty() {
            true => Target::Unparsed(path.to_owned()),
            false => Target::Symbols(outline.iter().map(|s| Seed::of(s, None)).collect()),
        });
    }
    if let Some((file, from, to)) = line_range(path)
        && ask::has_file(graph, file)?
    {
        let outline = ask::outline(graph, file)?;
        let inside: Vec<Seed> = innermost(&outline, from, to).into_iter().map(|s| Seed::of(s, None)).collect();
        return Ok(if inside.is_empty() { Target::Unparsed(file.to_owned()) } else { Target::Symbols(inside) });
    }
    Ok(match named(graph, name)? {
        Named::One(symbols) => {
            let mut seeds: Vec<Seed> = Vec::new();
            for symbol in &symbols {
                seeds.push(Seed::of(symbol, None));
                // Of a class its members: whoever uses the class runs them.
                if ["class", "struct", "interface", "trait", "enum"].contains(&symbol.kind.as_str()) {
                    let below = format!("{}.", symbol.qualname);
                    let members = ask::outline(graph, &symbol.file)?;
                    seeds.extend(members.iter().filter(|m| m.qualname.starts_with(&below)).map(|m| Seed::of(m, None)));
                }
            }
            Target::Symbols(seeds)
        }
        Named::Many(candidates) => Target::Many(candidates),
        Named::None => Target::None,
    })
}

/// `path:10` and `path:10-20`.
fn line_range(text: &str) -> Option<(&str, i64, i64)> {
    let (file, lines) = text.rsplit_once(':')?;
    let (from, to) = lines.split_once('-').unwrap_or((lines, lines));
    let (from, to) = (from.parse().ok()?, to.parse().ok()?);
    (from <= to).then_some((file, from, to))
}

/// For each line the innermost definition around it.
fn innermost(outline: &[Brief], from: i64, to: i64) -> Vec<&Brief> {
    // What a line assigns to a field is done by the code around it.
    let holds = |s: &&Brief| s.kind != "field" && s.start_line <= to && from <= s.end_line;
    let covering: Vec<&Brief> = outline.iter().filter(holds).collect();
    let whole = |s: &&&Brief| from <= s.start_line && s.end_line <= to;
    let mut found: Vec<&Brief> = covering.iter().filter(whole).copied().collect();
    for line in [from, to] {
        let around = covering.iter().filter(|s| s.start_line <= line && line <= s.end_line);
        let inner = around.min_by_key(|s| (s.end_line - s.start_line, std::cmp::Reverse(s.start_line)));
        found.extend(inner);
    }
    if from == to || found.is_empty() {
        return found.into_iter().take(1).collect();
    }
    let mut seen = std::collections::HashSet::new();
    found.retain(|s| s.kind != "module" && seen.insert(s.id.clone()));
    found
}

/// Changed definitions from which a walk goes out; of more the furthest-reaching ones.
pub const MOST_SEEDS: usize = 1000;

/// The changed definitions as seeds, those that reach furthest first; tests are left out, since nothing depends on a test.
/// And how many more there were.
///
/// # Errors
/// What the store says.
pub fn of_changes(graph: &Graph, files: &[Compared], unapplied: bool) -> Result<(Vec<Seed>, usize), AskError> {
    let mut changes: Vec<&SymbolChange> = files.iter().flat_map(|f| &f.symbols).filter(|s| !s.is_test).collect();
    changes.sort_by_key(|s| s.change);
    let more = changes.len().saturating_sub(MOST_SEEDS);
    changes.truncate(MOST_SEEDS);
    // A patch that is not applied yet: the graph shows the code before it.
    let id_of = |change: &SymbolChange| change.was.as_ref().filter(|_| unapplied).unwrap_or(&change.id).clone();
    let ids: Vec<String> = changes.iter().map(|c| id_of(c)).collect();
    let known = places(graph, &ids.iter().map(String::as_str).collect::<Vec<_>>())?;
    let seed = |(change, id): (&&SymbolChange, String)| {
        // A removed one that the graph still holds is that of a graph older than the change.
        let in_graph = known.contains_key(&id);
        Seed { id, in_graph, ..seed_of(change) }
    };
    Ok((changes.iter().zip(ids).map(seed).collect(), more))
}

fn seed_of(change: &SymbolChange) -> Seed {
    Seed {
        id: change.id.clone(),
        file: change.file.clone(),
        qualname: change.qualname.clone(),
        kind: change.kind.to_owned(),
        start_line: change.start_line.into(),
        end_line: change.end_line.into(),
        change: Some(change.change),
        in_graph: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_told_from_names() {
        assert_eq!(line_range("src/a.py:12"), Some(("src/a.py", 12, 12)));
        assert_eq!(line_range("src/a.py:12-30"), Some(("src/a.py", 12, 30)));
        assert_eq!(line_range("src/a.py:30-12"), None);
        assert_eq!(line_range("a::b"), None);
    }
}
