//! What a working copy holds that no remote has: changes, files, stashes and commits.
//!
//! The copy is an agent's, so it is read by libgit2 alone, which runs nothing that it configures. What it says of its
//! remotes is believed, but for other chats' clones, which are deleted like this one, and for
//! the checkout that it came from, if that has a remote of its own.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use git2::{
    IndexEntryExtendedFlag, IndexEntryFlag, IndexTime, Oid, Repository, RepositoryOpenFlags, Sort, Status,
    StatusOptions,
};

use super::{Error, executable_bits, read};

/// Submodules in submodules and so on are followed so far.
const DEEPEST: usize = 5;
/// Refs that are a remote's, or counted by themselves.
const ELSEWHERE: [&str; 4] = ["refs/remotes/", "refs/prefetch/", "refs/tags/", "refs/stash"];
pub(super) const SUBMODULE: u32 = 0o160_000;

/// What is in no remote, each kind counted by itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unsaved {
    /// A repository without files. It may be a copy of its remote's branches, and does not know what is pushed.
    pub bare: bool,
    /// Tracked files that differ from the last commit.
    pub changed: usize,
    /// Files and whole directories that git does not track.
    pub untracked: Vec<String>,
    /// Those that git was told to ignore. What is kept as project setup is left out.
    pub ignored: Vec<String>,
    pub stashes: usize,
    pub commits: Vec<Unpushed>,
    pub submodules: Vec<(String, Unsaved)>,
}

/// Commits of one branch, or of what else they are reached by, that are not counted with a branch before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpushed {
    pub on: String,
    pub count: usize,
    /// Another repository that has all of them.
    pub also_in: Option<PathBuf>,
}

/// What the judgement needs to know beside the working copy.
pub struct UnsavedContext<'a> {
    /// Where chats lie: a remote in there is no remote.
    pub chats: &'a Path,
    /// Other places on this machine that are no remote, though the working copy may call them so: the caches, and the
    /// checkout that it was cloned from, if that has a remote of its own.
    pub no_remotes: &'a [PathBuf],
    /// Repositories that stay when the working copy goes.
    pub staying: &'a [PathBuf],
    /// The cache that it was cloned from, for the tags of its origin.
    pub cache: Option<&'a Path>,
    /// Whether an ignored file or directory is kept elsewhere as it is.
    pub is_kept: &'a dyn Fn(&Path) -> bool,
}

impl Unsaved {
    pub fn is_empty(&self) -> bool {
        *self == Unsaved::default()
    }
}

/// Judges the working copy at `path`.
pub fn unsaved(path: &Path, beside: &UnsavedContext<'_>) -> Result<Unsaved, Error> {
    let judge = |path: &Path| judge(path, beside, 0);
    judge(path).map_err(|source| Error::Repository {
        path: path.to_path_buf(),
        source,
    })
}

fn open(path: &Path) -> Result<Repository, git2::Error> {
    // Not a parent's repository: in a plain directory there is nothing to judge.
    let none: [&Path; 0] = [];
    Repository::open_ext(path, RepositoryOpenFlags::NO_SEARCH, none)
}

fn judge(path: &Path, beside: &UnsavedContext<'_>, depth: usize) -> Result<Unsaved, git2::Error> {
    let repository = open(path)?;
    let mut found = Unsaved {
        stashes: stashes(&repository),
        commits: commits(&repository, path, beside)?,
        bare: repository.is_bare(),
        ..Unsaved::default()
    };
    if found.bare {
        return Ok(found);
    }
    files(&repository, beside, &mut found)?;
    if depth < DEEPEST {
        found.submodules = submodules(&repository, path, beside, depth)?;
    }
    Ok(found)
}

fn files(repository: &Repository, beside: &UnsavedContext<'_>, found: &mut Unsaved) -> Result<(), git2::Error> {
    let index = repository.index()?;
    show_hidden(repository)?;
    let mut changed = HashSet::new();
    let mut options = StatusOptions::new();
    options
        .include_untracked(true)
        .include_ignored(true)
        .exclude_submodules(true)
        .update_index(false)
        .no_refresh(true);
    for entry in repository.statuses(Some(&mut options))?.iter() {
        let name = || String::from_utf8_lossy(entry.path_bytes()).into_owned();
        match entry.status() {
            Status::CURRENT => {}
            Status::IGNORED if (beside.is_kept)(Path::new(&name())) || is_hollow(repository, &name()) => {}
            Status::IGNORED => found.ignored.push(name()),
            Status::WT_NEW => found.untracked.push(name()),
            Status::WT_DELETED if read::is_left_out(&index, entry.path_bytes()) => {}
            _ => drop(changed.insert(name())),
        }
    }
    changed.extend(executable_bits::changed(repository)?);
    found.changed = changed.len();
    // A directory is mostly what a build made, a file more often somebody's.
    found.ignored.sort_by_key(|name| name.ends_with('/'));
    Ok(())
}

