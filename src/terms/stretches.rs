//! Words of files in no known language, by stretches of lines.

use std::sync::LazyLock;

use regex::Regex;

use super::{Field, FileTerms, TermsBuilder};
use crate::facts::SymbolIdx;

/// Lines after which a stretch of a plain text ends at the next blank line, and at any line.
const TEXT_LINES: (u32, u32) = (30, 50);
/// Lines after which a stretch of code ends before the next definition, at the next blank line, and at any line.
const CODE_LINES: (u32, u32, u32) = (12, 40, 60);

/// Words of a text in no known language (Markdown, configuration): a unit for each stretch of about 40
/// lines, preferably up to a blank line, with symbol 0 and all words in [`Field::Ident`].
pub fn plain_terms(text: &str) -> FileTerms {
    let mut lines = 0;
    cut(text, |line, _| {
        lines += 1;
        let full = lines >= TEXT_LINES.1 || lines >= TEXT_LINES.0 && line.trim().is_empty();
        if full {
            lines = 0;
        }
        if full { End::Behind } else { End::No }
    })
}

/// The same for code in a language that is not parsed (C, C++, Ruby): a stretch begins at a definition where it can, what a line
/// defines is a name ([`Field::Name`]), and lines of comment are comments ([`Field::Comment`]).
pub fn code_terms(text: &str) -> FileTerms {
    let mut lines = 0;
    let mut commented = false;
    cut(text, |line, builder| {
        lines += 1;
        let trimmed = line.trim();
        commented |= trimmed.starts_with("/*");
        let comment = commented || trimmed.starts_with("//") || trimmed.starts_with("# ") || trimmed.starts_with("--");
        commented &= !trimmed.contains("*/");
        let defined = if comment { None } else { defined(line) };
        let (least, usual, most) = CODE_LINES;
        let end = if lines > least && (defined.is_some() || trimmed.starts_with("/*") && !line.starts_with(' ')) {
            lines = 1;
            End::Before
        } else if lines >= most || lines >= usual && trimmed.is_empty() {
            lines = 0;
            End::Behind
        } else {
            End::No
        };
        builder.field = if comment { Field::Comment } else { Field::Ident };
        builder.name = defined.map(str::to_owned);
        end
    })
}

/// What a line defines, by its look: a keyword of definitions and a name; or, as in C, a name and its parameters behind a type in a
/// line that is indented little and is no statement.
fn defined(line: &str) -> Option<&str> {
    static KEYWORD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^[ \t]*(?:(?:public|private|protected|internal|static|final|abstract|override|virtual|async|export|open|sealed|suspend|inline|local|pub) )*(?:def|function|func|fun|fn|sub|class|struct|union|enum|module|interface|trait|protocol|extension|object|record|namespace|defmodule|defp|#[ \t]*define)[ \t]+(?:self\.)?([A-Za-z_$][A-Za-z0-9_$.:]*[?!]?)").expect("a constant pattern")
    });
    static SIGNATURE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^ {0,4}(?:[A-Za-z_][A-Za-z0-9_:<>,*&\[\]~]*[ \t*&]+)+[*&]*((?:[A-Za-z_~][A-Za-z0-9_]*(?:<[^<>()]*>)?::)*(?:operator[^A-Za-z0-9_ (]{1,3}|[A-Za-z_~][A-Za-z0-9_]*))[ \t]*\([^;]*$").expect("a constant pattern")
    });
    let found = KEYWORD.captures(line).or_else(|| {
        let first = line.split_whitespace().next()?;
        if matches!(
            first,
            "if" | "else"
                | "for"
                | "while"
                | "switch"
                | "return"
                | "case"
                | "throw"
                | "new"
                | "delete"
                | "using"
                | "do"
                | "goto"
                | "and"
                | "or"
                | "not"
                | "puts"
                | "echo"
        ) {
            return None;
        }
        SIGNATURE.captures(line)
    })?;
    Some(found.get(1)?.as_str())
}

#[derive(PartialEq)]
enum End {
    No,
    Before,
    Behind,
}

/// How the line at hand is to be taken.
struct Line {
    field: Field,
    name: Option<String>,
}

fn cut(text: &str, mut look: impl FnMut(&str, &mut Line) -> End) -> FileTerms {
    let mut builder = TermsBuilder::default();
    let mut stretches = vec![(1u32, 1u32)];
    let mut line_no = 0;
    let mut fresh = true;
    for line in text.split_inclusive('\n') {
        line_no += 1;
        let mut taken = Line { field: Field::Ident, name: None };
        let end = look(line, &mut taken);
        if end == End::Before && !fresh {
            stretches.push((line_no, line_no));
        }
        let unit = stretches.len() - 1;
        builder.add(SymbolIdx(unit as u32), taken.field, line);
        if let Some(name) = taken.name {
            builder.add(SymbolIdx(unit as u32), Field::Name, &name);
        }
        stretches[unit].1 = line_no;
        fresh = end == End::Behind;
        if fresh {
            stretches.push((line_no + 1, line_no + 1));
        }
    }
    builder.write(|unit| {
        let (start, end) = stretches[unit as usize];
        (0, start, end)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_by_their_look() {
        for (line, name) in [
            ("static int parse_item(const char *s) {", Some("parse_item")),
            ("  def to_s", Some("to_s")),
            ("public static function makeThing($x)", Some("makeThing")),
            ("FMT_CONSTEXPR20 auto write(OutputIt out,", Some("write")),
            ("void Writer::flush()", Some("Writer::flush")),
            ("#define MAX_LEN 10", Some("MAX_LEN")),
            ("class Shape final : public Base {", Some("Shape")),
            ("  return parse_item(s);", None),
            ("    if (x == parse(y)) {", None),
            ("  int x = 3;", None),
            ("  parse_item(s);", None),
        ] {
            assert_eq!(defined(line), name, "{line}");
        }
    }

    #[test]
    fn a_stretch_of_code_begins_at_a_definition() {
        let body = "  x = 1;\n".repeat(20);
        let text = format!("/* About one. */\nint one(int a) {{\n{body}}}\nint two(int b) {{\n{body}}}\n");
        let terms = code_terms(&text);
        let lines: Vec<_> = terms.reader().units().map(|u| (u.start_line, u.end_line)).collect();
        assert_eq!(lines, [(1, 23), (24, 45)]);
        let words: Vec<String> = terms.reader().words().map(str::to_owned).collect();
        let second = terms.reader().units().nth(1).unwrap();
        let named =
            second.entries.filter(|e| e.counts[Field::Name as usize] > 0).map(|e| words[e.word as usize].clone());
        assert_eq!(named.collect::<Vec<_>>(), ["two"]);
        assert_eq!(code_terms("").reader().units().count(), 0);
    }
}
