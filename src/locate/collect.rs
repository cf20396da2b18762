//! What stands in a text, line by line: its words with their weights, and what it names outright.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use regex::Regex;

use super::stop_words::stop_word;
use super::task::{Mention, PathMention, Setting};
use super::trace::is_frame;
use super::weights::reading as w;
use crate::terms::query_words;

const MAX_MENTIONS: usize = 60;
const MAX_QUOTED: usize = 16;
const MAX_SETTINGS: usize = 24;

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
pattern!(VARIABLE, r"^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$");
pattern!(KEY, r"^[a-z][a-z0-9]*(?:[-_.][a-z0-9]+)+$");
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

pattern!(BOLD_LINE, r"^[ \t\r]*(?:\*\*|__)[^*_\n]{2,80}(?:\*\*|__)[ \t\r]*:?[ \t\r]*$");
pattern!(
    SETUP,
    r"(?i)(?-u:\b)(?:environment|versions?|system info(?:rmation)?|installed packages|checklist|before submitting|operating system)(?-u:\b)"
);

/// What was found.
#[derive(Default)]
pub struct Collected {
    /// Word -> its weight, and whether it stands in the title.
    pub terms: BTreeMap<String, (f32, bool)>,
    /// Named symbols, in order of appearance.
    pub mentions: Vec<Mention>,
    /// Named settings, in order of appearance.
    pub settings: Vec<Setting>,
    /// Named files.
    pub paths: Vec<PathMention>,
    /// Quoted strings and error messages.
    pub quoted: Vec<String>,
}

impl Collected {
    /// Of a title and a body; gives the body without markup too.
    pub fn of(title: &str, body: &str) -> (Collected, String) {
        let mut c = Collected::default();
        let title = prepare(title);
        for line in title.lines() {
            prose(&mut c, line, w::TITLE, true);
        }
        joined_words(&mut c, &title);
        let body = prepare(body);
        read_body(&mut c, &body);
        (c, body)
    }
}

fn prepare(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let text: String = text.split_inclusive('\n').filter(|line| !is_binary(line)).collect();
    let text = HTML_COMMENT.replace_all(&text, " ");
    HTML_TAG.replace_all(&text, " ").into_owned()
}

/// A line of no text: the words that are in it by chance say nothing.
fn is_binary(line: &str) -> bool {
    let odd = line.chars().filter(is_odd).count();
    odd > 2 && 10 * odd > line.chars().count()
}

fn is_odd(c: &char) -> bool {
    *c == '\u{fffd}' || c.is_control() && !matches!(c, '\t' | '\r' | '\n' | '\u{1b}')
}

/// Says whether a text is no text at all, but bytes of an image or a program.
pub fn is_no_text(text: &str) -> bool {
    10 * text.chars().filter(is_odd).count() > text.chars().count()
}

fn read_body(c: &mut Collected, body: &str) {
    let mut fence: Option<char> = None;
    let mut code_lines = 0usize;
    // 1, or less below a heading of the tracker's template that asks for the reporter's machine.
    let mut section = 1.0;
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
                prose(c, line, w::LOG_LINE * fade * section, false);
            } else {
                code(c, line, w::CODE * fade * section, false);
            }
        } else if trimmed.starts_with('#') || BOLD_LINE.is_match(line) {
            section = if trimmed.len() < 60 && SETUP.is_match(trimmed) { w::SETUP } else { 1.0 };
            prose(c, line, w::HEADING * section, false);
        } else if LOG_LINE.is_match(line) && !trimmed.starts_with('>') {
            prose(c, line, w::LOG_LINE * section, false);
        } else {
            prose(c, line, w::PROSE * section, false);
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
        } else if KEY.is_match(inner) {
            setting(c, inner, false, in_title);
        }
    }
    for span in INLINE_CODE.captures_iter(&rest) {
        if KEY.is_match(&span[1]) {
            setting(c, &span[1], false, in_title);
        }
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
        if flag.len() >= 3 && found[1].starts_with("--") {
            setting(c, flag, true, in_title);
        }
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
    // In a text of another script, what is written in Latin letters is a name.
    let foreign = is_foreign(line);
    for found in IDENTIFIER.find_iter(line) {
        let text = found.as_str();
        let called = text.ends_with("()") || line[found.end()..].starts_with('(');
        let name = text.trim_end_matches("()");
        if VARIABLE.is_match(name) {
            setting(c, name, true, in_title);
        }
        let as_code = in_code || called || looks_like_code(name);
        if name.len() < 3 || (!as_code && !in_title && !foreign) || stop_word(&name.to_lowercase()) {
            continue;
        }
        mention(c, name, weight, in_title, as_code);
    }
}

fn setting(c: &mut Collected, name: &str, sure: bool, in_title: bool) {
    if let Some(known) = c.settings.iter_mut().find(|s| s.name == name) {
        known.in_title |= in_title;
        known.sure |= sure;
    } else if c.settings.len() < MAX_SETTINGS {
        c.settings.push(Setting { name: name.to_owned(), sure, in_title });
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

/// Says whether most letters of a line are of another script than the Latin one.
fn is_foreign(line: &str) -> bool {
    let (latin, other) = line.chars().filter(|c| c.is_alphabetic()).fold((0usize, 0usize), |(latin, other), c| {
        // Latin with its accents ends at U+024F.
        if (c as u32) < 0x250 { (latin + 1, other) } else { (latin, other + 1) }
    });
    // A Han character is a word, so names outweigh few of them.
    2 * other > latin
}

fn looks_like_code(name: &str) -> bool {
    let inner = name.trim_matches('_');
    name.contains(['_', '$']) && !inner.is_empty()
        || name.contains("::")
        || name.contains("->")
        || (name.contains('.') && !name.ends_with('.'))
        || name.as_bytes().windows(2).any(|p| p[0].is_ascii_lowercase() && p[1].is_ascii_uppercase())
}
