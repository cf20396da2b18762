//! Python.
//!
//! One visit per node, parents first. A statement deals with what its parts mean to it (targets, values,
//! callees) and marks those nodes, so that the visit of the part itself does not report it a second time.

mod bind;
mod define;
mod import;
mod kinds;
mod lower;
mod narrow;
mod types;

use tree_sitter::Node;

use super::{LanguageSupport, Leaf, ModuleSystem, Semantics, Visit};
use crate::extract::Extractor;
use crate::facts::{Access, Expr, SymbolIdx};
use crate::terms::Field;
use kinds::{K, child, inside_parens, kind, named};
use lower::{callee_name, lower};

/// Tags for [`Extractor::note`]: names bound in a scope, declared global or nonlocal in it, defined or imported by the
/// module, and of those the ones that are variables or may be (`from m import x`).
const BOUND: u8 = 0;
const OUTER: u8 = 1;
const MODULE_NAME: u8 = 2;
const MODULE_VARIABLE: u8 = 3;

/// Python.
pub struct Support;

static SEMANTICS: Semantics = Semantics {
    modules: ModuleSystem::Python,
    builtins: &[
        "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup", "BlockingIOError",
        "BrokenPipeError", "BufferError", "BytesWarning", "ChildProcessError", "ConnectionAbortedError",
        "ConnectionError", "ConnectionRefusedError", "ConnectionResetError", "DeprecationWarning", "EOFError",
        "Ellipsis", "EncodingWarning", "EnvironmentError", "Exception", "ExceptionGroup", "FileExistsError",
        "FileNotFoundError", "FloatingPointError", "FutureWarning", "GeneratorExit", "IOError", "ImportError",
        "ImportWarning", "IndentationError", "IndexError", "InterruptedError", "IsADirectoryError", "KeyError",
        "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "NotADirectoryError",
        "NotImplemented", "NotImplementedError", "OSError", "OverflowError", "PendingDeprecationWarning",
        "PermissionError", "ProcessLookupError", "RecursionError", "ReferenceError", "ResourceWarning", "RuntimeError",
        "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError", "SyntaxWarning", "SystemError",
        "SystemExit", "TabError", "TimeoutError", "TypeError", "UnboundLocalError", "UnicodeDecodeError",
        "UnicodeEncodeError", "UnicodeError", "UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError",
        "Warning", "ZeroDivisionError", "__build_class__", "__debug__", "__file__", "__import__", "__name__", "abs",
        "aiter", "all", "anext", "any", "ascii", "basestring", "bin", "bool", "breakpoint", "bytearray", "bytes",
        "callable", "chr", "classmethod", "cmp", "compile", "complex", "copyright", "credits", "delattr", "dict", "dir",
        "divmod", "enumerate", "eval", "exec", "execfile", "exit", "filter", "float", "format", "frozenset", "getattr",
        "globals", "hasattr", "hash", "help", "hex", "id", "input", "int", "isinstance", "issubclass", "iter", "len",
        "license", "list", "locals", "long", "map", "max", "memoryview", "min", "next", "object", "oct", "open", "ord",
        "pow", "print", "property", "quit", "range", "raw_input", "reduce", "reload", "repr", "reversed", "round", "set",
        "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super", "tuple", "type", "unichr", "unicode",
        "vars", "xrange", "zip",
    ],
    builtin_methods: &[
        "add", "append", "as_integer_ratio", "bit_length", "capitalize", "casefold", "center", "clear", "copy", "count",
        "decode", "difference", "difference_update", "discard", "encode", "endswith", "expandtabs", "extend", "find",
        "format", "format_map", "fromkeys", "get", "hex", "index", "insert", "intersection", "intersection_update",
        "isalnum", "isalpha", "isascii", "isdecimal", "isdigit", "isdisjoint", "isidentifier", "islower", "isnumeric",
        "isprintable", "isspace", "issubset", "issuperset", "istitle", "isupper", "items", "iteritems", "itervalues",
        "join", "keys", "ljust", "lower", "lstrip", "maketrans", "partition", "pop", "popitem", "remove", "removeprefix",
        "removesuffix", "replace", "reverse", "rfind", "rindex", "rjust", "rpartition", "rsplit", "rstrip", "setdefault",
        "sort", "split", "splitlines", "startswith", "strip", "swapcase", "symmetric_difference",
        "symmetric_difference_update", "title", "to_bytes", "translate", "union", "update", "upper", "values", "zfill",
        // files and threads, which are as common
        "close", "flush", "read", "readline", "readlines", "seek", "tell", "write", "writelines", "group", "groups",
        "match", "search", "sub", "start", "send", "throw",
    ],
    constructors: &["__init__", "__new__"],
    implicit_this: false,
    package_scope: false,
    class_scope_visible: false,
};

