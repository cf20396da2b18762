//! What a project's build files say about how its imports find files.

use std::collections::BTreeMap;

use serde_json::Value;

/// A `tsconfig.json` or `jsconfig.json`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TsConfig {
    /// Its own path.
    pub path: String,
    /// `extends`, in the order written.
    pub extends: Vec<String>,
    /// `compilerOptions.baseUrl`.
    pub base_url: Option<String>,
    /// `compilerOptions.paths`.
    pub paths: Option<Vec<(String, Vec<String>)>>,
}

/// A `package.json`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PackageJson {
    /// Its folder, without a slash at the end; empty for the root.
    pub dir: String,
    /// `name`.
    pub name: Option<String>,
    /// `source`, `types`, `module`, `main`, as far as given, in this order.
    pub mains: Vec<String>,
    /// `exports`: subpath pattern (`.`, `./x`, `./*`) to targets.
    pub exports: Vec<(String, Vec<String>)>,
    /// `imports`: `#x` to targets.
    pub imports: Vec<(String, Vec<String>)>,
}

/// A `Cargo.toml` with a package.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Crate {
    /// Its folder.
    pub dir: String,
    /// The name that `use` paths have (`-` is `_`).
    pub name: String,
    /// Path of the library's root file.
    pub lib: String,
    /// Dependencies under another name: (name in code, package name).
    pub renamed: Vec<(String, String)>,
}

/// What build files say. Loading never fails: a file that cannot be read as what it should be is ignored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProjectConfig {
    /// `(folder, module path)` of each go.mod.
    pub(crate) go_modules: Vec<(String, String)>,
    pub(crate) crates: Vec<Crate>,
    pub(crate) packages: Vec<PackageJson>,
    pub(crate) tsconfigs: Vec<TsConfig>,
    /// Folders from which Python imports start, as far as configured.
    pub(crate) python_roots: Vec<String>,
}

fn split(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

/// `dir/rel` with `.` and `..` resolved; `None` when it leaves the root.
pub(crate) fn join(dir: &str, rel: &str) -> Option<String> {
    let mut parts: Vec<&str> =
        if rel.starts_with('/') { vec![] } else { dir.split('/').filter(|p| !p.is_empty()).collect() };
    for part in rel.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            p => parts.push(p),
        }
    }
    Some(parts.join("/"))
}

impl ProjectConfig {
    /// Is this file of interest to [`ProjectConfig::load`]? `path` has forward slashes.
    pub fn is_config_file(path: &str) -> bool {
        let name = split(path).1;
        matches!(name, "go.mod" | "Cargo.toml" | "package.json" | "pyproject.toml" | "setup.cfg" | "setup.py")
            || name.ends_with(".json") && (name.contains("tsconfig") || name.contains("jsconfig"))
    }

