//! JavaScript and TypeScript: relative files, `package.json`, `tsconfig.json` paths, workspaces.

use rustc_hash::FxHashMap;

use super::{Target, Tree, child, parent};
use crate::resolve::config::{PackageJson, ProjectConfig, TsConfig, join};
use crate::resolve::types::ModId;
use crate::rows::FileNo;

const EXTENSIONS: [&str; 11] =
    [".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts", ".d.ts", ".d.mts", ".d.cts"];

/// Path mappings of one tsconfig, `extends` resolved.
#[derive(Clone, Debug, Default)]
struct Mapping {
    /// Folder for non-relative imports.
    base_url: Option<String>,
    /// (pattern, targets), targets from the project's root.
    paths: Vec<(String, Vec<String>)>,
}

/// How non-relative imports are found.
#[derive(Default)]
pub(crate) struct EcmaScript {
    packages: Vec<PackageJson>,
    by_name: FxHashMap<String, usize>,
    /// Mapping of the tsconfig (or jsconfig) of a folder.
    mappings: FxHashMap<String, Mapping>,
}

impl EcmaScript {
    pub(crate) fn build(_tree: &Tree<'_>, config: &ProjectConfig) -> Self {
        let mut es = EcmaScript { packages: config.packages.clone(), ..Default::default() };
        for (i, p) in es.packages.iter().enumerate() {
            if let Some(name) = &p.name {
                es.by_name.entry(name.clone()).or_insert(i);
            }
        }
        let by_path: FxHashMap<&str, &TsConfig> = config.tsconfigs.iter().map(|c| (c.path.as_str(), c)).collect();
        let mut names: Vec<&TsConfig> = config.tsconfigs.iter().collect();
        // tsconfig.json rules its folder; the others (tsconfig.app.json ...) only where there is no path in it.
        let rank = |c: &TsConfig| match c.path.rsplit('/').next() {
            Some("tsconfig.json") => 0,
            Some("jsconfig.json") => 1,
            _ => 2,
        };
        names.sort_by(|a, b| (rank(a), &a.path).cmp(&(rank(b), &b.path)));
        for c in names {
            let mapping = es.mapping(c, &by_path, 0);
            let slot = es.mappings.entry(parent(&c.path).to_owned()).or_default();
            if slot.paths.is_empty() && slot.base_url.is_none() {
                *slot = mapping;
            }
        }
        es
    }

    fn mapping(&self, config: &TsConfig, by_path: &FxHashMap<&str, &TsConfig>, depth: u32) -> Mapping {
        let dir = parent(&config.path);
        let mut out = Mapping::default();
        if depth < 16 {
            for extended in &config.extends {
                let file = if extended.starts_with('.') || extended.starts_with('/') {
                    join(dir, extended)
                } else {
                    // A workspace package's config.
                    let (name, rest) = split_package(extended);
                    self.by_name.get(name).and_then(|&i| {
                        join(&self.packages[i].dir, if rest.is_empty() { "tsconfig.json" } else { rest })
                    })
                };
                let Some(file) = file else { continue };
                let candidates = [file.clone(), format!("{file}.json"), format!("{file}/tsconfig.json")];
                if let Some(base) = candidates.iter().find_map(|c| by_path.get(c.as_str())) {
                    let inherited = self.mapping(base, by_path, depth + 1);
                    out.base_url = inherited.base_url.or(out.base_url);
                    if !inherited.paths.is_empty() {
                        out.paths = inherited.paths;
                    }
                }
            }
        }
        if let Some(base) = &config.base_url {
            out.base_url = join(dir, base);
        }
        if let Some(paths) = &config.paths {
            let base = out.base_url.clone().unwrap_or_else(|| dir.to_owned());
            out.paths = paths
                .iter()
                .map(|(p, targets)| (p.clone(), targets.iter().filter_map(|t| join(&base, t)).collect()))
                .collect();
            // The most specific pattern wins.
            out.paths.sort_by(|a, b| {
                (b.0.find('*').unwrap_or(usize::MAX)).cmp(&a.0.find('*').unwrap_or(usize::MAX)).then(a.0.cmp(&b.0))
            });
        }
        out
    }

    /// A file by a path with or without extension, or a folder's index.
    fn file(&self, tree: &Tree<'_>, path: &str) -> Option<ModId> {
        if let Some(file) = tree.file(path) {
            return Some(file);
        }
        // An import of `x.js` means `x.ts` where that is the source.
        for (js, ts) in
            [(".js", [".ts", ".tsx"]), (".jsx", [".tsx", ".ts"]), (".mjs", [".mts", ".ts"]), (".cjs", [".cts", ".ts"])]
        {
            if let Some(stem) = path.strip_suffix(js)
                && let Some(file) = ts.iter().find_map(|e| tree.file(&format!("{stem}{e}")))
            {
                return Some(file);
            }
        }
        let with = |stem: &str| EXTENSIONS.iter().find_map(|e| tree.file(&format!("{stem}{e}")));
        with(path).or_else(|| {
            if let Some(p) = self.packages.iter().find(|p| p.dir == path && !p.mains.is_empty())
                && let Some(file) =
                    p.mains.iter().find_map(|m| join(path, m).filter(|j| j != path).and_then(|j| self.file(tree, &j)))
            {
                return Some(file);
            }
            with(&child(path, "index"))
        })
    }

