//! What of a clone's uncommitted changes is staged: file by file, and line by line.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use git2::{ObjectType, Oid, TreeWalkMode, TreeWalkResult};

use super::Store;
use super::diff::SavedFiles;
use super::file::TreeFile;
use super::snapshot::Snapshot;
use crate::git::Error;
use crate::git::compare::kept;
use crate::model::diff::{DiffBody, FileAsk, LineKind};
use crate::model::review::{FileChange, FileKind, InIndex, StageState};

/// What the index has, and the paths of which it has the sides of a conflict.
#[derive(Default)]
pub(super) struct IndexFiles {
    pub files: HashMap<PathBuf, TreeFile>,
    pub conflicts: BTreeSet<PathBuf>,
}

/// The lines with which git marks the sides of a conflict in a file.
pub(super) fn has_conflict_marks(text: &[u8]) -> bool {
    let begins = |mark: &[u8]| text.split(|byte| *byte == b'\n').any(|line| line.starts_with(mark));
    [b"<<<<<<< ", b">>>>>>> "].into_iter().all(|mark| begins(mark))
}

impl Store {
    /// Says of each file that differs from the last commit whether the next one would have it so, and adds those that differ
    /// in the index alone. What git was told to take as unchanged is no change. The second of the sides is what git would store of `now`.
    pub fn tell_staged(
        &self,
        now: &Snapshot,
        (committed, stored): (Option<SavedFiles>, SavedFiles),
        changes: &mut Vec<FileChange>,
    ) -> Result<(), Error> {
        let git = now.git_state(&self.repository).map_err(|source| self.failed(source))?;
        let tracked = self.tracked(git.and_then(|git| git.index))?;
        let assumed = tracked.iter().filter(|entry| entry.is_assumed);
        let assumed: HashSet<&PathBuf> = assumed.map(|entry| &entry.path).collect();
        changes.retain(|change| !assumed.contains(&change.path));
        let mut index = IndexFiles::default();
        for entry in tracked.into_iter().filter(|entry| !entry.is_intended) {
            let file = TreeFile {
                id: entry.oid,
                mode: entry.mode,
            };
            match entry.is_in_conflict() {
                true => drop(index.conflicts.insert(entry.path)),
                false => drop(index.files.insert(entry.path, file)),
            }
        }
        self.add_staged_alone(&index, committed, changes)?;
        self.tell_staged_by(&index, (committed, stored), changes)
    }

    /// Files that are as the last commit has them, while the index has them otherwise, or in conflict: `git rm --cached` leaves
    /// such ones.
    pub(super) fn add_staged_alone(
        &self,
        index: &IndexFiles,
        committed: Option<SavedFiles>,
        changes: &mut Vec<FileChange>,
    ) -> Result<(), Error> {
        let mut known: HashSet<PathBuf> = changes.iter().map(|change| change.path.clone()).collect();
        // Until each conflict is resolved nothing can be committed.
        if !index.conflicts.is_empty() {
            let alone = index.conflicts.iter().filter(|path| !known.contains(*path));
            changes.extend(alone.map(|path| FileChange::staged_alone(path.clone())));
            return Ok(());
        }
        // Without any entry it may be one that libgit2 does not understand.
        if index.files.is_empty() {
            return Ok(());
        }
        let committed = self.all_files(committed).map_err(|source| self.failed(source))?;
        known.extend(changes.iter().filter_map(|change| change.from.clone()));
        let is_other = |path: &&PathBuf| index.files.get(*path) != committed.get(*path) && !known.contains(*path);
        let mut alone: Vec<&PathBuf> = committed.keys().filter(is_other).collect();
        let is_new = |path: &&PathBuf| !committed.contains_key(*path) && !known.contains(*path);
        alone.extend(index.files.keys().filter(is_new));
        alone.sort_unstable();
        changes.extend(alone.into_iter().map(|path| FileChange::staged_alone(path.clone())));
        Ok(())
    }

    fn all_files(&self, files: Option<SavedFiles>) -> Result<HashMap<PathBuf, TreeFile>, git2::Error> {
        let mut all = HashMap::new();
        let Some(files) = files else {
            return Ok(all);
        };
        let tree = self.repository.find_tree(files.0)?;
        tree.walk(TreeWalkMode::PreOrder, |root, entry| {
            if entry.kind() != Some(ObjectType::Tree) {
                let path = [root.as_bytes(), entry.name_bytes()].concat();
                let file = TreeFile {
                    id: entry.id(),
                    mode: entry.filemode().unsigned_abs(),
                };
                all.insert(PathBuf::from(OsString::from_vec(path)), file);
            }
            TreeWalkResult::Ok
        })?;
        Ok(all)
    }

    /// The same by what the index has.
    pub(super) fn tell_staged_by(
        &self,
        index: &IndexFiles,
        (committed, stored): (Option<SavedFiles>, SavedFiles),
        changes: &mut [FileChange],
    ) -> Result<(), Error> {
        for change in changes {
            let entry = index.files.get(&change.path).copied();
            let from = change.from.as_ref().unwrap_or(&change.path);
            let was = match committed {
                Some(files) => self.file_in(files, from)?,
                None => None,
            };
            let is = self.file_in(stored, &change.path)?;
            let is_moved = change.from.as_ref().is_some_and(|from| index.files.contains_key(from));
            let is_in_conflict = index.conflicts.contains(&change.path);
            let staged = match entry {
                _ if is_in_conflict => StageState::Conflict,
                _ if change.kind == FileKind::Staged => StageState::Partly,
                _ if entry == is && !is_moved => StageState::Yes,
                None if change.from.is_some() => StageState::No,
                _ if entry == was && change.from.is_none() => StageState::No,
                _ => StageState::Partly,
            };
            // Of a conflict nothing is staged.
            let content = entry
                .or(was.filter(|_| is_in_conflict))
                .map_or_else(String::new, |entry| entry.id.to_string());
            change.index = Some(InIndex { content, staged });
        }
        Ok(())
    }

    /// Says of each line whether it is staged: a removed one that the index lacks, an added one that it has.
    pub(super) fn tell_staged_lines(&self, ask: &FileAsk, body: &mut DiffBody) -> Result<(), Error> {
        let (Some(index), DiffBody::Lines { hunks, .. }) = (&ask.index, body) else {
            return Ok(());
        };
        let content = |file: Option<TreeFile>| match file.filter(|file| !file.is_commit()) {
            Some(file) => self.blob(file.id),
            None => Ok(Vec::new()),
        };
        let (was, is) = self.sides(ask)?;
        let index = match index.as_str() {
            "" => Vec::new(),
            id => {
                let id = Oid::from_str(id).map_err(|source| self.failed(source))?;
                self.blob(id)?
            }
        };
        let kept = |file| kept(&content(file)?, &index).map_err(|source| self.failed(source));
        let (in_both, added) = (kept(was)?, kept(is)?);
        for line in hunks.iter_mut().flat_map(|hunk| &mut hunk.lines) {
            line.is_staged = match line.kind {
                LineKind::Context => false,
                LineKind::Removed => line.old.is_some_and(|old| !in_both.contains(&old)),
                LineKind::Added => line.new.is_some_and(|new| added.contains(&new)),
            };
        }
        Ok(())
    }
}