impl LanguageSupport for Support {
    fn name(&self) -> &'static str {
        "python"
    }
    fn extensions(&self) -> &'static [&'static str] {
        &["py", "pyi", "pyw"]
    }
    fn interpreters(&self) -> &'static [&'static str] {
        &["python", "python3", "python2", "pypy", "pypy3"]
    }
    fn grammar(&self, _extension: &str) -> tree_sitter::Language {
        tree_sitter_python::LANGUAGE.into()
    }
    fn leaf(&self, kind: &str) -> Leaf {
        match kind {
            "identifier" => Leaf::Identifier,
            "string_content" => Leaf::String,
            "comment" => Leaf::Comment,
            _ => Leaf::None,
        }
    }

    fn visit(&self, node: Node<'_>, cx: &mut Extractor<'_>) -> Visit {
        match kind(node) {
            K::Module => {
                if let Some(doc) = define::docstring(node, cx) {
                    cx.module_doc(&doc);
                }
            }
            K::Decorated => define::decorated(node, cx),
            K::Function if !cx.take_handled(node) => define::function(node, node, &[], cx),
            K::Class if !cx.take_handled(node) => define::class(node, node, &[], cx),
            K::Decorator => decorator(node, cx),
            K::Call => call(node, cx),
            K::Attribute => attribute(node, cx),
            K::Identifier => identifier(node, cx),
            K::Concatenated if cx.take_handled(node) => return Visit::Skip,
            K::String => return string(node, cx),
            K::Assignment => bind::assignment(node, cx),
            K::Augmented => bind::augmented(node, cx),
            K::Named => bind::walrus(node, cx),
            K::For => bind::for_loop(node, cx),
            K::ListComp | K::SetComp | K::DictComp | K::Generator => bind::comprehension(node, cx),
            K::WithItem => bind::with_item(node, cx),
            K::Except => bind::except(node, cx),
            K::Global | K::Nonlocal => bind::outer(node, cx),
            K::Lambda => bind::lambda(node, cx),
            K::If | K::Elif => {
                mark_type_checking(node, cx);
                narrow::condition(node, cx);
            }
            K::Assert => {
                if let Some(test) = node.named_child(0) {
                    let lines = (cx.line(node), cx.facts().symbol(cx.current()).end_line);
                    narrow::narrow(test, lines, cx);
                }
            }
            K::Boolean => {
                if let Some(left) = child(node, |f| f.left).filter(|l| kind(*l) == K::Call) {
                    narrow::narrow_left(node, left, cx);
                }
            }
            K::Match => narrow::match_statement(node, cx),
            K::Return => bind::result(node, false, cx),
            K::Yield => bind::result(node, true, cx),
            K::Import => {
                import::import(node, cx);
                return Visit::Skip;
            }
            K::ImportFrom => {
                import::import_from(node, cx);
                return Visit::Skip;
            }
            K::FutureImport => return Visit::Skip,
            K::TypeAlias => bind::type_alias(node, cx),
            K::List | K::Tuple | K::Set => named(node).for_each(|element| mention_value(element, cx)),
            K::Pair | K::DefaultParam | K::TypedDefaultParam => {
                if let Some(value) = child(node, |f| f.value) {
                    mention_value(value, cx);
                }
            }
            K::Type => return annotation(node, cx),
            _ => {}
        }
        Visit::Children
    }

    fn is_test_file(&self, path: &str) -> bool {
        let (folders, file) = path.rsplit_once('/').unwrap_or(("", path));
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let folder = folders.split('/').any(|f| matches!(f, "test" | "tests"));
        stem.starts_with("test_") || stem.ends_with("_test") || stem == "conftest" || (folder && !stem.is_empty())
    }

    fn semantics(&self) -> &'static Semantics {
        &SEMANTICS
    }
}

