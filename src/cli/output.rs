//! Printing: JSON or text, bounded lists, colours, and readers that go away.

use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use portolan::ask::Brief;
pub(crate) use portolan::render::phrase::{age, count, day, lines};
use serde::Serialize;

/// Rows that a list shows unless told otherwise.
pub(crate) const ROWS: usize = 20;

/// How many rows to print.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Bound {
    /// Show at most this many rows
    #[arg(long, short = 'n', value_name = "N", default_value_t = ROWS)]
    limit: usize,
    /// Show every row
    #[arg(long, conflicts_with = "limit")]
    all: bool,
}

impl Default for Bound {
    fn default() -> Self {
        Bound { limit: ROWS, all: false }
    }
}

impl Bound {
    /// Rows at most.
    pub fn most(&self) -> usize {
        if self.all { usize::MAX } else { self.limit }
    }

    /// As many of `rows` as may be shown.
    pub fn cut<'a, T>(&self, rows: &'a [T]) -> &'a [T] {
        if self.all { rows } else { &rows[..rows.len().min(self.limit)] }
    }
}

/// Buffered stdout.
pub(crate) struct Output {
    out: BufWriter<StdoutLock<'static>>,
    json: bool,
    colours: bool,
}

impl Output {
    pub fn stdout(json: bool) -> Self {
        let stdout = io::stdout();
        let colours = !json && colours(&stdout);
        Output { out: BufWriter::new(stdout.lock()), json, colours }
    }

    /// With `--json`.
    pub fn is_json(&self) -> bool {
        self.json
    }

    /// One JSON value and a line's end.
    pub fn json(&mut self, value: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, value).map_err(io::Error::from)?;
        self.out.write_all(b"\n")
    }

    /// One line of text. What comes from the repository may hold anything, so control characters are taken out.
    pub fn line(&mut self, text: &str) -> io::Result<()> {
        self.write_clean(text)?;
        self.out.write_all(b"\n")
    }

    /// A line that stands out on a terminal.
    pub fn heading(&mut self, text: &str) -> io::Result<()> {
        if !self.colours {
            return self.line(text);
        }
        self.out.write_all(b"\x1b[1m")?;
        self.write_clean(text)?;
        self.out.write_all(b"\x1b[0m\n")
    }

    /// Text whose every line ends with a line feed already, and is clean.
    pub fn lines(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())
    }

    /// Text of several lines, each clean already.
    pub fn block(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")
    }

    /// `showing 20 of 406 ...`, when something was left out.
    pub fn rest(&mut self, shown: usize, all: usize) -> io::Result<()> {
        if shown < all { self.line(&format!("showing {shown} of {all} (--all shows the rest)")) } else { Ok(()) }
    }

    /// Says that a name stands for several definitions.
    pub fn candidates(&mut self, asked: &str, found: &[Brief], bound: Bound) -> io::Result<()> {
        let shown = bound.cut(found);
        if self.json {
            return self.json(&serde_json::json!({ "ambiguous": asked, "candidates": shown, "total": found.len() }));
        }
        self.heading(&format!("{asked} stands for {} definitions; say which:", found.len()))?;
        for symbol in shown {
            self.line(&format!("  {}  {} {}:{}", symbol.id, symbol.kind, symbol.file, symbol.start_line))?;
        }
        self.rest(shown.len(), found.len())
    }

    /// Must be called at the end: whatever is still buffered.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }

    fn write_clean(&mut self, text: &str) -> io::Result<()> {
        if text.chars().any(char::is_control) {
            self.out.write_all(clean(text).as_bytes())
        } else {
            self.out.write_all(text.as_bytes())
        }
    }
}

/// On one line, without control characters.
pub(crate) fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// Whether to colour: only on a terminal, and never against <https://no-color.org>.
pub(crate) fn colours(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
}

/// The reader went away (`portolan ... | head`): not a fault.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}

/// A moment from seconds since 1970, in UTC.
pub(crate) fn moment(seconds: i64) -> String {
    let moment = chrono::DateTime::from_timestamp(seconds, 0);
    moment.map_or_else(|| "?".into(), |t| t.format("%Y-%m-%d %H:%M:%S UTC").to_string())
}
