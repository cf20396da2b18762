//! Which ad-hoc Cypher may run without `--write`: decided on the words of the statement before the engine sees it,
//! since even the engine's read-only mode runs COPY TO, EXPORT DATABASE and INSTALL. Second line of defence: such
//! statements run on a graph that is opened read-only.
//!
//! Fails closed: a statement must begin with a word that is known to read; words that write may stand nowhere
//! outside of strings, comments, quoted names, properties, labels and parameters; procedures come from a list; and
//! text that the engine's lexer might split in another way than this one is refused.

use std::collections::BTreeSet;

use super::{Result, StoreError};

/// A statement may begin with these, after EXPLAIN or PROFILE.
const BEGINNINGS: [&str; 6] = ["MATCH", "OPTIONAL", "UNWIND", "WITH", "RETURN", "CALL"];

/// Clauses that write or reach out of the graph, wherever they stand in a query; and `nextval`, which writes a sequence.
const FORBIDDEN: [&str; 8] = ["CREATE", "MERGE", "SET", "DELETE", "DETACH", "REMOVE", "LOAD", "NEXTVAL"];

/// Procedures that only read the graph's own state.
const PROCEDURES: [&str; 16] = [
    "BM_INFO",
    "CATALOG_VERSION",
    "CURRENT_SETTING",
    "DB_VERSION",
    "FILE_INFO",
    "FREE_SPACE_INFO",
    "SHOW_ATTACHED_DATABASES",
    "SHOW_CONNECTION",
    "SHOW_FUNCTIONS",
    "SHOW_INDEXES",
    "SHOW_LOADED_EXTENSIONS",
    "SHOW_SEQUENCES",
    "SHOW_TABLES",
    "SHOW_WARNINGS",
    "STORAGE_INFO",
    "TABLE_INFO",
];

/// What the lexer hands on. White space and comments are gone.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// An unquoted run of ASCII letters, digits and underscores, in capitals.
    Word(String),
    /// A string or a quoted name.
    Quoted,
    /// Any other character.
    Sign(char),
}

/// Accepts one statement that only reads.
///
/// # Errors
/// [`StoreError::Forbidden`] with the reason.
pub fn reads_only(cypher: &str) -> Result<()> {
    check(cypher).map_err(|reason| StoreError::Forbidden { reason })
}

fn check(cypher: &str) -> std::result::Result<(), String> {
    let mut tokens = lex(cypher)?;
    while tokens.last() == Some(&Token::Sign(';')) {
        tokens.pop();
    }
    if tokens.contains(&Token::Sign(';')) {
        return Err("one statement at a time".into());
    }
    let mut at = 0;
    while let Some(Token::Word(word)) = tokens.get(at) {
        match word.as_str() {
            "PROFILE" => at += 1,
            "EXPLAIN" => at += if tokens.get(at + 1) == Some(&Token::Word("LOGICAL".into())) { 2 } else { 1 },
            _ => break,
        }
    }
    match tokens.get(at) {
        Some(Token::Word(word)) if BEGINNINGS.contains(&word.as_str()) => {}
        Some(Token::Word(word)) => return Err(needs_write(word)),
        Some(_) => return Err("a statement begins with MATCH, UNWIND, WITH, RETURN or CALL".into()),
        None => return Err("the statement is empty".into()),
    }
    for (i, token) in tokens.iter().enumerate().skip(at) {
        let Token::Word(word) = token else { continue };
        if names_something(&tokens[..i]) {
            continue;
        }
        if FORBIDDEN.contains(&word.as_str()) {
            return Err(needs_write(word));
        }
        // A number ends where a letter that cannot belong to it begins: `1SET` is two words to the engine.
        if word.starts_with(|c: char| c.is_ascii_digit())
            && FORBIDDEN.iter().chain(&["CALL"]).any(|clause| word.ends_with(clause))
        {
            return Err(format!("put a space into {word}"));
        }
        if word == "CALL" {
            match (tokens.get(i + 1), tokens.get(i + 2)) {
                (Some(Token::Word(name)), Some(Token::Sign('('))) if PROCEDURES.contains(&name.as_str()) => {}
                (Some(Token::Word(name)), Some(Token::Sign('('))) => {
                    return Err(format!("the procedure {} is not one of those that only read", name.to_lowercase()));
                }
                _ => {
                    return Err("CALL changes a setting or calls what is not known to only read (a name that happens to read so is \
                                quoted: `call`)"
                        .into());
                }
            }
        }
    }
    Ok(())
}