/// `UPPER_CASE`, the convention for constants.
fn is_constant_name(text: &str) -> bool {
    let mut letters = text.chars().filter(|c| c.is_alphabetic());
    text.len() > 1 && letters.next().is_some_and(char::is_uppercase) && !text.chars().any(char::is_lowercase)
}

/// Functions that call what they are given for a path, a signal, a command, at the end.
const HANDLERS: &[&str] =
    &["path", "re_path", "add_url_rule", "add_route", "signal", "register", "add_command", "add_handler", "set_defaults"];

fn call(node: Node<'_>, cx: &mut Extractor<'_>) {
    let Some(function) = child(node, |f| f.function) else { return };
    let arguments = child(node, |f| f.arguments);
    let last = callee_name(function, cx);
    let mut args = 0u8;
    for argument in arguments.filter(|a| kind(*a) != K::Generator).into_iter().flat_map(named) {
        let value = match kind(argument) {
            K::ListSplat | K::DictSplat => {
                args = u8::MAX;
                argument.named_child(0)
            }
            K::Keyword => child(argument, |f| f.value),
            _ => Some(argument),
        };
        args = if args == u8::MAX { args } else { (args + 1).min(u8::MAX - 1) };
        if let Some(value) = value.filter(|v| kind(*v) == K::Identifier && HANDLERS.contains(&last)) {
            let name = cx.name(cx.text(value));
            cx.scratch.handlers.insert(name);
        }
        if let Some(value) = value {
            mention_value(value, cx);
        }
    }
    if arguments.is_some_and(|a| kind(a) == K::Generator) {
        args = 1;
    }
    let line = match kind(function) {
        K::Attribute => {
            cx.mark_handled(function);
            if matches!(last, "extend" | "append")
                && cx.current() == SymbolIdx::MODULE
                && child(function, |f| f.object).is_some_and(|o| cx.text(o) == "__all__")
            {
                arguments.into_iter().flat_map(named).for_each(|a| import::exports(a, cx));
            }
            child(function, |f| f.attribute).map_or_else(|| cx.line(function), |a| cx.line(a))
        }
        K::Identifier => {
            cx.mark_handled(function);
            if last == "super" {
                return;
            }
            cx.line(function)
        }
        _ => cx.line(function),
    };
    let callee = lower(function, cx);
    cx.call(callee, line, args, false);
}

/// A decorator without parentheses runs when the module is loaded, but no call is written: it is a mention of
/// what it names, as the oracles count it; else a common decorator would be called by every module.
fn decorator(node: Node<'_>, cx: &mut Extractor<'_>) {
    let Some(name) = node.named_child(0).filter(|n| matches!(kind(*n), K::Identifier | K::Attribute)) else { return };
    cx.mark_handled(name);
    if matches!(callee_name(name, cx), "setter" | "getter" | "deleter") {
        return;
    }
    let line = child(name, |f| f.attribute).map_or_else(|| cx.line(name), |a| cx.line(a));
    let named = lower(name, cx);
    cx.reference(named, line, Access::Value);
}

/// A value that is stored or passed on: what it names, through `or` and `if else`.
fn mention_value(node: Node<'_>, cx: &mut Extractor<'_>) {
    const MAX_PARTS: usize = 16;
    let node = inside_parens(node);
    if !matches!(kind(node), K::Boolean | K::Conditional | K::ExpressionList) {
        return mention_one(node, cx);
    }
    let mut todo = vec![node];
    for _ in 0..MAX_PARTS {
        let Some(next) = todo.pop() else { return };
        let node = inside_parens(next);
        match kind(node) {
            K::Boolean => {
                todo.extend(child(node, |f| f.right));
                todo.extend(child(node, |f| f.left));
            }
            K::Conditional => {
                let parts: Vec<Node<'_>> = named(node).collect();
                if let [yes, _, no] = parts[..] {
                    todo.extend([no, yes]);
                }
            }
            K::ExpressionList => named(node).take(MAX_PARTS).for_each(|part| mention_one(part, cx)),
            _ => mention_one(node, cx),
        }
    }
}

