//! Reads of a working copy that an agent may have written: by files and by libgit2, which run nothing it configures.

use std::path::{Path, PathBuf};

use git2::{
    ErrorCode, Index, IndexEntry, IndexEntryExtendedFlag, IndexEntryFlag, Oid, Repository, RepositoryOpenFlags, Status,
    StatusOptions,
};

use super::Error;
use super::small_file::small_file;
use crate::model::Timestamp;

/// Where a working copy stands, and how far it is from what it follows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// The branch, or a short hash where none is checked out.
    pub branch: Option<String>,
    /// Files that differ from the last commit, untracked ones included; an untracked directory counts as one.
    pub dirty: usize,
    /// Against the remote branch it follows, else against the origin's default branch; without any, all commits that no
    /// remote has.
    pub ahead: usize,
    pub behind: usize,
}

/// The branch that is checked out at `path`, or a short hash. Reads two files, so it may be asked for often.
pub fn branch(path: &Path) -> Option<String> {
    let head = small_file(&git_dir(path)?.join("HEAD"))?;
    let head = head.trim();
    match head.strip_prefix("ref:") {
        Some(reference) => {
            let reference = reference.trim();
            Some(reference.strip_prefix("refs/heads/").unwrap_or(reference).to_string())
        }
        None => (head.len() >= 40 && head.bytes().all(|b| b.is_ascii_hexdigit())).then(|| head[..7].to_string()),
    }
}

/// How many commits of what is checked out at `path` no branch of its remotes has, as far as it knows them.
pub fn unpushed(path: &Path) -> Result<usize, Error> {
    let repository = open(path)?;
    let own = repository.head().map_err(failed(path))?.target();
    own.map_or(Ok(0), |own| ahead_of_remotes(&repository, own).map_err(failed(path)))
}

/// The repository at `path`, and none above it.
pub(super) fn open(path: &Path) -> Result<Repository, Error> {
    let none: [&Path; 0] = [];
    Repository::open_ext(path, RepositoryOpenFlags::NO_SEARCH, none).map_err(failed(path))
}

fn failed(path: &Path) -> impl Fn(git2::Error) -> Error + Copy {
    move |source| Error::Repository {
        path: path.to_path_buf(),
        source,
    }
}

/// The message of the commit that is checked out at `path`.
pub fn last_message(path: &Path) -> Result<String, Error> {
    let repository = open(path)?;
    let head = repository.head().map_err(failed(path))?;
    let commit = head.peel_to_commit().map_err(failed(path))?;
    Ok(String::from_utf8_lossy(commit.message_raw_bytes()).into_owned())
}

/// The short hash of what is checked out at `path`, if that is no branch.
pub fn detached(path: &Path) -> Option<String> {
    let head = small_file(&git_dir(path)?.join("HEAD"))?;
    (!head.starts_with("ref:")).then(|| branch(path)).flatten()
}

/// Counts what changed at `path`. Submodules and what a sparse checkout leaves out count as unchanged.
pub fn tally(path: &Path) -> Result<Tally, Error> {
    // In a plain directory there is nothing to count.
    let repository = open(path)?;
    let (ahead, behind) = distance(&repository).map_err(failed(path))?;
    Ok(Tally {
        branch: branch(path),
        dirty: dirty(&repository).map_err(failed(path))?,
        ahead,
        behind,
    })
}

fn dirty(repository: &Repository) -> Result<usize, git2::Error> {
    let index = repository.index()?;
    let mut options = StatusOptions::new();
    options
        .include_untracked(true)
        .exclude_submodules(true)
        .update_index(false)
        .no_refresh(false);
    let statuses = repository.statuses(Some(&mut options))?;
    let counts = |status: Status, path: &[u8]| match status {
        Status::CURRENT | Status::IGNORED => false,
        Status::WT_DELETED => !is_left_out(&index, path),
        _ => true,
    };
    Ok(statuses
        .iter()
        .filter(|entry| counts(entry.status(), entry.path_bytes()))
        .count())
}

