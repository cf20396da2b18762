//! Rust: `mod` trees of crates, Cargo workspaces.

use super::Target;
use crate::facts::*;
use crate::resolve::config::ProjectConfig;
use crate::resolve::linking::Trail;
use crate::resolve::names::Gid;
use crate::resolve::project::{Def, Project};
use crate::rows::FileNo;

/// Crates and module trees.
#[derive(Default)]
pub(crate) struct Rust {}

impl Rust {
    pub(crate) fn build(_p: &Project<'_>, _config: &ProjectConfig) -> Self {
        Rust {}
    }

    pub(crate) fn target(&self, _p: &Project<'_>, _file: FileNo, _import: &ImportFact) -> Target {
        Target::External
    }
}

impl<'a> Project<'a> {
    /// What a Rust `use` of one item binds.
    pub(crate) fn rust_import(
        &self,
        _file: FileNo,
        _import: &ImportFact,
        _target: Target,
        _item: Gid,
        _trail: &mut Trail,
    ) -> Def {
        Def::External
    }

    /// Names that are there without import: Rust's `crate`, `self`, `super` and the names of crates.
    pub(crate) fn ambient(&self, _file: FileNo, _name: Name, _trail: &mut Trail) -> Option<Def> {
        None
    }
}
