//! Reading the text of a task: what it says in which words, and what it names outright.
//!
//! A report is prose, code, logs and the tracker's template in one. Each stretch gets a weight by what it
//! is, and each word the weight of the best stretch it stands in; the title counts double. What is named
//! outright (identifiers, paths, flags, quoted messages, stack frames) is kept apart.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use regex::Regex;

use super::trace::{Frame, frames, is_frame};
use super::weights::reading as w;
use crate::terms::query_words;

/// Text beyond this many bytes is not read.
pub const MAX_TEXT: usize = 64 * 1024;
/// Most distinct words that are looked up, the weightiest first.
pub const MAX_TERMS: usize = 160;
const MAX_MENTIONS: usize = 60;
const MAX_QUOTED: usize = 16;

/// A word to look up.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Lower-cased, as the index has it.
    pub word: String,
    /// How much it counts.
    pub weight: f32,
    /// Stands in the title.
    pub in_title: bool,
}

/// Something the text names as code names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// As written, without call parentheses: `Choice.convert`, `parse_args`.
    pub text: String,
    /// Stands in the title.
    pub in_title: bool,
    /// Stands in a code span, or is written as code is (`snake_case`, `camelCase`, a call, dots).
    pub as_code: bool,
    /// How much the stretch it stands in counts.
    pub weight: f32,
}

/// A file that the text names, with the line if it gives one.
#[derive(Clone, Debug, PartialEq)]
pub struct PathMention {
    /// As written, forward slashes.
    pub path: String,
    /// Its line, 1-based.
    pub line: Option<u32>,
    /// Stands in the title.
    pub in_title: bool,
}

/// The text of a task, read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Task {
    /// Words, weightiest first (then by word).
    pub terms: Vec<Term>,
    /// Named symbols, in order of appearance.
    pub mentions: Vec<Mention>,
    /// Named files.
    pub paths: Vec<PathMention>,
    /// Stack frames; the innermost has the lowest depth.
    pub frames: Vec<Frame>,
    /// Quoted strings and error messages.
    pub quoted: Vec<String>,
    /// Nothing in it speaks about code: small talk, or an order about the work itself.
    pub is_chat: bool,
}

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($text).expect("a constant pattern"));
    };
}

