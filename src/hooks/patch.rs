//! Files that an `apply_patch` envelope names, alone or within a shell command.

use std::path::PathBuf;

use tree_sitter::{Node, Parser, Tree};

use super::path::Base;

/// Commands longer than this, in bytes, are not parsed: only one that begins with the program's name is looked at.
const MAX_COMMAND: usize = 256 * 1024;

/// Shells within shells (`bash -lc "..."`) that are followed.
const MAX_SHELLS: u32 = 3;

/// The parser takes the square of a pipeline's length: with more pipe signs the command is not parsed either.
const MAX_PIPES: usize = 1000;

/// Calls of the program that are followed within one command: each looks at the whole statement round it.
const MAX_CALLS: usize = 16;

/// The files of an envelope in order; those of `*** Move to:` too.
pub(super) fn files(envelope: &str) -> impl Iterator<Item = &str> {
    const HEADERS: [&str; 4] = ["*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"];
    envelope
        .lines()
        .filter_map(|line| {
            let line = line.trim();
            HEADERS.iter().find_map(|header| line.strip_prefix(header))
        })
        .map(str::trim)
        .filter(|path| !path.is_empty())
}

/// Whether a text holds an envelope, from its first line on.
pub(super) fn is_envelope(text: &str) -> bool {
    text.trim_start().starts_with("*** Begin Patch") && files(text).next().is_some()
}

/// The files that a shell command patches with `apply_patch` (or `applypatch`), from a here-document, an argument
/// or a pipe, after `cd` too. Empty for every other command, one that merely writes an envelope to a file among them.
pub(super) fn files_of_command(command: &str, base: &Base) -> Vec<PathBuf> {
    let mut found = Found::default();
    collect(command, base, MAX_SHELLS, &mut found);
    found.files
}

#[derive(Default)]
struct Found {
    calls: usize,
    files: Vec<PathBuf>,
}

fn collect(command: &str, base: &Base, shells: u32, found: &mut Found) {
    if !names_program(command) || files(command).next().is_none() {
        return;
    }
    if command.len() > MAX_COMMAND || pipes(command) > MAX_PIPES {
        let first = command.split_whitespace().next().unwrap_or_default();
        if is_program(first) {
            found.files.extend(files(command).filter_map(|path| base.absolute(path)));
        }
        return;
    }
    if let Some(tree) = parse(command) {
        walk(&tree, command, base, shells, found);
    }
}

/// Pipe signs outside of the envelope's lines.
fn pipes(command: &str) -> usize {
    let (before, rest) = command.split_once("*** Begin Patch").unwrap_or((command, ""));
    let after = rest.rsplit_once("*** End Patch").map_or("", |(_, after)| after);
    memchr::memchr_iter(b'|', before.as_bytes()).count() + memchr::memchr_iter(b'|', after.as_bytes()).count()
}

fn names_program(text: &str) -> bool {
    text.contains("apply_patch") || text.contains("applypatch")
}

fn is_program(word: &str) -> bool {
    matches!(last_part(word), "apply_patch" | "applypatch")
}

fn last_part(word: &str) -> &str {
    word.rsplit(['/', '\\']).next().unwrap_or(word)
}

fn parse(command: &str) -> Option<Tree> {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_bash::LANGUAGE.into()).ok()?;
    parser.parse(command, None)
}

/// Visits the commands in the order of the text; what `cd` says holds until the end of its subshell.
fn walk(tree: &Tree, source: &str, base: &Base, shells: u32, found: &mut Found) {
    let mut cursor = tree.walk();
    let mut here = base.clone();
    let mut outside: Vec<Base> = Vec::new();
    // For each node on the way down: the whole statement that it stands in, whose here-documents may hang on the
    // pipeline or list round a command. Asking nodes for their parents would take the square of a hostile depth.
    let mut statements: Vec<Option<Node<'_>>> = Vec::new();
    loop {
        let node = cursor.node();
        let above = statements.last().copied().flatten();
        if node.kind() == "command" {
            here = command(node, above.unwrap_or(node), source, here, shells, found);
        }
        if opens_shell(node) {
            outside.push(here.clone());
        }
        if cursor.goto_first_child() {
            let part = matches!(node.kind(), "redirected_statement" | "pipeline" | "list" | "heredoc_redirect");
            statements.push(part.then(|| above.unwrap_or(node)));
            continue;
        }
        loop {
            if opens_shell(cursor.node()) {
                here = outside.pop().unwrap_or(here);
            }
            if cursor.goto_next_sibling() {
                break;
            }
            if !cursor.goto_parent() {
                return;
            }
            statements.pop();
        }
    }
}

fn opens_shell(node: Node<'_>) -> bool {
    matches!(node.kind(), "subshell" | "command_substitution" | "process_substitution")
}

/// Takes one command of a statement; gives the directory of what follows it.
fn command(node: Node<'_>, statement: Node<'_>, source: &str, here: Base, shells: u32, found: &mut Found) -> Base {
    let mut cursor = node.walk();
    let words: Vec<String> = node
        .named_children(&mut cursor)
        .filter(|child| !matches!(child.kind(), "variable_assignment" | "heredoc_redirect" | "file_redirect"))
        .map(|child| literal(child, source))
        .collect();
    // `command apply_patch`, `env A=b apply_patch`, `exec apply_patch`.
    let skipped = |word: &&String| matches!(word.as_str(), "command" | "env" | "exec" | "sudo") || word.contains('=');
    let mut words = words.iter().skip_while(skipped);
    let Some(name) = words.next() else { return here };
    if is_program(name) {
        found.calls += 1;
        if found.calls > MAX_CALLS {
            return here;
        }
        found.files.extend(files(&source[statement.byte_range()]).map(unquoted).filter_map(|path| here.absolute(path)));
    } else if matches!(name.as_str(), "cd" | "pushd") {
        if let Some(directory) = words.find(|word| !word.starts_with('-')) {
            return here.within(directory);
        }
    } else if matches!(last_part(name), "bash" | "sh" | "zsh" | "dash") && shells > 0 {
        // `-c`, `-lc`, `-euo pipefail -c`: the script is the word behind the option that ends in `c`.
        let mut words = words.skip_while(|word| !(word.starts_with('-') && word.ends_with('c')));
        if let Some(script) = words.nth(1) {
            collect(script, &here, shells - 1, found);
        }
    }
    here
}

