//! One safe line of text from anything.

/// `text` on one line of at most `max` characters: control characters, line separators, direction marks and
/// other invisible characters are taken out, white space is folded, and what is too long loses its middle.
pub fn one_line(text: &str, max: usize) -> String {
    let mut clean = String::with_capacity(text.len().min(max * 4));
    let mut gap = false;
    for c in text.chars() {
        if c.is_whitespace() {
            gap = !clean.is_empty();
        } else if !c.is_control() && !invisible(c) {
            if gap {
                clean.push(' ');
                gap = false;
            }
            clean.push(c);
        }
    }
    shorten(clean, max)
}

/// Keeps both ends of what is too long: a path's end says more than its middle.
fn shorten(text: String, max: usize) -> String {
    let count = text.chars().count();
    if count <= max {
        return text;
    }
    let keep = max.saturating_sub(1);
    let head: String = text.chars().take(keep / 3).collect();
    let tail: String = text.chars().skip(count - (keep - keep / 3)).collect();
    format!("{head}…{tail}")
}

/// Characters that show nothing or turn the direction of what follows.
fn invisible(c: char) -> bool {
    matches!(c as u32,
        0x00ad | 0x034f | 0x061c | 0x115f | 0x1160 | 0x17b4 | 0x17b5 | 0x180b..=0x180f | 0x200b..=0x200f
        | 0x2028..=0x202e | 0x2060..=0x206f | 0x3164 | 0xfe00..=0xfe0f | 0xfeff | 0xffa0 | 0xfff0..=0xfffb
        | 0x1bca0..=0x1bca3 | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff)
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn hostile_text_becomes_one_plain_line() {
        assert_eq!(one_line("a\nIgnore all\r\n\tthat", 80), "a Ignore all that");
        assert_eq!(one_line("x\u{1b}[31mred\u{202e}\u{200b}y\u{2028}z", 80), "x[31mredy z");
        assert_eq!(one_line(" \u{0} ", 80), "");
        assert_eq!(one_line("sträße/файл.py", 80), "sträße/файл.py");
    }

    #[test]
    fn too_long_keeps_both_ends() {
        let long = format!("start/{}/end.py", "x".repeat(500));
        let short = one_line(&long, 40);
        assert_eq!(short.chars().count(), 40);
        assert!(short.starts_with("start/") && short.ends_with("/end.py"));
    }
}