pattern!(HTML_COMMENT, r"(?s)<!--.*?-->");
pattern!(HTML_TAG, r"</?[a-zA-Z][a-zA-Z0-9]*(?:[ \t\r][^<>\n]*)?/?>");
pattern!(URL, r#"https?://[^ \t\r\n<>()\[\]"'`]+"#);
pattern!(INLINE_CODE, r"``?([^`\n]{1,200})``?");
pattern!(CHECKBOX, r"^[ \t\r]*[-*][ \t\r]*\[[ xX]\]");
pattern!(IDENTIFIER, r"[A-Za-z_$][A-Za-z0-9_$]*(?:(?:\.|::|->|#)[A-Za-z_$][A-Za-z0-9_$]*)*(?:\(\))?");
pattern!(FLAG, r"(?:^|[ \t\r\n`'\x22(\[=,])(--?[a-zA-Z][A-Za-z0-9_-]*)");
pattern!(
    FILE,
    r"(?:[A-Za-z0-9_.@~-]*[/\\])*[A-Za-z0-9_@-][A-Za-z0-9_.@-]*\.[A-Za-z][A-Za-z0-9]{0,4}(?::([0-9]{1,6}))?"
);
pattern!(QUOTED, r#""([^"\n]{4,160})"|'([^'\n]{6,160})'|“([^”\n]{4,160})”|`([^`\n]{6,160})`"#);
pattern!(
    ERROR_LINE,
    r"(?i)^[ \t\r]*(?:E[ \t\r]+)?(?:[A-Za-z0-9_.$]*(?:Error|Exception|Warning)|error|panic|fatal|thread '[^']*' panicked at)(?-u:\b)[^:]*:[ \t\r]*(.{4,200})$"
);
pattern!(
    LOG_LINE,
    r"^[ \t\r]*(?:\[[^\]]{1,40}\][ \t\r]|[0-9]{4}[-/][0-9][0-9][-/][0-9][0-9]|[0-9][0-9]:[0-9][0-9]:[0-9][0-9]|(?:DEBUG|INFO|TRACE|WARN|WARNING|ERROR)(?-u:\b)|\[?debug\]?(?-u:\b)|[ \t\r]*at[ \t\r]+[^ \t\r\n]+\(|\$[ \t\r]|>[ \t\r])"
);
pattern!(
    VERSION_LINE,
    r"(?i)^[ \t\r]*[-*]?[ \t\r]*(?:\*\*)?(?:os|operating system|python|node|npm|java|jdk|go|rustc?|version|versions?|platform|environment|browser|time zone|compiler|architecture|shell)(?-u:\b)[^.]{0,40}[:=]"
);

struct Collected {
    terms: BTreeMap<String, (f32, bool)>,
    mentions: Vec<Mention>,
    paths: Vec<PathMention>,
    quoted: Vec<String>,
}

impl Task {
    /// Reads a task. Without a title of its own, the text's first line that says something is the title.
    pub fn read(title: Option<&str>, text: &str) -> Task {
        let text = crate::extract::clip(text, MAX_TEXT);
        let (title, body) = match title {
            Some(title) => (crate::extract::clip(title, MAX_TEXT), text),
            None => split_title(text),
        };
        let mut c = Collected { terms: BTreeMap::new(), mentions: Vec::new(), paths: Vec::new(), quoted: Vec::new() };
        let clean_title = prepare(title);
        for line in clean_title.lines() {
            prose(&mut c, line, w::TITLE, true);
        }
        joined_words(&mut c, &clean_title);
        let body = prepare(body);
        read_body(&mut c, &body);
        let frames = frames(&format!("{title}\n{body}"));
        let is_chat = frames.is_empty() && c.paths.is_empty() && super::chat::is_chat(title, &body);
        let mut terms: Vec<Term> =
            c.terms.into_iter().map(|(word, (weight, in_title))| Term { word, weight, in_title }).collect();
        terms.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.word.cmp(&b.word)));
        terms.truncate(MAX_TERMS);
        Task { terms, mentions: c.mentions, paths: c.paths, frames, quoted: c.quoted, is_chat }
    }
}

fn split_title(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if first.len() <= 300 {
        return (first, rest);
    }
    // One long paragraph: its first sentence stands for a title.
    match first.find(". ") {
        Some(end) if end <= 300 => text.split_at(end + 1),
        _ => ("", text),
    }
}

fn prepare(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let text = HTML_COMMENT.replace_all(&text, " ");
    HTML_TAG.replace_all(&text, " ").into_owned()
}

fn read_body(c: &mut Collected, body: &str) {
    let mut fence: Option<char> = None;
    let mut code_lines = 0usize;
    for line in body.lines() {
        let trimmed = line.trim_start();
        if let Some(mark) = ['`', '~'].into_iter().find(|&m| trimmed.starts_with(&String::from(m).repeat(3))) {
            fence = match fence {
                Some(open) if open == mark => None,
                None => Some(mark),
                other => other,
            };
            code_lines = 0;
            continue;
        }
        if trimmed.is_empty() || CHECKBOX.is_match(line) {
            continue;
        }
        if is_frame(line) {
            // What it names is a frame already.
            add_words(c, line, w::LOG_LINE, false);
            continue;
        }
        if let Some(found) = ERROR_LINE.captures(line) {
            quote(c, &found[1]);
            prose(c, line, w::ERROR_LINE, false);
            continue;
        }
        if VERSION_LINE.is_match(line) {
            prose(c, line, w::VERSION_LINE, false);
        } else if fence.is_some() || line.starts_with("    ") || line.starts_with('\t') {
            code_lines += 1;
            // The first lines of a long dump say more than the hundredth.
            let fade = 1.0 / (1.0 + code_lines as f32 / w::CODE_FADE);
            if LOG_LINE.is_match(line) {
                prose(c, line, w::LOG_LINE * fade, false);
            } else {
                code(c, line, w::CODE * fade, false);
            }
        } else if trimmed.starts_with('#') {
            prose(c, line, w::HEADING, false);
        } else if LOG_LINE.is_match(line) && !trimmed.starts_with('>') {
            prose(c, line, w::LOG_LINE, false);
        } else {
            prose(c, line, w::PROSE, false);
        }
    }
}

