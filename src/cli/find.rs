//! `find TEXT`.

use portolan::ask::{self, Find, FoundSymbol};
use serde_json::json;

use super::output::Bound;
use super::{Answer, Context, Output};

/// Arguments.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// A name or its part, or text as it stands in a line
    #[arg(allow_hyphen_values = true)]
    text: String,
    #[command(flatten)]
    bound: Bound,
}

impl Args {
    pub fn run(self, context: &Context) -> anyhow::Result<Answer> {
        context.freshen()?;
        let found = ask::find(&context.repo()?, &self.text, self.bound.most())?;
        let nothing = found.totals == [0; 3] && found.words.is_empty();
        let mut out = context.out();
        if out.is_json() {
            let [symbols, files, lines] = found.totals;
            out.json(&json!({
                "text": self.text,
                "symbols": found.symbols,
                "files": found.files,
                "lines": found.lines,
                "words": found.words,
                "totals": { "symbols": symbols, "files": files, "lines": lines },
            }))?;
        } else if nothing {
            out.line(&format!("no symbol, line or path holds {}", self.text))?;
        } else {
            print(&mut out, &found)?;
        }
        out.finish()?;
        Ok(if nothing { Answer::No } else { Answer::Yes })
    }
}

fn print(out: &mut Output, found: &Find) -> std::io::Result<()> {
    let symbol = |s: &FoundSymbol| format!("  {}  {} {}:{}-{}", s.id, s.kind, s.file, s.start_line, s.end_line);
    let [symbols, files, lines] = found.totals;
    let line = |hit: &ask::TextHit| {
        let inside = if hit.inside.is_empty() { String::new() } else { format!("  ({})", hit.inside) };
        format!("  {}:{}{inside}  {}", hit.file, hit.line, hit.text)
    };
    list(out, "symbols", found.symbols.iter().map(symbol), symbols)?;
    list(out, "lines", found.lines.iter().map(line), lines)?;
    list(out, "files", found.files.iter().map(|f| format!("  {f}")), files)?;
    list(out, "places with all of the words", found.words.iter().map(symbol), found.words.len())
}

fn list(out: &mut Output, what: &str, rows: impl ExactSizeIterator<Item = String>, all: usize) -> std::io::Result<()> {
    if all == 0 {
        return Ok(());
    }
    out.heading(&format!("{what} ({all}):"))?;
    let shown = rows.len();
    for row in rows {
        out.line(&row)?;
    }
    out.rest(shown, all)
}
