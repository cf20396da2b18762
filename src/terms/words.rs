//! What a word is, for texts, code and queries alike.
//!
//! A *token* is a run of letters, digits and underscores. It gives its parts (split at underscores, at a change
//! from lower to upper case, at the last capital of `HTTPServer`, between letters and digits), and, if it
//! has several, itself without the underscores: `normalize_choice` and `normalizeChoice` give `normalize`,
//! `choice`, `normalizechoice`. Each is lower-cased, stemmed lightly and kept if it has 2 to 40 bytes and is no
//! stop word. Scripts written without spaces (Han, Kana, Hangul) give pairs of characters.

/// Longer words are dropped: they are hashes, data, or names that nobody types.
const MAX_WORD: usize = 40;
/// Longer tokens are data.
const MAX_TOKEN: usize = 160;
/// A token that changes more often between letters and digits is a hash or an id: only its whole is kept.
const MAX_DIGIT_CHANGES: usize = 3;

/// Function words of English and the receiver's name: so common that they say nothing.
const STOP_WORDS: &[&str] = &[
    "an", "and", "are", "as", "at", "be", "but", "by", "can", "for", "from", "has", "have", "if", "in", "into", "is",
    "it", "its", "no", "not", "of", "on", "or", "self", "so", "such", "that", "the", "then", "there", "these", "they",
    "this", "to", "was", "we", "were", "when", "which", "will", "with", "you",
];

/// Calls `found` with each token of a text. In string literals (`escapes`) a backslash and the character after
/// it separate tokens.
pub(super) fn tokens(text: &str, escapes: bool, mut found: impl FnMut(&str)) {
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        let b = bytes[i];
        if !TOKEN_BYTE[b as usize] {
            i += if escapes && b == b'\\' { 2 } else { 1 };
            continue;
        }
        let start = i;
        while i < bytes.len() && TOKEN_BYTE[bytes[i] as usize] {
            i += 1;
        }
        // After an escape the run may start inside a character; `get` then gives nothing.
        if let Some(token) = text.get(start..i)
            && (2..=MAX_TOKEN).contains(&token.len())
        {
            found(token);
        }
    }
}

static TOKEN_BYTE: [bool; 256] = {
    let mut table = [false; 256];
    let mut b = 0;
    while b < 256 {
        table[b] = b >= 0x80 || (b as u8).is_ascii_alphanumeric() || b as u8 == b'_';
        b += 1;
    }
    table
};

/// Reads the words of texts by the rules that indexed texts went through; keeps its buffers between them.
#[derive(Debug, Default)]
pub struct WordReader {
    split: Split,
}

impl WordReader {
    /// Calls `found` with each word of a text, in their order, repeats included.
    pub fn read(&mut self, text: &str, mut found: impl FnMut(&str)) {
        tokens(text, false, |token| {
            self.split.run(token);
            self.split.words().for_each(&mut found);
        });
    }
}

/// The words of a text as [`WordReader::read`] gives them.
pub fn query_words(text: &str) -> Vec<String> {
    let mut out = Vec::new();
    WordReader::default().read(text, |word| out.push(word.to_owned()));
    out
}

/// Splits tokens; keeps its buffers between them.
#[derive(Debug, Default)]
pub(super) struct Split {
    text: String,
    ends: Vec<usize>,
    chars: Vec<char>,
}