fn prose(c: &mut Collected, line: &str, weight: f32, in_title: bool) {
    let mut rest = String::with_capacity(line.len());
    let mut at = 0;
    for url in URL.find_iter(line) {
        rest.push_str(&line[at..url.start()]);
        rest.push(' ');
        at = url.end();
        url_words(c, url.as_str(), weight * w::URL, in_title);
    }
    rest.push_str(&line[at..]);
    for found in QUOTED.captures_iter(&rest) {
        let inner = found.iter().skip(1).flatten().next().map_or("", |m| m.as_str());
        if inner.contains(' ') {
            quote(c, inner);
        }
    }
    for span in INLINE_CODE.captures_iter(&rest) {
        code(c, &span[1], weight * w::SPAN, in_title);
    }
    // Markdown's emphasis reads like snake_case.
    let plain = rest.replace(['*', '`'], " ");
    named(c, &plain, weight, in_title, false);
    add_words(c, &plain, weight, in_title);
}

fn code(c: &mut Collected, line: &str, weight: f32, in_title: bool) {
    named(c, line, weight, in_title, true);
    add_words(c, line, weight, in_title);
    for found in QUOTED.captures_iter(line) {
        let inner = found.iter().skip(1).flatten().next().map_or("", |m| m.as_str());
        if inner.split_whitespace().count() >= 3 {
            quote(c, inner);
        }
    }
}

fn quote(c: &mut Collected, text: &str) {
    let text = text.trim();
    if c.quoted.len() < MAX_QUOTED && !c.quoted.iter().any(|q| q == text) {
        c.quoted.push(text.to_owned());
    }
}

fn url_words(c: &mut Collected, url: &str, weight: f32, in_title: bool) {
    let Some((_, rest)) = url.split_once("://") else { return };
    let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
    // Trackers and paste sites say nothing of the place.
    const NOISE: [&str; 8] = [
        "github.com",
        "githubusercontent.com",
        "gist.",
        "godbolt",
        "stackoverflow.com",
        "imgur",
        "pastebin",
        "readthedocs",
    ];
    if NOISE.iter().any(|n| host.contains(n)) {
        return;
    }
    for label in host.split('.') {
        if !matches!(label, "www" | "com" | "org" | "net" | "io" | "co" | "html" | "en") {
            add_words(c, label, weight, in_title);
        }
    }
    add_words(c, crate::extract::clip(path, 80), weight * 0.5, in_title);
}

/// Words that follow each other are often one in code: `Google Drive` is `googledrive`.
fn joined_words(c: &mut Collected, title: &str) {
    let all: Vec<&str> = title.split(|ch: char| !ch.is_alphanumeric()).filter(|s| !s.is_empty()).collect();
    for pair in all.windows(2) {
        let (a, b) = (pair[0].to_lowercase(), pair[1].to_lowercase());
        if a.len() + b.len() >= 6 && a.len() >= 2 && b.len() >= 2 && !stop_word(&a) && !stop_word(&b) {
            put_whole(c, &format!("{a}{b}"), w::TITLE * w::JOINED, true);
        }
    }
}

fn add_words(c: &mut Collected, text: &str, weight: f32, in_title: bool) {
    for word in query_words(text) {
        if !stop_word(&word) {
            let number = word.bytes().all(|b| b.is_ascii_digit());
            put(c, &word, if number { weight * w::NUMBER } else { weight }, in_title);
        }
    }
}

