//! Commit objects, read raw.

use git2::{Odb, Oid};

use super::{CommitHash, Identity};

/// Longest subject, in bytes.
const SUBJECT: usize = 300;
/// Longest body, in bytes. The beginning says what; the rest of a long one is logs and trailers.
const BODY: usize = 2000;

/// A commit object's fields.
pub(crate) struct Object {
    pub tree: Oid,
    pub parents: Vec<CommitHash>,
    pub at: i64,
    pub author: Identity,
    pub subject: String,
    pub body: String,
}

impl CommitHash {
    pub(crate) fn oid(self) -> Oid {
        Oid::from_bytes(&self.0).unwrap_or(Oid::ZERO_SHA1)
    }

    pub(crate) fn of(oid: Oid) -> CommitHash {
        let mut hash = [0; 20];
        hash.copy_from_slice(&oid.as_bytes()[..20]);
        CommitHash(hash)
    }
}

/// Reads a commit.
///
/// # Errors
/// It is missing or damaged.
pub(crate) fn read(odb: &Odb<'_>, hash: CommitHash) -> Result<Object, git2::Error> {
    let object = odb.read(hash.oid())?;
    parse(object.data()).ok_or_else(|| git2::Error::from_str(&format!("commit {hash} is damaged")))
}

fn parse(data: &[u8]) -> Option<Object> {
    let end = memchr::memmem::find(data, b"\n\n").unwrap_or(data.len());
    let (mut tree, mut author, mut at) = (None, None, None);
    let mut parents = Vec::new();
    for line in data[..end].split(|b| *b == b'\n') {
        let oid = |rest: &[u8]| std::str::from_utf8(rest).ok().and_then(|t| Oid::from_str(t).ok());
        if let Some(rest) = line.strip_prefix(b"tree ") {
            tree = tree.or(oid(rest));
        } else if let Some(rest) = line.strip_prefix(b"parent ") {
            parents.push(CommitHash::of(oid(rest)?));
        } else if let Some(rest) = line.strip_prefix(b"author ") {
            author = author.or_else(|| signature(rest).map(|s| s.0));
        } else if let Some(rest) = line.strip_prefix(b"committer ") {
            at = at.or_else(|| signature(rest).map(|s| s.1));
        }
    }
    let message = String::from_utf8_lossy(data.get(end + 2..).unwrap_or_default());
    let message = message.trim_start_matches(['\n', '\r']);
    let (subject, body) = paragraphs(message);
    Some(Object { tree: tree?, parents, at: at.unwrap_or(0), author: author.unwrap_or_else(nobody), subject, body })
}

fn nobody() -> Identity {
    Identity { name: String::new(), email: String::new() }
}

/// `Name <email> seconds zone`.
fn signature(line: &[u8]) -> Option<(Identity, i64)> {
    let text = String::from_utf8_lossy(line);
    let (name, rest) = text.split_once('<')?;
    let (email, when) = rest.rsplit_once('>')?;
    let at = when.split_whitespace().next().and_then(|s| s.parse().ok()).unwrap_or(0);
    let clean = |s: &str| clip(s.trim(), SUBJECT).replace(char::is_control, " ");
    Some((Identity { name: clean(name), email: clean(email) }, at))
}

/// Subject and body as git sees them: the first paragraph joined, and what follows.
fn paragraphs(message: &str) -> (String, String) {
    let mut subject = String::new();
    let mut rest = message;
    while !rest.is_empty() {
        let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
        rest = after;
        if line.trim().is_empty() {
            break;
        }
        if !subject.is_empty() {
            subject.push(' ');
        }
        subject.push_str(line.trim());
    }
    let plain = |s: &str| s.replace(|c: char| c.is_control() && c != '\n' && c != '\t', " ");
    (plain(clip(&subject, SUBJECT)), plain(clip(rest.trim(), BODY).trim_end()))
}

/// At most that many bytes, cut between characters.
fn clip(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_git_writes_and_what_it_should_not() {
        let commit = b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n\
            parent 1111111111111111111111111111111111111111\n\
            author A <B> C <a@b.c> 10 +0000\ncommitter D <d@e> 1700000000 -0130\n\
            gpgsig -----BEGIN\n author no <x@y> 1 +0000\n -----END\n\nfirst\nline\n\nbody\x07 \xff\n";
        let object = parse(commit).expect("a commit");
        assert_eq!(object.parents.len(), 1);
        assert_eq!(object.at, 1_700_000_000);
        assert_eq!(object.author.name, "A");
        assert_eq!((object.subject.as_str(), object.body.as_str()), ("first line", "body  \u{fffd}"));
        assert!(parse(b"").is_none() && parse(b"tree x\n\n").is_none());
        let bare = parse(b"tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n").expect("no message");
        assert_eq!((bare.subject.as_str(), bare.at), ("", 0));
    }
}
