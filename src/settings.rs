//! The user's own settings, for all repositories: `$XDG_CONFIG_HOME/portolan/config.toml`, or
//! `~/.config/portolan/config.toml`. What could widen an agent's powers stands here and never in a repository.
//!
//! ```toml
//! [mcp]
//! cypher = true      # offers agents a tool that runs read-only Cypher
//! ```

use std::path::{Path, PathBuf};

use serde::Deserialize;

/// Settings that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{path}: {reason}; correct or remove it")]
pub struct SettingsError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong.
    pub reason: String,
}

/// The settings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// About `portolan mcp`.
    pub mcp: Mcp,
}

/// Settings of the MCP server.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct Mcp {
    /// Offer the tool `cypher`.
    pub cypher: bool,
}

impl Settings {
    /// Reads the user's file; without one, the defaults.
    ///
    /// # Errors
    /// The file cannot be read or is no TOML of this form.
    pub fn load() -> Result<Settings, SettingsError> {
        place().map_or_else(|| Ok(Settings::default()), |path| Settings::read(&path))
    }

    /// Reads the file at `path`; without one, the defaults.
    ///
    /// # Errors
    /// As [`Settings::load`].
    pub fn read(path: &Path) -> Result<Settings, SettingsError> {
        let fault = |reason: String| SettingsError { path: path.to_owned(), reason };
        match std::fs::read_to_string(path) {
            Ok(text) => toml::from_str(&text).map_err(|e| fault(e.message().to_owned())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Settings::default()),
            Err(error) => Err(fault(error.to_string())),
        }
    }
}

fn place() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(base.join("portolan").join("config.toml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_switched_on_is_on() {
        let folder = tempfile::TempDir::new().unwrap();
        let path = folder.path().join("config.toml");
        assert_eq!(Settings::read(&path).unwrap(), Settings::default());
        std::fs::write(&path, "[mcp]\ncypher = true\n[later]\nx = 1\n").unwrap();
        assert!(Settings::read(&path).unwrap().mcp.cypher);
        std::fs::write(&path, "[mcp]\ncypher = \"yes\"\n").unwrap();
        let error = Settings::read(&path).unwrap_err().to_string();
        assert!(error.contains("config.toml") && error.contains("correct"), "{error}");
    }
}
