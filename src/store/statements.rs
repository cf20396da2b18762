//! Named statements of a `.cypher` file: `// name: x` on a line of its own, then one statement up to its `;`.

/// The statement called `name` in `source`, without its comments and its `;`.
///
/// Names are constants of this crate, so a missing one is a fault that any test of the caller meets: it
/// gives an empty statement, which the engine refuses.
pub(crate) fn named(source: &'static str, name: &str) -> &'static str {
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        at += line.len();
        if line.trim_end().strip_prefix("// name: ") == Some(name) {
            let body = &source[at..];
            let end = body.find(';').unwrap_or(body.len());
            return body[..end].trim();
        }
    }
    ""
}

/// All statements of a file in order, comments taken off. Statements hold no `;` and no `//` of their own.
pub(crate) fn all(source: &str) -> Vec<String> {
    let bare: String =
        source.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(|l| [l, "\n"]).collect();
    bare.split(';').map(|s| s.trim().to_owned()).filter(|s| !s.is_empty()).collect()
}

/// The only statement of a file of `queries/`, without its header and its `;`.
pub(crate) fn single(source: &'static str) -> &'static str {
    let mut at = 0;
    for line in source.split_inclusive('\n') {
        if !line.starts_with("//") {
            break;
        }
        at += line.len();
    }
    source[at..].trim().trim_end_matches(';')
}
