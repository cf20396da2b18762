//! [`GraphView`] over an open graph: its queries, as they stand.

use std::collections::BTreeMap;

use super::{GraphView, TestOf};
use crate::store::value::{RowExt, text, texts};
use crate::store::{Graph, StoreError};

const CALLS: &str = include_str!("../../queries/locate/calls.cypher");
const CALLS_OF: &str = include_str!("../../queries/locate/calls_of.cypher");
const BASES: &str = include_str!("../../queries/locate/bases.cypher");
const TESTS_OF: &str = include_str!("../../queries/locate/tests_of.cypher");
const RANK: &str = include_str!("../../queries/localize_rank.cypher");

/// Callees of one symbol that are looked at.
const MOST_CALLEES: usize = 100;
/// Symbols whose keys are read in the time that one look-up takes.
const A_LOOK_UP: usize = 4_000;

/// An open graph with so many symbols.
pub struct StoredGraph<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// About how many symbols it has: many are looked up one by one.
    pub symbols: usize,
}

impl GraphView for StoredGraph<'_> {
    type Error = StoreError;

    fn calls(&self, ids: &[String]) -> Result<Vec<Vec<(String, f64)>>, StoreError> {
        if self.symbols > ids.len() * A_LOOK_UP {
            let one = |id: &String| {
                let rows = self.graph.run(CALLS, vec![("id", text(id.as_str()))])?;
                rows.rows.iter().map(|row| Ok((row.str(0)?.to_owned(), row.float(1)?))).collect()
            };
            return ids.iter().map(one).collect();
        }
        let mut of: BTreeMap<String, Vec<(String, f64)>> = BTreeMap::new();
        for row in self.graph.run(CALLS_OF, vec![("ids", texts(ids))])?.rows {
            of.entry(row.str(0)?.to_owned()).or_default().push((row.str(1)?.to_owned(), row.float(2)?));
        }
        let sorted = |id: &String| {
            let mut calls = of.get(id).cloned().unwrap_or_default();
            calls.sort_by(|a, b| a.0.cmp(&b.0));
            calls.truncate(MOST_CALLEES);
            calls
        };
        Ok(ids.iter().map(sorted).collect())
    }

    fn bases(&self, id: &str) -> Result<Vec<String>, StoreError> {
        let rows = self.graph.run(BASES, vec![("id", text(id))])?;
        rows.rows.iter().map(|row| Ok(row.str(0)?.to_owned())).collect()
    }

    fn tests_of(&self, ids: &[String]) -> Result<Vec<TestOf>, StoreError> {
        let rows = self.graph.run(TESTS_OF, vec![("ids", texts(ids))])?;
        let test = |row: &Vec<_>| {
            Ok(TestOf {
                id: row.str(0)?.to_owned(),
                file: row.str(1)?.to_owned(),
                test: row.str(2)?.to_owned(),
                confidence: row.float(3)?,
            })
        };
        rows.rows.iter().map(test).collect()
    }

    fn rank(&self, id: &str) -> Result<f64, StoreError> {
        let rows = self.graph.run(RANK, vec![("id", text(id))])?;
        rows.rows.first().map_or(Ok(0.0), |row| row.float(0))
    }
}