/// Makes git look at the files that it was told to take as unchanged (`--assume-unchanged`, `--skip-worktree`). Only the
/// index in memory is changed.
fn show_hidden(repository: &Repository) -> Result<(), git2::Error> {
    let mut index = repository.index()?;
    let assumed = IndexEntryFlag::VALID.bits();
    let skipped = IndexEntryExtendedFlag::SKIP_WORKTREE.bits();
    let root = repository.workdir().unwrap_or(repository.path());
    let is_hidden = |flags: u16, extended: u16| flags & assumed != 0 || extended & skipped != 0;
    let hidden: Vec<_> = index
        .iter()
        .filter(|entry| is_hidden(entry.flags, entry.flags_extended))
        .filter(|entry| root.join(&*String::from_utf8_lossy(&entry.path)).is_file())
        .collect();
    for mut entry in hidden {
        entry.flags &= !assumed;
        entry.flags_extended &= !skipped;
        // No time of a file is this one, so its content is compared.
        entry.mtime = IndexTime::new(0, 0);
        index.add(&entry)?;
    }
    repository.set_index(&mut index)
}

/// Whether an ignored name is a directory with nothing in it.
fn is_hollow(repository: &Repository, name: &str) -> bool {
    let dir = repository.workdir().filter(|_| name.ends_with('/'));
    let entries = dir.and_then(|root| root.join(name).read_dir().ok());
    entries.is_some_and(|mut entries| entries.next().is_none())
}

fn stashes(repository: &Repository) -> usize {
    let listed = repository.reflog("refs/stash").map_or(0, |log| log.len());
    match repository.find_reference("refs/stash") {
        Ok(_) => listed.max(1),
        Err(_) => 0,
    }
}

/// Commits that are reached by a branch, by HEAD or by a tag of its own, and by nothing that a remote has.
fn commits(repository: &Repository, path: &Path, beside: &UnsavedContext<'_>) -> Result<Vec<Unpushed>, git2::Error> {
    let known = pushed(repository, path, beside)?;
    let tips = tips(repository, beside)?;
    let all: Vec<Oid> = tips.iter().map(|(_, tip)| *tip).collect();
    // One walk, however many refs there are: what is reached only by way of these is told apart below.
    let mut left: HashSet<Oid> = missing(repository, &all, &known)?.into_iter().collect();
    let mut lacking = Vec::new();
    for (on, tip) in tips {
        let commits = take_reached(repository, tip, &mut left)?;
        if !commits.is_empty() {
            lacking.push((on, tip, commits));
        }
    }
    let ends: Vec<Oid> = lacking.iter().map(|(_, tip, _)| *tip).collect();
    let staying = beside.staying.iter().filter(|_| !ends.is_empty());
    let staying: Vec<_> = staying
        .filter_map(|other| Some((other, OtherRepository::read(other, &ends).ok()?)))
        .collect();
    let unpushed = lacking.into_iter().map(|(on, tip, commits)| Unpushed {
        on,
        count: commits.len(),
        also_in: staying
            .iter()
            .find(|(_, other)| other.has_all(tip, &commits))
            .map(|(path, _)| (*path).clone()),
    });
    Ok(unpushed.collect())
}

/// Takes out what `tip` reaches. With a commit that no remote has, no commit above it is in one.
fn take_reached(repository: &Repository, tip: Oid, left: &mut HashSet<Oid>) -> Result<Vec<Oid>, git2::Error> {
    let mut found = Vec::new();
    let mut next = vec![tip];
    while let Some(commit) = next.pop() {
        if left.remove(&commit) {
            next.extend(repository.find_commit(commit)?.parent_ids());
            found.push(commit);
        }
    }
    Ok(found)
}

/// The commits that `tips` reach and `known` do not.
fn missing(repository: &Repository, tips: &[Oid], known: &[Oid]) -> Result<Vec<Oid>, git2::Error> {
    let mut walk = repository.revwalk()?;
    walk.set_sorting(Sort::NONE)?;
    for tip in tips {
        walk.push(*tip)?;
    }
    for oid in known {
        walk.hide(*oid)?;
    }
    walk.collect()
}

/// The current branch first, since the others often stand on it.
fn tips(repository: &Repository, beside: &UnsavedContext<'_>) -> Result<Vec<(String, Oid)>, git2::Error> {
    let head = repository.head().ok();
    let current = head.as_ref().and_then(|head| head.name().ok().map(str::to_string));
    let mut branches = Vec::new();
    let mut tags = Vec::new();
    let theirs = tags_of(beside.cache);
    for reference in repository.references()? {
        let reference = reference?;
        let name = String::from_utf8_lossy(reference.name_bytes()).into_owned();
        let Ok(commit) = reference.peel_to_commit() else {
            continue;
        };
        if let Some(branch) = name.strip_prefix("refs/heads/") {
            branches.push((current.as_ref() != Some(&name), branch.to_string(), commit.id()));
        } else if let Some(tag) = name.strip_prefix("refs/tags/")
            && theirs.get(&name) != Some(&commit.id())
        {
            tags.push((format!("the tag {tag}"), commit.id()));
        } else if let Some(notes) = name.strip_prefix("refs/notes/") {
            tags.push((format!("the notes {notes}"), commit.id()));
        } else if !ELSEWHERE.iter().any(|folder| name.starts_with(folder)) {
            tags.push((format!("the ref {name}"), commit.id()));
        }
    }
    branches.sort();
    let mut tips: Vec<(String, Oid)> = branches.into_iter().map(|(_, name, tip)| (name, tip)).collect();
    let detached = head.filter(|head| !head.is_branch()).and_then(|head| head.target());
    tips.extend(detached.map(|tip| ("no branch".to_string(), tip)));
    tips.extend(tags);
    Ok(tips)
}

