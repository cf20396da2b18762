//! Go: one package a folder, import paths under the module path of the nearest `go.mod`.

use rustc_hash::FxHashMap;

use super::{Target, parent};
use crate::facts::Facts;
use crate::lang::ModuleSystem;
use crate::resolve::config::ProjectConfig;
use crate::resolve::project::Project;
use crate::resolve::types::ModId;
use crate::rows::FileNo;

/// Packages by folder, folders by import path.
#[derive(Default)]
pub(crate) struct Go {
    /// (module path, folder), longest path first.
    modules: Vec<(String, String)>,
    /// The package that others import, by folder.
    packages: FxHashMap<String, (ModId, String)>,
}

fn package(facts: &Facts) -> &str {
    facts.package.map_or("", |n| facts.name(n))
}

impl Go {
    pub(crate) fn build(p: &Project<'_>, config: &ProjectConfig) -> Self {
        let mut go = Go {
            modules: config.go_modules.iter().map(|(d, m)| (m.clone(), d.clone())).collect(),
            ..Default::default()
        };
        go.modules.sort_by(|a, b| (b.0.len(), &b.0).cmp(&(a.0.len(), &a.0)));
        for file in p.file_nos().filter(|f| p.system(*f) == ModuleSystem::Go) {
            let name = package(p.facts(file));
            if let Some(group) = p.groups[file.0 as usize]
                && !name.ends_with("_test")
            {
                let dir = parent(p.tree.file_path(file)).to_owned();
                let entry = go.packages.entry(dir).or_insert_with(|| (group, name.to_owned()));
                // `package main` beside a library is a generator or an example.
                if entry.1 == "main" && name != "main" {
                    *entry = (group, name.to_owned());
                }
            }
        }
        go
    }

    fn package(&self, path: &str) -> Option<&(ModId, String)> {
        self.modules.iter().find_map(|(module, dir)| {
            let rest = path.strip_prefix(module.as_str())?;
            let rest = if rest.is_empty() { rest } else { rest.strip_prefix('/')? };
            let folder = if rest.is_empty() {
                dir.clone()
            } else if dir.is_empty() {
                rest.to_owned()
            } else {
                format!("{dir}/{rest}")
            };
            self.packages.get(&folder)
        })
    }

    pub(crate) fn target(&self, _p: &Project<'_>, _file: FileNo, path: &str) -> Target {
        match self.package(path) {
            Some((group, _)) => Target::Module(*group),
            None if self
                .modules
                .iter()
                .any(|(m, _)| path.strip_prefix(m.as_str()).is_some_and(|r| r.is_empty() || r.starts_with('/'))) =>
            {
                Target::Missing
            }
            None => Target::External,
        }
    }

    /// The name under which an import without alias is used.
    pub(crate) fn package_name<'s>(&'s self, _p: &Project<'_>, _file: FileNo, path: &'s str) -> &'s str {
        if let Some((_, name)) = self.package(path) {
            return name;
        }
        // Outside: by convention the last element, without a version or `.go` suffix or `go-` prefix.
        let mut parts = path.rsplit('/');
        let mut last = parts.next().unwrap_or(path);
        if last.len() > 1 && last.starts_with('v') && last[1..].bytes().all(|b| b.is_ascii_digit()) {
            last = parts.next().unwrap_or(last);
        }
        last = last.split(".v").next().unwrap_or(last);
        last.strip_prefix("go-").unwrap_or(last)
    }
}
