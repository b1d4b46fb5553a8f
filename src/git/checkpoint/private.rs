//! What a store holds is for nobody else: libgit2 writes objects and refs that every user of the machine may read.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, SystemTime};

use super::Store;

/// Rights of a group and of everybody else.
const OTHERS: u32 = 0o077;
/// The clocks of file systems are this coarse, at most.
const GRAIN: Duration = Duration::from_secs(2);

impl Store {
    /// Takes from all others what was written since. The folders above are closed in any case: if it fails, nothing is
    /// lost by it.
    pub(super) fn close_to_others(&self, since: SystemTime) {
        let since = since.checked_sub(GRAIN).unwrap_or(SystemTime::UNIX_EPOCH);
        for folder in ["objects", "refs"] {
            if let Err(error) = close_folders(&self.dir.path().join(folder), since) {
                tracing::warn!(
                    "{}/{folder} is not closed to others: {error}",
                    self.dir.path().display()
                );
            }
        }
    }
}

/// A folder in which something was written has changed since.
fn close_folders(above: &Path, since: SystemTime) -> io::Result<()> {
    for entry in fs::read_dir(above)? {
        let entry = entry?;
        let found = entry.metadata()?;
        if !found.is_dir() || found.modified()? < since {
            continue;
        }
        close(&entry.path(), found.permissions())?;
        for file in fs::read_dir(entry.path())? {
            let file = file?;
            let found = file.metadata()?;
            if found.is_file() {
                close(&file.path(), found.permissions())?;
            }
        }
    }
    Ok(())
}

fn close(path: &Path, permissions: Permissions) -> io::Result<()> {
    match permissions.mode() & OTHERS {
        0 => Ok(()),
        _ => fs::set_permissions(path, Permissions::from_mode(permissions.mode() & !OTHERS)),
    }
}
