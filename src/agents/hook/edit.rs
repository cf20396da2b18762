//! Before an edit: the claim.

use std::path::PathBuf;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::{CLAIM, Hook, MARGIN, RECORD, patient};
use crate::agents::claim::{Ask, Outcome, claim};
use crate::agents::clock::Moment;
use crate::agents::engine::{self, apart};
use crate::agents::place;
use crate::agents::record::Kind;
use crate::agents::state::{self, Claimed};
use crate::config::{Config, Conflict};
use crate::hooks::{Reply, ToolUse};
use crate::render::line::one_line;
use crate::store::Layout;

/// What the engine's process says of a claim.
#[derive(Serialize, Deserialize)]
enum Decided {
    Granted { notes: Vec<String>, at: Moment },
    Taken { message: String, by: String },
    Failed(String),
}

impl Hook<'_> {
    pub(super) fn claim(&self, tool: &ToolUse) -> Reply {
        let paths = self.paths(tool);
        if paths.is_empty() {
            return Reply::Nothing;
        }
        let conflict = Config::load(&self.repo).map_or(Conflict::Deny, |config| config.conflict);
        if conflict == Conflict::Off {
            return Reply::Nothing;
        }
        self.wake_indexer_if_none();
        let names: Vec<String> = paths.iter().map(|(path, _)| path.clone()).collect();
        let begun = Instant::now();
        let decided = apart(&self.layout, patient(CLAIM), || {
            if let Err(error) = self.repo.check_folder() {
                return Decided::Failed(error.to_string());
            }
            let ask = Ask { owner: &self.owner, paths: &names, hold: None, process: &self.process };
            match claim(&self.store(), &ask, patient(CLAIM) - MARGIN) {
                Ok(Outcome::Granted { notes, at }) => Decided::Granted { notes, at },
                Ok(Outcome::Taken { message, by, .. }) => Decided::Taken { message, by: by.owner.key() },
                Err(error) => Decided::Failed(error.to_string()),
            }
        });
        let mut record = self.record_of(Kind::Granted, tool);
        let ms = begun.elapsed().as_millis();
        match decided {
            Ok(Decided::Granted { notes, at }) => {
                record.at = at;
                self.journal(&record);
                self.log(&format!("granted {} ({ms} ms)", names.join(", ")));
                self.remember(&paths);
                let mut notes = notes;
                notes.extend(self.elsewhere(&names));
                if notes.is_empty() { Reply::Nothing } else { self.tell(notes.join("\n")) }
            }
            Ok(Decided::Taken { message, by }) => {
                let mut record = self.record_of(Kind::Denied, tool);
                record.detail = by;
                self.journal(&record);
                self.log(&format!("denied {} ({ms} ms)", names.join(", ")));
                match conflict {
                    Conflict::Deny => Reply::Deny(message),
                    Conflict::Ask => Reply::Ask(message),
                    Conflict::Note | Conflict::Off => self.tell(message),
                }
            }
            Ok(Decided::Failed(why)) => self.unknown(tool, &names, &why),
            Err(error) => self.unknown(tool, &names, &error.to_string()),
        }
    }

    /// It could not be told who has the files: the agent goes on, and is told so once a session.
    fn unknown(&self, tool: &ToolUse, names: &[String], why: &str) -> Reply {
        let mut record = self.record_of(Kind::Unknown, tool);
        record.detail = one_line(why, 200);
        self.journal(&record);
        self.log(&format!("unknown {}: {why}", names.join(", ")));
        self.told_once("could not check whether another agent edits this file; going on without")
    }

    pub(super) fn told_once(&self, what: &str) -> Reply {
        let Some(mut held) = state::hold(&self.layout, &self.owner, RECORD) else { return Reply::Nothing };
        if std::mem::replace(&mut held.state.told, true) {
            return Reply::Nothing;
        }
        held.save();
        let advice = if engine::is_skipped(&self.layout) {
            " (the graph is damaged: `portolan status` says what to do)"
        } else {
            ""
        };
        Reply::Context(format!("[portolan] {what}{advice}."))
    }

    /// The same path in another work tree is another file: a note, and no more.
    fn elsewhere(&self, names: &[String]) -> Option<String> {
        self.repo.other_worktrees().iter().find_map(|root| {
            let layout = Layout::open(root, false).ok()?;
            let (path, owner) = state::claimed_in(&layout, names)?;
            Some(format!(
                "[portolan] {} is also being edited in the work tree {} by {}; the two will have to be merged.",
                one_line(&path, 160),
                one_line(&root.to_string_lossy(), 160),
                one_line(&owner, 80),
            ))
        })
    }

    fn remember(&self, paths: &[(String, PathBuf)]) {
        let Some(mut held) = state::hold(&self.layout, &self.owner, RECORD) else { return };
        held.state.owner = self.owner.shown();
        for (path, real) in paths {
            let claimed = Claimed { hash: place::hash(real), agent: self.owner.agent(), open: true };
            held.state.claimed.insert(path.clone(), claimed);
        }
        held.save();
    }
}
