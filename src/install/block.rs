//! A block of ours in a markdown file that people write, between two markers.

use super::edit::Made;

const BEGIN: &str = "<!-- portolan:begin -->";
const END: &str = "<!-- portolan:end -->";

/// The file with the block: at the end, or in the place of the one that is there.
pub fn install(before: &[u8], text: &str, made: &mut Made) -> Vec<u8> {
    let eol: &str = if contains(before, b"\r\n") { "\r\n" } else { "\n" };
    let block = format!("{BEGIN}\n{}\n{END}", text.trim_end()).replace('\n', eol);
    if let Some((start, end)) = find(before) {
        return [&before[..start], block.as_bytes(), &before[end..]].concat();
    }
    let ends = before.ends_with(b"\n") || before.is_empty();
    made.final_newline = !ends;
    let separator = if before.is_empty() { String::new() } else { eol.repeat(1 + usize::from(!ends)) };
    [before, separator.as_bytes(), block.as_bytes(), eol.as_bytes()].concat()
}

/// The file without the block and the empty line before it.
pub fn remove(before: &[u8], made: Option<&Made>) -> Vec<u8> {
    let Some((start, end)) = find(before) else { return before.to_vec() };
    let (mut head, mut tail) = (&before[..start], &before[end..]);
    tail = strip_prefix_eol(tail);
    head = without_blank_line(head);
    if tail.is_empty() && made.is_some_and(|m| m.final_newline) {
        head = strip_suffix_eol(head);
    }
    [head, tail].concat()
}

/// Takes away an empty line at the end.
pub(super) fn without_blank_line(head: &[u8]) -> &[u8] {
    let shorter = strip_suffix_eol(head);
    if shorter.len() < head.len() && shorter.ends_with(b"\n") { shorter } else { head }
}

/// Takes away one line's end at the end.
pub(super) fn strip_suffix_eol(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.strip_suffix(b"\r").unwrap_or(bytes)
}

fn strip_prefix_eol(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\r\n").or_else(|| bytes.strip_prefix(b"\n")).unwrap_or(bytes)
}

fn find(bytes: &[u8]) -> Option<(usize, usize)> {
    let start = memchr::memmem::find(bytes, BEGIN.as_bytes())?;
    let end = start + memchr::memmem::find(&bytes[start..], END.as_bytes())?;
    Some((start, end + END.len()))
}

fn contains(bytes: &[u8], what: &[u8]) -> bool {
    memchr::memmem::find(bytes, what).is_some()
}
