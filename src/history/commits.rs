//! From HEAD back: which commits count, and the facts of each.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use git2::{Odb, Oid};
use rustc_hash::{FxHashMap, FxHashSet};

use super::cache::CommitCache;
use super::object::{self, Object};
use super::trees::{Diff, Trees};
use super::{Change, Commit, CommitHash, History, HistoryError, Identity, PathNo, Touch, renames};
use crate::repo::{Repo, path};

/// How many facts of unreachable commits are kept for the way back.
const SPARE: usize = 1000;

/// The newest `depth` commits reachable from HEAD. Only commits that `cache` does not know are read.
///
/// "Newest": going back from HEAD, always to the commit with the latest committer's time among those that a
/// commit taken before names as parent.
///
/// # Errors
/// git's data is damaged. No git, no commit yet, a shallow or partial clone are no errors.
pub fn commits(repo: &Repo, depth: usize, cache: &CommitCache) -> Result<Arc<History>, HistoryError> {
    let wrong = |source| HistoryError::Object { path: repo.root().to_owned(), source };
    let Some(git) = repo.git()? else { return Ok(Arc::new(History::default())) };
    let head = match git.head() {
        Ok(head) => Some(CommitHash::of(head.peel_to_commit().map_err(wrong)?.id())),
        Err(e) if matches!(e.code(), git2::ErrorCode::UnbornBranch | git2::ErrorCode::NotFound) => None,
        Err(e) => return Err(wrong(e)),
    };
    let shallow = shallow(&git);
    let depth_key = depth as u64;
    if let Some(last) = cache.last()
        && (last.head, last.depth) == (head, depth_key)
        && last.shallow == shallow
    {
        let people = people(&git, &last.identities);
        if people == last.people {
            return Ok(Arc::clone(last));
        }
        return Ok(Arc::new(History { people, ..History::clone(last) }));
    }
    let odb = git.odb().map_err(wrong)?;
    let known = Known::new(cache.last().map(Arc::as_ref), &shallow);
    let mut walk = Walk { odb: &odb, known: &known, shallow: &shallow, nodes: FxHashMap::default() };
    let order = match head {
        Some(head) => walk.newest(head, depth).map_err(wrong)?,
        None => Vec::new(),
    };
    let mut build =
        Build { history: History::default(), paths: FxHashMap::default(), identities: FxHashMap::default() };
    let mut remap = Remap::default();
    let mut trees = Trees::new(&odb);
    let mut taken = FxHashSet::default();
    for hash in order {
        taken.insert(hash);
        let commit = match walk.nodes.remove(&hash).map(|n| n.source) {
            Some(Source::Known(commit)) => build.adopt(commit, known.history, &mut remap),
            Some(Source::Read(object, cut_off)) => build.make(&odb, &mut trees, hash, *object, cut_off),
            None => continue,
        };
        build.history.commits.push(commit);
    }
    let mut spare: Vec<&Commit> = known.commits.values().copied().filter(|c| !taken.contains(&c.hash)).collect();
    spare.sort_unstable_by_key(|c| (Reverse(c.at), c.hash));
    for commit in spare.into_iter().take(SPARE) {
        let commit = build.adopt(commit, known.history, &mut remap);
        build.history.spare.push(commit);
    }
    let people = people(&git, &build.history.identities);
    Ok(Arc::new(History { head, depth: depth_key, shallow, people, ..build.history }))
}

/// Where a shallow clone was cut; sorted.
fn shallow(git: &git2::Repository) -> Vec<CommitHash> {
    let text = std::fs::read_to_string(git.commondir().join("shallow")).unwrap_or_default();
    let mut list: Vec<CommitHash> =
        text.lines().filter_map(|l| Oid::from_str(l.trim()).ok()).map(CommitHash::of).collect();
    list.sort_unstable();
    list
}

