//! The commands. Each parses its arguments, asks the library, prints the answer; none has logic of its own.

mod agents;
mod args;
mod assemble;
mod calls;
mod context;
mod cypher;
mod export;
mod find;
mod git_hooks;
mod history;
mod hook;
mod impact;
mod index;
mod lessons;
mod map;
mod mcp;
mod output;
mod path;
mod progress;
mod query;
mod review;
mod snapshot;
mod status;
mod symbol;
mod table;
mod task_words;
mod unresolved;

use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, Parser, Subcommand};

pub(crate) use context::{Answer, Context};
pub(crate) use output::Output;

/// A repository as a graph: who calls what, what changes together, where to look first.
#[derive(Parser)]
#[command(name = "portolan", version, max_term_width = 100, after_help = EXIT_CODES)]
struct Cli {
    #[command(flatten)]
    global: context::Global,
    #[command(subcommand)]
    command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done; 1 the answer is no (not found, several candidates, nothing fits); \
    2 wrong usage or failure.\nPORTOLAN_LOG=info writes a log to stderr, with the cost of each stage.";

#[derive(Subcommand)]
enum Command {
    /// Bring the graph up to date with the work tree and the history
    Index(index::Args),
    /// What is indexed, and what was left out and why
    Status(status::Args),
    /// The places where a task will have to change the code, in 200 tokens
    Map(map::Map),
    /// All places for a task with their scores
    Locate(map::Locate),
    /// Where a name or a text stands: symbols, lines, paths
    Find(find::Args),
    /// Who calls a symbol, grouped by how sure that is
    Callers(calls::Args),
    /// What a symbol calls
    Callees(calls::Args),
    /// A chain of calls from one symbol to another
    Path(path::Args),
    /// One symbol: where, signature, bases, callers, callees, tests
    Symbol(symbol::Args),
    /// Call sites of a name that could not be tied to a definition
    Unresolved(unresolved::Args),
    /// What a change can break: symbols, files, line ranges, or --diff, --staged, --base REV
    Impact(impact::Args),
    /// The tests to run for a change, with the runner's command line
    Tests(impact::Tests),
    /// The risk of a change, what it reaches, missing tests, forgotten files
    Review(review::Args),
    /// Code around a symbol or a question, within a budget of tokens
    Context(assemble::Args),
    /// Portolan in git's hooks
    Hooks(git_hooks::Args),
    /// Files that change together with some files
    Cochange(history::Cochange),
    /// Who changed a file
    Owners(history::OfFile),
    /// Files that are large and change often
    Hotspots(history::Hotspots),
    /// A consistent copy of the graph for the kuzu shell and other clients
    Snapshot(snapshot::Args),
    /// Run a Cypher statement on the graph
    Cypher(cypher::Args),
    /// Run a query that ships with Portolan; without a name, list them
    Query(query::Args),
    /// Write the graph out
    Export(export::Args),
    /// Serve the graph to an agent over the Model Context Protocol, on stdin and stdout
    Mcp(mcp::Args),
    /// Say that you are editing files, or who is
    Claim(agents::Claim),
    /// Give claimed files back
    Release(agents::Release),
    /// Who edits what now
    Claims(agents::Claims),
    /// Agents' sessions and what they did
    Sessions(agents::Sessions),
    /// One session: what it read and edited
    Session(agents::OneSession),
    /// Where agents' tool calls go: searches, re-reads, calls before the first edit
    Usage(agents::UsageArgs),
    /// Note a lesson for the sessions to come
    Learn(lessons::Learn),
    /// What was learned
    Lessons(lessons::Lessons),
    /// Remove a lesson
    Forget(lessons::Forget),
    /// Hooks do nothing here from now on
    Pause,
    /// Hooks work again
    Resume,
}

/// Parses the arguments, runs the command, prints what went wrong.
pub(crate) fn main() -> ExitCode {
    let args: Vec<_> = std::env::args_os().collect();
    if hook::is_meant(&args) {
        return hook::main(&args);
    }
    let args = task_words::behind_the_flags(&Cli::command(), args);
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return usage(&error),
    };
    log_to_stderr();
    let json = cli.global.json;
    let context = Context::new(cli.global);
    // A probe is to die of what kills it.
    if !matches!(&cli.command, Command::Index(args) if args.is_probe()) {
        portolan::store::crash::report(json);
    }
    let answer = match cli.command {
        Command::Index(args) => args.run(&context),
        Command::Status(args) => args.run(&context),
        Command::Map(args) => args.run(&context),
        Command::Locate(args) => args.run(&context),
        Command::Find(args) => args.run(&context),
        Command::Callers(args) => args.run(&context, portolan::ask::Direction::Callers),
        Command::Callees(args) => args.run(&context, portolan::ask::Direction::Callees),
        Command::Path(args) => args.run(&context),
        Command::Symbol(args) => args.run(&context),
        Command::Unresolved(args) => args.run(&context),
        Command::Impact(args) => args.run(&context),
        Command::Tests(args) => args.run(&context),
        Command::Review(args) => args.run(&context),
        Command::Context(args) => args.run(&context),
        Command::Hooks(args) => args.run(&context),
        Command::Cochange(args) => args.run(&context),
        Command::Owners(args) => args.owners(&context),
        Command::Hotspots(args) => args.run(&context),
        Command::Snapshot(args) => args.run(&context),
        Command::Cypher(args) => args.run(&context),
        Command::Query(args) => args.run(&context),
        Command::Export(args) => args.run(&context),
        Command::Mcp(args) => args.run(&context),
        Command::Claim(args) => args.run(&context),
        Command::Release(args) => args.run(&context),
        Command::Claims(args) => args.run(&context),
        Command::Sessions(args) => args.run(&context),
        Command::Session(args) => args.run(&context),
        Command::Usage(args) => args.run(&context),
        Command::Learn(args) => args.run(&context),
        Command::Lessons(args) => args.run(&context),
        Command::Forget(args) => args.run(&context),
        Command::Pause => agents::pause(&context, true),
        Command::Resume => agents::pause(&context, false),
    };
    match answer {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            failed(&error, json);
            ExitCode::from(2)
        }
    }
}

