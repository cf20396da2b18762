//! The words of a text, the same way for code, paths, commit messages and questions.

/// Calls `f` with each word of `text`, lower-cased: identifiers whole, and their parts where
/// camelCase or snake_case join several.
pub fn words(text: &str, f: &mut dyn FnMut(&str)) {
    let mut buffer = String::new();
    for run in text.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '$') {
        if run.len() < 2 || run.len() > 60 {
            continue;
        }
        let mut emit = |w: &str| {
            if w.chars().count() < 2 {
                return;
            }
            buffer.clear();
            buffer.extend(w.chars().flat_map(char::to_lowercase));
            f(&buffer);
        };
        emit(run);
        let parts = parts(run);
        if parts.len() > 1 || parts.first().is_some_and(|p| p.len() < run.len()) {
            for part in parts {
                emit(part);
            }
        }
    }
}

fn parts(word: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let chars: Vec<(usize, char)> = word.char_indices().collect();
    let mut start = 0;
    let class = |c: char| {
        if c == '_' || c == '$' {
            0
        } else if c.is_numeric() {
            1
        } else if c.is_uppercase() {
            2
        } else {
            3
        }
    };
    for i in 0..chars.len() {
        let (at, c) = chars[i];
        let k = class(c);
        let cut = if i == 0 {
            false
        } else {
            let before = class(chars[i - 1].1);
            let lower_next = chars.get(i + 1).is_some_and(|n| class(n.1) == 3);
            k != before && !(before == 2 && k == 3) || (k == 2 && before == 2 && lower_next)
        };
        if cut {
            out.push(&word[start..at]);
            start = at;
        }
    }
    out.push(&word[start..]);
    out.retain(|p| !p.starts_with(['_', '$']));
    out
}
