//! Where engines leave their homes while they are measured, on a disk that has settled.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime};

use anyhow::Context;
use tempfile::TempDir;

/// ext4 gives no inode away again for five minutes after its file was deleted, and who makes files meanwhile passes over
/// each of them (`recently_deleted` in `fs/ext4/ialloc.c`): after some thousands that is most of what is measured.
const SETTLES: Duration = Duration::from_secs(330);

pub struct Homes {
    /// Deleted at the end alone.
    folder: TempDir,
    /// Touched when homes were deleted.
    deleted: PathBuf,
}

impl Homes {
    /// Waits, unless the measurement is a rough one, until what an earlier one deleted no longer matters.
    pub fn settled(storage: &Path, rough: bool) -> anyhow::Result<Homes> {
        let deleted = storage.join("homes-deleted");
        let since = fs::metadata(&deleted).and_then(|stamp| stamp.modified()).ok();
        let age = since.and_then(|since| SystemTime::now().duration_since(since).ok());
        if let Some(rest) = age.and_then(|age| SETTLES.checked_sub(age)).filter(|_| !rough) {
            eprintln!("waiting {} s for the disk to forget what was deleted", rest.as_secs());
            thread::sleep(rest);
        }
        let folder = tempfile::Builder::new().prefix("homes-").tempdir_in(storage);
        let folder = folder.context("making a folder for the engines' homes")?;
        Ok(Homes { folder, deleted })
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

impl Drop for Homes {
    fn drop(&mut self) {
        if let Err(error) = File::create(&self.deleted) {
            eprintln!(
                "{}: {error}; the next measurement will not wait",
                self.deleted.display()
            );
        }
    }
}
