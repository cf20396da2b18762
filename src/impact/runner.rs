//! The command line that runs chosen tests, in the words of the repository's own runner.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Serialize;

use super::tests::Hit;
use crate::repo::{Repo, path};

/// Arguments longer than this in all, in bytes, name files instead of single tests.
const LONGEST: usize = 1200;

/// A command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Command {
    /// `pytest`, `go test`, ...
    pub runner: &'static str,
    /// To be run at the root of the repository, by a shell.
    pub line: String,
    /// Whether it names whole files since the tests are too many for one line.
    pub whole_files: bool,
}

/// One command for each runner that the tests need.
pub fn commands(repo: &Repo, tests: &[Hit]) -> Vec<Command> {
    let mut by_runner: BTreeMap<&'static str, Vec<&Hit>> = BTreeMap::new();
    for test in tests {
        if let Some(runner) = runner_of(repo.root(), &test.file) {
            by_runner.entry(runner).or_default().push(test);
        }
    }
    by_runner.into_iter().map(|(runner, tests)| command(repo.root(), runner, &tests)).collect()
}

fn runner_of(root: &Path, file: &str) -> Option<&'static str> {
    let extension = file.rsplit_once('.')?.1;
    Some(match extension {
        "py" | "pyi" => python(root, file),
        "go" => "go test",
        "rs" => "cargo test",
        "java" => {
            if nearest(root, file, &["pom.xml"]).is_some() {
                "mvn test"
            } else {
                "gradle test"
            }
        }
        "js" | "jsx" | "mjs" | "cjs" | "ts" | "tsx" | "mts" | "cts" => javascript(root, file),
        _ => return None,
    })
}

/// pytest runs unittest's tests too; only a project that nowhere speaks of pytest gets unittest.
fn python(root: &Path, file: &str) -> &'static str {
    let says = |name: &str| read(&root.join(name)).is_some_and(|text| text.contains("pytest"));
    let configured = ["pytest.ini", "conftest.py", "tests/conftest.py"].iter().any(|f| root.join(f).is_file())
        || ["pyproject.toml", "setup.cfg", "tox.ini", "setup.py", "requirements.txt"].iter().any(|f| says(f));
    let own = read(&root.join(path::to_path(file))).unwrap_or_default();
    if !configured && own.contains("unittest") && !own.contains("pytest") { "unittest" } else { "pytest" }
}

fn javascript(root: &Path, file: &str) -> &'static str {
    let Some(folder) = nearest(root, file, &["package.json"]) else { return "node --test" };
    let Some(text) = read(&root.join(&folder).join("package.json")) else { return "node --test" };
    let json: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
    let script = json["scripts"]["test"].as_str().unwrap_or("");
    for runner in ["vitest", "jest", "mocha", "ava"] {
        let needed = ["devDependencies", "dependencies"].iter().any(|d| json[d].get(runner).is_some());
        if needed || script.contains(runner) || (runner == "jest" && json.get("jest").is_some()) {
            return runner;
        }
    }
    "node --test"
}

/// The nearest folder above a file that holds one of these.
fn nearest(root: &Path, file: &str, names: &[&str]) -> Option<String> {
    let mut folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    loop {
        if names.iter().any(|name| root.join(path::to_path(folder)).join(name).is_file()) {
            return Some(folder.to_owned());
        }
        folder = match folder.rsplit_once('/') {
            Some((above, _)) => above,
            None if folder.is_empty() => return None,
            None => "",
        };
    }
}

/// Settings are small.
fn read(path: &Path) -> Option<String> {
    const MOST: u64 = 256 * 1024;
    let meta = std::fs::metadata(path).ok()?;
    (meta.is_file() && meta.len() <= MOST).then(|| std::fs::read_to_string(path).ok()).flatten()
}