/// The word that stands for a whole identifier: the last one that it gives.
fn put_whole(c: &mut Collected, identifier: &str, weight: f32, in_title: bool) {
    if let Some(word) = query_words(identifier).last() {
        put(c, word, weight, in_title);
    }
}

fn put(c: &mut Collected, word: &str, weight: f32, in_title: bool) {
    let entry = c.terms.entry(word.to_owned()).or_insert((0.0, false));
    // The best stretch counts; each further one adds a little.
    let (high, low) = if weight > entry.0 { (weight, entry.0) } else { (entry.0, weight) };
    entry.0 = (high + w::REPEAT * low).min(high * 1.5);
    entry.1 |= in_title;
}

fn named(c: &mut Collected, line: &str, weight: f32, in_title: bool, in_code: bool) {
    for found in FLAG.captures_iter(line) {
        let flag = found[1].trim_start_matches('-');
        if flag.len() >= 3 && flag.contains('-') {
            put_whole(c, &flag.replace('-', "_"), weight * w::FLAG, in_title);
            mention(c, &flag.replace('-', "_"), weight, in_title, true);
        } else if flag.len() >= 3 && found[1].starts_with("--") {
            put_whole(c, flag, weight * w::FLAG, in_title);
        }
    }
    for found in FILE.captures_iter(line) {
        // `a.method(x)` and `a.Long_name` are no files.
        let end = found.get(0).map_or(0, |m| m.end());
        if line[end..].starts_with(|ch: char| ch.is_alphanumeric() || matches!(ch, '_' | '(')) {
            continue;
        }
        let whole = found[0].rsplit_once(':').filter(|_| found.get(1).is_some()).map_or(&found[0], |(p, _)| p);
        let line_no = found.get(1).and_then(|m| m.as_str().parse().ok());
        let path = whole.replace('\\', "/");
        if c.paths.len() < MAX_MENTIONS && !c.paths.iter().any(|p| p.path == path && p.line == line_no) {
            c.paths.push(PathMention { path, line: line_no, in_title });
        }
    }
    for found in IDENTIFIER.find_iter(line) {
        let text = found.as_str();
        let called = text.ends_with("()") || line[found.end()..].starts_with('(');
        let name = text.trim_end_matches("()");
        let as_code = in_code || called || looks_like_code(name);
        if name.len() < 3 || (!as_code && !in_title) || stop_word(&name.to_lowercase()) {
            continue;
        }
        mention(c, name, weight, in_title, as_code);
    }
}

fn mention(c: &mut Collected, text: &str, weight: f32, in_title: bool, as_code: bool) {
    if let Some(known) = c.mentions.iter_mut().find(|m| m.text == text) {
        known.in_title |= in_title;
        known.as_code |= as_code;
        known.weight = known.weight.max(weight);
    } else if c.mentions.len() < MAX_MENTIONS {
        c.mentions.push(Mention { text: text.to_owned(), in_title, as_code, weight });
    }
}

fn looks_like_code(name: &str) -> bool {
    let inner = name.trim_matches('_');
    name.contains(['_', '$']) && !inner.is_empty()
        || name.contains("::")
        || name.contains("->")
        || (name.contains('.') && !name.ends_with('.'))
        || name.as_bytes().windows(2).any(|p| p[0].is_ascii_lowercase() && p[1].is_ascii_uppercase())
}

/// Words that stand in every text.
pub fn stop_word(word: &str) -> bool {
    static STEMMED: LazyLock<BTreeSet<String>> = LazyLock::new(|| STOP.iter().flat_map(|w| query_words(w)).collect());
    STOP.binary_search(&word).is_ok() || STEMMED.contains(word)
}

