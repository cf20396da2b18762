//! Single changes of the text.

use std::ops::Range;

use serde::Serialize as _;
use serde_json::Value as Json;

use super::{Doc, Span, Step};

/// White space and comments from a place on.
struct Trivia {
    /// Where the next token starts.
    end: usize,
    /// Where the last comment ends, else where the trivia began.
    comments: usize,
    /// The last comment runs to the end of its line.
    line_comment: bool,
}

fn trivia(text: &str, from: usize) -> Trivia {
    let mut found = Trivia { end: from, comments: from, line_comment: false };
    loop {
        let rest = &text[found.end..];
        let skipped = rest.len() - rest.trim_start().len();
        let rest = &rest[skipped..];
        found.end += skipped;
        let (comment, is_line) = if rest.starts_with("//") {
            (rest.find(['\n', '\r']).unwrap_or(rest.len()), true)
        } else if rest.starts_with("/*") {
            (rest.find("*/").map_or(rest.len(), |at| at + 2), false)
        } else {
            return found;
        };
        found.end += comment;
        found.comments = found.end;
        found.line_comment = is_line;
    }
}

/// How a file is laid out.
pub(super) struct Style {
    /// One level of indentation.
    unit: String,
    /// What ends a line.
    pub(super) eol: &'static str,
    /// All on one line.
    compact: bool,
    /// A space after colons and commas.
    spaced: bool,
}

impl Style {
    pub(super) fn of(text: &str) -> Style {
        let eol = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let body = text.trim();
        let compact = !body.contains('\n') && body.chars().any(|c| !c.is_whitespace() && c != '{' && c != '}');
        // The first indented line that is no comment's inside.
        let unit = body
            .lines()
            .map(|line| &line[..line.len() - line.trim_start_matches([' ', '\t']).len()])
            .zip(body.lines())
            .find(|(indent, line)| !indent.is_empty() && line.trim_start().starts_with(['"', '{', '[', '/', '}', ']']))
            .map_or("  ", |(indent, _)| indent);
        Style { unit: unit.to_owned(), eol, compact, spaced: !compact || text.contains("\": ") }
    }

    /// A value as text, its later lines indented by `base`.
    fn print(&self, value: &Json, base: &str, one_line: bool) -> String {
        if one_line {
            return self.one_line(value);
        }
        let mut bytes = Vec::new();
        let formatter = serde_json::ser::PrettyFormatter::with_indent(self.unit.as_bytes());
        let mut printer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
        // Values print to memory without fail.
        let _ = value.serialize(&mut printer);
        String::from_utf8_lossy(&bytes).replace('\n', &format!("{}{base}", self.eol))
    }

    fn one_line(&self, value: &Json) -> String {
        let space = if self.spaced { " " } else { "" };
        let join = |parts: Vec<String>| parts.join(&format!(",{space}"));
        match value {
            Json::Array(values) => format!("[{}]", join(values.iter().map(|v| self.one_line(v)).collect())),
            Json::Object(object) => {
                let member = |(k, v): (&String, &Json)| format!("{}:{space}{}", quoted(k), self.one_line(v));
                format!("{{{}}}", join(object.iter().map(member).collect()))
            }
            scalar => scalar.to_string(),
        }
    }
}

fn quoted(key: &str) -> String {
    Json::String(key.to_owned()).to_string()
}

