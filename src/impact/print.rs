//! Fingerprints of the definitions of one text: what is left of each when comments, docs and layout are taken away.
//!
//! The leaves of the syntax tree are hashed with their depth below the definition that holds them, so that Python's
//! indentation counts and a line break does not. Quotes are alike, a comma before a closing bracket is nothing (but in
//! a tuple), nor is a semicolon where the language does without.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};
use tree_sitter::{Node, Parser};

use crate::facts::{Facts, SymbolFact, SymbolIdx, SymbolKind};
use crate::lang::{LanguageSupport, Leaf};

/// A leaf that counts.
struct Token {
    line: u32,
    owner: u32,
    /// Of its kind and text.
    text: u64,
    /// With its depth.
    placed: u64,
}

/// The fingerprints of one text.
pub(super) struct Print {
    tokens: Vec<Token>,
    own: FxHashMap<u32, u64>,
    /// Hashes of the import statements, by line.
    pub imports: Vec<u64>,
}

impl Print {
    /// Of a text and what was extracted from it.
    pub fn of(language: &dyn LanguageSupport, extension: &str, source: &str, facts: &Facts) -> Print {
        let mut print = Print { tokens: Vec::new(), own: FxHashMap::default(), imports: Vec::new() };
        let mut parser = Parser::new();
        let Some(tree) = parser
            .set_language(&language.grammar_for(extension, source))
            .ok()
            .and_then(|()| parser.parse(source, None))
        else {
            return print;
        };
        let owners = owners(facts);
        print.walk(language, tree.root_node(), source, &owners);
        for token in &print.tokens {
            let own = print.own.entry(token.owner).or_default();
            *own = mix(*own, token.placed);
        }
        print
    }

    /// Of a definition without the definitions inside it.
    pub fn own(&self, symbol: SymbolIdx) -> u64 {
        self.own.get(&symbol.0).copied().unwrap_or(0)
    }

    /// Of all lines of a definition but for its own name, and how many leaves that are: what a rename leaves alike.
    pub fn nameless(&self, lines: (u32, u32), name: &str) -> (u64, usize) {
        let name = hash_of(&name);
        let from = self.tokens.partition_point(|t| t.line < lines.0);
        let inside = self.tokens[from..].iter().take_while(|t| t.line <= lines.1).filter(|t| t.text != name);
        inside.fold((0, 0), |(hash, n), token| (mix(hash, token.text), n + 1))
    }

    fn walk(&mut self, language: &dyn LanguageSupport, root: Node<'_>, source: &str, owners: &[u32]) {
        let loose_semicolons = matches!(language.name(), "python" | "javascript" | "typescript");
        let mut cursor = root.walk();
        let mut depth = 0i64;
        let mut first_depth: FxHashMap<u32, i64> = FxHashMap::default();
        loop {
            let node = cursor.node();
            let kind = node.kind();
            let skip = language.leaf(kind) == Leaf::Comment || is_docstring(node) || {
                let import = is_import(kind);
                if import {
                    self.imports.push(hash_of(&squeezed(&source[node.byte_range()])));
                }
                import
            };
            if !skip && node.child_count() == 0 && node.end_byte() > node.start_byte() {
                let text = source.get(node.byte_range()).unwrap_or("");
                let noise = (text == ";" && loose_semicolons) || (text == "," && closes_after(node));
                if !noise {
                    let line = node.start_position().row as u32 + 1;
                    let owner = owners.get(line as usize).copied().unwrap_or(0);
                    let below = depth - *first_depth.entry(owner).or_insert(depth);
                    let text =
                        if is_quote(text) { hash_of(&text.replace('\'', "\"").as_str()) } else { hash_of(&text) };
                    self.tokens.push(Token { line, owner, text, placed: hash_of(&(text, below)) });
                }
            }
            if !skip && cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            loop {
                if cursor.goto_next_sibling() {
                    break;
                }
                if !cursor.goto_parent() {
                    return;
                }
                depth -= 1;
            }
        }
    }
}

/// The innermost definition of each line, fields left out.
fn owners(facts: &Facts) -> Vec<u32> {
    let last = facts.symbols.iter().map(|s| s.end_line).max().unwrap_or(0).max(facts.lines);
    let mut owners = vec![0; last as usize + 2];
    // A field is a mention of it in the code around, which its line belongs to.
    let holds = |symbol: &SymbolFact| symbol.kind != SymbolKind::Field;
    for (at, symbol) in facts.symbols.iter().enumerate().skip(1).filter(|(_, symbol)| holds(symbol)) {
        // Parents stand before their children.
        for owner in &mut owners[symbol.start_line as usize..=(symbol.end_line.max(symbol.start_line)) as usize] {
            *owner = at as u32;
        }
    }
    owners
}

fn is_import(kind: &str) -> bool {
    matches!(
        kind,
        "import_statement"
            | "import_from_statement"
            | "future_import_statement"
            | "import_declaration"
            | "use_declaration"
            | "extern_crate_declaration"
    )
}

/// Python: a string alone as the first statement of a body.
fn is_docstring(node: Node<'_>) -> bool {
    node.kind() == "expression_statement"
        && node.named_child_count() == 1
        && node.named_child(0).is_some_and(|c| c.kind() == "string")
        && node.parent().is_some_and(|p| matches!(p.kind(), "block" | "module"))
        && node.prev_named_sibling().is_none_or(|before| before.kind() == "comment")
}

fn closes_after(comma: Node<'_>) -> bool {
    comma.next_sibling().is_some_and(|next| matches!(next.kind(), ")" | "]" | "}"))
        && comma.parent().is_none_or(|p| !p.kind().contains("tuple") && p.kind() != "subscript")
}

fn is_quote(text: &str) -> bool {
    text.len() <= 5 && text.ends_with(['\'', '"'])
}

fn squeezed(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')' | ';')).collect::<String>().replace(",}", "}")
}

fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

fn mix(hash: u64, next: u64) -> u64 {
    hash_of(&(hash, next))
}