fn mention_one(node: Node<'_>, cx: &mut Extractor<'_>) {
    let what = kind(node);
    if !matches!(what, K::Identifier | K::Attribute) || cx.handled(node) {
        return;
    }
    if what == K::Identifier && bind::is_private(node, cx) {
        return;
    }
    cx.mark_handled(node);
    let expr = lower(node, cx);
    if names_something(expr, cx) {
        let line = child(node, |f| f.attribute).map_or_else(|| cx.line(node), |a| cx.line(a));
        cx.reference(expr, line, Access::Value);
    }
}

/// A plain string has no code in it: its words are taken as a whole. Docstrings were dealt with.
fn string(node: Node<'_>, cx: &mut Extractor<'_>) -> Visit {
    if cx.take_handled(node) {
        return Visit::Skip;
    }
    let text = cx.text(node);
    let Some(quote) = text.find(['"', '\'']) else { return Visit::Children };
    if text[..quote].contains(['f', 'F', 't', 'T']) {
        return Visit::Children;
    }
    cx.node_words(node, Field::Literal, &text[quote..]);
    Visit::Skip
}

/// An attribute path that starts at a name or the receiver; anything else is too vague to be a mention.
fn names_something(mut expr: crate::facts::ExprId, cx: &Extractor<'_>) -> bool {
    loop {
        match cx.facts().expr(expr) {
            Expr::Attr(object, _) => expr = *object,
            Expr::Name(_) | Expr::SelfRef | Expr::SelfType | Expr::Super => return true,
            _ => return false,
        }
    }
}

/// `a.b` that nothing around has dealt with is read.
fn attribute(node: Node<'_>, cx: &mut Extractor<'_>) {
    if cx.take_handled(node) {
        return;
    }
    let expr = lower(node, cx);
    if names_something(expr, cx) {
        let line = child(node, |f| f.attribute).map_or_else(|| cx.line(node), |a| cx.line(a));
        cx.reference(expr, line, Access::Read);
    }
}

/// Variables of the module and `UPPER_CASE` names that nothing around has dealt with are read. What stands before and after in the text tells names
/// of attributes, keywords and definitions from uses.
fn identifier(node: Node<'_>, cx: &mut Extractor<'_>) {
    if cx.take_handled(node) {
        return;
    }
    let text = cx.text(node);
    let variable = cx.known_name(text).is_some_and(|n| cx.noted(MODULE_VARIABLE, SymbolIdx::MODULE, n));
    let constant = text.starts_with(|c: char| c.is_ascii_uppercase() || c == '_') && is_constant_name(text);
    if !variable && !constant {
        return;
    }
    let source = cx.source();
    let before = source.get(..node.start_byte()).unwrap_or("").trim_end();
    let after = source.get(node.end_byte()..).unwrap_or("").trim_start();
    let defined = before.ends_with('.') || before.ends_with("class") || before.ends_with("def");
    let keyword = after.starts_with('=') && !after.starts_with("==");
    if defined || keyword || bind::is_private(node, cx) {
        return;
    }
    let expr = lower(node, cx);
    cx.reference(expr, cx.line(node), Access::Read);
}

/// Annotations that no definition has dealt with: notes the names. The walk goes on only where there are calls in them.
fn annotation(node: Node<'_>, cx: &mut Extractor<'_>) -> Visit {
    if !cx.take_handled(node) {
        let mut mentions = types::Mentions::new();
        types::lower(node, cx, &mut mentions);
        for (expr, line) in mentions {
            cx.reference(expr, line, Access::Type);
        }
    }
    let text = cx.text(node);
    if text.contains('(') {
        return Visit::Children;
    }
    cx.node_words(node, Field::Ident, text);
    Visit::Skip
}

/// Imports under `if TYPE_CHECKING:` are for types only.
fn mark_type_checking(node: Node<'_>, cx: &mut Extractor<'_>) {
    let Some(test) = child(node, |f| f.condition) else { return };
    if !matches!(kind(test), K::Identifier | K::Attribute) || callee_name(test, cx) != "TYPE_CHECKING" {
        return;
    }
    for statement in child(node, |f| f.consequence).into_iter().flat_map(named) {
        if matches!(kind(statement), K::Import | K::ImportFrom) {
            cx.mark_handled(statement);
        }
    }
}
