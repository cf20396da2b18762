//! Folders and globs that are claimed as a whole: git's ignore syntax, matched from the root.

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::error::AgentsError;

/// Whether a claim's text is a pattern and not a file.
pub fn is_pattern(text: &str) -> bool {
    text.ends_with('/') || text.contains(['*', '?', '['])
}

/// A pattern that is ready to match.
#[derive(Clone, Debug)]
pub struct Area {
    pattern: String,
    matcher: Gitignore,
}

impl Area {
    /// Reads `src/`, `src/**/*.py`, `*.md`.
    ///
    /// # Errors
    /// [`AgentsError::Pattern`].
    pub fn new(pattern: &str) -> Result<Area, AgentsError> {
        let bad = |reason: String| AgentsError::Pattern { pattern: pattern.to_owned(), reason };
        if pattern.starts_with(['!', '#']) || pattern.trim().is_empty() {
            return Err(bad("it says nothing".into()));
        }
        let mut builder = GitignoreBuilder::new("");
        // A folder is meant from the root.
        let from_root =
            if pattern.contains('/') { format!("/{}", pattern.trim_start_matches('/')) } else { pattern.to_owned() };
        builder.add_line(None, &from_root).map_err(|e| bad(e.to_string()))?;
        let matcher = builder.build().map_err(|e| bad(e.to_string()))?;
        Ok(Area { pattern: pattern.to_owned(), matcher })
    }

    /// Whether it is the area of that text.
    pub fn is(&self, pattern: &str) -> bool {
        self.pattern == pattern
    }

    /// Whether a file of the repository lies in it.
    pub fn holds(&self, path: &str) -> bool {
        self.matcher.matched_path_or_any_parents(path, false).is_ignore()
    }

    /// Whether a file may lie in both: sure when one holds the other's literal part, else when neither's excludes it.
    pub fn meets(&self, other: &Area) -> bool {
        let (a, b) = (literal(&self.pattern), literal(&other.pattern));
        if self.pattern == other.pattern {
            return true;
        }
        let nested = a.starts_with(b) || b.starts_with(a);
        let (x, y) = (extension(&self.pattern), extension(&other.pattern));
        nested && (x.is_none() || y.is_none() || x == y)
    }
}

/// What stands before the first wildcard.
fn literal(pattern: &str) -> &str {
    let pattern = pattern.trim_start_matches('/');
    if !pattern.contains('/') {
        // A name alone matches at any depth.
        return "";
    }
    &pattern[..pattern.find(['*', '?', '[']).unwrap_or(pattern.len())]
}

/// `.py` of `*.py`, when nothing in it is a wildcard.
fn extension(pattern: &str) -> Option<&str> {
    let (_, extension) = pattern.rsplit_once('.')?;
    (!extension.contains(['*', '?', '[', '/'])).then_some(extension)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_hold_files_and_meet_each_other() {
        let area = |p| Area::new(p).unwrap();
        assert!(area("src/").holds("src/a/b.py"));
        assert!(!area("src/").holds("other/src/a.py"));
        assert!(area("src/**/*.py").holds("src/a/b.py") && !area("src/**/*.py").holds("src/a/b.js"));
        assert!(area("*.md").holds("docs/a.md"));
        assert!(area("src/").meets(&area("src/a/*.py")));
        assert!(!area("src/").meets(&area("tests/")));
        assert!(!area("src/*.py").meets(&area("src/*.js")));
        assert!(area("*.md").meets(&area("docs/")));
        assert!(Area::new("!x").is_err() && Area::new(" ").is_err());
        // As git reads it: a bracket that nothing closes is a bracket.
        assert!(area("a[").holds("a["));
        assert!(is_pattern("src/") && is_pattern("a/*.py") && !is_pattern("src/a.py"));
    }
}
