//! The tools `claims` and `learn`: in whose name, and what.

use std::time::Duration;

use super::answer::Desk;
use super::caller::Caller;
use super::tools::{Action, Claims, Learn};
use crate::agents::{self, Ask, Moment, Owner, lesson, process};
use crate::render::budget::Page;
use crate::render::pages;

/// As long as a command waits: an agent that must not edit waits for nothing.
const WAIT: Duration = Duration::from_secs(4);

/// Who asks: the session that the host names, the handle that the agent gives, or this server.
fn owner(caller: &Caller, given: Option<&str>) -> Owner {
    let given = given.map(str::trim).filter(|given| !given.is_empty());
    let host = caller.host_id();
    match given.and_then(|given| given.split_once(':')).or_else(|| given.map(|given| (host, given))) {
        Some((host, session)) => Owner::new(host, session, None),
        None => match &caller.session {
            Some(session) => Owner::new(host, session, None),
            None => Owner::new(host, &format!("mcp-{}", std::os::unix::process::parent_id()), None),
        },
    }
}

pub(super) fn claims(desk: &Desk, asked: &Claims, caller: &Caller) -> Result<Page, String> {
    let owner = owner(caller, asked.session.as_deref());
    let given = asked.paths.as_deref().unwrap_or_default();
    let paths = agents::wanted(&desk.repo, desk.repo.root(), given).map_err(|e| e.to_string())?;
    match asked.action {
        Action::List => {
            let mut all = agents::claims(&desk.store, WAIT).map_err(|e| e.to_string())?;
            all.retain(|claim| paths.is_empty() || paths.contains(&claim.path));
            Ok(pages::claims(&all, &owner, &Moment::now()))
        }
        Action::Claim if paths.is_empty() => Err("claim what? give `paths`".into()),
        Action::Claim => {
            let process = process::agent();
            let ask = Ask { owner: &owner, paths: &paths, hold: None, process: &process };
            let outcome = agents::claim_by_hand(&desk.store, &ask, WAIT).map_err(|e| e.to_string())?;
            Ok(pages::outcome(&outcome, &paths))
        }
        Action::Release => {
            let gone = agents::release_by_hand(&desk.store, &owner, &paths, false, WAIT);
            Ok(pages::released(&gone.map_err(|e| e.to_string())?))
        }
    }
}

pub(super) fn learn(desk: &Desk, asked: &Learn, caller: &Caller) -> Result<Page, String> {
    let Some(text) = asked.text.as_deref().filter(|text| !text.trim().is_empty()) else {
        return lessons(desk);
    };
    let owner = owner(caller, asked.session.as_deref());
    let lesson = agents::learn_by_hand(&desk.store, &owner, text, asked.about.as_deref(), &process::agent(), WAIT);
    Ok(pages::learned(&lesson.map_err(|e| e.to_string())?))
}

pub(super) fn lessons(desk: &Desk) -> Result<Page, String> {
    Ok(pages::lessons(&lesson::lessons(&desk.store, WAIT).map_err(|e| e.to_string())?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_the_one_that_hooks_know() {
        let caller = |host: &str, session: Option<&str>| Caller {
            host: Some(host.into()),
            session: session.map(str::to_owned),
            call: None,
        };
        assert_eq!(owner(&caller("claude-code", Some("7f3a")), None).key(), "claude-code:7f3a");
        assert_eq!(owner(&caller("codex-mcp-client", Some("11")), None).key(), "codex:11");
        assert_eq!(owner(&caller("codex-mcp-client", None), Some("cursor:9")).key(), "cursor:9");
        assert_eq!(owner(&caller("qwen-code-mcp", None), Some("9")).key(), "qwen-code:9");
        assert!(owner(&caller("", None), None).key().starts_with("mcp:mcp-"));
    }
}