    /// Reads build files, given as (path from the root, content).
    pub fn load<'a>(files: impl Iterator<Item = (&'a str, &'a [u8])>) -> Self {
        let mut config = ProjectConfig::default();
        let mut files: Vec<_> = files.collect();
        files.sort_unstable();
        for (path, bytes) in files {
            if path.split('/').any(|p| p == "node_modules") {
                continue;
            }
            let Ok(text) = std::str::from_utf8(bytes) else { continue };
            let (dir, name) = split(path);
            match name {
                "go.mod" => config.go_mod(dir, text),
                "Cargo.toml" => config.cargo(dir, text),
                "package.json" => config.package_json(dir, text),
                "pyproject.toml" => config.pyproject(dir, text),
                "setup.cfg" => config.setup_cfg(dir, text),
                "setup.py" => config.setup_py(dir, text),
                _ => config.tsconfig(path, text),
            }
        }
        config.python_roots.sort();
        config.python_roots.dedup();
        config
    }

    fn go_mod(&mut self, dir: &str, text: &str) {
        for line in text.lines() {
            if let Some(rest) = line.trim().strip_prefix("module")
                && rest.starts_with([' ', '\t', '"'])
            {
                let module = rest.split("//").next().unwrap_or("").trim().trim_matches('"');
                self.go_modules.push((dir.into(), module.into()));
                return;
            }
        }
    }

    fn cargo(&mut self, dir: &str, text: &str) {
        let Ok(doc) = text.parse::<toml::Table>() else { return };
        let Some(name) = doc.get("package").and_then(|p| p.get("name")).and_then(|n| n.as_str()) else { return };
        let lib = doc.get("lib");
        let lib_name = lib.and_then(|l| l.get("name")).and_then(|n| n.as_str()).unwrap_or(name);
        let lib_path = lib.and_then(|l| l.get("path")).and_then(|n| n.as_str()).unwrap_or("src/lib.rs");
        let mut renamed = Vec::new();
        for table in ["dependencies", "dev-dependencies"] {
            for (key, value) in doc.get(table).and_then(|t| t.as_table()).into_iter().flatten() {
                if let Some(package) = value.get("package").and_then(|p| p.as_str()) {
                    renamed.push((key.replace('-', "_"), package.replace('-', "_")));
                }
            }
        }
        self.crates.push(Crate {
            dir: dir.into(),
            name: lib_name.replace('-', "_"),
            lib: join(dir, lib_path).unwrap_or_default(),
            renamed,
        });
    }

    fn package_json(&mut self, dir: &str, text: &str) {
        let Ok(doc) = serde_json::from_str::<Value>(text) else { return };
        let mut package = PackageJson { dir: dir.into(), ..Default::default() };
        package.name = doc.get("name").and_then(Value::as_str).map(str::to_owned);
        for key in ["source", "types", "module", "main"] {
            if let Some(main) = doc.get(key).and_then(Value::as_str) {
                package.mains.push(main.into());
            }
        }
        match doc.get("exports") {
            Some(Value::Object(map)) if map.keys().any(|k| k.starts_with('.')) => {
                for (key, value) in map {
                    package.exports.push((key.clone(), targets(value)));
                }
            }
            Some(value) => package.exports.push((".".into(), targets(value))),
            None => {}
        }
        if let Some(Value::Object(map)) = doc.get("imports") {
            for (key, value) in map {
                package.imports.push((key.clone(), targets(value)));
            }
        }
        self.packages.push(package);
    }

    fn tsconfig(&mut self, path: &str, text: &str) {
        let Ok(doc) = serde_json::from_str::<Value>(&strip_jsonc(text)) else { return };
        let options = doc.get("compilerOptions");
        let mut config = TsConfig { path: path.into(), ..Default::default() };
        match doc.get("extends") {
            Some(Value::String(one)) => config.extends.push(one.clone()),
            Some(Value::Array(many)) => config.extends.extend(many.iter().filter_map(Value::as_str).map(str::to_owned)),
            _ => {}
        }
        config.base_url = options.and_then(|o| o.get("baseUrl")).and_then(Value::as_str).map(str::to_owned);
        if let Some(Value::Object(map)) = options.and_then(|o| o.get("paths")) {
            config.paths = Some(map.iter().map(|(k, v)| (k.clone(), targets(v))).collect());
        }
        self.tsconfigs.push(config);
    }

    fn python_root(&mut self, dir: &str, rel: &str) {
        self.python_roots.extend(join(dir, rel));
    }

    fn pyproject(&mut self, dir: &str, text: &str) {
        let Ok(doc) = text.parse::<toml::Table>() else { return };
        let tool = |path: &[&str]| {
            let mut at = doc.get("tool")?;
            for key in path {
                at = at.get(key)?;
            }
            Some(at.clone())
        };
        let strings = |v: Option<toml::Value>| -> Vec<String> {
            match v {
                Some(toml::Value::Array(a)) => a.iter().filter_map(|s| s.as_str()).map(str::to_owned).collect(),
                Some(toml::Value::String(s)) => vec![s],
                _ => vec![],
            }
        };
        for root in strings(tool(&["setuptools", "packages", "find", "where"]))
            .into_iter()
            .chain(strings(tool(&["setuptools", "package-dir", ""])))
            .chain(strings(tool(&["pytest", "ini_options", "pythonpath"])))
        {
            self.python_root(dir, &root);
        }
        for package in strings(tool(&["hatch", "build", "targets", "wheel", "packages"])) {
            self.python_root(dir, split(&package).0);
        }
        if let Some(toml::Value::Array(packages)) = tool(&["poetry", "packages"]) {
            for p in packages {
                if let Some(from) = p.get("from").and_then(|f| f.as_str()) {
                    self.python_root(dir, from);
                }
            }
        }
    }

    fn setup_cfg(&mut self, dir: &str, text: &str) {
        let mut section = "";
        for line in text.lines() {
            let line = line.trim();
            if let Some(name) = line.strip_prefix('[') {
                section = name.trim_end_matches(']');
            } else if let Some((key, value)) = line.split_once('=') {
                let (key, value) = (key.trim(), value.trim());
                let is_root = section == "options.packages.find" && key == "where"
                    || section == "options" && key == "package_dir" && value.starts_with('=')
                    || section == "options" && key.is_empty();
                if is_root {
                    self.python_root(dir, value.trim_start_matches('=').trim());
                }
            }
        }
    }

    /// `package_dir={"": "src"}` and `find_packages("src")` written as literals.
    fn setup_py(&mut self, dir: &str, text: &str) {
        let compact: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        let compact = compact.replace('\'', "\"");
        for mark in ["package_dir={\"\":\"", "find_packages(\"", "find_packages(where=\""] {
            if let Some(at) = compact.find(mark)
                && let Some(root) = compact[at + mark.len()..].split('"').next()
            {
                self.python_root(dir, root);
            }
        }
    }
}

