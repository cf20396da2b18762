//! Commands without the secrets in them.

use crate::render::line::one_line;

const LONGEST: usize = 240;
const HIDDEN: &str = "***";
/// Parts of names whose value is nobody's business.
const SECRET: [&str; 12] = [
    "token",
    "secret",
    "passw",
    "passphrase",
    "apikey",
    "api-key",
    "api_key",
    "credential",
    "private",
    "bearer",
    "auth",
    "session_id",
];
/// A run of letters and digits of at least this length that is no word is taken for a key.
const KEY: usize = 20;

/// The command on one line, capped, with `***` for what looks like a secret: values of options and variables with a
/// telling name, passwords in addresses, what follows `Bearer`, long runs of letters and digits.
pub fn command(text: &str) -> String {
    let line = one_line(text, 4 * LONGEST);
    let mut words: Vec<String> = Vec::new();
    let mut hide_next = false;
    for word in line.split(' ') {
        let (safe, next) = redact_word(word, hide_next);
        hide_next = next;
        words.push(safe);
    }
    one_line(&words.join(" "), LONGEST)
}

/// The word without secrets, and whether the next one is a secret.
fn redact_word(word: &str, hidden: bool) -> (String, bool) {
    let bare = word.trim_matches(['"', '\'', '`']);
    let lower = bare.to_lowercase();
    if hidden && !word.is_empty() {
        // `Authorization: Bearer x`: the scheme, then the secret.
        let scheme = matches!(lower.as_str(), "bearer" | "basic" | "token" | "digest");
        return if scheme { (word.to_owned(), true) } else { (HIDDEN.to_owned(), false) };
    }
    if matches!(lower.as_str(), "bearer" | "basic" | "-u" | "--user") {
        return (word.to_owned(), true);
    }
    if lower.ends_with(':') && telling(&lower) {
        return (word.to_owned(), true);
    }
    if let Some(at) = bare.find(['=', ':'])
        && telling(&lower[..at.min(lower.len())])
        && !bare[at..].starts_with("://")
        && bare.len() > at + 1
    {
        return (format!("{}{HIDDEN}", &bare[..=at]), false);
    }
    if lower.starts_with('-') && telling(&lower) {
        return (word.to_owned(), !bare.contains('='));
    }
    if let Some((scheme, rest)) = bare.split_once("://")
        && let Some((user, place)) = rest.split_once('@')
        && !user.contains('/')
    {
        return (format!("{scheme}://{HIDDEN}@{place}"), false);
    }
    (hide_keys(word), false)
}

fn telling(name: &str) -> bool {
    let name = name.trim_start_matches('-');
    SECRET.iter().any(|secret| name.contains(secret))
        || ["key", "pwd", "pass", "pat"].iter().any(|end| {
            name.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with(['_', '-'])) && name != "key"
        })
}

/// Long runs with both letters and digits.
fn hide_keys(word: &str) -> String {
    let is_key = |run: &str| {
        let digits = run.chars().filter(char::is_ascii_digit).count();
        let letters = run.chars().filter(char::is_ascii_alphabetic).count();
        run.len() >= KEY && digits >= 3 && letters >= 3
    };
    let mut out = String::with_capacity(word.len());
    let mut run = String::new();
    for c in word.chars().chain(std::iter::once('\u{0}')) {
        if c.is_ascii_alphanumeric() || c == '_' || c == '-' || c == '+' {
            run.push(c);
            continue;
        }
        // Names with dashes are words: only a part of them counts.
        let hit = run.split(['-', '_']).any(is_key)
            || ["sk-", "ghp_", "gho_", "xox", "AKIA"].iter().any(|p| run.starts_with(p) && run.len() > 12);
        out.push_str(if hit { HIDDEN } else { &run });
        run.clear();
        if c != '\u{0}' {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::command;

    #[test]
    fn secrets_are_hidden_and_commands_stay() {
        for (text, wanted) in [
            ("curl -H 'Authorization: Bearer abc.def' https://x", "curl -H 'Authorization: Bearer *** https://x"),
            ("API_KEY=hunter2 npm test", "API_KEY=*** npm test"),
            ("mysql --password hunter2 -u root", "mysql --password *** -u ***"),
            ("git clone https://ann:pw@host/r.git", "git clone https://***@host/r.git"),
            ("echo ghp_abcdefghijklmnop", "echo ***"),
            ("x a1b2c3d4e5f6a7b8c9d0e1f2", "x ***"),
            ("deploy --token=abc", "deploy --token=***"),
        ] {
            assert_eq!(command(text), wanted);
        }
        for same in ["pytest -q tests/test_a.py::test_b", "cargo test --release", "npm run build -- --watch", "ls key"]
        {
            assert_eq!(command(same), same);
        }
        assert!(command(&"word ".repeat(500)).chars().count() <= 240);
    }
}