/// clap's own message: help and version are an answer, anything else is wrong usage.
fn usage(error: &clap::Error) -> ExitCode {
    let code = if error.use_stderr() { 2 } else { 0 };
    if code == 2 && std::env::args_os().any(|a| a == "--json") {
        let text = error.to_string();
        failed(&anyhow::anyhow!(text.trim_start_matches("error: ").trim_end().to_owned()), true);
    } else {
        // The reader may have gone.
        let _ = error.print();
    }
    ExitCode::from(code)
}

/// One message on stderr; with `--json` stdout holds the same as an object, so that a reader of stdout alone knows.
fn failed(error: &anyhow::Error, json: bool) {
    let error = whole(error);
    // Nobody is left to tell when these writes fail.
    if json {
        let object = serde_json::json!({ "error": { "message": error } });
        let _ = writeln!(std::io::stdout(), "{object}");
    }
    // Names of the repository may stand in it: nothing in them reaches the terminal as a command.
    let shown: String = error.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect();
    let _ = writeln!(std::io::stderr(), "portolan: {shown}");
}

/// A sentence for the user beside the answer; whoever closed stderr does not want it.
pub(crate) fn remark(text: &str) {
    let _ = writeln!(std::io::stderr(), "{}", output::clean(text));
}

/// An error with its causes; most messages of the library tell the cause already.
fn whole(error: &anyhow::Error) -> String {
    error.chain().fold(String::new(), |mut text, cause| {
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text.push_str(if text.is_empty() { "" } else { ": " });
            text.push_str(&cause);
        }
        text
    })
}

fn log_to_stderr() {
    let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("PORTOLAN_LOG") else { return };
    // Fails only when a log is set up already.
    let _ = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(output::colours(&std::io::stderr()))
        .try_init();
}
