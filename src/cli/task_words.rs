//! A task may begin with a dash: a line of a list, an option that does not work.

use std::ffi::OsString;

/// Puts what begins with a dash, holds white space and is no option of `map` or `locate` behind a `--`, so that it is
/// read as the task. Arguments of other commands, and those with a `--` of their own, stay as they are.
pub(crate) fn behind_the_flags(cli: &clap::Command, mut args: Vec<OsString>) -> Vec<OsString> {
    let takes_value = |arg: &OsString| matches!(arg.to_str(), Some("-C" | "--root" | "--title" | "-n" | "--limit"));
    let is_value = |args: &[OsString], at: usize| args.get(at.wrapping_sub(1)).is_some_and(takes_value);
    let command = (1..args.len()).find(|&at| !is_value(&args, at) && !dashed(&args[at]));
    let Some(at) = command else { return args };
    let Some(command) = args[at].to_str().filter(|name| matches!(*name, "map" | "locate")) else { return args };
    let Some(command) = cli.find_subcommand(command) else { return args };
    if args.iter().any(|arg| arg == "--") {
        return args;
    }
    let options: Vec<&clap::Arg> = cli.get_arguments().chain(command.get_arguments()).collect();
    let is_task = |arg: &OsString| {
        let Some(text) = arg.to_str() else { return false };
        if !text.starts_with('-') || !text.contains(char::is_whitespace) {
            return false;
        }
        // `--title=two words` and `-C/two words` are options with their values.
        match text.strip_prefix("--") {
            Some(long) => {
                let name = long.split_once('=').map(|(name, _)| name);
                name.is_none_or(|name| options.iter().all(|option| option.get_long() != Some(name)))
            }
            None => {
                let mut letters = text[1..].chars();
                let short = letters.next();
                let with_value =
                    |option: &&clap::Arg| option.get_short() == short && option.get_action().takes_values();
                !options.iter().any(with_value) || letters.next().is_none_or(char::is_whitespace)
            }
        }
    };
    let tasks: Vec<usize> = (at + 1..args.len()).filter(|&i| !is_value(&args, i) && is_task(&args[i])).collect();
    if tasks.is_empty() {
        return args;
    }
    let mut moved: Vec<OsString> = tasks.iter().rev().map(|&i| args.remove(i)).collect();
    moved.reverse();
    args.push("--".into());
    args.extend(moved);
    args
}

fn dashed(arg: &OsString) -> bool {
    arg.to_str().is_some_and(|text| text.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::cli::Cli;

    fn moved(args: &[&str]) -> Vec<String> {
        let args = args.iter().map(OsString::from).collect();
        let args = behind_the_flags(&Cli::command(), args);
        args.into_iter().map(|arg| arg.into_string().unwrap()).collect()
    }

    #[test]
    fn only_a_task_moves() {
        assert_eq!(moved(&["p", "map", "--size is wrong", "--json"]), ["p", "map", "--json", "--", "--size is wrong"]);
        assert_eq!(moved(&["p", "-C", "x", "locate", "- a\n- b"]), ["p", "-C", "x", "locate", "--", "- a\n- b"]);
        assert_eq!(moved(&["p", "map", "-n fails"]), ["p", "map", "--", "-n fails"]);
        for same in [
            &["p", "map", "--json", "a task"][..],
            &["p", "map", "--sise"],
            &["p", "map", "--title=- a b", "task"],
            &["p", "map", "--title", "- a b", "task"],
            &["p", "map", "-C/a b", "task"],
            &["p", "map", "--", "- a b"],
            &["p", "cypher", "- a b"],
            &["p", "-C", "map", "callers", "- a b"],
        ] {
            assert_eq!(moved(same), same);
        }
    }
}