/// A path at the end of a quoted argument still has the quote.
fn unquoted(path: &str) -> &str {
    path.trim_end_matches(['\'', '"'])
}

/// A word as the shell hands it on, as far as that is known without running anything.
fn literal(node: Node<'_>, source: &str) -> String {
    let text = &source[node.byte_range()];
    let bare = |quote: char| text.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    if let Some(raw) = bare('\'') {
        return raw.to_owned();
    }
    let (text, quoted) = match bare('"') {
        Some(inner) => (inner, true),
        None => (text, false),
    };
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some('\n') | None => {}
                Some(escaped) if quoted && !matches!(escaped, '"' | '\\' | '$' | '`') => out.extend(['\\', escaped]),
                Some(escaped) => out.push(escaped),
            },
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATCH: &str = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch";

    fn of(command: &str) -> Vec<String> {
        let found = files_of_command(command, &Base::new("/p"));
        found.iter().map(|path| path.to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn an_envelope_names_its_files_in_order() {
        let text = "*** Begin Patch\n*** Add File: new.py\n+*** Update File: not this\n*** Update File: a b.py\r\n\
                    *** Move to: c.py\n@@\n*** Delete File: old.py\n*** Add File:\n*** End Patch\n";
        assert_eq!(files(text).collect::<Vec<_>>(), ["new.py", "a b.py", "c.py", "old.py"]);
        assert!(is_envelope(text));
        assert!(!is_envelope("about *** Begin Patch\n*** Add File: a"));
    }

    #[test]
    fn a_patch_is_found_however_the_shell_gets_it() {
        let cases = [
            format!("apply_patch <<'EOF'\n{PATCH}\nEOF\n"),
            format!("applypatch <<\"PATCH\"\n{PATCH}\nPATCH"),
            format!("apply_patch <<-EOF\n{PATCH}\nEOF\n"),
            format!("apply_patch '{PATCH}'"),
            format!("apply_patch \"{PATCH}\""),
            format!("/usr/bin/apply_patch \"$(cat <<'EOF'\n{PATCH}\nEOF\n)\""),
            format!("cat <<'EOF' | apply_patch\n{PATCH}\nEOF\n"),
            format!("printf '%s' '{PATCH}' | apply_patch"),
            format!("A=1 apply_patch <<'EOF' && pytest -q\n{PATCH}\nEOF\n"),
            format!("ls; apply_patch <<'EOF'\n{PATCH}\nEOF\nls"),
            format!("if true; then apply_patch <<'EOF'\n{PATCH}\nEOF\nfi"),
            format!("bash -lc \"apply_patch <<'EOF'\n{PATCH}\nEOF\n\""),
            format!("apply_patch <<'EOF'\n{PATCH}\n"),
        ];
        for command in cases {
            assert_eq!(of(&command), ["/p/a.py"], "{command}");
        }
    }

    #[test]
    fn cd_moves_what_follows() {
        assert_eq!(of(&format!("cd sub && apply_patch <<'EOF'\n{PATCH}\nEOF\n")), ["/p/sub/a.py"]);
        assert_eq!(of(&format!("cd 'a b' ; apply_patch <<'EOF'\n{PATCH}\nEOF\n")), ["/p/a b/a.py"]);
        assert_eq!(of(&format!("cd /q\napply_patch <<'EOF'\n{PATCH}\nEOF\n")), ["/q/a.py"]);
        assert_eq!(of(&format!("(cd sub && ls)\napply_patch <<'EOF'\n{PATCH}\nEOF\n")), ["/p/a.py"]);
        assert_eq!(of(&format!("cd sub && bash -c 'cd deep && apply_patch \"{PATCH}\"'")), ["/p/sub/deep/a.py"]);
    }

    #[test]
    fn talk_about_patches_is_no_patch() {
        for command in [
            format!("cat > notes.md <<'EOF'\napply_patch\n{PATCH}\nEOF\n"),
            "grep -rn apply_patch src".to_owned(),
            "echo '*** Update File: a.py'".to_owned(),
            format!("# apply_patch <<EOF\ncat <<'EOF'\n{PATCH}\nEOF"),
            format!("git commit -m 'apply_patch: {PATCH}'"),
        ] {
            assert_eq!(of(&command), Vec::<String>::new(), "{command}");
        }
    }

    #[test]
    fn hostile_commands_end() {
        for command in [
            "(".repeat(200_000) + "apply_patch",
            "apply_patch ".repeat(20_000),
            "$(".repeat(50_000) + "applypatch",
            "apply_patch && ".repeat(15_000),
            "cd x && ".repeat(30_000) + "apply_patch",
            "apply_patch | ".repeat(15_000),
        ] {
            assert_eq!(of(&command), Vec::<String>::new());
            // With an envelope it is worth parsing: a wrong answer does no harm, but there must be one.
            of(&format!("{command}\n: '{PATCH}'\n"));
            of(&format!(": '{PATCH}'\n{command}"));
        }
        let long = format!("apply_patch <<'EOF'\n{PATCH}\n{}EOF\n", "+x\n".repeat(200_000));
        assert_eq!(of(&long), ["/p/a.py"]);
    }
}