impl Split {
    /// The words of the last token.
    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let word = &self.text[start..end];
            start = end;
            word
        })
    }

    /// Splits a token.
    pub(super) fn run(&mut self, token: &str) {
        self.text.clear();
        self.ends.clear();
        if token.is_ascii() {
            self.segment(token);
        } else {
            self.run_unicode(token);
        }
    }

    /// A token may hold punctuation beyond ASCII and pieces in several scripts.
    fn run_unicode(&mut self, token: &str) {
        for piece in token.split(|c: char| !c.is_alphanumeric() && c != '_') {
            let mut rest = piece;
            while let Some(first) = rest.chars().next() {
                let dense = is_dense(first);
                let end = rest.find(|c| is_dense(c) != dense).unwrap_or(rest.len());
                let (run, tail) = rest.split_at(end);
                if dense {
                    self.pairs(run);
                } else {
                    self.segment(run);
                }
                rest = tail;
            }
        }
    }

    fn pairs(&mut self, run: &str) {
        self.chars.clear();
        self.chars.extend(run.chars());
        for pair in self.chars.windows(self.chars.len().min(2)) {
            self.text.extend(pair);
            self.ends.push(self.text.len());
        }
    }

    /// A run of letters, digits and underscores in scripts with spaces.
    fn segment(&mut self, run: &str) {
        let run = run.trim_matches('_');
        let mut parts = 0;
        let mut digit_changes = 0;
        let first_word = self.ends.len();
        let first_byte = self.text.len();
        let mut start = 0;
        let mut previous: Option<char> = None;
        let mut chars = run.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            if let Some(p) = previous {
                let next_lower = chars.peek().is_some_and(|&(_, n)| n.is_lowercase());
                let digit_change = (p.is_numeric() != c.is_numeric()) && p != '_' && c != '_';
                digit_changes += usize::from(digit_change);
                let cut = c == '_'
                    || p == '_'
                    || digit_change
                    || (p.is_lowercase() && c.is_uppercase())
                    || (p.is_uppercase() && c.is_uppercase() && next_lower);
                if cut {
                    parts += usize::from(self.part(&run[start..at]));
                    start = at;
                }
            }
            previous = Some(c);
        }
        parts += usize::from(self.part(&run[start..]));
        if digit_changes > MAX_DIGIT_CHANGES {
            self.ends.truncate(first_word);
            self.text.truncate(first_byte);
        }
        if parts > 1 {
            let begin = self.text.len();
            self.text.extend(run.chars().filter(|&c| c != '_').flat_map(char::to_lowercase));
            self.keep_from(begin);
        }
    }

    /// Adds a part of a token; says whether it was one at all.
    fn part(&mut self, part: &str) -> bool {
        if part.is_empty() || part.starts_with('_') {
            return false;
        }
        let begin = self.text.len();
        if part.is_ascii() {
            self.text.extend(part.bytes().map(|b| b.to_ascii_lowercase() as char));
        } else {
            self.text.extend(part.chars().flat_map(char::to_lowercase));
        }
        self.keep_from(begin);
        true
    }

    /// Ends the word that begins at a byte of `text`: stems it, or drops it.
    fn keep_from(&mut self, begin: usize) {
        let word = &self.text[begin..];
        let many = word.chars().nth(1).is_some();
        if !many || word.len() > MAX_WORD || STOP_WORDS.binary_search(&word).is_ok() {
            self.text.truncate(begin);
            return;
        }
        stem(&mut self.text, begin);
        self.ends.push(self.text.len());
    }
}

