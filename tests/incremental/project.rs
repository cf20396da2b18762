//! A small project that edits itself at random. Names come from a small pool, so that definitions
//! vanish under their callers, come back, collide and shadow each other.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// xorshift64*: the same series for the same seed, everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 33) as usize) % n.max(1)
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

#[derive(Clone, Debug)]
enum Item {
    Function { name: String, calls: Vec<String> },
    Class { name: String, base: Option<String>, methods: Vec<(String, Vec<String>)> },
}

impl Item {
    fn name(&self) -> &str {
        match self {
            Item::Function { name, .. } | Item::Class { name, .. } => name,
        }
    }
}

#[derive(Clone, Debug)]
struct Module {
    /// Blank lines at the top: all definitions shift.
    padding: usize,
    items: Vec<Item>,
    star: bool,
}

pub struct Project {
    root: PathBuf,
    /// Path without extension -> module. The first folder says the language.
    modules: BTreeMap<String, Module>,
    removed: Vec<(String, Module)>,
    commits: u64,
    /// The tree is that of another branch until the next edit.
    away: bool,
}

/// Who commits, in turn; the third is the first under another address.
const AUTHORS: [(&str, &str); 3] =
    [("Ann", "ann@example.org"), ("Bob", "bob@example.org"), ("A. N. N.", "Ann@old.example")];

const LANGUAGES: [(&str, &str); 5] = [("py", "py"), ("ts", "ts"), ("go", "go"), ("java", "java"), ("rs", "rs")];

