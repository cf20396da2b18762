//! Imports and `__all__`.

use tree_sitter::Node;

use super::kinds::{K, child, inside_parens, kind, named};
use super::lower::string_text;
use crate::extract::Extractor;
use crate::facts::{Expr, ImportFact, ImportWhat, Name, SymbolIdx};
use crate::terms::Field;

/// `import a.b as c, d`.
pub(super) fn import(node: Node<'_>, cx: &mut Extractor<'_>) {
    let type_only = cx.take_handled(node);
    for part in named(node) {
        let (module, alias) = aliased(part, cx);
        let Some(module) = module else { continue };
        let local = alias.unwrap_or_else(|| module.split('.').next().unwrap_or(module));
        let module = cx.name_owned(&dotted(module));
        let alias = alias.map(|a| cx.name(a));
        add(node, module, 0, ImportWhat::Module { alias }, Some(local), type_only, cx);
    }
    words(node, cx);
}

/// `from ..a import b as c, d`, `from a import *`.
pub(super) fn import_from(node: Node<'_>, cx: &mut Extractor<'_>) {
    let type_only = cx.take_handled(node);
    let Some(from) = child(node, |f| f.module_name) else { return };
    let text = cx.text(from);
    let dots = text.bytes().filter(|&b| b == b'.').count();
    let (module, level) = if kind(from) == K::RelativeImport {
        let name = named(from).find(|n| kind(*n) == K::DottedName).map_or("", |n| cx.text(n));
        (name, dots - name.bytes().filter(|&b| b == b'.').count())
    } else {
        (text, 0)
    };
    let module = cx.name_owned(&dotted(module));
    let level = u8::try_from(level).unwrap_or(u8::MAX);
    for part in named(node).skip(1) {
        if kind(part) == K::Wildcard {
            add(node, module, level, ImportWhat::Star, None, type_only, cx);
            continue;
        }
        let (item, alias) = aliased(part, cx);
        let Some(item) = item else { continue };
        let local = alias.unwrap_or(item);
        let what = ImportWhat::Item { item: cx.name(item), alias: cx.name(local) };
        add(node, module, level, what, Some(local), type_only, cx);
    }
    words(node, cx);
}

fn aliased<'s>(node: Node<'_>, cx: &Extractor<'s>) -> (Option<&'s str>, Option<&'s str>) {
    match kind(node) {
        K::AliasedImport => {
            (child(node, |f| f.name).map(|n| cx.text(n)), child(node, |f| f.alias).map(|n| cx.text(n)))
        }
        K::DottedName => (Some(cx.text(node)), None),
        _ => (None, None),
    }
}

/// A dotted name may be written with spaces.
fn dotted(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

fn add(
    node: Node<'_>,
    module: Name,
    level: u8,
    what: ImportWhat,
    local: Option<&str>,
    type_only: bool,
    cx: &mut Extractor<'_>,
) {
    let scope = cx.current();
    if let Some(local) = local
        && scope == SymbolIdx::MODULE
    {
        let local = cx.name_owned(local);
        cx.note(super::MODULE_NAME, scope, local);
        if matches!(what, ImportWhat::Item { .. }) {
            cx.note(super::MODULE_VARIABLE, scope, local);
        }
    }
    cx.import(ImportFact { scope, line: cx.line(node), module, level, what, reexport: false, type_only });
}

/// The walk does not go into imports: their words are added here.
fn words(node: Node<'_>, cx: &mut Extractor<'_>) {
    let text = cx.text(node);
    let symbol = cx.current();
    for word in text.split_whitespace().filter(|w| !matches!(*w, "import" | "from" | "as")) {
        cx.words(symbol, Field::Ident, word);
    }
}

/// Names in `__all__ = [...]`, `__all__ += [...]`, `__all__.extend([...])`, `__all__.append("x")`; several
/// lists added together are walked.
pub(super) fn exports(value: Node<'_>, cx: &mut Extractor<'_>) {
    let mut at = inside_parens(value);
    let mut lists = Vec::new();
    while kind(at) == K::Binary {
        lists.extend(child(at, |f| f.right));
        match child(at, |f| f.left) {
            Some(left) => at = inside_parens(left),
            None => break,
        }
    }
    lists.push(at);
    for list in lists.into_iter().rev() {
        let list = inside_parens(list);
        let elements: Vec<Node<'_>> = match kind(list) {
            K::String => vec![list],
            K::List | K::Tuple | K::ExpressionList => named(list).collect(),
            _ => continue,
        };
        for element in elements {
            let Some(text) = string_text(element, cx) else { continue };
            let name = cx.name(text);
            let value = cx.expr(Expr::Name(name));
            cx.export(text, value, cx.line(element));
        }
    }
}
