//! A repository and the program to run on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::Value as Json;
use tempfile::TempDir;

/// How a run ended.
#[derive(Debug)]
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Ran {
    pub fn json(&self) -> Json {
        serde_json::from_str(&self.out).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// Exit code 0, and these words.
    pub fn says(&self, words: &[&str]) {
        assert_eq!(self.code, 0, "{self:?}");
        words.iter().for_each(|w| assert!(self.out.contains(w), "{w:?} is missing: {self:?}"));
    }
}

/// A work tree that goes with it.
pub struct Tree {
    folder: TempDir,
}

impl Tree {
    /// Without git.
    pub fn bare() -> Tree {
        Tree { folder: TempDir::new().unwrap() }
    }

    /// With these files, committed.
    pub fn with(files: &[(&str, &str)]) -> Tree {
        let tree = Tree::bare();
        files.iter().for_each(|(path, text)| tree.write(path, text));
        tree.git(&["init", "-q", "-b", "main"]);
        tree.commit("start");
        tree
    }

    /// The shop: a module, its users over three steps, an entry point, a class with a subclass, tests.
    pub fn shop() -> Tree {
        Tree::with(SHOP)
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.folder.path().join(path)).unwrap()
    }

    /// Puts `new` in the place of `old`, which must be there.
    pub fn replace(&self, path: &str, old: &str, new: &str) {
        let text = self.read(path);
        assert!(text.contains(old), "{old:?} is not in {path}");
        self.write(path, text.replacen(old, new, 1));
    }

    pub fn git(&self, args: &[&str]) -> String {
        git(self.folder.path(), args)
    }

    pub fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    /// The program, with nothing on stdin.
    pub fn run(&self, args: &[&str]) -> Ran {
        self.run_with(args, "")
    }

    pub fn run_with(&self, args: &[&str], stdin: &str) -> Ran {
        run_in(self.folder.path(), args, stdin)
    }
}

pub fn git(folder: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false"])
        .args(["-c", "protocol.file.allow=always"])
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

pub fn run_in(folder: &Path, args: &[&str], stdin: &str) -> Ran {
    let mut command = assert_cmd::Command::new(env!("CARGO_BIN_EXE_portolan"));
    command.current_dir(folder).env_remove("PORTOLAN_LOG").args(args).write_stdin(stdin);
    let output = command.timeout(Duration::from_secs(240)).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let ran = Ran { code: output.status.code().unwrap_or(-1), out: text(output.stdout), err: text(output.stderr) };
    assert!(!ran.err.contains("panicked") && ran.code >= 0, "{args:?}: {ran:?}");
    ran
}

const SHOP: &[(&str, &str)] = &[
    ("pyproject.toml", "[tool.pytest.ini_options]\ntestpaths = [\"tests\"]\n"),
    ("shop/__init__.py", ""),
    (
        "shop/tax.py",
        "\"\"\"Taxes.\"\"\"\n\nRATE = 0.2\n\n\ndef rate(country, reduced=False):\n    \"\"\"The rate of a country.\"\"\"\n    \
         # reduced ones are half\n    base = RATE if country == \"de\" else 0.1\n    return base / 2 if reduced else base\n\n\n\
         def round_up(value):\n    steps = int(value * 100)\n    return (steps + 1) / 100\n",
    ),
    (
        "shop/cart.py",
        "from shop.tax import rate, round_up\n\n\nclass Basket:\n    def __init__(self, items):\n        self.items = items\n\n    \
         def total(self):\n        return sum(self.items)\n\n\nclass Cart(Basket):\n    def total(self):\n        \
         net = sum(self.items)\n        return round_up(net * (1 + rate(\"de\")))\n",
    ),
    (
        "shop/order.py",
        "from shop.cart import Cart\n\n\ndef place(items):\n    cart = Cart(items)\n    return cart.total()\n\n\n\
         def confirm(items):\n    return f\"placed for {place(items)}\"\n",
    ),
    ("shop/cli.py", "from shop.order import confirm\n\n\ndef main():\n    print(confirm([1, 2]))\n"),
    (
        "tests/test_tax.py",
        "from shop.tax import rate\n\n\ndef test_rate_of_germany():\n    assert rate(\"de\") == 0.2\n",
    ),
    (
        "tests/test_order.py",
        "from shop.order import place\n\n\nclass TestPlace:\n    def test_place(self):\n        assert place([1]) > 1\n",
    ),
    ("README.md", "# Shop\n"),
];