/// Who the authors are by `.mailmap`.
fn people(git: &git2::Repository, identities: &[Identity]) -> Vec<Identity> {
    let mailmap = git.mailmap().ok();
    let resolve = |identity: &Identity| {
        let signature = git2::Signature::new(&identity.name, &identity.email, &git2::Time::new(0, 0)).ok()?;
        let person = mailmap.as_ref()?.resolve_signature(&signature).ok()?;
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Some(Identity { name: text(person.name_bytes()), email: text(person.email_bytes()) })
    };
    identities.iter().map(|identity| resolve(identity).unwrap_or_else(|| identity.clone())).collect()
}

/// Cached facts by hash.
struct Known<'a> {
    history: Option<&'a History>,
    commits: FxHashMap<CommitHash, &'a Commit>,
}

impl<'a> Known<'a> {
    fn new(history: Option<&'a History>, shallow: &[CommitHash]) -> Self {
        // A commit that was cut off then and is not now (or the other way round) is read again.
        let holds = |c: &&Commit| !c.cut_off && shallow.binary_search(&c.hash).is_err();
        let commits = history
            .into_iter()
            .flat_map(|h| h.commits.iter().chain(&h.spare))
            .filter(holds)
            .map(|c| (c.hash, c))
            .collect();
        Known { history, commits }
    }
}

enum Source<'a> {
    Known(&'a Commit),
    /// The object, and whether its parents are cut off.
    Read(Box<Object>, bool),
}

struct Node<'a> {
    at: i64,
    parents: Vec<CommitHash>,
    source: Source<'a>,
}

struct Walk<'a> {
    odb: &'a Odb<'a>,
    known: &'a Known<'a>,
    shallow: &'a [CommitHash],
    nodes: FxHashMap<CommitHash, Node<'a>>,
}

type Queue = BinaryHeap<(i64, Reverse<CommitHash>)>;

impl Walk<'_> {
    fn newest(&mut self, head: CommitHash, depth: usize) -> Result<Vec<CommitHash>, git2::Error> {
        let mut queue = Queue::new();
        self.reach(head)?;
        queue.push((self.nodes[&head].at, Reverse(head)));
        let mut taken = FxHashSet::default();
        while taken.len() < depth
            && let Some((_, Reverse(hash))) = queue.pop()
        {
            taken.insert(hash);
            let mut missing = false;
            for parent in self.nodes[&hash].parents.clone() {
                if self.nodes.contains_key(&parent) {
                    continue;
                }
                match self.reach(parent) {
                    Ok(()) => queue.push((self.nodes[&parent].at, Reverse(parent))),
                    Err(e) if e.code() == git2::ErrorCode::NotFound => missing = true,
                    Err(e) => return Err(e),
                }
            }
            if missing
                && let Some(node) = self.nodes.get_mut(&hash)
                && let Source::Read(_, cut_off) = &mut node.source
            {
                *cut_off = true;
            }
        }
        Ok(self.children_first(&taken))
    }

    fn reach(&mut self, hash: CommitHash) -> Result<(), git2::Error> {
        let node = match self.known.commits.get(&hash) {
            Some(commit) => Node { at: commit.at, parents: commit.parents.clone(), source: Source::Known(commit) },
            None => {
                let object = object::read(self.odb, hash)?;
                let cut_off = self.shallow.binary_search(&hash).is_ok();
                let parents = if cut_off { Vec::new() } else { object.parents.clone() };
                Node { at: object.at, parents, source: Source::Read(Box::new(object), cut_off) }
            }
        };
        self.nodes.insert(hash, node);
        Ok(())
    }

    /// Clocks may be wrong: children before parents comes first, then time.
    fn children_first(&self, taken: &FxHashSet<CommitHash>) -> Vec<CommitHash> {
        let mut children: FxHashMap<CommitHash, usize> = taken.iter().map(|hash| (*hash, 0)).collect();
        for hash in taken {
            for parent in &self.nodes[hash].parents {
                if let Some(count) = children.get_mut(parent) {
                    *count += 1;
                }
            }
        }
        let mut queue: Queue =
            children.iter().filter(|(_, n)| **n == 0).map(|(hash, _)| (self.nodes[hash].at, Reverse(*hash))).collect();
        let mut order = Vec::with_capacity(taken.len());
        while let Some((_, Reverse(hash))) = queue.pop() {
            order.push(hash);
            for parent in &self.nodes[&hash].parents {
                if let Some(count) = children.get_mut(parent) {
                    *count -= 1;
                    if *count == 0 {
                        queue.push((self.nodes[parent].at, Reverse(*parent)));
                    }
                }
            }
        }
        order
    }
}

