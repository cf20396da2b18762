//! The machine that is installed on: its folders, programs and variables, and Portolan's own path.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::ours::PROGRAM;

/// What installing looks at outside the settings files.
#[derive(Clone, Debug)]
pub struct Machine {
    home: PathBuf,
    variables: BTreeMap<String, OsString>,
    program: PathBuf,
    mac: bool,
}

/// The variables that move a platform's files or say where programs are.
const VARIABLES: [&str; 9] = [
    "PATH",
    "XDG_CONFIG_HOME",
    "XDG_STATE_HOME",
    "CLAUDE_CONFIG_DIR",
    "CODEX_HOME",
    "COPILOT_HOME",
    "CLINE_DATA_DIR",
    "KIMI_CODE_HOME",
    "OPENCODE_CONFIG_DIR",
];

/// There is no home folder.
#[derive(Debug, thiserror::Error)]
#[error("HOME is not set to an absolute path, so the agents' settings cannot be found; set it and run it again")]
pub struct NoHome;

impl Machine {
    /// This machine, as this process sees it.
    ///
    /// # Errors
    /// [`NoHome`].
    pub fn this() -> Result<Machine, NoHome> {
        let home = std::env::var_os("HOME").map(PathBuf::from).filter(|h| h.is_absolute()).ok_or(NoHome)?;
        let set = |name: &&str| Some(((*name).to_owned(), std::env::var_os(name).filter(|v| !v.is_empty())?));
        let variables: BTreeMap<String, OsString> = VARIABLES.iter().filter_map(set).collect();
        let exe = std::env::current_exe().unwrap_or_else(|_| PROGRAM.into());
        let program = stable(&exe, variables.get("PATH"));
        Ok(Machine { home, variables, program, mac: cfg!(target_os = "macos") })
    }

    /// A machine with this home folder, where no variable moves anything and nothing is on the path.
    pub fn at(home: &Path, program: &Path) -> Machine {
        let mac = cfg!(target_os = "macos");
        Machine { home: home.to_owned(), variables: BTreeMap::new(), program: program.to_owned(), mac }
    }

    /// The user's home folder.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// Portolan's own file, by a path that a new version keeps.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// A folder that a variable names, else one in the home folder.
    pub fn folder(&self, variable: &str, in_home: &str) -> PathBuf {
        self.absolute(variable).unwrap_or_else(|| self.home.join(in_home))
    }

    /// `~/.config`.
    pub fn config_home(&self) -> PathBuf {
        self.folder("XDG_CONFIG_HOME", ".config")
    }

    /// `~/.local/state`.
    pub fn state_home(&self) -> PathBuf {
        self.folder("XDG_STATE_HOME", ".local/state")
    }

    /// Where a desktop program of that name keeps its settings.
    pub fn application(&self, name: &str) -> PathBuf {
        if self.mac { self.home.join("Library/Application Support").join(name) } else { self.config_home().join(name) }
    }

    /// A variable that holds an absolute path.
    pub fn absolute(&self, variable: &str) -> Option<PathBuf> {
        self.variables.get(variable).map(PathBuf::from).filter(|p| p.is_absolute())
    }

    /// The program of that name that the shell would find.
    pub fn which(&self, name: &str) -> Option<PathBuf> {
        on_path(name, self.variables.get("PATH")).next()
    }

    /// All programs of that name on the path.
    pub fn all(&self, name: &str) -> Vec<PathBuf> {
        on_path(name, self.variables.get("PATH")).collect()
    }
}

fn on_path<'a>(name: &'a str, path: Option<&'a OsString>) -> impl Iterator<Item = PathBuf> + 'a {
    use std::os::unix::fs::PermissionsExt;
    let folders = path.into_iter().flat_map(|path| std::env::split_paths(path).collect::<Vec<_>>());
    folders.filter(|f| f.is_absolute()).map(move |f| f.join(name)).filter(|file| {
        std::fs::metadata(file).is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
    })
}

/// A link on the path to this program outlives a new version (`/opt/homebrew/bin/portolan`), the file that it leads to
/// may not.
fn stable(exe: &Path, path: Option<&OsString>) -> PathBuf {
    let real = exe.canonicalize().unwrap_or_else(|_| exe.to_owned());
    let same = |found: &PathBuf| found.canonicalize().is_ok_and(|found| found == real);
    let found = on_path(PROGRAM, path).find(same).unwrap_or_else(|| exe.to_owned());
    // `/usr//bin` names the same folder; Cursor takes what follows `//` for a comment.
    found.components().collect()
}
