//! The first load: rows stream into one CSV a table, then one COPY a table. Rows as parameters (UNWIND) would all be in
//! memory at once, and the engine would look up each key of a relationship by a scan.

use std::path::Path;

use rustc_hash::FxHashSet;

use super::csv::Csv;
use super::rows::{
    CoChangeRow, CommitRow, EDGE_KINDS, EdgeKind, EdgeRow, FileRow, FileState, PersonRow, SymbolRow, TouchedRow,
    access_word,
};
use super::statements::named;
use super::{Graph, Result, headroom};

const LOAD: &str = include_str!("../../queries/store/load.cypher");

/// Takes rows in any order, file by file, and writes them into an empty graph at the end.
pub struct Bulk {
    files: Csv,
    symbols: Csv,
    defines: Csv,
    edges: [Csv; 5],
    imports: Csv,
    commits: Csv,
    persons: Csv,
    authored: Csv,
    touched: Csv,
    co_changes: Csv,
    present: FxHashSet<Box<str>>,
    mentioned: FxHashSet<Box<str>>,
}

impl Bulk {
    /// Temporary files go to `dir`, already unlinked; they take about as much as the finished graph.
    pub fn new(dir: &Path) -> Result<Bulk> {
        Ok(Bulk {
            files: Csv::new(dir)?,
            symbols: Csv::new(dir)?,
            defines: Csv::new(dir)?,
            edges: [Csv::new(dir)?, Csv::new(dir)?, Csv::new(dir)?, Csv::new(dir)?, Csv::new(dir)?],
            imports: Csv::new(dir)?,
            commits: Csv::new(dir)?,
            persons: Csv::new(dir)?,
            authored: Csv::new(dir)?,
            touched: Csv::new(dir)?,
            co_changes: Csv::new(dir)?,
            present: FxHashSet::default(),
            mentioned: FxHashSet::default(),
        })
    }

    /// Bytes of all rows as text so far.
    pub fn bytes(&self) -> u64 {
        let csvs = [
            &self.files,
            &self.symbols,
            &self.defines,
            &self.imports,
            &self.commits,
            &self.persons,
            &self.authored,
            &self.touched,
            &self.co_changes,
        ];
        csvs.into_iter().chain(&self.edges).map(Csv::len).sum()
    }

    /// A file of the tree with all that follows from its text.
    pub fn file(&mut self, state: &FileState) -> Result<()> {
        write_file(&mut self.files, &state.file, true)?;
        self.present.insert(state.file.path.as_str().into());
        for symbol in &state.symbols {
            write_symbol(&mut self.symbols, symbol, &state.file.path)?;
            write_pair(&mut self.defines, &state.file.path, &symbol.id)?;
        }
        for edge in &state.edges {
            write_edge(&mut self.edges[edge.key.kind as usize], edge)?;
        }
        for import in &state.imports {
            write_pair(&mut self.imports, &state.file.path, import)?;
        }
        Ok(())
    }

    /// A commit.
    pub fn commit(&mut self, row: &CommitRow) -> Result<()> {
        write_commit(&mut self.commits, row)
    }

    /// A person.
    pub fn person(&mut self, row: &PersonRow) -> Result<()> {
        write_person(&mut self.persons, row)
    }

    /// A person's commit.
    pub fn authored(&mut self, person: &str, commit: &str) -> Result<()> {
        write_pair(&mut self.authored, person, commit)
    }

    /// A file that a commit touched. A path that is not in the tree gets a row with `present = false`.
    pub fn touched(&mut self, row: &TouchedRow) -> Result<()> {
        self.mention(&row.path);
        write_touched(&mut self.touched, row)
    }

    /// Two files that change together; as for [`Bulk::touched`] they need not be in the tree.
    pub fn co_change(&mut self, row: &CoChangeRow) -> Result<()> {
        self.mention(&row.a);
        self.mention(&row.b);
        write_co_change(&mut self.co_changes, row)
    }

    fn mention(&mut self, path: &str) {
        if !self.present.contains(path) && !self.mentioned.contains(path) {
            self.mentioned.insert(path.into());
        }
    }

    /// Runs the COPYs, in one transaction: its commit checkpoints once. The graph must be new: its tables made,
    /// without rows in these.
    ///
    /// # Errors
    /// What the engine says (a double key, a relationship to a symbol that no file has), and a full disk.
    pub fn finish(self, graph: &Graph) -> Result<()> {
        headroom::check(graph.path(), headroom::FOR_CHECKPOINT + self.bytes())?;
        graph.transaction(|graph| self.copy(graph))
    }