// Sorted.
const STOP: &[&str] = &[
    "about",
    "above",
    "actual",
    "actually",
    "after",
    "again",
    "all",
    "already",
    "also",
    "am",
    "an",
    "and",
    "any",
    "anyone",
    "are",
    "as",
    "at",
    "be",
    "because",
    "been",
    "before",
    "behavior",
    "behaviour",
    "being",
    "bug",
    "but",
    "by",
    "can",
    "cannot",
    "could",
    "describe",
    "did",
    "do",
    "does",
    "doesn",
    "doing",
    "don",
    "done",
    "due",
    "etc",
    "even",
    "expected",
    "few",
    "for",
    "from",
    "get",
    "gets",
    "getting",
    "had",
    "happen",
    "happens",
    "has",
    "have",
    "having",
    "hello",
    "help",
    "here",
    "hi",
    "how",
    "however",
    "if",
    "in",
    "instead",
    "into",
    "is",
    "isn",
    "issue",
    "it",
    "its",
    "just",
    "know",
    "latest",
    "like",
    "ll",
    "make",
    "makes",
    "may",
    "me",
    "more",
    "most",
    "my",
    "need",
    "needs",
    "no",
    "non",
    "not",
    "now",
    "of",
    "ok",
    "on",
    "one",
    "only",
    "or",
    "other",
    "our",
    "out",
    "please",
    "problem",
    "reproduce",
    "same",
    "see",
    "seems",
    "should",
    "since",
    "so",
    "some",
    "something",
    "still",
    "such",
    "than",
    "thanks",
    "that",
    "the",
    "their",
    "them",
    "then",
    "there",
    "these",
    "they",
    "thing",
    "this",
    "those",
    "to",
    "too",
    "tried",
    "try",
    "trying",
    "up",
    "us",
    "use",
    "used",
    "uses",
    "using",
    "ve",
    "very",
    "want",
    "was",
    "way",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "why",
    "will",
    "with",
    "without",
    "won",
    "work",
    "working",
    "works",
    "would",
    "wrong",
    "yes",
    "you",
    "your",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn weight(task: &Task, word: &str) -> f32 {
        task.terms.iter().find(|t| query_words(word).last() == Some(&t.word)).map_or(0.0, |t| t.weight)
    }

    #[test]
    fn stop_words_are_sorted_for_the_search() {
        assert!(STOP.is_sorted());
    }

    #[test]
    fn title_counts_double_and_templates_little() {
        let task = Task::read(
            None,
            "Crash in tokenizer\n<!-- read the guide first -->\n### Environment\n- [x] I searched gadgets\n\
             The splitter fails.\n- OS: linuxish 4\n",
        );
        assert!(weight(&task, "tokenizer") >= 2.0 * weight(&task, "splitter"));
        assert!(weight(&task, "environment") < weight(&task, "splitter"));
        assert!(weight(&task, "linuxish") < weight(&task, "splitter"));
        assert_eq!(weight(&task, "guide"), 0.0);
        assert_eq!(weight(&task, "gadgets"), 0.0);
    }

    #[test]
    fn names_paths_flags_and_messages_are_kept_apart() {
        let task = Task::read(
            Some("Bad exit"),
            "`Choice.convert` fails in src/click/types.py:40 with --no-color-output.\n\
             ValueError: no such widget here\nIt says \"cannot open the door\".",
        );
        assert!(task.mentions.iter().any(|m| m.text == "Choice.convert" && m.as_code));
        assert!(task.paths.iter().any(|p| p.path == "src/click/types.py" && p.line == Some(40)));
        assert!(weight(&task, "no_color_output") > 0.0);
        assert!(task.quoted.iter().any(|q| q == "no such widget here"));
        assert!(task.quoted.iter().any(|q| q == "cannot open the door"));
    }

    #[test]
    fn adjacent_title_words_are_also_one() {
        let task = Task::read(Some("[Google Drive] fails"), "");
        assert!(weight(&task, "googledrive") > 0.0);
    }

    #[test]
    fn any_input_is_read() {
        for text in ["", "\0\0\u{202e}", "```", "\n\n\n", "中文 标题", &"x".repeat(1 << 20), &"a b\n".repeat(1 << 18)]
        {
            let task = Task::read(None, text);
            assert!(task.terms.len() <= MAX_TERMS);
        }
    }
}