/// All file targets in a conditional exports value, those for types and sources first.
fn targets(value: &Value) -> Vec<String> {
    match value {
        Value::String(s) => vec![s.clone()],
        Value::Array(a) => a.iter().flat_map(targets).collect(),
        Value::Object(map) => {
            let mut ranked: BTreeMap<(usize, usize), Vec<String>> = BTreeMap::new();
            for (i, (key, v)) in map.iter().enumerate() {
                let rank = ["source", "types", "import", "module", "require", "node", "default"]
                    .iter()
                    .position(|k| k == key)
                    .unwrap_or(7);
                ranked.insert((rank, i), targets(v));
            }
            ranked.into_values().flatten().collect()
        }
        _ => vec![],
    }
}

/// JSON with comments and trailing commas as plain JSON.
fn strip_jsonc(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.trim_start_matches('\u{feff}').chars().peekable();
    let mut in_string = false;
    while let Some(c) = chars.next() {
        if in_string {
            out.push(c);
            match c {
                '\\' => out.extend(chars.next()),
                '"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match (c, chars.peek()) {
            ('"', _) => {
                in_string = true;
                out.push(c);
            }
            ('/', Some('/')) => {
                for c in chars.by_ref() {
                    if c == '\n' {
                        break;
                    }
                }
            }
            ('/', Some('*')) => {
                chars.next();
                let mut last = ' ';
                for c in chars.by_ref() {
                    if last == '*' && c == '/' {
                        break;
                    }
                    last = c;
                }
            }
            ('}' | ']', _) => {
                while out.ends_with(char::is_whitespace) {
                    out.pop();
                }
                if out.ends_with(',') {
                    out.pop();
                }
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_jsonc_and_ignores_broken_files() {
        let ts = br#"{ // base
            "extends": "./base.json", /* x */
            "compilerOptions": { "baseUrl": ".", "paths": { "@/*": ["src/*",], }, },
        }"#;
        let files: Vec<(&str, &[u8])> = vec![
            ("tsconfig.json", ts),
            ("a/package.json", b"{ broken"),
            ("Cargo.toml", b"[package]\nname = \"my-crate\""),
            ("go.mod", b"module example.com/x // note\n"),
            ("setup.cfg", b"[options]\npackage_dir =\n    = src\n"),
        ];
        let c = ProjectConfig::load(files.into_iter());
        assert_eq!(c.tsconfigs[0].paths, Some(vec![("@/*".into(), vec!["src/*".into()])]));
        assert_eq!(c.tsconfigs[0].extends, ["./base.json"]);
        assert!(c.packages.is_empty());
        assert_eq!((c.crates[0].name.as_str(), c.crates[0].lib.as_str()), ("my_crate", "src/lib.rs"));
        assert_eq!(c.go_modules, [(String::new(), "example.com/x".to_owned())]);
        assert_eq!(c.python_roots, ["src"]);
        assert_eq!(join("a/b", "../c/./d"), Some("a/c/d".into()));
        assert_eq!(join("a", "../../c"), None);
    }
}