fn command(root: &Path, runner: &'static str, tests: &[&Hit]) -> Command {
    let files = distinct(tests.iter().map(|t| t.file.clone()));
    let (single, whole): (String, String) = match runner {
        "pytest" => (
            format!("pytest {}", join(tests.iter().map(|t| format!("{}::{}", t.file, name(t).replace('.', "::"))))),
            format!("pytest {}", join(files)),
        ),
        "unittest" => {
            let module = |file: &str| file.trim_end_matches(".py").replace('/', ".");
            (
                format!(
                    "python -m unittest {}",
                    join(tests.iter().map(|t| format!("{}.{}", module(&t.file), name(t))))
                ),
                format!("python -m unittest {}", join(files.iter().map(|f| module(f)))),
            )
        }
        "go test" => {
            let folders = distinct(tests.iter().map(|t| match t.file.rsplit_once('/') {
                Some((folder, _)) => format!("./{folder}"),
                None => ".".to_owned(),
            }));
            let names = distinct(tests.iter().map(|t| name(t).split('.').next().unwrap_or("").to_owned()));
            let pattern = format!("^({})$", names.join("|"));
            (
                format!("go test -run {} {}", quoted(&pattern), join(folders.clone())),
                format!("go test {}", join(folders)),
            )
        }
        "cargo test" => {
            let names = distinct(tests.iter().map(|t| name(t).replace('.', "::")));
            (format!("cargo test -- {}", join(names)), "cargo test".to_owned())
        }
        "mvn test" | "gradle test" => {
            let class = |t: &&Hit| {
                let package = java_package(&t.file);
                let outer = name(t).split('.').next().unwrap_or("").to_owned();
                (package, outer, name(t).rsplit('.').next().unwrap_or("").to_owned())
            };
            let mut methods: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
            for (package, outer, method) in tests.iter().map(class) {
                methods.entry((package, outer)).or_default().push(method);
            }
            if runner == "mvn test" {
                let one: Vec<String> = methods
                    .iter()
                    .map(|((_, class), m)| format!("{class}#{}", distinct(m.iter().cloned()).join("+")))
                    .collect();
                let classes = distinct(methods.keys().map(|(_, class)| class.clone()));
                (
                    format!("mvn test -Dtest={}", quoted(&one.join(","))),
                    format!("mvn test -Dtest={}", quoted(&classes.join(","))),
                )
            } else {
                let full = |package: &str, class: &str| {
                    if package.is_empty() { class.to_owned() } else { format!("{package}.{class}") }
                };
                let wrapper = if root.join("gradlew").is_file() { "./gradlew" } else { "gradle" };
                let one = methods.iter().flat_map(|((p, c), m)| {
                    distinct(m.iter().cloned())
                        .into_iter()
                        .map(|m| format!("--tests {}", quoted(&format!("{}.{m}", full(p, c)))))
                });
                let classes = methods.keys().map(|(p, c)| format!("--tests {}", quoted(&full(p, c))));
                (
                    format!("{wrapper} test {}", one.collect::<Vec<_>>().join(" ")),
                    format!("{wrapper} test {}", classes.collect::<Vec<_>>().join(" ")),
                )
            }
        }
        "vitest" => (format!("npx vitest run {}", join(files.clone())), format!("npx vitest run {}", join(files))),
        "jest" => (format!("npx jest {}", join(files.clone())), format!("npx jest {}", join(files))),
        "mocha" => (format!("npx mocha {}", join(files.clone())), format!("npx mocha {}", join(files))),
        "ava" => (format!("npx ava {}", join(files.clone())), format!("npx ava {}", join(files))),
        _ => (format!("node --test {}", join(files.clone())), format!("node --test {}", join(files))),
    };
    let whole_files = single.len() > LONGEST;
    Command { runner, line: if whole_files { whole } else { single }, whole_files }
}

/// Without the `#2` of what repeats.
fn name(test: &Hit) -> &str {
    test.qualname.split('#').next().unwrap_or(&test.qualname)
}

/// The package by the usual layout.
fn java_package(file: &str) -> String {
    let folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    let below = ["src/test/java/", "src/main/java/", "src/"].iter().find_map(|mark| folder.split_once(mark));
    below.map_or_else(String::new, |(_, package)| package.replace('/', "."))
}

fn distinct(items: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    items.filter(|item| !item.is_empty() && seen.insert(item.clone())).collect()
}

fn join(items: impl IntoIterator<Item = String>) -> String {
    items.into_iter().map(|item| quoted(&item)).collect::<Vec<_>>().join(" ")
}

/// For a POSIX shell. A name from a repository may hold anything.
fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_-./:=@%+,".contains(c);
    if !text.is_empty() && text.chars().all(plain) && !text.starts_with('-') {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hit(file: &str, qualname: &str) -> Hit {
        Hit {
            id: format!("{file}::{qualname}"),
            file: file.into(),
            qualname: qualname.into(),
            start_line: 1,
            direct: true,
            hops: 1,
            score: 1.0,
            likely: true,
            through: vec![],
        }
    }

    fn line(runner: &'static str, tests: &[Hit]) -> String {
        command(Path::new("/nowhere"), runner, &tests.iter().collect::<Vec<_>>()).line
    }

    #[test]
    fn each_runner_in_its_own_words() {
        let py = [hit("tests/test_a.py", "TestA.test_x"), hit("tests/test_a.py", "test_y#2")];
        assert_eq!(line("pytest", &py), "pytest tests/test_a.py::TestA::test_x tests/test_a.py::test_y");
        assert_eq!(line("unittest", &py[..1]), "python -m unittest tests.test_a.TestA.test_x");
        let go = [hit("core/a_test.go", "TestA"), hit("core/b_test.go", "TestB")];
        assert_eq!(line("go test", &go), "go test -run '^(TestA|TestB)$' ./core");
        assert_eq!(line("cargo test", &[hit("src/a.rs", "tests.one")]), "cargo test -- tests::one");
        let java = [hit("src/test/java/org/a/ATest.java", "ATest.x"), hit("src/test/java/org/a/ATest.java", "ATest.y")];
        assert_eq!(line("mvn test", &java), "mvn test -Dtest='ATest#x+y'");
        assert_eq!(line("gradle test", &java), "gradle test --tests org.a.ATest.x --tests org.a.ATest.y");
    }

    #[test]
    fn a_hostile_name_is_quoted() {
        assert_eq!(line("jest", &[hit("a'; rm -rf x.test.js", "t")]), r"npx jest 'a'\''; rm -rf x.test.js'");
    }

    #[test]
    fn too_many_tests_for_a_line_become_files() {
        let many: Vec<Hit> = (0..200).map(|i| hit("tests/test_a.py", &format!("test_number_{i}"))).collect();
        assert_eq!(line("pytest", &many), "pytest tests/test_a.py");
    }
}
