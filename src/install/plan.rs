//! What installing or leaving would change, worked out without touching anything.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use diffy::DiffOptions;

use super::edit::Form;
use super::record::{FileRecord, Record};
use super::{Part, Place, Platform, Role, Scope, ours, write};

/// Whose entry: a platform's name, and what it is for.
pub type Owner = (&'static str, Role);

/// One file that is to change.
#[derive(Clone, Debug)]
pub struct Change {
    /// As the platform names it.
    pub file: PathBuf,
    /// Where that leads to through links.
    pub target: PathBuf,
    /// What there is.
    pub before: Option<Vec<u8>>,
    /// What is to be; `None`: no file.
    pub after: Option<Vec<u8>>,
    /// For a new file.
    pub mode: u32,
    /// Whose entries change.
    pub owners: Vec<Owner>,
}

/// A file that stays as it is, and why.
#[derive(Clone, Debug)]
pub struct Refusal {
    /// The file.
    pub file: PathBuf,
    /// Whose entries would have changed.
    pub owners: Vec<Owner>,
    /// The reason, and what to do.
    pub why: String,
}

/// What would be done.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Files that change.
    pub changes: Vec<Change>,
    /// Files that are right already.
    pub current: Vec<(PathBuf, Vec<Owner>)>,
    /// Files that cannot be changed.
    pub refused: Vec<Refusal>,
    /// The record as it will be; for leaving, what is written when all went well.
    pub record: Record,
}

impl Change {
    /// The change as people read it: a unified diff.
    pub fn diff(&self) -> String {
        let text =
            |bytes: &Option<Vec<u8>>| bytes.as_deref().map(String::from_utf8_lossy).unwrap_or_default().into_owned();
        let name = |there: bool| if there { self.file.display().to_string() } else { "/dev/null".to_owned() };
        let (old, new) = (text(&self.before), text(&self.after));
        let mut options = DiffOptions::new();
        options.set_original_filename(name(self.before.is_some())).set_modified_filename(name(self.after.is_some()));
        options.create_patch(&old, &new).to_string()
    }
}

/// Parts for one file.
struct Group {
    target: PathBuf,
    parts: Vec<(&'static str, Part)>,
}

impl Group {
    fn owners(&self) -> Vec<Owner> {
        self.parts.iter().map(|(id, part)| (*id, part.role)).collect()
    }

    fn file(&self) -> &Path {
        self.parts.first().map_or(&self.target, |(_, part)| &part.file)
    }
}

fn groups(place: Place<'_>, platforms: &[&'static dyn Platform], roles: &[Role]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for platform in platforms {
        for part in platform.parts(place).into_iter().filter(|part| roles.contains(&part.role)) {
            let target = write::target(&part.file);
            let group = groups.iter().position(|g| g.target == target).unwrap_or_else(|| {
                groups.push(Group { target, parts: Vec::new() });
                groups.len() - 1
            });
            groups[group].parts.push((platform.id(), part));
        }
    }
    groups
}

/// What installing for these platforms would change.
pub fn install(place: Place<'_>, platforms: &[&'static dyn Platform], roles: &[Role]) -> Plan {
    let mut plan = Plan { record: Record::load(place.machine), ..Plan::default() };
    for group in groups(place, platforms, roles) {
        let refuse = |owners: Vec<Owner>, why: String| Refusal { file: group.file().to_owned(), owners, why };
        let before = match write::read(&group.target) {
            Ok(before) => before,
            Err(error) => {
                plan.refused.push(refuse(group.owners(), error.to_string()));
                continue;
            }
        };
        let known = before.as_deref().is_some_and(|bytes| group.parts.iter().any(|(_, p)| p.form.is_in(bytes)));
        let mut file = if known {
            // Of entries that are there without a record nothing is known.
            let unknown = || FileRecord { project: place.project.map(Path::to_owned), ..FileRecord::default() };
            plan.record.files.get(&group.target).cloned().unwrap_or_else(unknown)
        } else {
            FileRecord {
                created: before.is_none(),
                project: place.project.map(Path::to_owned),
                made: Some(super::Made::default()),
                ..FileRecord::default()
            }
        };
        let mut made = file.made.clone().unwrap_or_default();
        let mut after = before.clone();
        let mut owners = Vec::new();
        let mut mode = if place.scope() == Scope::User { 0o600 } else { 0o644 };
        for (id, part) in &group.parts {
            match part.form.install(after.as_deref(), &mut made) {
                Ok(bytes) => {
                    after = Some(bytes);
                    owners.push((*id, part.role));
                    file.roles.entry(part.role).or_default().insert((*id).to_owned());
                    if matches!(part.form, Form::Own { executable: true, .. }) {
                        mode |= (mode & 0o444) >> 2;
                    }
                }
                Err(trouble) => plan.refused.push(refuse(vec![(*id, part.role)], trouble.to_string())),
            }
        }
        if owners.is_empty() {
            continue;
        }
        file.made = file.made.is_some().then_some(made);
        if after == before {
            plan.current.push((group.file().to_owned(), owners));
        } else {
            if let Err(error) = write::may_replace(&group.target) {
                plan.refused.push(refuse(owners, error.to_string()));
                continue;
            }
            let (file, target) = (group.file().to_owned(), group.target.clone());
            plan.record.folders.extend(missing_folders(&target));
            plan.changes.push(Change { file, target, before, after, mode, owners });
        }
        plan.record.files.insert(group.target, file);
    }
    plan
}