/// Names of the parameters (`$name`) in a statement, sorted; none when its words cannot be told.
pub fn parameters(cypher: &str) -> BTreeSet<String> {
    let chars: Vec<char> = cypher.chars().collect();
    let tokens = lex_places(&chars).unwrap_or_default();
    let dollars = tokens.iter().filter(|(_, token)| *token == Token::Sign('$'));
    let names = dollars.map(|(at, _)| {
        let name = chars[at + 1..].iter().skip_while(|c| c.is_whitespace());
        name.take_while(|c| c.is_alphanumeric() || **c == '_').collect::<String>()
    });
    names.filter(|name| !name.is_empty()).collect()
}

fn needs_write(word: &str) -> String {
    format!(
        "{word} writes, changes settings or reaches out of the graph; if you mean it, run it with --write (or quote a name that happens to read so: `{}`)",
        word.to_lowercase()
    )
}

/// Whether the word after these tokens is a property, a label or a parameter.
fn names_something(before: &[Token]) -> bool {
    match before {
        [.., Token::Sign(':' | '$')] => true,
        [.., owner, Token::Sign('.')] => match owner {
            Token::Word(word) => !word.starts_with(|c: char| c.is_ascii_digit()),
            Token::Quoted | Token::Sign(')' | ']' | '}') => true,
            Token::Sign(_) => false,
        },
        _ => false,
    }
}

fn lex(text: &str) -> std::result::Result<Vec<Token>, String> {
    let chars: Vec<char> = text.chars().collect();
    Ok(lex_places(&chars)?.into_iter().map(|(_, token)| token).collect())
}

/// Each token with the place where it begins.
fn lex_places(chars: &[char]) -> std::result::Result<Vec<(usize, Token)>, String> {
    let mut tokens = Vec::new();
    let mut i = 0;
    while let Some(&c) = chars.get(i) {
        match c {
            '\'' | '"' => {
                tokens.push((i, Token::Quoted));
                i = string_end(chars, i)?;
            }
            '`' => {
                let close = chars[i + 1..].iter().position(|&c| c == '`').ok_or("a quoted name is not closed")?;
                tokens.push((i, Token::Quoted));
                i += close + 2;
            }
            '/' if chars.get(i + 1) == Some(&'/') => i = line_end(chars, i)?,
            '/' if chars.get(i + 1) == Some(&'*') => i = comment_end(chars, i + 2)?,
            c if c.is_ascii_alphanumeric() || c == '_' => {
                let length = chars[i..].iter().take_while(|c| c.is_ascii_alphanumeric() || **c == '_').count();
                let word = chars[i..i + length].iter().collect::<String>().to_ascii_uppercase();
                tokens.push((i, Token::Word(word)));
                i += length;
            }
            c if c.is_whitespace() => i += 1,
            // Letters beyond ASCII end a word here although the engine takes them into names: the stricter reading.
            c => {
                tokens.push((i, Token::Sign(c)));
                i += 1;
            }
        }
    }
    Ok(tokens)
}

/// The place after a string. Escapes that the engine does not know are refused: it might see the end elsewhere.
fn string_end(chars: &[char], start: usize) -> std::result::Result<usize, String> {
    let mut i = start + 1;
    while let Some(&c) = chars.get(i) {
        if c == chars[start] {
            return Ok(i + 1);
        }
        i += 1;
        if c == '\\' {
            let escaped = chars.get(i).map(char::to_ascii_lowercase);
            let known = match escaped {
                Some('\\' | '\'' | '"' | 'b' | 'f' | 'n' | 'r' | 't') => true,
                Some('u') => chars.get(i + 1..i + 5).is_some_and(|hex| hex.iter().all(char::is_ascii_hexdigit)),
                _ => false,
            };
            if !known {
                return Err("a string holds a backslash that escapes nothing; write it twice".into());
            }
            i += 1;
        }
    }
    Err("a string is not closed".into())
}

/// The place after a `//` comment.
fn line_end(chars: &[char], start: usize) -> std::result::Result<usize, String> {
    let mut i = start;
    while let Some(&c) = chars.get(i) {
        match c {
            '\n' => return Ok(i + 1),
            // To the engine a lone carriage return ends no comment, and the comment is none.
            '\r' if !matches!(chars.get(i + 1), None | Some('\n')) => {
                return Err("a comment holds a carriage return".into());
            }
            _ => i += 1,
        }
    }
    Ok(i)
}

/// The place after a block comment whose text starts at `i`. In the engine's grammar a star takes the next character
/// with it, so `**/` does not end a comment there: refused.
fn comment_end(chars: &[char], mut i: usize) -> std::result::Result<usize, String> {
    while let Some(&c) = chars.get(i) {
        match (c, chars.get(i + 1)) {
            ('*', Some('/')) => return Ok(i + 2),
            ('*', Some('*')) => return Err("a comment holds two stars in a row".into()),
            _ => i += 1,
        }
    }
    Err("a comment is not closed".into())
}
