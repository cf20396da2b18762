//! Comments, and what can be said only when the whole file has been seen.

use rustc_hash::{FxHashMap, FxHashSet};
use tree_sitter::Node;

use super::Walker;
use super::globals;
use crate::facts::{Access, Expr, Name, SymbolIdx, SymbolKind};

/// Words that may stand between a doc comment and what it is about.
const BETWEEN: &[&str] = &[
    "export",
    "default",
    "const",
    "let",
    "var",
    "async",
    "declare",
    "abstract",
    "public",
    "private",
    "protected",
    "static",
    "readonly",
    "override",
    "return",
    "type",
];

impl Walker<'_, '_> {
    pub(super) fn comment(&mut self, node: Node<'_>) {
        let bytes = (node.start_byte(), node.end_byte());
        if !self.st.code_seen && self.st.first_comment.is_none() && self.cx.text(node).starts_with("/*") {
            self.st.first_comment = Some(bytes);
        }
        self.st.comment = Some(bytes);
    }

    /// The JSDoc comment right above a definition that starts at `start`.
    pub(super) fn doc_before(&mut self, start: usize) -> String {
        let Some((from, to)) = self.st.comment else { return String::new() };
        let (Some(text), Some(between)) = (self.cx.source().get(from..to), self.cx.source().get(to..start)) else {
            return String::new();
        };
        if !text.starts_with("/**") || text.len() < 5 || between.len() > 200 {
            return String::new();
        }
        if !between.split_whitespace().all(|word| BETWEEN.contains(&word)) {
            return String::new();
        }
        if self.st.first_comment == Some((from, to)) {
            self.st.first_comment_used = true;
        }
        self.st.comment = None;
        plain(text)
    }

    pub(super) fn settle(&mut self) {
        self.module_doc();
        self.settle_inheritance();
        self.settle_flags();
        self.settle_refs();
    }

    fn module_doc(&mut self) {
        if self.st.first_comment_used {
            return;
        }
        if let Some((from, to)) = self.st.first_comment
            && let Some(text) = self.cx.source().get(from..to)
        {
            let doc = plain(text);
            if !doc.is_empty() {
                self.cx.module_doc(&doc);
            }
        }
    }

    fn settle_inheritance(&mut self) {
        for (class, base) in std::mem::take(&mut self.st.inherits) {
            if let Some(&symbol) = self.st.top.get(&class) {
                let fact = self.cx.symbol_mut(symbol);
                if !fact.bases.contains(&base) {
                    fact.bases.push(base);
                }
            }
        }
    }

    fn settle_flags(&mut self) {
        let mut names: FxHashSet<Name> = FxHashSet::default();
        let mut direct: FxHashSet<SymbolIdx> = FxHashSet::default();
        for export in &self.cx.facts().exports {
            match self.cx.facts().expr(export.value) {
                Expr::Name(name) => {
                    names.insert(*name);
                }
                Expr::Function(symbol) => {
                    direct.insert(*symbol);
                }
                _ => {}
            }
        }
        for i in 1..self.cx.facts().symbols.len() {
            let idx = SymbolIdx(i as u32);
            let fact = self.cx.facts().symbol(idx);
            let parent = fact.parent.unwrap_or(SymbolIdx::MODULE);
            let own_name = self.cx.str(fact.name);
            let hidden = self.st.private.contains(&idx) || own_name.starts_with(['_', '#']);
            let exported = if let Some(owner) = self.st.owner_of.get(&idx) {
                names.contains(owner) && !hidden
            } else if parent == SymbolIdx::MODULE {
                fact.flags.exported || names.contains(&fact.name) || direct.contains(&idx)
            } else {
                let outer = self.cx.facts().symbol(parent);
                let open = outer.kind.is_type() || matches!(outer.kind, SymbolKind::Constant | SymbolKind::Variable);
                // A namespace says itself what it exports.
                let said = outer.kind == SymbolKind::Namespace && fact.flags.exported;
                outer.flags.exported && (open || said) && !hidden
            };
            let handler = fact.kind.is_callable() && self.st.handlers.contains(&fact.qualname);
            let flags = &mut self.cx.symbol_mut(idx).flags;
            flags.exported = exported;
            flags.entry_point |= handler;
        }
    }

    /// Drops mentions of a function's own locals and of what the language always has; of reads, keeps
    /// the first in each symbol.
    fn settle_refs(&mut self) {
        let facts = self.cx.facts();
        let last = facts.symbols[0].end_line;
        let mut locals: FxHashMap<(SymbolIdx, Name), Vec<(u32, u32)>> = FxHashMap::default();
        let mut module_names: FxHashSet<Name> = facts
            .symbols
            .iter()
            .filter(|s| s.parent == Some(SymbolIdx::MODULE) && s.owner.is_none())
            .map(|s| s.name)
            .collect();
        for bind in &facts.binds {
            let whole = bind.scope == SymbolIdx::MODULE && (bind.end_line == last || module_names.contains(&bind.name));
            if whole {
                module_names.insert(bind.name);
            } else {
                locals.entry((bind.scope, bind.name)).or_default().push((bind.line, bind.end_line));
            }
        }
        for (i, symbol) in facts.symbols.iter().enumerate() {
            let lines = (symbol.start_line, symbol.end_line);
            for param in &symbol.params {
                locals.entry((SymbolIdx(i as u32), param.name)).or_default().push(lines);
            }
            for (name, _) in &symbol.type_params {
                locals.entry((SymbolIdx(i as u32), *name)).or_default().push(lines);
            }
        }
        let builtins: FxHashSet<&str> = globals::BUILTINS.iter().copied().collect();
        let mut seen = FxHashSet::default();
        let mut kept = Vec::new();
        for r in std::mem::take(&mut self.st.refs) {
            let facts = self.cx.facts();
            let mut root = r.expr;
            while let Expr::Attr(object, _) = facts.expr(root) {
                root = *object;
            }
            match facts.expr(root) {
                Expr::Unknown => continue,
                Expr::Name(name) if !module_names.contains(name) && builtins.contains(facts.name(*name)) => continue,
                _ => {}
            }
            if let Expr::Name(name) = *facts.expr(r.expr) {
                let mut scope = Some(r.from);
                let mut local = false;
                while let Some(s) = scope {
                    local |= locals
                        .get(&(s, name))
                        .is_some_and(|spans| spans.iter().any(|&(from, to)| from <= r.line && r.line <= to));
                    scope = facts.symbol(s).parent;
                }
                if local {
                    continue;
                }
            }
            let once = matches!(r.access, Access::Read | Access::Type);
            if once && !seen.insert((r.from, r.expr, r.access)) {
                continue;
            }
            kept.push(r);
        }
        for r in kept {
            self.cx.reference_from(r.from, r.expr, r.line, r.access);
        }
    }
}

/// The words of a block comment.
fn plain(comment: &str) -> String {
    let inner = comment.trim_start_matches('/').trim_start_matches(['*', '!']);
    let inner = inner.strip_suffix("*/").unwrap_or(inner);
    let mut out = String::new();
    for line in inner.lines() {
        let line = line.trim().trim_start_matches('*').trim();
        if line.is_empty() && out.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(line);
        if out.len() > 1200 {
            break;
        }
    }
    out.trim_end().to_owned()
}