/// What leaving would change: all that is ours in the files of these platforms, and in those that the record names.
pub fn remove(place: Place<'_>, platforms: &[&'static dyn Platform], roles: &[Role]) -> Plan {
    let record = Record::load(place.machine);
    let mut plan = Plan { record: record.clone(), ..Plan::default() };
    let mut groups = groups(place, platforms, roles);
    recorded(&record, place, platforms, roles, &mut groups);
    for mut group in groups {
        let known = record.files.get(&group.target);
        // An entry that several platforms share stays as long as one of them has it.
        let leaving = |role: Role| -> bool {
            let others = known.and_then(|file| file.roles.get(&role)).into_iter().flatten();
            !others.into_iter().any(|id| !platforms.iter().any(|p| p.id() == id))
        };
        let stays: BTreeSet<Role> = group.parts.iter().map(|(_, p)| p.role).filter(|role| !leaving(*role)).collect();
        let owners = group.owners();
        group.parts.retain(|(_, part)| !stays.contains(&part.role));
        let file = group.parts.first().map_or(group.target.clone(), |(_, part)| part.file.clone());
        let forget = |plan: &mut Plan| {
            let Some(known) = plan.record.files.get_mut(&group.target) else { return };
            for (id, role) in &owners {
                if let Some(ids) = known.roles.get_mut(role) {
                    ids.remove(*id);
                }
            }
            known.roles.retain(|_, ids| !ids.is_empty());
            if known.roles.is_empty() {
                plan.record.files.remove(&group.target);
            }
        };
        let refuse = |why: String| Refusal { file: file.clone(), owners: owners.clone(), why };
        let before = match write::read(&group.target) {
            Ok(Some(before)) => before,
            Ok(None) => {
                forget(&mut plan);
                continue;
            }
            Err(error) => {
                if known.is_some() {
                    plan.refused.push(refuse(error.to_string()));
                }
                continue;
            }
        };
        let made = known.and_then(|file| file.made.as_ref());
        let (mut bytes, mut is_empty, mut found, mut trouble) = (before.clone(), false, false, None);
        for (_, part) in &group.parts {
            match part.form.remove(&bytes, made) {
                Ok(left) => {
                    found |= left.found;
                    is_empty = left.is_empty;
                    bytes = left.bytes;
                }
                Err(error) => trouble = Some(error),
            }
        }
        if let Some(error) = trouble {
            // A broken file that never was ours is no concern of ours.
            if known.is_some() || memchr::memmem::find(&before, ours::PROGRAM.as_bytes()).is_some() {
                plan.refused.push(refuse(error.to_string()));
            }
            continue;
        }
        if !found {
            forget(&mut plan);
            continue;
        }
        if let Err(error) = write::may_replace(&group.target) {
            plan.refused.push(refuse(error.to_string()));
            continue;
        }
        let own = group.parts.iter().any(|(_, part)| matches!(part.form, Form::Own { .. }));
        let gone =
            is_empty && (own || known.is_some_and(|f| f.created)) || known.is_none() && is_spent(&group.target, &bytes);
        forget(&mut plan);
        plan.changes.push(Change {
            file,
            target: group.target.clone(),
            before: Some(before),
            after: (!gone).then_some(bytes),
            mode: 0o600,
            owners,
        });
    }
    plan
}

/// Adds the files that the record names and the platforms do not: a rules block where another file comes first by now.
fn recorded(
    record: &Record,
    place: Place<'_>,
    platforms: &[&'static dyn Platform],
    roles: &[Role],
    groups: &mut Vec<Group>,
) {
    for (target, file) in &record.files {
        if file.project.as_deref() != place.project {
            continue;
        }
        for (role, ids) in file.roles.iter().filter(|(role, _)| roles.contains(role)) {
            for platform in platforms.iter().filter(|p| ids.contains(p.id())) {
                let group = groups.iter().position(|g| g.target == *target).unwrap_or_else(|| {
                    groups.push(Group { target: target.clone(), parts: Vec::new() });
                    groups.len() - 1
                });
                let group = &mut groups[group];
                if group.parts.iter().any(|(id, part)| *id == platform.id() && part.role == *role) {
                    continue;
                }
                let parts = platform.parts(place).into_iter().filter(|part| part.role == *role);
                group.parts.extend(parts.take(1).map(|part| (platform.id(), Part { file: target.clone(), ..part })));
            }
        }
    }
}

/// A file named for us in which nothing runs any more.
fn is_spent(target: &Path, bytes: &[u8]) -> bool {
    let named = |path: &Path| path.file_stem().is_some_and(|name| name.to_string_lossy().starts_with(ours::PROGRAM));
    let ours_by_name = named(target) || target.ancestors().skip(1).take(2).any(named);
    ours_by_name && serde_json::from_slice(bytes).is_ok_and(|value| ours::commands(&value).is_empty())
}

/// The folders above a file that are not there.
fn missing_folders(file: &Path) -> impl Iterator<Item = PathBuf> + '_ {
    file.ancestors().skip(1).take_while(|folder| !folder.exists()).map(Path::to_owned)
}