/// A path as git has it.
pub(super) fn path(bytes: &[u8]) -> &Path {
    use std::os::unix::ffi::OsStrExt;
    Path::new(std::ffi::OsStr::from_bytes(bytes))
}

/// Whether a sparse checkout leaves a file out.
pub(super) fn is_left_out(index: &Index, path: &[u8]) -> bool {
    let entry = std::str::from_utf8(path)
        .ok()
        .and_then(|path| index.get_path(Path::new(path), 0));
    entry.as_ref().is_some_and(is_skipped)
}

fn is_skipped(entry: &IndexEntry) -> bool {
    IndexEntryExtendedFlag::from_bits_truncate(entry.flags_extended).contains(IndexEntryExtendedFlag::SKIP_WORKTREE)
}

/// Whether git was told to take it as unchanged, whatever lies there (`--assume-unchanged`).
pub(super) fn is_assumed(entry: &IndexEntry) -> bool {
    IndexEntryFlag::from_bits_truncate(entry.flags).is_valid()
}

/// The same, or to leave it alone (`--skip-worktree`). In a sparse checkout git takes back the second for what lies there.
pub(super) fn is_held(entry: &IndexEntry) -> bool {
    is_assumed(entry) || is_skipped(entry)
}

/// Whether it is only announced, as `git add -N` does: nothing of it is staged.
pub(super) fn is_intended(entry: &IndexEntry) -> bool {
    IndexEntryExtendedFlag::from_bits_truncate(entry.flags_extended).contains(IndexEntryExtendedFlag::INTENT_TO_ADD)
}

/// When the commit was made that is checked out.
pub fn last_commit(clone: &Path) -> Option<Timestamp> {
    let repository = Repository::open(clone).ok()?;
    let commit = repository.head().ok()?.peel_to_commit().ok()?;
    Some(Timestamp(commit.time().seconds().saturating_mul(1000)))
}

/// The branch that its origin names as the usual one; none where it names none.
pub fn default_branch(clone: &Path) -> Option<String> {
    let repository = Repository::open(clone).ok()?;
    let head = repository.find_reference("refs/remotes/origin/HEAD").ok()?;
    let branch = std::str::from_utf8(head.symbolic_target_bytes()?).ok()?;
    branch.strip_prefix("refs/remotes/origin/").map(str::to_string)
}

fn distance(repository: &Repository) -> Result<(usize, usize), git2::Error> {
    let head = match repository.head() {
        Ok(head) => head,
        Err(e) if matches!(e.code(), ErrorCode::UnbornBranch | ErrorCode::NotFound) => {
            return Ok((0, 0));
        }
        Err(e) => return Err(e),
    };
    let Some(own) = head.target() else {
        return Ok((0, 0));
    };
    // A branch can follow another one of the same clone, which is no remote.
    let is_remote = |upstream: &git2::Branch| upstream.get().is_remote();
    let followed = git2::Branch::wrap(head).upstream().ok().filter(is_remote);
    let followed = followed.and_then(|upstream| upstream.get().target());
    let base: Option<Oid> = followed.or_else(|| repository.refname_to_id("refs/remotes/origin/HEAD").ok());
    if let Some(base) = base {
        return repository.graph_ahead_behind(own, base);
    }
    Ok((ahead_of_remotes(repository, own)?, 0))
}

/// How many commits up to this one no branch of a remote has.
pub(in crate::git) fn ahead_of_remotes(repository: &Repository, own: Oid) -> Result<usize, git2::Error> {
    let mut walk = repository.revwalk()?;
    walk.push(own)?;
    walk.hide_glob("refs/remotes/*")?;
    Ok(walk.count())
}

/// The git directory of a working copy; a linked worktree has a file that names it.
fn git_dir(path: &Path) -> Option<PathBuf> {
    let dot_git = path.join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let text = small_file(&dot_git)?;
    Some(path.join(text.strip_prefix("gitdir:")?.trim()))
}