/// The indentation of the line that `at` stands on.
fn indent_at(text: &str, at: usize) -> &str {
    let start = text[..at].rfind('\n').map_or(0, |nl| nl + 1);
    let line = &text[start..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

impl Doc {
    fn put(&mut self, range: Range<usize>, new: &str) {
        self.text.replace_range(range, new);
    }

    /// The whole text, for a file that holds no value. What there was, is returned.
    pub(super) fn begin(&mut self) -> String {
        let before = std::mem::take(&mut self.text);
        self.text = format!("{{}}{}", if before.contains("\r\n") { "\r\n" } else { "\n" });
        before
    }

    /// Gives a text without a value back.
    pub(super) fn blank(&mut self, text: &str) {
        self.text = text.to_owned();
    }

    /// Appends a member to the object or array at `path`, which is there. For an empty one: what stood between its
    /// last comment and its closing bracket.
    pub(super) fn append(&mut self, path: &[Step], key: Option<&str>, value: &Json) -> Option<String> {
        let Span { range, members } = self.span_at(path)?;
        let style = Style::of(&self.text);
        let (open, close) = (range.start + 1, range.end - 1);
        let text = &self.text;
        let broken = text[open..members.first().map_or(close, |m| m.start)].contains('\n');
        let one_line = if members.is_empty() { style.compact } else { !broken };
        let indent = match members.first() {
            Some(first) if broken => indent_at(text, first.start).to_owned(),
            _ => format!("{}{}", indent_at(text, range.start), style.unit),
        };
        // After the last member: a comma of its own, or one that has to be set.
        let mut comma = None;
        let mut trailing = false;
        let from = match members.last() {
            None => open,
            Some(last) => {
                let next = trivia(text, last.end).end;
                trailing = text[next..].starts_with(',');
                if trailing {
                    next + 1
                } else {
                    comma = Some(last.end);
                    last.end
                }
            }
        };
        let gap = trivia(text, from);
        let at = gap.comments;
        let tail = text[at..close].to_owned();
        let mut new = if one_line && !gap.line_comment {
            if members.is_empty() || !style.spaced { String::new() } else { " ".to_owned() }
        } else {
            format!("{}{indent}", style.eol)
        };
        if let Some(key) = key {
            new.push_str(&quoted(key));
            new.push_str(if style.spaced { ": " } else { ":" });
        }
        new.push_str(&style.print(value, &indent, one_line));
        if trailing {
            new.push(',');
        }
        let mut closing = String::new();
        if members.is_empty() && !one_line && !tail.contains('\n') {
            closing = format!("{}{}", style.eol, indent_at(text, range.start));
        }
        let was_empty = members.is_empty().then(|| tail.clone());
        if closing.is_empty() {
            self.put(at..at, &new);
        } else {
            self.put(at..close, &format!("{new}{closing}"));
        }
        if let Some(comma) = comma {
            self.put(comma..comma, ",");
        }
        was_empty
    }

    /// Puts another value in the place of the one at `path`.
    pub(super) fn replace(&mut self, path: &[Step], value: &Json) {
        let Some(span) = self.span_at(path) else { return };
        let style = Style::of(&self.text);
        let one_line = !self.text[span.range.clone()].contains('\n') && (style.compact || !value.is_object());
        let indent = indent_at(&self.text, span.range.start).to_owned();
        let new = style.print(value, &indent, one_line);
        self.put(span.range, &new);
    }

    /// Takes out the member at `index` of the object or array at `path`, with the comma and the white space that came
    /// with it.
    pub(super) fn cut(&mut self, path: &[Step], index: usize) {
        let Some(Span { range, members }) = self.span_at(path) else { return };
        let Some(member) = members.get(index).cloned() else { return };
        let text = &self.text;
        let before = index.checked_sub(1).map_or(range.start + 1, |i| members[i].end);
        let lead = text[..member.start].trim_end().len().max(before);
        let next = trivia(text, member.end).end;
        if text[next..].starts_with(',') {
            let end = next + 1;
            // A line comment before must not swallow what follows.
            let comment_before = index_of_comma(text, before, index).map_or(before, |c| c + 1);
            let runs_on = trivia(text, comment_before).line_comment
                && !text[end..].trim_start_matches([' ', '\t']).starts_with(['\n', '\r']);
            let start = if runs_on { member.start } else { lead };
            self.put(start..end, "");
        } else {
            let comma = index_of_comma(text, before, index);
            self.put(lead..member.end, "");
            if let Some(comma) = comma {
                self.put(comma..comma + 1, "");
            }
        }
    }

    /// Sets what stands between the last comment of an empty object or array and its closing bracket.
    pub(super) fn set_tail(&mut self, path: &[Step], tail: &str) {
        let Some(Span { range, members }) = self.span_at(path) else { return };
        if members.is_empty() {
            let at = trivia(&self.text, range.start + 1).comments;
            self.put(at..range.end - 1, tail);
        }
    }
}

/// The comma between a member's end and the next; a first member has none before it.
fn index_of_comma(text: &str, before: usize, index: usize) -> Option<usize> {
    let at = trivia(text, before).end;
    (index > 0 && text[at..].starts_with(',')).then_some(at)
}
