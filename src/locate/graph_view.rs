//! [`GraphView`] over an open graph: the shipped queries, as they stand.

use super::GraphView;
use crate::store::value::{RowExt, text};
use crate::store::{Graph, StoreError};

const CALLS: &str = include_str!("../../queries/locate/calls.cypher");
const BASES: &str = include_str!("../../queries/locate/bases.cypher");
const TESTS: &str = include_str!("../../queries/localize_tests.cypher");
const CLASS_TESTS: &str = include_str!("../../queries/locate/class_tests.cypher");
const RANK: &str = include_str!("../../queries/localize_rank.cypher");

/// An open graph, asked by the shipped queries.
pub struct StoredGraph<'a>(pub &'a Graph);

impl GraphView for StoredGraph<'_> {
    type Error = StoreError;

    fn calls(&self, id: &str) -> Result<Vec<(String, f64)>, StoreError> {
        let rows = self.0.run(CALLS, vec![("id", text(id))])?;
        rows.rows.iter().map(|row| Ok((row.str(0)?.to_owned(), row.float(1)?))).collect()
    }

    fn bases(&self, id: &str) -> Result<Vec<String>, StoreError> {
        let rows = self.0.run(BASES, vec![("id", text(id))])?;
        rows.rows.iter().map(|row| Ok(row.str(0)?.to_owned())).collect()
    }

    fn test_files_of(&self, id: &str) -> Result<Vec<String>, StoreError> {
        let rows = self.0.run(TESTS, vec![("id", text(id))])?;
        rows.rows.iter().map(|row| Ok(row.str(0)?.to_owned())).collect()
    }

    fn test_files_of_class(&self, id: &str) -> Result<Vec<(String, u32)>, StoreError> {
        let rows = self.0.run(CLASS_TESTS, vec![("id", text(id))])?;
        rows.rows.iter().map(|row| Ok((row.str(0)?.to_owned(), u32::try_from(row.int(1)?).unwrap_or(0)))).collect()
    }

    fn rank(&self, id: &str) -> Result<f64, StoreError> {
        let rows = self.0.run(RANK, vec![("id", text(id))])?;
        rows.rows.first().map_or(Ok(0.0), |row| row.float(0))
    }
}