    /// What a package's manifest names may be built from sources that stand elsewhere.
    fn built_file(&self, tree: &Tree<'_>, dir: &str, target: &str) -> Option<ModId> {
        let path = join(dir, target)?;
        if let Some(file) = self.file(tree, &path) {
            return Some(file);
        }
        let rel = target.trim_start_matches("./");
        let (top, rest) = rel.split_once('/')?;
        if !matches!(top, "dist" | "lib" | "build" | "out" | "esm" | "cjs" | "es" | "types" | "_esm" | "_cjs") {
            return None;
        }
        let stem = EXTENSIONS.iter().rev().find_map(|e| rest.strip_suffix(e)).unwrap_or(rest);
        let inner = stem.split_once('/').map(|(_, s)| s);
        [Some(stem), inner].into_iter().flatten().find_map(|s| {
            ["src", "", "source"].iter().find_map(|src| self.file(tree, &join(dir, &format!("{src}/{s}"))?))
        })
    }

    fn package_file(&self, tree: &Tree<'_>, package: &PackageJson, rest: &str) -> Option<ModId> {
        let subpath = if rest.is_empty() { ".".to_owned() } else { format!("./{rest}") };
        if let Some(targets) = matched(&package.exports, &subpath)
            && let Some(file) = targets.iter().find_map(|t| self.built_file(tree, &package.dir, t))
        {
            return Some(file);
        }
        if rest.is_empty() {
            let main = package.mains.iter().find_map(|m| self.built_file(tree, &package.dir, m));
            return main.or_else(|| {
                ["index", "src/index", "src/main", "lib/index"]
                    .iter()
                    .find_map(|i| self.file(tree, &child(&package.dir, i)))
            });
        }
        self.file(tree, &child(&package.dir, rest))
            .or_else(|| self.file(tree, &child(&package.dir, &format!("src/{rest}"))))
    }

    pub(crate) fn target(&self, tree: &Tree<'_>, file: FileNo, spec: &str) -> Target {
        let spec = spec.split(['?', '!']).next().unwrap_or(spec);
        let here = parent(tree.file_path(file));
        if spec.starts_with("./") || spec.starts_with("../") || spec == "." || spec == ".." {
            let found = join(here, spec).and_then(|p| self.file(tree, &p));
            // A stylesheet or a data file is nothing that defines symbols.
            let other = spec.rsplit('/').next().and_then(|n| n.rsplit_once('.')).is_some_and(|(_, e)| {
                matches!(
                    e,
                    "css"
                        | "scss"
                        | "less"
                        | "json"
                        | "svg"
                        | "png"
                        | "html"
                        | "vue"
                        | "svelte"
                        | "node"
                        | "wasm"
                        | "md"
                )
            });
            return found.map_or(if other { Target::External } else { Target::Missing }, Target::Module);
        }
        let mut dir = here;
        loop {
            if let Some(mapping) = self.mappings.get(dir) {
                if let Some(targets) = matched(&mapping.paths, spec)
                    && let Some(f) = targets.iter().find_map(|t| self.file(tree, t))
                {
                    return Target::Module(f);
                }
                if let Some(base) = &mapping.base_url
                    && let Some(f) = self.file(tree, &child(base, spec))
                {
                    return Target::Module(f);
                }
                break;
            }
            if dir.is_empty() {
                break;
            }
            dir = parent(dir);
        }
        if spec.starts_with('#') {
            return self.private_import(tree, here, spec);
        }
        let (name, rest) = split_package(spec);
        if let Some(&i) = self.by_name.get(name) {
            return self.package_file(tree, &self.packages[i], rest).map_or(Target::Missing, Target::Module);
        }
        Target::External
    }

    /// `#x` by the nearest package's `imports`.
    fn private_import(&self, tree: &Tree<'_>, here: &str, spec: &str) -> Target {
        let mut dir = here;
        loop {
            if let Some(p) = self.packages.iter().find(|p| p.dir == dir) {
                let found = matched(&p.imports, spec)
                    .and_then(|targets| targets.iter().find_map(|t| self.built_file(tree, &p.dir, t)));
                return found.map_or(Target::Missing, Target::Module);
            }
            if dir.is_empty() {
                return Target::Missing;
            }
            dir = parent(dir);
        }
    }
}

/// Splits `@scope/name/rest` or `name/rest`.
fn split_package(spec: &str) -> (&str, &str) {
    let slashes = if spec.starts_with('@') { 2 } else { 1 };
    match spec.match_indices('/').nth(slashes - 1) {
        Some((i, _)) => (&spec[..i], &spec[i + 1..]),
        None => (spec, ""),
    }
}

/// The targets of the first pattern (with at most one `*`) that fits, the star filled in.
fn matched(patterns: &[(String, Vec<String>)], spec: &str) -> Option<Vec<String>> {
    let exact = patterns.iter().find(|(p, _)| p == spec);
    if let Some((_, targets)) = exact {
        return Some(targets.clone());
    }
    patterns.iter().find_map(|(pattern, targets)| {
        let (before, after) = pattern.split_once('*')?;
        let middle = spec.strip_prefix(before)?.strip_suffix(after)?;
        Some(targets.iter().map(|t| t.replace('*', middle)).collect())
    })
}
