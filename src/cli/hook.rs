//! `hook --host HOST EVENT`: what agents' hosts run. Begins without the command line's parser: it runs at each tool
//! call. Always ends with an answer in the host's dialect.

use std::ffi::OsString;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;

use portolan::agents::{self, hook};
use portolan::hooks::{self, Output, Reply};

const USAGE: &str = "portolan hook --host HOST EVENT: reads the event's JSON from stdin";

/// Whether these are arguments of this command.
pub(crate) fn is_meant(args: &[OsString]) -> bool {
    args.get(1).is_some_and(|command| command == "hook")
}

/// Answers one event.
pub(crate) fn main(args: &[OsString]) -> ExitCode {
    std::panic::set_hook(Box::new(|_| {}));
    let Some((host, event)) = parse(&args[2..]) else {
        // Told by hand, not by a host: a host's line was written by us.
        let hosts: Vec<&str> = hooks::host_names().collect();
        let _ = writeln!(std::io::stderr(), "{USAGE}\nHosts: {}", hosts.join(", "));
        return ExitCode::SUCCESS;
    };
    let output = catch_unwind(AssertUnwindSafe(|| answer(&host, &event))).unwrap_or_else(|_| {
        hook::log_here("a fault in portolan: the hook panicked");
        neutral(&host, &event)
    });
    // The host may have gone.
    let _ = std::io::stdout().write_all(output.stdout.as_bytes());
    let _ = std::io::stdout().flush();
    let _ = std::io::stderr().write_all(output.stderr.as_bytes());
    ExitCode::from(u8::try_from(output.exit_code).unwrap_or(0))
}

/// `--host HOST EVENT` in any order; `None` for anything else.
fn parse(args: &[OsString]) -> Option<(String, String)> {
    let (mut host, mut event) = (None, None);
    let mut args = args.iter().map(|a| a.to_string_lossy().into_owned());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--host" => host = Some(args.next()?),
            _ if arg.starts_with("--host=") => host = arg.strip_prefix("--host=").map(str::to_owned),
            _ if arg.starts_with('-') => return None,
            _ => event = Some(arg),
        }
    }
    Some((host?, event.unwrap_or_default()))
}

fn neutral(host: &str, event: &str) -> Output {
    hooks::answer(host, event, &Reply::Nothing)
}

fn answer(host: &str, event: &str) -> Output {
    let input = hook::read_input();
    if agents::is_off() {
        return neutral(host, event);
    }
    match hooks::read(host, event, &input, &|name| std::env::var(name).ok()) {
        Ok(event) => {
            let speaks = hooks::takes_context(&event.owner.host, &event.name);
            let program: Option<PathBuf> = std::env::current_exe().ok();
            let reply = hook::answer(&event, speaks, program.as_deref());
            hooks::answer(&event.owner.host, &event.name, &reply)
        }
        Err(error) => {
            hook::log_here(&format!("{host} {event}: {error}"));
            neutral(host, event)
        }
    }
}
