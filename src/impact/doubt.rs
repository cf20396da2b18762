//! How far a chain of calls is from running whenever its first caller does.
//!
//! From the code alone it cannot be told which branch is taken: whoever runs a command may print a help page, and few do. So the
//! steps of a chain are counted that need more than being reached: a call site inside of a branch or a handler, a step that
//! only holds for objects of some class, a guess by name. A chain with [`MOST`] of them is still likely; one with more is kept only
//! for tests that bear a rare word of it.

/// Doubtful steps of a chain that is still likely.
pub(super) const MOST: usize = 2;

/// Whether a line stands inside of a branch, a case or a handler of the definition that holds it, by the indentation of the lines
/// above it: the same in all languages whose code is laid out.
pub(super) fn is_conditional(lines: &[String], line: i64) -> bool {
    let Some(at) = usize::try_from(line - 1).ok().filter(|at| *at < lines.len()) else { return false };
    let mut indent = indent_of(&lines[at]);
    for above in lines[..at].iter().rev().filter(|above| !above.trim().is_empty()) {
        let own = indent_of(above);
        if own >= indent {
            continue;
        }
        let text = above.trim_start().trim_start_matches(['}', ' ']);
        if starts(text, BRANCHES) {
            return true;
        }
        if own == 0 || starts(text, DEFINITIONS) {
            return false;
        }
        indent = own;
    }
    false
}

const BRANCHES: &[&str] = &[
    "if", "elif", "elsif", "else", "except", "rescue", "catch", "case", "switch", "match", "when", "default", "unless",
    "select",
];
const DEFINITIONS: &[&str] =
    &["def", "async", "func", "function", "fn", "pub", "public", "private", "protected", "static", "override"];

fn starts(text: &str, words: &[&str]) -> bool {
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(text.len());
    words.contains(&&text[..end])
}

fn indent_of(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn conditional(code: &str) -> Vec<bool> {
        let lines: Vec<String> = code.lines().map(str::to_owned).collect();
        let sites = (1..).zip(&lines).filter(|(_, l)| l.contains("hit(")).map(|(n, _)| n);
        sites.map(|n| is_conditional(&lines, n)).collect()
    }

    #[test]
    fn branches_are_told_from_loops_and_blocks() {
        let python = "class A:\n    def f(self):\n        hit(1)\n        with x:\n            for y in z:\n                hit(2)\n        if x:\n\n            hit(\n                3)\n        else:\n            with y:\n                hit(4)\n        return hit(5)\n";
        assert_eq!(conditional(python), [false, false, true, true, false]);
        let go = "func F() error {\n\thit()\n\tswitch x {\n\tcase 1:\n\t\thit()\n\t}\n\tfor {\n\t\thit()\n\t}\n}\n";
        assert_eq!(conditional(go), [false, true, false]);
        let js = "const f = () => {\n  try {\n    hit()\n  } catch (e) {\n    hit()\n  }\n}\n";
        assert_eq!(conditional(js), [false, true]);
        assert!(!is_conditional(&[], 3) && !is_conditional(&["x".to_owned()], 0));
    }
}
