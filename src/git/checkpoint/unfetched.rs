//! Submodules that were not fetched. Their commits stand in the index, and of their files there is an empty directory at
//! most, which git counts as unchanged.

use git2::FileMode;
use git2::build::TreeUpdateBuilder;

use super::Store;
use super::diff::SavedFiles;
use super::scan::bytes;
use super::seen::GITLINK;
use super::snapshot::Snapshot;
use crate::git::Error;

impl Store {
    /// `files`, which are those of `now`, with these submodules as the index has them.
    pub fn with_unfetched(&self, now: &Snapshot, files: SavedFiles) -> Result<SavedFiles, Error> {
        let failed = |source| self.failed(source);
        let bare_dirs = now.extras(&self.repository).map_err(failed)?.bare_dirs;
        if bare_dirs.is_empty() {
            return Ok(files);
        }
        let git = now.git_state(&self.repository).map_err(failed)?;
        let mut tracked = self.tracked(git.and_then(|git| git.index))?;
        tracked.retain(|entry| entry.mode == GITLINK && bare_dirs.contains(&entry.path));
        if tracked.is_empty() {
            return Ok(files);
        }
        let mut update = TreeUpdateBuilder::new();
        for entry in &tracked {
            update.upsert(bytes(&entry.path), entry.oid, FileMode::Commit);
        }
        let updated = (self.repository.find_tree(files.0))
            .and_then(|tree| update.create_updated(&self.repository, &tree))
            .map_err(failed)?;
        Ok(SavedFiles(updated))
    }
}
