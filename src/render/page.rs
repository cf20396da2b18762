//! A page that never grows beyond its tokens and lines; what does not fit is counted by whoever writes it.

use super::tokens::upper_bound;

/// Text in the making.
pub(super) struct Page {
    text: String,
    tokens: usize,
    lines: usize,
    most_tokens: usize,
    most_lines: usize,
}

impl Page {
    pub fn new(most_tokens: usize, most_lines: usize) -> Page {
        Page { text: String::new(), tokens: 0, lines: 0, most_tokens, most_lines }
    }

    /// Adds a line if it fits and leaves `keep` tokens and `lines` lines for what follows.
    pub fn add(&mut self, line: &str, keep: usize, lines: usize) -> bool {
        let cost = cost(line);
        if self.tokens + cost + keep > self.most_tokens || self.lines + 1 + lines > self.most_lines {
            return false;
        }
        self.text.push_str(line);
        self.text.push('\n');
        self.tokens += cost;
        self.lines += 1;
        true
    }

    /// Tokens that are left.
    pub fn room(&self) -> usize {
        self.most_tokens.saturating_sub(self.tokens)
    }

    pub fn into_text(self) -> String {
        self.text
    }
}

/// Tokens of a line with its end, at most.
pub(super) fn cost(line: &str) -> usize {
    upper_bound(line) + 1
}

/// `12,345`.
pub(super) fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (at, c) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// `1 file`, `2 files`.
pub(super) fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{} {what}s", thousands(n)) }
}

/// `a 3, b 2 and 5 in 4 more files`, at most `most` tokens.
pub(super) fn by_file(counts: &[(String, usize)], most: usize) -> String {
    let mut out = String::new();
    for (at, (file, n)) in counts.iter().enumerate() {
        let one = format!("{}{} {n}", if at > 0 { ", " } else { "" }, super::line::one_line(file, 120));
        if cost(&out) + cost(&one) + 12 > most {
            let rest: usize = counts[at..].iter().map(|c| c.1).sum();
            out.push_str(&format!(
                "{}{rest} in {}",
                if at > 0 { " and " } else { "" },
                count(counts.len() - at, "more file")
            ));
            break;
        }
        out.push_str(&one);
    }
    out
}
