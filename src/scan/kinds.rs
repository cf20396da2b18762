//! What a path alone says about a file.

use crate::lang::{self, LanguageSupport};

/// The extension, lower-cased; dot files have none.
pub(crate) fn extension(path: &str) -> Option<String> {
    let (stem, extension) = file_name(path).rsplit_once('.')?;
    (!stem.is_empty()).then(|| extension.to_ascii_lowercase())
}

pub(crate) fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// Extensions of code, whether its language is parsed or not. Sorted.
const SOURCE: &[&str] = &[
    "c", "cc", "cpp", "cs", "cxx", "erb", "ex", "exs", "go", "h", "hh", "hpp", "hs", "hxx", "inl", "java", "jq", "js",
    "jsx", "kt", "kts", "l", "lua", "m", "mjs", "ml", "mm", "php", "pl", "proto", "py", "pyx", "rb", "rs", "scala",
    "sh", "sql", "svelte", "swift", "tpl", "ts", "tsx", "vue", "y", "zig",
];

/// Says whether a file holds code, by its extension.
pub fn is_source_path(path: &str) -> bool {
    extension(path).is_some_and(|e| SOURCE.binary_search(&e.as_str()).is_ok())
}

/// The language by extension.
pub(crate) fn language(path: &str) -> Option<&'static dyn LanguageSupport> {
    lang::by_extension(&extension(path)?)
}

/// A word for the type of a file that is not parsed.
pub fn file_type(path: &str) -> &'static str {
    if let Some(language) = language(path) {
        return language.name();
    }
    let Some(extension) = extension(path) else {
        return match file_name(path).to_ascii_lowercase().as_str() {
            "makefile" | "gnumakefile" => "make",
            "dockerfile" | "containerfile" => "dockerfile",
            "justfile" => "just",
            "jenkinsfile" => "groovy",
            "rakefile" | "gemfile" | "vagrantfile" => "ruby",
            _ => "text",
        };
    };
    match extension.as_str() {
        "md" | "markdown" | "mdx" => "markdown",
        "rst" => "restructuredtext",
        "adoc" | "asciidoc" => "asciidoc",
        "tex" | "sty" | "bib" => "latex",
        "toml" => "toml",
        "yml" | "yaml" => "yaml",
        "json" | "jsonc" | "json5" | "jsonl" | "ndjson" | "geojson" | "ipynb" => "json",
        "xml" | "xsd" | "xsl" | "xslt" | "pom" => "xml",
        "svg" => "svg",
        "html" | "htm" | "xhtml" => "html",
        "css" | "scss" | "sass" | "less" => "css",
        "ini" | "cfg" | "conf" | "properties" | "env" => "config",
        "csv" | "tsv" => "table",
        "c" => "c",
        "h" | "hh" | "hpp" | "hxx" | "cc" | "cpp" | "cxx" | "ipp" | "tpp" | "inl" | "cppm" => "cpp",
        "m" | "mm" => "objective-c",
        "cs" => "csharp",
        "fs" | "fsi" | "fsx" => "fsharp",
        "vb" => "visual-basic",
        "kt" | "kts" => "kotlin",
        "scala" | "sbt" => "scala",
        "groovy" | "gradle" => "groovy",
        "clj" | "cljs" | "cljc" | "edn" => "clojure",
        "rb" | "rake" | "gemspec" => "ruby",
        "php" => "php",
        "pl" | "pm" => "perl",
        "lua" => "lua",
        "r" => "r",
        "jl" => "julia",
        "swift" => "swift",
        "dart" => "dart",
        "ex" | "exs" => "elixir",
        "erl" | "hrl" => "erlang",
        "hs" => "haskell",
        "ml" | "mli" => "ocaml",
        "zig" => "zig",
        "nim" => "nim",
        "pyx" | "pxd" | "pxi" => "cython",
        "vue" => "vue",
        "svelte" => "svelte",
        "sh" | "bash" | "zsh" | "fish" | "ksh" => "shell",
        "ps1" | "psm1" | "bat" | "cmd" => "windows-script",
        "sql" => "sql",
        "graphql" | "gql" => "graphql",
        "proto" => "protobuf",
        "thrift" => "thrift",
        "tf" | "hcl" => "hcl",
        "nix" => "nix",
        "cmake" => "cmake",
        "mk" | "mak" => "make",
        "dockerfile" => "dockerfile",
        "diff" | "patch" => "diff",
        _ => "text",
    }
}

/// Whether a path looks like a test's: the rule for files that no language speaks for.
pub fn is_test_path(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or(path).to_ascii_lowercase();
    let stem = name.split('.').next().unwrap_or(&name);
    parts.any(|folder| {
        matches!(folder.to_ascii_lowercase().as_str(), "test" | "tests" | "__tests__" | "testing" | "spec" | "specs")
    }) || stem.starts_with("test_")
        || stem.starts_with("test-")
        || stem.ends_with("_test")
        || stem.ends_with("-test")
        || stem.ends_with("_spec")
        || name.contains(".test.")
        || name.contains(".spec.")
}

/// Whether the name alone says that nobody reads the file: `jquery.min.js`.
pub(crate) fn minified_name(path: &str) -> bool {
    let name = file_name(path).to_ascii_lowercase();
    let Some((stem, extension)) = name.rsplit_once('.') else { return false };
    match extension {
        "js" | "mjs" | "cjs" | "css" => stem.ends_with(".min") || stem.ends_with("-min") || stem.ends_with(".bundle"),
        "map" => [".js", ".mjs", ".cjs", ".css", ".ts"].iter().any(|e| stem.ends_with(e)),
        _ => false,
    }
}

/// Lock files of package managers, by name.
pub(crate) fn lock_file(path: &str) -> bool {
    matches!(
        file_name(path),
        "package-lock.json"
            | "npm-shrinkwrap.json"
            | "yarn.lock"
            | "pnpm-lock.yaml"
            | "bun.lock"
            | "bun.lockb"
            | "deno.lock"
            | "Cargo.lock"
            | "poetry.lock"
            | "pdm.lock"
            | "uv.lock"
            | "pixi.lock"
            | "Pipfile.lock"
            | "go.sum"
            | "go.work.sum"
            | "composer.lock"
            | "Gemfile.lock"
            | "mix.lock"
            | "flake.lock"
            | "gradle.lockfile"
            | "pubspec.lock"
            | "Podfile.lock"
            | "Package.resolved"
            | "packages.lock.json"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_by_extension() {
        assert!(SOURCE.is_sorted());
        assert!(is_source_path("a/b.RB") && !is_source_path("README.md") && !is_source_path(".c"));
    }

    #[test]
    fn words_and_rules_by_name() {
        assert_eq!(file_type("README.MD"), "markdown");
        assert_eq!(file_type("include/fmt/core.h"), "cpp");
        assert_eq!(file_type("a/Makefile"), "make");
        assert_eq!(file_type(".gitignore"), "text");
        assert_eq!(file_type("a.b/c"), "text");
        assert!(
            is_test_path("tests/data/a.json") && is_test_path("src/a.spec.css") && is_test_path("x/format-test.cc")
        );
        assert!(!is_test_path("src/contest.cc") && !is_test_path("latest/a.cc"));
        assert!(minified_name("a/jquery.MIN.js") && minified_name("a.js.map") && !minified_name("admin.js"));
        assert!(lock_file("sub/Cargo.lock") && !lock_file("lock.py"));
    }
}
