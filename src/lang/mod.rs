//! The languages: one small file each. A language is added by its file here and its line in
//! `languages!`; nothing else changes.

use tree_sitter::Node;

use crate::extract::Extractor;

/// What a node without named children contributes to full-text search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// An identifier: split into words.
    Identifier,
    /// The content of a string literal.
    String,
    /// A comment.
    Comment,
    /// Nothing.
    None,
}

/// Whether the walk goes on into a node's children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visit {
    /// Go on.
    Children,
    /// The language has dealt with the whole node.
    Skip,
}

/// How a language's modules name each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ModuleSystem {
    /// Dotted modules found from source roots; packages with `__init__`.
    Python,
    /// Relative files, `package.json`, `tsconfig.json` paths.
    EcmaScript,
    /// One package a folder, import paths under the module path of `go.mod`.
    Go,
    /// `mod` trees of crates.
    Rust,
    /// Packages declared in the file, one tree of names.
    Java,
}

/// What resolving needs to know about a language beyond its facts.
#[derive(Debug)]
pub struct Semantics {
    /// How imports find files.
    pub modules: ModuleSystem,
    /// Names that are always there; a call of one is not unresolved, and never tied to a
    /// symbol of that name without an import or a definition in scope.
    pub builtins: &'static [&'static str],
    /// Methods of builtin types, so common that a match by bare name alone says nothing.
    pub builtin_methods: &'static [&'static str],
    /// Constructors' method names.
    pub constructors: &'static [&'static str],
    /// A bare name in a method also means the enclosing class's members (Java).
    pub implicit_this: bool,
    /// Files of one folder (Go) or package (Java) see each other's top-level names without import.
    pub package_scope: bool,
    /// Class bodies are scopes for the bare names inside methods (no in Python and JavaScript).
    pub class_scope_visible: bool,
}

/// A language: how its files are known, what its nodes mean.
pub trait LanguageSupport: Send + Sync {
    /// Lower-case name, as stored in `File.language`.
    fn name(&self) -> &'static str;
    /// Extensions without dot, lower case.
    fn extensions(&self) -> &'static [&'static str];
    /// Interpreters in a `#!` line that mark extension-less files (`python3`).
    fn interpreters(&self) -> &'static [&'static str] {
        &[]
    }
    /// The grammar for an extension.
    fn grammar(&self, extension: &str) -> tree_sitter::Language;
    /// The grammar for a file, where its text decides (Flow's types in a `.js` file).
    fn grammar_for(&self, extension: &str, _source: &str) -> tree_sitter::Language {
        self.grammar(extension)
    }
    /// What a leaf node of this kind gives to search.
    fn leaf(&self, kind: &str) -> Leaf;
    /// Called for each named node in document order, parents first. Scopes that it opens with
    /// [`Extractor::define`] are closed by the walk.
    fn visit(&self, node: Node<'_>, cx: &mut Extractor<'_>) -> Visit;
    /// Called once when the walk is done.
    fn finish(&self, _cx: &mut Extractor<'_>) {}
    /// The language's rule for test files; `path` has forward slashes.
    fn is_test_file(&self, path: &str) -> bool;
    /// What resolving needs to know.
    fn semantics(&self) -> &'static Semantics;
}

pub(crate) mod library;
pub(crate) mod scratch;
pub(crate) mod syntax;

macro_rules! languages {
    ($($module:ident),* $(,)?) => {
        $(mod $module;)*
        /// All languages, in the order in which they claim extensions.
        pub static LANGUAGES: &[&dyn LanguageSupport] = &[$(&$module::Support),*];
    };
}

mod ecmascript;

languages!(python, javascript, typescript, go, rust, java);

/// The language of a file name's extension (lower-cased), if there is one.
pub fn by_extension(extension: &str) -> Option<&'static dyn LanguageSupport> {
    LANGUAGES.iter().copied().find(|l| l.extensions().contains(&extension))
}

/// The language by its stored name.
pub fn by_name(name: &str) -> Option<&'static dyn LanguageSupport> {
    LANGUAGES.iter().copied().find(|l| l.name() == name)
}

/// The language that a `#!` line asks for.
pub fn by_shebang(first_line: &str) -> Option<&'static dyn LanguageSupport> {
    let line = first_line.strip_prefix("#!")?;
    let mut words = line.split_whitespace().map(|w| w.rsplit('/').next().unwrap_or(w)).filter(|w| !w.starts_with('-'));
    let mut program = words.next()?;
    if program == "env" {
        program = words.next()?;
    }
    LANGUAGES.iter().copied().find(|l| l.interpreters().contains(&program))
}
