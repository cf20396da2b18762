//! Reading the text of a task: what it says in which words, and what it names outright.
//!
//! A report is prose, code, logs and the tracker's template in one. Each stretch gets a weight by what it
//! is, and each word the weight of the best stretch it stands in; the title counts double. What is named
//! outright (identifiers, paths, flags, quoted messages, stack frames) is kept apart.

use super::collect::{Collected, is_no_text};
use super::trace::{Frame, frames};

/// Text beyond this many bytes is not read.
pub const MAX_TEXT: usize = 64 * 1024;
/// Most distinct words that are looked up, the weightiest first.
pub const MAX_TERMS: usize = 160;

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

/// What people set by a name: a flag, a variable of the environment, a key of a configuration.
#[derive(Clone, Debug, PartialEq)]
pub struct Setting {
    /// As written, a flag without its dashes: `no-color`, `APP_HOME`, `static_folder`.
    pub name: String,
    /// A flag or a variable, not merely something that may be a key.
    pub sure: bool,
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
    /// Named settings, in order of appearance.
    pub settings: Vec<Setting>,
    /// Named files.
    pub paths: Vec<PathMention>,
    /// Stack frames; the innermost has the lowest depth.
    pub frames: Vec<Frame>,
    /// Quoted strings and error messages.
    pub quoted: Vec<String>,
    /// Nothing in it speaks about code: small talk, or an order about the work itself.
    pub is_chat: bool,
}

impl Task {
    /// Reads a task. Without a title of its own, the text's first line that says something is the title.
    pub fn read(title: Option<&str>, text: &str) -> Task {
        let text = crate::extract::clip(text, MAX_TEXT);
        let (title, body) = match title {
            Some(title) => (crate::extract::clip(title, MAX_TEXT), text),
            None => split_title(text),
        };
        if is_no_text(body) {
            return Task { is_chat: false, ..Task::read(Some(title), "") };
        }
        let (c, body) = Collected::of(title, body);
        let frames = frames(&format!("{title}\n{body}"));
        let is_chat = frames.is_empty() && c.paths.is_empty() && super::chat::is_chat(title, &body);
        let mut terms: Vec<Term> =
            c.terms.into_iter().map(|(word, (weight, in_title))| Term { word, weight, in_title }).collect();
        terms.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.word.cmp(&b.word)));
        terms.truncate(MAX_TERMS);
        Task { terms, mentions: c.mentions, settings: c.settings, paths: c.paths, frames, quoted: c.quoted, is_chat }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::terms::query_words;

    fn weight(task: &Task, word: &str) -> f32 {
        task.terms.iter().find(|t| query_words(word).last() == Some(&t.word)).map_or(0.0, |t| t.weight)
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
    fn what_the_template_asks_of_the_machine_says_little() {
        let task = Task::read(
            Some("Bad total"),
            "**Describe the bug**\nThe splitter fails.\n\n**Environment**\nfrobnicator installed\n\n**More**\nIn the parser.\n",
        );
        assert!(weight(&task, "frobnicator") < 0.5 * weight(&task, "splitter"));
        assert!(weight(&task, "describe") == 0.0 && weight(&task, "parser") >= weight(&task, "splitter"));
    }

    #[test]
    fn latin_words_in_another_script_are_names() {
        let named = |text| Task::read(Some("x"), text).mentions.iter().any(|m| m.text == "splitter");
        assert!(named("Функция splitter падает при пустом вводе"));
        assert!(named("调用 splitter 时程序崩溃"));
        assert!(!named("the splitter fails"));
    }

    #[test]
    fn adjacent_title_words_are_also_one() {
        let task = Task::read(Some("[Google Drive] fails"), "");
        assert!(weight(&task, "googledrive") > 0.0);
    }

    #[test]
    fn lines_of_binary_say_nothing() {
        let task =
            Task::read(None, "Crash on start\nparser \u{fffd}\u{1}\u{fffd} cart\n\u{1b}[31mred splitter\u{1b}[0m\n");
        assert!(weight(&task, "splitter") > 0.0 && weight(&task, "crash") > 0.0);
        assert_eq!((weight(&task, "parser"), weight(&task, "cart")), (0.0, 0.0));
    }

    #[test]
    fn bytes_are_no_text() {
        let bytes: String = (0..400).map(|i| if i % 3 == 0 { '\u{fffd}' } else { 'q' }).collect();
        assert_eq!(Task::read(Some("Crash in parser"), &bytes).terms, Task::read(Some("Crash in parser"), "").terms);
        assert!(Task::read(None, &format!("\u{1}\u{2}\n{bytes}")).terms.is_empty());
        assert!(!Task::read(None, "Caf\u{fffd} crash").terms.is_empty());
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
