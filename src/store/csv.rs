//! Rows on their way into COPY: CSV in an unlinked temporary file that the engine opens through `/dev/fd`, so that
//! no path of the user's (quotes, glob characters) reaches a statement.

use std::fs::File;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{BufWriter, Seek, SeekFrom, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};

use super::{Graph, Result, StoreError};

/// One COPY's rows.
pub(crate) struct Csv {
    out: BufWriter<File>,
    dir: PathBuf,
    rows: u64,
    bytes: u64,
    fresh: bool,
    /// A line feed inside of a field: the engine then must not read the file in parallel pieces.
    broken_lines: bool,
}

impl Csv {
    pub(crate) fn new(dir: &Path) -> Result<Csv> {
        let file = tempfile::tempfile_in(dir).map_err(|e| StoreError::io("write rows to", dir, e))?;
        let out = BufWriter::with_capacity(64 << 10, file);
        Ok(Csv { out, dir: dir.to_owned(), rows: 0, bytes: 0, fresh: true, broken_lines: false })
    }

    /// About how many bytes the rows take.
    pub(crate) fn len(&self) -> u64 {
        self.bytes
    }

    /// A string field. Always quoted: an unquoted empty field would be NULL.
    pub(crate) fn text(&mut self, value: &str) -> Result<()> {
        self.comma()?;
        self.bytes(b"\"")?;
        let bytes = value.as_bytes();
        if memchr::memchr3(b'"', b'\n', b'\r', bytes).is_none() {
            self.bytes(bytes)?;
        } else {
            self.broken_lines |= memchr::memchr2(b'\n', b'\r', bytes).is_some();
            let mut from = 0;
            for at in memchr::memchr_iter(b'"', bytes) {
                self.bytes(&bytes[from..=at])?;
                self.bytes(b"\"")?;
                from = at + 1;
            }
            self.bytes(&bytes[from..])?;
        }
        self.bytes(b"\"")
    }

    /// Strings that the statement splits again at line feeds.
    pub(crate) fn lines(&mut self, values: &[String]) -> Result<()> {
        let mut joined = String::new();
        for value in values {
            if !joined.is_empty() {
                joined.push('\n');
            }
            joined.extend(value.chars().map(|c| if c == '\n' { ' ' } else { c }));
        }
        self.text(&joined)
    }

    pub(crate) fn int(&mut self, value: i64) -> Result<()> {
        self.comma()?;
        let written = write!(self.out, "{value}");
        self.sorted(written)
    }

    pub(crate) fn float(&mut self, value: f64) -> Result<()> {
        self.comma()?;
        let written = write!(self.out, "{value}");
        self.sorted(written)
    }

    pub(crate) fn bool(&mut self, value: bool) -> Result<()> {
        self.comma()?;
        self.bytes(if value { b"true" } else { b"false" })
    }

    /// An `INT64[]` field.
    pub(crate) fn ints(&mut self, values: &[u32]) -> Result<()> {
        self.comma()?;
        self.bytes(b"\"[")?;
        for (i, value) in values.iter().enumerate() {
            if i > 0 {
                self.bytes(b",")?;
            }
            let written = write!(self.out, "{value}");
            self.sorted(written)?;
        }
        self.bytes(b"]\"")
    }

    pub(crate) fn end_row(&mut self) -> Result<()> {
        self.fresh = true;
        self.rows += 1;
        self.bytes(b"\n")
    }

    /// Runs `statement`, a COPY with `{file}`, `{parallel}` and `{null}` in it, over the rows; nothing when there are none.
    pub(crate) fn copy(self, graph: &Graph, statement: &str) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let Csv { out, dir, broken_lines, .. } = self;
        let mut file = out.into_inner().map_err(|e| StoreError::io("write rows to", &dir, e.into_error()))?;
        file.seek(SeekFrom::Start(0)).map_err(|e| StoreError::io("write rows to", &dir, e))?;
        let statement = statement
            .replace("{file}", &format!("/dev/fd/{}", file.as_raw_fd()))
            .replace("{null}", &nothing())
            .replace("{parallel}", if broken_lines { "false" } else { "true" });
        graph.run_once(&statement)
    }

    fn comma(&mut self) -> Result<()> {
        if std::mem::take(&mut self.fresh) { Ok(()) } else { self.bytes(b",") }
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<()> {
        self.bytes += bytes.len() as u64;
        let written = self.out.write_all(bytes);
        self.sorted(written)
    }

    fn sorted(&self, written: std::io::Result<()>) -> Result<()> {
        written.map_err(|e| StoreError::io("write rows to", &self.dir, e))
    }
}

/// A text that nobody can have written into a field: 128 random bits.
fn nothing() -> String {
    let random = || RandomState::new().build_hasher().finish();
    format!("null-{:016x}{:016x}", random(), random())
}
