//! What other sessions hold of the files that a change touches.

use serde::Serialize;

use crate::ask::AskError;
use crate::store::Graph;
use crate::store::value::{RowExt, int};

const CLAIMS: &str = include_str!("../../queries/review/claims.cypher");

/// A live claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Claim {
    /// The session that holds it.
    pub session: String,
    /// The program that it runs in.
    pub host: String,
    /// The file, or the area's pattern.
    pub target: String,
    /// Until when, seconds since 1970.
    pub expires: i64,
}

/// Live claims on any of these files, or on an area that one of them lies in.
///
/// # Errors
/// What the store says.
pub fn claims(graph: &Graph, files: &[String], now: i64) -> Result<Vec<Claim>, AskError> {
    let mut out = Vec::new();
    for row in graph.run(CLAIMS, vec![("now", int(now))])?.rows {
        let target = row.str(2)?.to_owned();
        if files.iter().any(|file| covers(&target, file)) {
            let (session, host) = (row.str(0)?.to_owned(), row.str(1)?.to_owned());
            out.push(Claim { session, host, target, expires: row.int(3)? });
        }
    }
    out.sort_by(|a, b| (&a.target, &a.session).cmp(&(&b.target, &b.session)));
    Ok(out)
}

/// Whether a file is meant by a path or by a pattern as in `.gitignore`.
fn covers(target: &str, file: &str) -> bool {
    if target == file {
        return true;
    }
    let mut pattern = ignore::gitignore::GitignoreBuilder::new("");
    pattern.add_line(None, target).is_ok()
        && pattern.build().is_ok_and(|p| p.matched_path_or_any_parents(file, false).is_ignore())
}

#[cfg(test)]
mod tests {
    use super::covers;

    #[test]
    fn an_area_covers_what_lies_in_it() {
        assert!(covers("src/a.py", "src/a.py"));
        assert!(covers("src/", "src/deep/a.py"));
        assert!(covers("src/**/*.py", "src/deep/a.py"));
        assert!(!covers("src/", "tests/a.py"));
    }
}