/// Scripts that put no spaces between words.
fn is_dense(c: char) -> bool {
    matches!(c as u32, 0x0e00..=0x0eff | 0x3040..=0x30ff | 0x3400..=0x9fff | 0xac00..=0xd7af | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}

/// Takes plural, `-ing`, `-ed` and a last `e` off the English word at the end of `text`: `types`, `typing`, `typed`
/// and `type` become `typ`. Not linguistics: the same rule on both sides of a comparison is all that counts.
fn stem(text: &mut String, begin: usize) {
    let word = &text[begin..];
    if word.len() < 4 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return;
    }
    let vowel = |s: &str| s.bytes().any(|b| b"aeiouy".contains(&b));
    let ends = |text: &String, suffixes: &[&str]| suffixes.iter().any(|s| text[begin..].ends_with(s));
    let cut = |text: &mut String, n: usize| text.truncate(text.len() - n);

    if ends(text, &["ies"]) && text.len() - begin > 4 {
        cut(text, 3);
        text.push('y');
    } else if ends(text, &["sses", "xes", "ches", "shes", "zes"]) {
        cut(text, 2);
    } else if ends(text, &["s"]) && !ends(text, &["ss", "us", "is", "ias"]) {
        cut(text, 1);
    }

    if ends(text, &["ied"]) && text.len() - begin > 4 {
        cut(text, 3);
        text.push('y');
    } else {
        let suffix = if ends(text, &["ing"]) {
            3
        } else if ends(text, &["ed"]) && !ends(text, &["eed"]) {
            2
        } else {
            0
        };
        let rest = &text[begin..text.len() - suffix];
        if suffix > 0 && rest.len() >= 3 && vowel(rest) {
            cut(text, suffix);
            let tail = &text.as_bytes()[text.len() - 2..];
            // running, mapped; but not calling, passed
            if text.len() - begin > 3 && tail[0] == tail[1] && !b"aeiouylsz".contains(&tail[0]) {
                cut(text, 1);
            }
        }
    }
    if text.len() - begin >= 4 && ends(text, &["e"]) {
        cut(text, 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stop_words_are_sorted_for_binary_search() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn identifiers_give_parts_and_whole() {
        assert_eq!(query_words("normalize_choice"), ["normaliz", "choic", "normalizechoic"]);
        assert_eq!(query_words("normalizeChoice"), ["normaliz", "choic", "normalizechoic"]);
        assert_eq!(query_words("HTTPServerError"), ["http", "server", "error", "httpservererror"]);
        assert_eq!(query_words("__init__ _private x"), ["init", "privat"]);
        assert_eq!(query_words("utf8 sha256sum"), ["utf", "utf8", "sha", "256", "sum", "sha256sum"]);
    }

    #[test]
    fn forms_of_a_word_meet() {
        for (a, b) in [
            ("types", "typing"),
            ("typed", "type"),
            ("queries", "query"),
            ("running", "runs"),
            ("mapped", "maps"),
            ("calling", "called"),
            ("classes", "class"),
            ("aliases", "alias"),
            ("matches", "matching"),
            ("settings", "set"),
            ("applied", "apply"),
            ("caches", "caching"),
            ("strings", "string"),
            ("passed", "pass"),
            ("added", "adding"),
            ("needed", "need"),
        ] {
            assert_eq!(query_words(a), query_words(b), "{a} {b}");
        }
        assert_ne!(query_words("string"), query_words("str"));
    }

    #[test]
    fn noise_is_dropped() {
        assert!(query_words("the of to is a x 1 -- __ ").is_empty());
        assert!(query_words(&"x".repeat(41)).is_empty());
        assert!(query_words(&"ab_".repeat(400)).is_empty());
        assert_eq!(query_words("d41d8cd98f00b204"), ["d41d8cd98f00b204"]);
        assert_eq!(query_words(r"a-b.cc/dd"), ["cc", "dd"]);
    }

    #[test]
    fn other_scripts_are_words() {
        assert_eq!(query_words("Ошибка при чтении"), ["ошибка", "при", "чтении"]);
        assert_eq!(query_words("文件名错误"), ["文件", "件名", "名错", "错误"]);
        assert_eq!(query_words("读 read_file 时"), ["读", "read", "fil", "readfil", "时"]);
        assert_eq!(query_words("naïve—café"), ["naïve", "café"]);
    }

    #[test]
    fn escapes_separate_in_literals_only() {
        let collect = |escapes| {
            let mut out = vec![];
            tokens(r"one\ntwo \é\u00e9x", escapes, |t| out.push(t.to_owned()));
            out
        };
        assert_eq!(collect(true), ["one", "two", "00e9x"]);
        assert_eq!(collect(false), ["one", "ntwo", "é", "u00e9x"]);
    }
}
