//! Prompts that are not about code: thanks, assent, orders about the work itself.

use std::collections::BTreeSet;

use super::stop_words::stop_word;

/// Words of small talk and of orders to commit, push, go on. A short prompt of nothing else gets no map.
// Sorted.
const CHAT: &[&str] = &[
    "ahead",
    "approve",
    "approved",
    "awesome",
    "branch",
    "bye",
    "changes",
    "commit",
    "committed",
    "continue",
    "cool",
    "correct",
    "good",
    "great",
    "hello",
    "hey",
    "job",
    "let",
    "lgtm",
    "message",
    "merge",
    "never",
    "nice",
    "nope",
    "okay",
    "perfect",
    "pr",
    "proceed",
    "pull",
    "push",
    "pushed",
    "rebase",
    "request",
    "right",
    "sounds",
    "stop",
    "sure",
    "thank",
    "thanks",
    "thx",
    "undo",
    "wait",
    "well",
    "wow",
    "yeah",
    "yep",
    "yes",
];
const LONGEST: usize = 12;

/// Says so of a short text whose every word is small talk.
pub fn is_chat(title: &str, body: &str) -> bool {
    let chat: BTreeSet<&str> = CHAT.iter().copied().collect();
    let mut count = 0;
    for word in title.split(|c: char| !c.is_alphanumeric()).chain(body.split(|c: char| !c.is_alphanumeric())) {
        if word.is_empty() {
            continue;
        }
        count += 1;
        let word = word.to_lowercase();
        let empty = word.len() < 2 || stop_word(&word) || chat.contains(word.as_str()) || is_filler(&word);
        if !empty || count > LONGEST {
            return false;
        }
    }
    true
}

fn is_filler(word: &str) -> bool {
    matches!(word, "go" | "it" | "everything" | "everyone" | "much" | "again" | "that" | "lot" | "next" | "step" | "on")
}

#[cfg(test)]
mod tests {
    use super::is_chat;

    #[test]
    fn small_talk_is_told_from_tasks() {
        for text in ["thanks!", "Yes, go ahead", "commit this", "ok", "", "Push it to the branch, please.", "LGTM"] {
            assert!(is_chat(text, ""), "{text}");
        }
        for text in ["fix the parser", "commit hook fails on Windows", "Choice", "why is login slow"] {
            assert!(!is_chat(text, ""), "{text}");
        }
    }
}