/// From the cached history's numbers to the new one's.
#[derive(Default)]
struct Remap {
    paths: FxHashMap<PathNo, PathNo>,
    identities: FxHashMap<u32, u32>,
}

struct Build {
    history: History,
    paths: FxHashMap<String, PathNo>,
    identities: FxHashMap<Identity, u32>,
}

impl Build {
    fn path(&mut self, path: String) -> PathNo {
        let list = &mut self.history.paths;
        *self.paths.entry(path).or_insert_with_key(|path| {
            list.push(path.clone());
            PathNo(list.len() as u32 - 1)
        })
    }

    fn identity(&mut self, identity: Identity) -> u32 {
        let list = &mut self.history.identities;
        *self.identities.entry(identity).or_insert_with_key(|identity| {
            list.push(identity.clone());
            list.len() as u32 - 1
        })
    }

    /// Takes over cached facts.
    fn adopt(&mut self, commit: &Commit, from: Option<&History>, remap: &mut Remap) -> Commit {
        let mut commit = commit.clone();
        let Some(from) = from else { return commit };
        commit.author = match remap.identities.get(&commit.author) {
            Some(known) => *known,
            None => {
                let new = self.identity(from.identities[commit.author as usize].clone());
                remap.identities.insert(commit.author, new);
                new
            }
        };
        let mut renumber = |old: PathNo| match remap.paths.get(&old) {
            Some(known) => *known,
            None => {
                let new = self.path(from.path(old).to_owned());
                remap.paths.insert(old, new);
                new
            }
        };
        for touch in &mut commit.touched {
            touch.path = renumber(touch.path);
            if let Change::Rename { from } = &mut touch.change {
                *from = renumber(*from);
            }
        }
        commit
    }

    /// Makes facts of a commit object.
    fn make(
        &mut self,
        odb: &Odb<'_>,
        trees: &mut Trees<'_>,
        hash: CommitHash,
        object: Object,
        mut cut_off: bool,
    ) -> Commit {
        let author = self.identity(object.author.clone());
        let (mut touched, mut too_large) = (Vec::new(), false);
        if !cut_off && object.parents.len() < 2 {
            match self.touched(odb, trees, &object) {
                Ok(Some(list)) => touched = list,
                Ok(None) => too_large = true,
                Err(_) => cut_off = true,
            }
        }
        let Object { parents, at, subject, body, .. } = object;
        Commit { hash, parents, at, author, subject, body, touched, cut_off, too_large }
    }

    /// `None` when there are too many to look at.
    fn touched(
        &mut self,
        odb: &Odb<'_>,
        trees: &mut Trees<'_>,
        object: &Object,
    ) -> Result<Option<Vec<Touch>>, git2::Error> {
        let parent = match object.parents.first() {
            Some(parent) => Some(object::read(odb, *parent)?.tree),
            None => None,
        };
        let changes = match trees.diff(parent, Some(object.tree))? {
            Diff::Changes(changes) => changes,
            Diff::TooLarge => return Ok(None),
        };
        // For each change, the other half of the rename.
        let mut renamed = vec![None; changes.len()];
        for (old, new) in renames::find(odb, &changes) {
            (renamed[old], renamed[new]) = (Some(new), Some(old));
        }
        let mut touched = Vec::with_capacity(changes.len());
        for (change, other) in changes.iter().zip(renamed) {
            if change.new.is_none() && other.is_some() {
                continue;
            }
            // In the order in which cached facts are numbered again.
            let path = self.path(path::encode(&change.path));
            let change = match (other, change.old, change.new) {
                (Some(old), ..) => Change::Rename { from: self.path(path::encode(&changes[old].path)) },
                (None, None, _) => Change::Add,
                (None, _, None) => Change::Delete,
                _ => Change::Modify,
            };
            touched.push(Touch { path, change });
        }
        Ok(Some(touched))
    }
}