fn tags_of(cache: Option<&Path>) -> BTreeMap<String, Oid> {
    let read = |cache: &Path| -> Result<BTreeMap<String, Oid>, git2::Error> {
        let repository = Repository::open_bare(cache)?;
        let mut tags = BTreeMap::new();
        for reference in repository.references_glob("refs/tags/*")? {
            let reference = reference?;
            let name = String::from_utf8_lossy(reference.name_bytes()).into_owned();
            if let Ok(commit) = reference.peel_to_commit() {
                tags.insert(name, commit.id());
            }
        }
        Ok(tags)
    };
    cache.and_then(|cache| read(cache).ok()).unwrap_or_default()
}

/// What its remotes are known to have.
fn pushed(repository: &Repository, path: &Path, beside: &UnsavedContext<'_>) -> Result<Vec<Oid>, git2::Error> {
    let mut found = Vec::new();
    for remote in repository.remotes()?.iter().flatten().flatten() {
        if is_no_remote(repository, remote, path, beside) {
            continue;
        }
        for reference in repository.references_glob(&format!("refs/remotes/{remote}/*"))? {
            found.extend(reference?.peel_to_commit().map(|commit| commit.id()).ok());
        }
    }
    Ok(found)
}

/// Whether a remote is where chats lie, or another place that is no remote.
fn is_no_remote(repository: &Repository, remote: &str, path: &Path, beside: &UnsavedContext<'_>) -> bool {
    let Ok(remote) = repository.find_remote(remote) else {
        return true;
    };
    let url = String::from_utf8_lossy(remote.url_bytes()).into_owned();
    let place = path.join(url.strip_prefix("file://").unwrap_or(&url));
    let place = place.canonicalize().unwrap_or(place);
    let others = beside.no_remotes.iter().map(PathBuf::as_path);
    let mut others = others.chain([beside.chats]);
    others.any(|other| place.starts_with(other.canonicalize().as_deref().unwrap_or(other)))
}

/// Another repository, and what its branches do not reach of some commits.
struct OtherRepository {
    repository: Repository,
    lost: HashSet<Oid>,
}

impl OtherRepository {
    fn read(other: &Path, ends: &[Oid]) -> Result<OtherRepository, git2::Error> {
        let repository = open(other)?;
        let mut kept = HashSet::new();
        for reference in repository.references()? {
            let reference = reference?;
            let is_kept = [&b"refs/heads/"[..], b"refs/remotes/", b"refs/tags/"];
            if is_kept.iter().any(|prefix| reference.name_bytes().starts_with(prefix)) {
                kept.extend(reference.peel_to_commit().map(|commit| commit.id()).ok());
            }
        }
        let is_there = |end: &&Oid| repository.find_commit(**end).is_ok();
        let ends: Vec<Oid> = ends.iter().filter(is_there).copied().collect();
        let kept: Vec<Oid> = kept.into_iter().collect();
        let lost = missing(&repository, &ends, &kept)?.into_iter().collect();
        Ok(OtherRepository { repository, lost })
    }

    /// Whether its branches reach all of these, of which the others are above `end`.
    fn has_all(&self, end: Oid, commits: &[Oid]) -> bool {
        let is_there = |commit: &Oid| self.repository.find_commit(*commit).is_ok();
        !self.lost.contains(&end) && commits.iter().all(is_there)
    }
}

fn submodules(
    repository: &Repository,
    path: &Path,
    beside: &UnsavedContext<'_>,
    depth: usize,
) -> Result<Vec<(String, Unsaved)>, git2::Error> {
    let mut found = Vec::new();
    let inside = UnsavedContext {
        staying: &[],
        cache: None,
        is_kept: &|_| false,
        chats: beside.chats,
        no_remotes: beside.no_remotes,
    };
    for entry in repository.index()?.iter().filter(|entry| entry.mode == SUBMODULE) {
        let name = String::from_utf8_lossy(&entry.path).into_owned();
        let place = path.join(&name);
        if !place.join(".git").exists() {
            continue;
        }
        let unsaved = judge(&place, &inside, depth + 1)?;
        if !unsaved.is_empty() {
            found.push((name, unsaved));
        }
    }
    Ok(found)
}
