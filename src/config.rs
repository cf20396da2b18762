//! `portolan.toml`: what a repository's owner says about indexing it. It comes with the
//! repository, so it never holds endpoints or commands.
//!
//! ```toml
//! exclude = ["vendor/", "*.pb.go"]     # as in .gitignore, "!" included
//! languages = ["python", "go"]         # parse only these
//! conflict = "deny"                    # an edit of a file that another agent is editing: deny, ask, note, off
//!
//! [limits]
//! max_file_size = 1048576              # bytes; larger files are skipped
//! history_depth = 5000                 # commits
//! ```

use std::path::{Path, PathBuf};

use ignore::gitignore::{Gitignore, GitignoreBuilder};
use serde::Deserialize;
use toml::Spanned;

use crate::repo::{CONFIG_FILE, Repo};

/// A `portolan.toml` that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// It exists but cannot be read.
    #[error("cannot read {path}: {source}; check its permissions")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: std::io::Error,
    },
    /// Its content is wrong.
    #[error("{path}:{line}: {message}; correct that line or remove it")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The line at fault, 1-based.
        line: usize,
        /// What is wrong with it.
        message: String,
    },
}

/// What happens to an edit of a file that another agent is editing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Conflict {
    /// It is refused.
    #[default]
    Deny,
    /// A person is asked.
    Ask,
    /// The agent is told, and goes on.
    Note,
    /// Nothing is claimed.
    Off,
}

/// Settings of one repository.
#[derive(Clone, Debug)]
pub struct Config {
    /// Patterns of what is left out, tracked or not; git's ignore syntax.
    pub exclude: Gitignore,
    /// Only these languages are parsed, if any are named.
    pub languages: Option<Vec<String>>,
    /// Larger files are skipped; bytes.
    pub max_file_size: u64,
    /// How many of the newest commits count.
    pub history_depth: usize,
    /// What happens to an edit of a file that another agent is editing.
    pub conflict: Conflict,
    /// Keys that mean nothing, as sentences for the user.
    pub warnings: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            exclude: Gitignore::empty(),
            languages: None,
            max_file_size: 1024 * 1024,
            history_depth: 5000,
            conflict: Conflict::Deny,
            warnings: Vec::new(),
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct File {
    exclude: Vec<Spanned<String>>,
    languages: Option<Vec<Spanned<String>>>,
    conflict: Conflict,
    limits: Limits,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Limits {
    max_file_size: Option<Spanned<u64>>,
    history_depth: Option<Spanned<u64>>,
}

impl Config {
    /// Reads `portolan.toml` at the root; without one, the defaults.
    ///
    /// # Errors
    /// The file cannot be read or is wrong.
    pub fn load(repo: &Repo) -> Result<Config, ConfigError> {
        let path = repo.root().join(CONFIG_FILE);
        // A repository may be hostile: only a real, small file is opened.
        match std::fs::symlink_metadata(&path) {
            Ok(meta) if meta.is_file() && meta.len() <= 1024 * 1024 => {}
            Ok(_) => {
                let source = std::io::Error::other("not a regular file of at most 1 MiB");
                return Err(ConfigError::Unreadable { path, source });
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(Config::default()),
            Err(source) => return Err(ConfigError::Unreadable { path, source }),
        }
        match std::fs::read_to_string(&path) {
            Ok(text) => Config::parse(&text, &path),
            Err(source) => Err(ConfigError::Unreadable { path, source }),
        }
    }

    /// Reads the text of a `portolan.toml` that stands at `path`.
    ///
    /// # Errors
    /// Not TOML, a value of the wrong type, a pattern or language that does not exist.
    pub fn parse(text: &str, path: &Path) -> Result<Config, ConfigError> {
        let invalid = |offset: usize, message: String| ConfigError::Invalid {
            path: path.to_owned(),
            line: 1 + text.as_bytes()[..offset.min(text.len())].iter().filter(|b| **b == b'\n').count(),
            message,
        };
        let of_toml = |e: toml::de::Error| invalid(e.span().map_or(0, |s| s.start), e.message().to_owned());
        let file: File = toml::from_str(text).map_err(of_toml)?;
        let table: toml::Table = toml::from_str(text).map_err(of_toml)?;

        let mut config = Config { warnings: unknown_keys(&table, path), ..Config::default() };
        let mut exclude = GitignoreBuilder::new(path.parent().unwrap_or(Path::new("")));
        for pattern in &file.exclude {
            let at = pattern.span().start;
            exclude.add_line(None, pattern.get_ref()).map_err(|e| invalid(at, format!("bad pattern: {e}")))?;
        }
        config.exclude = exclude.build().map_err(|e| invalid(0, format!("bad pattern: {e}")))?;
        if let Some(languages) = &file.languages {
            for language in languages {
                if crate::lang::by_name(language.get_ref()).is_none() {
                    let known: Vec<&str> = crate::lang::LANGUAGES.iter().map(|l| l.name()).collect();
                    let message = format!("unknown language {:?} (there are {})", language.get_ref(), known.join(", "));
                    return Err(invalid(language.span().start, message));
                }
            }
            config.languages = Some(languages.iter().map(|l| l.get_ref().clone()).collect());
        }
        if let Some(bytes) = &file.limits.max_file_size {
            config.max_file_size = *bytes.get_ref();
        }
        if let Some(depth) = &file.limits.history_depth {
            config.history_depth = usize::try_from(*depth.get_ref()).unwrap_or(usize::MAX);
        }
        config.conflict = file.conflict;
        Ok(config)
    }

    /// Whether files of this language are parsed.
    pub fn parses(&self, language: &str) -> bool {
        self.languages.as_ref().is_none_or(|names| names.iter().any(|n| n == language))
    }
}

fn unknown_keys(table: &toml::Table, path: &Path) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut warn = |key: &str| warnings.push(format!("{}: unknown key `{key}` is ignored", path.display()));
    for (key, value) in table {
        match (key.as_str(), value) {
            ("exclude" | "languages" | "conflict", _) => {}
            ("limits", toml::Value::Table(limits)) => {
                for key in limits.keys().filter(|k| !matches!(k.as_str(), "max_file_size" | "history_depth")) {
                    warn(&format!("limits.{key}"));
                }
            }
            _ => warn(key),
        }
    }
    warnings.sort();
    warnings
}