    fn copy(self, graph: &Graph) -> Result<()> {
        let Bulk { mut files, symbols, defines, edges, imports, .. } = self;
        let mut absent: Vec<Box<str>> = self.mentioned.into_iter().filter(|p| !self.present.contains(p)).collect();
        absent.sort_unstable();
        for path in absent {
            let row = FileRow { path: path.into(), ..FileRow::default() };
            write_file(&mut files, &row, false)?;
        }
        files.copy(graph, named(LOAD, "File"))?;
        symbols.copy(graph, named(LOAD, "Symbol"))?;
        defines.copy(graph, named(LOAD, "DEFINES"))?;
        for (kind, csv) in EDGE_KINDS.into_iter().zip(edges) {
            csv.copy(graph, edge_statement(kind))?;
        }
        imports.copy(graph, named(LOAD, "IMPORTS"))?;
        self.commits.copy(graph, named(LOAD, "Commit"))?;
        self.persons.copy(graph, named(LOAD, "Person"))?;
        self.authored.copy(graph, named(LOAD, "AUTHORED"))?;
        self.touched.copy(graph, named(LOAD, "TOUCHED"))?;
        self.co_changes.copy(graph, named(LOAD, "CO_CHANGES"))
    }
}

/// The COPY of a kind of relationship.
pub(crate) fn edge_statement(kind: EdgeKind) -> &'static str {
    named(LOAD, kind.as_str())
}

/// The COPY of another table.
pub(crate) fn statement(table: &str) -> &'static str {
    named(LOAD, table)
}

pub(crate) fn write_file(csv: &mut Csv, row: &FileRow, present: bool) -> Result<()> {
    csv.text(&row.path)?;
    csv.text(&row.language)?;
    csv.text(&row.hash)?;
    csv.int(row.lines.into())?;
    csv.bool(row.is_test)?;
    csv.bool(row.generated)?;
    csv.text(&row.skipped)?;
    csv.bool(present)?;
    csv.end_row()
}

pub(crate) fn write_symbol(csv: &mut Csv, row: &SymbolRow, file: &str) -> Result<()> {
    csv.text(&row.id)?;
    csv.text(&row.name)?;
    csv.text(&row.qualname)?;
    csv.text(&row.kind)?;
    csv.text(file)?;
    csv.int(row.start_line.into())?;
    csv.int(row.end_line.into())?;
    csv.text(&row.signature)?;
    csv.text(&row.doc)?;
    csv.bool(row.is_test)?;
    csv.bool(row.exported)?;
    csv.bool(row.entry_point)?;
    csv.int(row.call_names.into())?;
    csv.float(row.rank)?;
    csv.lines(&row.unresolved)?;
    csv.bool(true)?;
    csv.end_row()
}

pub(crate) fn write_pair(csv: &mut Csv, from: &str, to: &str) -> Result<()> {
    csv.text(from)?;
    csv.text(to)?;
    csv.end_row()
}

pub(crate) fn write_edge(csv: &mut Csv, row: &EdgeRow) -> Result<()> {
    let key = &row.key;
    csv.text(&key.from)?;
    csv.text(&key.to)?;
    if matches!(key.kind, EdgeKind::Calls | EdgeKind::References) {
        csv.ints(&row.lines)?;
    }
    if key.kind == EdgeKind::References {
        csv.text(key.access.map_or("", access_word))?;
    }
    if key.kind != EdgeKind::Contains {
        csv.text(key.how.map_or("", |how| how.as_str()))?;
        csv.float(key.how.map_or(0.0, |how| how.confidence()))?;
    }
    csv.end_row()
}

pub(crate) fn write_commit(csv: &mut Csv, row: &CommitRow) -> Result<()> {
    csv.text(&row.hash)?;
    csv.int(row.at)?;
    csv.text(&row.subject)?;
    csv.text(&row.body)?;
    csv.bool(row.is_merge)?;
    csv.end_row()
}

pub(crate) fn write_person(csv: &mut Csv, row: &PersonRow) -> Result<()> {
    csv.text(&row.id)?;
    csv.text(&row.name)?;
    csv.text(&row.email)?;
    csv.end_row()
}

pub(crate) fn write_touched(csv: &mut Csv, row: &TouchedRow) -> Result<()> {
    csv.text(&row.commit)?;
    csv.text(&row.path)?;
    csv.text(row.change)?;
    csv.end_row()
}

pub(crate) fn write_co_change(csv: &mut Csv, row: &CoChangeRow) -> Result<()> {
    csv.text(&row.a)?;
    csv.text(&row.b)?;
    csv.int(row.count.into())?;
    csv.float(row.weight)?;
    csv.end_row()
}
