//! What a file is, by its path: code, a test, documentation, an example, something made by a tool.

use super::weights;
use crate::scan::is_source_path;
use crate::search::{FileView, Index};

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Where faults are mended.
    Code,
    /// A witness, not a place.
    Test,
    /// Examples, benchmarks, scripts and tools beside the code.
    Aside,
    /// Text, data, configuration.
    Document,
    /// Made by a tool, or somebody else's code.
    Foreign,
}

/// The class of each file.
pub struct Classes {
    classes: Vec<Class>,
    weights: weights::Class,
}

impl Classes {
    /// Of all files.
    pub fn of(weights: &weights::Class, index: &Index) -> Classes {
        let classes = (0..index.file_count()).map(|no| index.file(no).map_or(Class::Foreign, class)).collect();
        Classes { classes, weights: weights.clone() }
    }

    /// Of one file.
    pub fn get(&self, file: u32) -> Class {
        self.classes.get(file as usize).copied().unwrap_or(Class::Foreign)
    }

    /// By how much its score is multiplied; 0 for what is never a place.
    pub fn weight(&self, file: u32) -> f32 {
        match self.get(file) {
            Class::Code => 1.0,
            Class::Test => 0.0,
            Class::Aside => self.weights.aside,
            Class::Document => self.weights.document,
            Class::Foreign => self.weights.foreign,
        }
    }
}

fn class(file: FileView<'_>) -> Class {
    let lower = file.path.to_lowercase();
    let (folders, name) = lower.rsplit_once('/').unwrap_or(("", &lower));
    let within = |names: &[&str]| folders.split('/').any(|f| names.contains(&f));
    if file.is_test
        || within(&[
            "test",
            "tests",
            "testing",
            "testdata",
            "test_data",
            "spec",
            "specs",
            "__tests__",
            "fixtures",
            "__mocks__",
        ])
        || name.starts_with("test_")
        || name.contains("_test.")
        || name.contains(".test.")
        || name.contains(".spec.")
        || name == "conftest.py"
    {
        return Class::Test;
    }
    if file.generated
        || within(&["vendor", "third_party", "node_modules", "dist"])
        || name.ends_with(".min.js")
        || name.ends_with(".pb.go")
        || name.ends_with(".d.ts")
    {
        return Class::Foreign;
    }
    if crate::lang::by_name(file.language).is_none() && !is_source_path(&lower) {
        return Class::Document;
    }
    if within(&[
        "doc",
        "docs",
        "documentation",
        "example",
        "examples",
        "bench",
        "benches",
        "benchmark",
        "benchmarks",
        "fuzz",
        "demo",
        "playground",
        "build",
        ".github",
        "devscripts",
        "ci",
        "contrib",
        "scripts",
        "support",
    ]) || matches!(name, "setup.py")
    {
        return Class::Aside;
    }
    Class::Code
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn by_path() {
        let of = |path, language| {
            class(FileView { path, language, is_test: false, generated: false, first_unit: 0, lengths: [0; 5] })
        };
        assert_eq!(of("src/click/types.py", "python"), Class::Code);
        assert_eq!(of("include/fmt/core.h", ""), Class::Code);
        assert_eq!(of("tests/test_x.py", "python"), Class::Test);
        assert_eq!(of("core/logx/logs_test.go", "go"), Class::Test);
        assert_eq!(of("examples/a/b.py", "python"), Class::Aside);
        assert_eq!(of("README.md", ""), Class::Document);
        assert_eq!(of("types/index.d.ts", "typescript"), Class::Foreign);
    }
}
