//! Portolan's entries in the settings of coding agents: what each platform can do, what it gets, and how it is put in
//! and taken out again.
//!
//! A platform (one small file each) only says which files get what. [`plan`] reads the files and works out what they
//! would be, without touching anything; [`apply`] writes.

pub mod apply;
mod block;
mod edit;
mod json;
mod machine;
pub mod ours;
pub mod plan;
mod platforms;
pub mod purge;
pub mod record;
mod rules;
mod shapes;
mod toml;
pub mod write;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub use edit::{Form, Made, Trouble};
pub use json::Entry;
pub use machine::{Machine, NoHome};
pub use platforms::PLATFORMS;
pub use toml::Table;

/// Whose settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scope {
    /// The user's, for all repositories.
    User,
    /// One repository's: files that a team shares.
    Project,
}

/// What a part is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The server entry.
    Mcp,
    /// The hooks.
    Hooks,
    /// Words for the model, where hooks cannot reach it.
    Rules,
}

/// What one file gets for one purpose.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The purpose.
    pub role: Role,
    /// The file, as the platform names it.
    pub file: PathBuf,
    /// What goes into it.
    pub form: Form,
}

/// Where it is installed: a machine, and for [`Scope::Project`] a repository.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The machine.
    pub machine: &'a Machine,
    /// The repository's root, in that scope.
    pub project: Option<&'a Path>,
}

/// How a platform shows that it is used here.
#[derive(Clone, Debug, Default)]
pub struct Signs {
    /// Files and folders that it makes.
    pub paths: Vec<PathBuf>,
    /// Its programs.
    pub programs: &'static [&'static str],
}

/// One coding agent.
pub trait Platform: Sync {
    /// Its name on the command line, and the one that the hooks are called with.
    fn id(&self) -> &'static str;

    /// Its name for people.
    fn title(&self) -> &'static str;

    /// How to tell that it is used on this machine.
    fn signs(&self, machine: &Machine) -> Signs;

    /// Which files get what; empty where this scope does not exist.
    fn parts(&self, place: Place<'_>) -> Vec<Part>;

    /// What the user has to do or know afterwards.
    fn notes(&self, _scope: Scope) -> Vec<&'static str> {
        Vec::new()
    }

    /// What of an installation the platform does not run before the user accepts it, and what to do about it.
    fn untrusted(&self, _place: Place<'_>) -> Option<(String, String)> {
        None
    }

    /// What shows that the platform is used here, if anything does.
    fn found(&self, machine: &Machine) -> Option<PathBuf> {
        let signs = self.signs(machine);
        let program = signs.programs.iter().find_map(|name| machine.which(name));
        signs.paths.into_iter().find(|path| path.exists()).or(program)
    }
}

/// The platform of that name.
pub fn by_id(id: &str) -> Option<&'static dyn Platform> {
    PLATFORMS.iter().copied().find(|p| p.id() == id)
}

impl Place<'_> {
    /// Its scope.
    pub fn scope(&self) -> Scope {
        if self.project.is_some() { Scope::Project } else { Scope::User }
    }

    /// The program as it is written into a file of this scope: a shared file names it without a path.
    pub fn program(&self) -> String {
        match self.project {
            Some(_) => ours::PROGRAM.to_owned(),
            None => self.machine.program().to_string_lossy().into_owned(),
        }
    }

    /// The command line of a hook, for platforms that hand it to a shell.
    pub fn hook_line(&self, host: &str, event: &str) -> String {
        let program = self.program();
        let program = shlex::try_quote(&program).map_or_else(|_| ours::PROGRAM.to_owned(), |p| p.into_owned());
        format!("{program} hook --host {host} {}", kebab(event))
    }

    /// The same where a program that is not there (a colleague's machine, a cloud agent's) would forbid the edit: its
    /// exit code is not passed on. Only for hosts that are told of a refusal by what the hook prints.
    fn open_hook_line(&self, host: &str, event: &str) -> String {
        let line = self.hook_line(host, event);
        if event.eq_ignore_ascii_case("pretooluse") { format!("{line} || true") } else { line }
    }

    /// A file of the user's folder `user`, or of the repository.
    fn file(&self, user: PathBuf, project: &str) -> PathBuf {
        match self.project {
            Some(root) => root.join(project),
            None => user,
        }
    }

    fn home(&self, path: &str) -> PathBuf {
        self.machine.home().join(path)
    }
}

/// `PreToolUse`, `preToolUse` and `pre_tool_use` are `pre-tool-use`.
pub fn kebab(event: &str) -> String {
    let mut name = String::with_capacity(event.len() + 4);
    for c in event.chars() {
        if c.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(if c == '_' || c == '.' { '-' } else { c.to_ascii_lowercase() });
    }
    name
}