impl Project {
    pub fn create(root: &Path, random: &mut Random) -> Project {
        fs::create_dir_all(root).unwrap();
        let mut project =
            Project { root: root.to_owned(), modules: BTreeMap::new(), removed: vec![], commits: 0, away: false };
        project.git(&["init", "-q", "-b", "trunk"]);
        project.write("go/go.mod", "module example.org/go\n\ngo 1.22\n");
        project.write("rs/Cargo.toml", "[package]\nname = \"sample\"\nversion = \"0.1.0\"\n");
        project.write("README.md", "# Sample\n\nWords that a search can find.\n");
        for (language, _) in LANGUAGES {
            for i in 0..4 {
                let module = Module { padding: 0, items: vec![], star: random.chance(20) };
                project.modules.insert(format!("{language}/pkg{}/m{i}", i % 2), module);
            }
        }
        // Test files, so that TESTS edges come and go as well.
        project.modules.insert("py/pkg0/test_m8".into(), Module { padding: 0, items: vec![], star: false });
        project.modules.insert("py/pkg1/test_m9".into(), Module { padding: 0, items: vec![], star: true });
        let paths: Vec<String> = project.modules.keys().cloned().collect();
        for path in &paths {
            for _ in 0..3 {
                let item = random_item(random);
                project.modules.get_mut(path).unwrap().items.push(item);
            }
        }
        project.render_all();
        project.commit();
        project
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Makes one random edit and says what it was.
    pub fn edit(&mut self, random: &mut Random) -> String {
        if std::mem::take(&mut self.away) {
            self.git(&["checkout", "-q", "trunk"]);
        }
        let paths: Vec<String> = self.modules.keys().cloned().collect();
        let path = random.pick(&paths).clone();
        let kind = random.below(18);
        let module = self.modules.get_mut(&path).unwrap();
        let index = random.below(module.items.len());
        let what = match kind {
            0 | 1 => {
                let item = random_item(random);
                let text = format!("{path}: add {item:?}");
                module.items.insert(index.min(module.items.len()), item);
                text
            }
            2 if !module.items.is_empty() => format!("{path}: remove {:?}", module.items.remove(index)),
            3 if !module.items.is_empty() => {
                let new = random_item(random).name().to_owned();
                let text = format!("{path}: rename {} to {new}", module.items[index].name());
                match &mut module.items[index] {
                    Item::Function { name, .. } | Item::Class { name, .. } => *name = new,
                }
                text
            }
            4 | 5 => {
                module.padding = random.below(6);
                format!("{path}: padding {}", module.padding)
            }
            6 if !module.items.is_empty() => {
                let new = class_name(random);
                let change = random.chance(70).then_some(new);
                if let Item::Class { base, .. } = &mut module.items[index] {
                    *base = change.clone();
                }
                format!("{path}: base of {} is {change:?}", module.items[index].name())
            }
            7 if !module.items.is_empty() => {
                let call = function_name(random);
                match &mut module.items[index] {
                    Item::Function { calls, .. } => calls.push(call.clone()),
                    Item::Class { methods, .. } => methods.push((method_name(random), vec![call.clone()])),
                }
                format!("{path}: {} calls {call}", module.items[index].name())
            }
            8 => {
                let module = self.modules.remove(&path).unwrap();
                self.removed.push((path.clone(), module));
                format!("remove file {path}")
            }
            9 => match self.removed.pop() {
                Some((old, module)) => {
                    self.modules.insert(old.clone(), module);
                    format!("bring back file {old}")
                }
                None => "nothing to bring back".into(),
            },
            10 => {
                let language = path.split('/').next().unwrap();
                let new = format!("{language}/pkg{}/m{}", random.below(3), random.below(7));
                if self.modules.contains_key(&new) {
                    "no move".into()
                } else {
                    let module = self.modules.remove(&path).unwrap();
                    self.modules.insert(new.clone(), module);
                    format!("move {path} to {new}")
                }
            }
            11 => {
                module.star = !module.star;
                format!("{path}: star imports {}", module.star)
            }
            12 => {
                self.render_all();
                self.commit();
                "commit".into()
            }
            13 => {
                self.render_all();
                self.commit();
                let branch = format!("b{}", self.commits);
                self.git(&["checkout", "-q", "-b", &branch, "HEAD~1"]);
                self.git(&["checkout", "-q", "trunk"]);
                "commit, and a branch made before it".into()
            }
            14 => {
                let maps =
                    ["", "Ann <ann@example.org> <ann@old.example>\n", "Robert <rob@example.org> <bob@example.org>\n"];
                let map = *random.pick(&maps);
                self.write(".mailmap", map);
                format!("mailmap {map:?}")
            }
            15 => {
                let settings = ["", "languages = [\"python\", \"go\"]\n", "languages = [\"rust\", \"python\"]\n"];
                let setting = *random.pick(&settings);
                self.write("portolan.toml", setting);
                format!("settings {setting:?}")
            }
            16 => {
                self.render_all();
                self.commit();
                let branch = format!("b{}", self.commits);
                self.git(&["checkout", "-q", "-b", &branch, "HEAD~1"]);
                self.commit();
                self.away = true;
                return format!("commit, and away to {branch}, made before it");
            }
            _ => {
                self.render_all();
                self.git(&["commit", "-q", "--amend", "--allow-empty", "-a", "-m", "amended"]);
                "amend".into()
            }
        };
        self.render_all();
        what
    }

    fn commit(&mut self) {
        self.commits += 1;
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", &format!("change {}", self.commits)]);
    }

    fn git(&self, args: &[&str]) {
        let date = format!("{} +0000", 1_700_000_000 + self.commits * 86_400);
        let (name, email) = AUTHORS[self.commits as usize % AUTHORS.len()];
        let output = Command::new("git")
            .current_dir(&self.root)
            .args(["-c", "commit.gpgsign=false"])
            .args(args)
            .envs([("GIT_AUTHOR_NAME", name), ("GIT_COMMITTER_NAME", name)])
            .envs([("GIT_AUTHOR_EMAIL", email), ("GIT_COMMITTER_EMAIL", email)])
            .env("GIT_AUTHOR_DATE", &date)
            .env("GIT_COMMITTER_DATE", &date)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        if fs::read_to_string(&path).is_ok_and(|old| old == text) {
            return;
        }
        fs::write(path, text).unwrap();
    }

    fn render_all(&self) {
        let mut wanted = std::collections::BTreeSet::new();
        for (path, module) in &self.modules {
            let (language, extension) = LANGUAGES.iter().find(|(l, _)| path.starts_with(&format!("{l}/"))).unwrap();
            let file = format!("{path}.{extension}");
            self.write(&file, &self.render(language, path, module));
            wanted.insert(file);
        }
        for (language, extension) in LANGUAGES {
            for folder in 0..3 {
                let folder = format!("{language}/pkg{folder}");
                let Ok(entries) = fs::read_dir(self.root.join(&folder)) else { continue };
                for entry in entries {
                    let name = entry.unwrap().file_name().into_string().unwrap();
                    let file = format!("{folder}/{name}");
                    if name.ends_with(extension) && !wanted.contains(&file) {
                        fs::remove_file(self.root.join(&file)).unwrap();
                    }
                }
            }
        }
    }

    /// Modules of the same language that define a name.
    fn homes(&self, language: &str, name: &str, but: &str) -> Vec<&String> {
        self.modules
            .iter()
            .filter(|(p, m)| {
                p.starts_with(&format!("{language}/")) && *p != but && m.items.iter().any(|i| i.name() == name)
            })
            .map(|(p, _)| p)
            .collect()
    }

    fn render(&self, language: &str, path: &str, module: &Module) -> String {
        let mut out = "\n".repeat(module.padding);
        let mut used: Vec<&String> = vec![];
        for item in &module.items {
            match item {
                Item::Function { calls, .. } => used.extend(calls),
                Item::Class { base, methods, .. } => {
                    used.extend(base);
                    used.extend(methods.iter().flat_map(|m| &m.1));
                }
            }
        }
        used.sort();
        used.dedup();
        let parts: Vec<&str> = path.split('/').collect();
        match language {
            "py" => {
                for name in used {
                    for home in self.homes(language, name, path).into_iter().take(1) {
                        let home = home.replace('/', ".");
                        let what = if module.star { "*" } else { name };
                        out += &format!("from {home} import {what}\n");
                    }
                }
                for item in &module.items {
                    match item {
                        Item::Function { name, calls } => {
                            out += &format!("\ndef {name}(x):\n    \"\"\"Does {name}.\"\"\"\n");
                            calls.iter().for_each(|c| out += &format!("    {c}(x)\n"));
                            out += "    return x\n";
                        }
                        Item::Class { name, base, methods } => {
                            out += &format!("\nclass {name}({}):\n", base.as_deref().unwrap_or(""));
                            out += "    size = 1\n";
                            for (method, calls) in methods {
                                out += &format!("    def {method}(self):\n");
                                calls.iter().for_each(|c| out += &format!("        {c}(self)\n        self.{c}()\n"));
                                out += "        return self.m0()\n";
                            }
                        }
                    }
                }
            }
            "ts" => {
                for name in used {
                    for home in self.homes(language, name, path).into_iter().take(1) {
                        let relative = format!("../{}", home.trim_start_matches("ts/"));
                        if module.star {
                            out += &format!("export * from \"{relative}\";\n");
                        }
                        out += &format!("import {{ {name} }} from \"{relative}\";\n");
                    }
                }
                for item in &module.items {
                    match item {
                        Item::Function { name, calls } => {
                            out += &format!("export function {name}(x: any) {{\n");
                            calls.iter().for_each(|c| out += &format!("  {c}(x);\n"));
                            out += "}\n";
                        }
                        Item::Class { name, base, methods } => {
                            let base = base.as_ref().map_or(String::new(), |b| format!(" extends {b}"));
                            out += &format!("export class {name}{base} {{\n");
                            for (method, calls) in methods {
                                out += &format!("  {method}() {{\n");
                                calls.iter().for_each(|c| out += &format!("    {c}(this);\n"));
                                out += "    this.m0();\n  }\n";
                            }
                            out += "}\n";
                        }
                    }
                }
            }
            "go" => {
                out += &format!("package {}\n\nimport (\n", parts[1]);
                let mut packages: Vec<String> = vec![];
                for name in &used {
                    for home in self.homes(language, name, path).into_iter().take(1) {
                        packages.push(home.split('/').nth(1).unwrap().to_owned());
                    }
                }
                packages.sort();
                packages.dedup();
                packages.retain(|p| p != parts[1]);
                packages.iter().for_each(|p| out += &format!("\t\"example.org/go/{p}\"\n"));
                out += ")\n";
                let call = |name: &str| match self.homes(language, name, path).first() {
                    Some(home) if home.split('/').nth(1) != Some(parts[1]) => {
                        format!("{}.{name}", home.split('/').nth(1).unwrap())
                    }
                    _ => name.to_owned(),
                };
                for item in &module.items {
                    match item {
                        Item::Function { name, calls } => {
                            out += &format!("\nfunc {name}(x any) {{\n");
                            calls.iter().for_each(|c| out += &format!("\t{}(x)\n", call(c)));
                            out += "}\n";
                        }
                        Item::Class { name, base, methods } => {
                            let base = base.as_ref().map_or(String::new(), |b| format!("\t{}\n", call(b)));
                            out += &format!("\ntype {name} struct {{\n{base}}}\n");
                            for (method, calls) in methods {
                                out += &format!("\nfunc (r *{name}) {method}() {{\n");
                                calls.iter().for_each(|c| out += &format!("\t{}(r)\n", call(c)));
                                out += "\tr.m0()\n}\n";
                            }
                        }
                    }
                }
            }
            "java" => {
                out += &format!("package java.{};\n\n", parts[1]);
                for name in &used {
                    for home in self.homes(language, name, path).into_iter().take(1) {
                        out += &format!("import {}.{name};\n", home.split('/').take(2).collect::<Vec<_>>().join("."));
                    }
                }
                let host = format!("Host{}", parts[2]);
                out += &format!("class {host} {{\n");
                for item in &module.items {
                    if let Item::Function { name, calls } = item {
                        out += &format!("  static void {name}(Object x) {{\n");
                        calls.iter().for_each(|c| out += &format!("    {c}(x);\n"));
                        out += "  }\n";
                    }
                }
                out += "}\n";
                for item in &module.items {
                    if let Item::Class { name, base, methods } = item {
                        let base = base.as_ref().map_or(String::new(), |b| format!(" extends {b}"));
                        out += &format!("class {name}{base} {{\n");
                        for (method, calls) in methods {
                            out += &format!("  void {method}() {{\n");
                            calls.iter().for_each(|c| out += &format!("    {c}(this);\n"));
                            out += "    this.m0();\n  }\n";
                        }
                        out += "}\n";
                    }
                }
            }
            _ => {
                for name in &used {
                    for home in self.homes(language, name, path).into_iter().take(1) {
                        let home = home.trim_start_matches("rs/").replace('/', "::");
                        let what = if module.star { "*" } else { name };
                        out += &format!("use crate::{home}::{what};\n");
                    }
                }
                for item in &module.items {
                    match item {
                        Item::Function { name, calls } => {
                            out += &format!("\npub fn {name}(x: u32) {{\n");
                            calls.iter().for_each(|c| out += &format!("    {c}(x);\n"));
                            out += "}\n";
                        }
                        Item::Class { name, methods, .. } => {
                            out += &format!("\npub struct {name};\n\nimpl {name} {{\n");
                            for (method, calls) in methods {
                                out += &format!("    pub fn {method}(&self) {{\n");
                                calls.iter().for_each(|c| out += &format!("        {c}(1);\n"));
                                out += "        self.m0();\n    }\n";
                            }
                            out += "}\n";
                        }
                    }
                }
            }
        }
        out
    }
}

fn function_name(random: &mut Random) -> String {
    if random.chance(25) { class_name(random) } else { format!("f{}", random.below(16)) }
}

fn class_name(random: &mut Random) -> String {
    format!("C{}", random.below(8))
}

fn method_name(random: &mut Random) -> String {
    format!("m{}", random.below(5))
}

fn random_item(random: &mut Random) -> Item {
    if random.chance(60) {
        let calls = (0..random.below(4)).map(|_| function_name(random)).collect();
        Item::Function { name: format!("f{}", random.below(16)), calls }
    } else {
        let base = random.chance(50).then(|| class_name(random));
        let methods = (0..1 + random.below(3))
            .map(|_| (method_name(random), (0..random.below(3)).map(|_| function_name(random)).collect()))
            .collect();
        Item::Class { name: class_name(random), base, methods }
    }
}
