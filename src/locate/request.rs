//! Whether a text asks for something that is not there yet: then no function is wrong, and the place is where its siblings live,
//! more often a class or a table than a function's body.

use std::sync::LazyLock;

use regex::Regex;

/// By its title: an imperative that brings something in, or the words of a wish.
pub fn wants_new(title: &str) -> bool {
    static BEGINS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^[ \t\r]*(?:\[[^\]\n]{1,30}\][ \t\r:]*|[a-z]{3,12}(?:\([^)\n]{1,30}\))?:[ \t\r]*)*(?:please[ \t\r]+)?(?:add|support|allow|implement|introduce|provide|expose|enable|make it possible)(?-u:\b)")
            .expect("a constant pattern")
    });
    static SAYS: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)(?-u:\b)(?:feature[ \t\r-]request|(?:request|wish|proposal|suggestion):|(?:option|ability|way|flag|support) (?:to|for)(?-u:\b)|(?:no|missing|lacks?) support|would be (?:nice|great|useful))")
            .expect("a constant pattern")
    });
    let title = crate::extract::clip(title, 300);
    BEGINS.is_match(title) || SAYS.is_match(title)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wish_is_told_from_a_fault() {
        for wish in [
            "Add support for brotli",
            "[Feature request] tables",
            "cli: allow several files",
            "An option to sort by size",
        ] {
            assert!(wants_new(wish), "{wish}");
        }
        for fault in ["Adding two carts crashes", "add() returns nothing", "Supported types are ignored", "Wrong total"]
        {
            assert!(!wants_new(fault), "{fault}");
        }
    }
}
