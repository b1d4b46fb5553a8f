//! git's lock of a file: `NAME.lock` beside it, which git and its kin respect (gitrepository-layout(5)).
//!
//! It says that it is parlour's, and is locked by `flock(2)` as long as its holder lives: one that a killed engine left
//! behind is known by that, and taken away, so that it keeps no agent's git waiting for ever.

use std::fs::File;
use std::io::{ErrorKind, Read};

use rustix::fs::{FlockOperation, flock};

use super::Error;
use crate::fs::Dir;

/// What stands in it. What is to replace the file is written beside it.
const OURS: &[u8] = b"parlour\n";

/// A file under git's lock: until it is put in place, it is as it was.
pub struct LockFile<'a> {
    git: &'a Dir,
    name: String,
    /// Open, since that is what `flock` holds.
    _held: File,
}

impl<'a> LockFile<'a> {
    /// Locks `name` in a git directory. Fails if somebody at work holds the lock.
    pub fn take(git: &'a Dir, name: &str) -> Result<LockFile<'a>, Error> {
        if let Some((folder, _)) = name.rsplit_once('/') {
            git.create_dir(folder)?;
        }
        clear(git, name)?;
        // Not beside the file: git takes whatever a kill leaves under refs/ for a ref.
        let temporary = format!(".parlour-{}", uuid::Uuid::new_v4().simple());
        git.write_atomic_as(&temporary, OURS, 0o644)?;
        let taken = hold(git, &temporary).and_then(|held| {
            git.rename_new(&temporary, git, lock(name))?;
            Ok(held)
        });
        match taken {
            Ok(held) => Ok(LockFile {
                git,
                name: name.to_owned(),
                _held: held,
            }),
            Err(error) => {
                // The lock's owner matters more than what is left of ours.
                let _ = git.remove_file(&temporary);
                Err(match error {
                    Error::Files(error) if error.kind() == ErrorKind::AlreadyExists => Error::Locked {
                        path: git.path().join(lock(name)),
                    },
                    error => error,
                })
            }
        }
    }

    /// Replaces the file, and lets it go.
    pub fn put(self, content: &[u8], mode: u32) -> Result<(), Error> {
        self.write(content, mode)
    }

    /// Replaces the file, and holds it still.
    pub fn write(&self, content: &[u8], mode: u32) -> Result<(), Error> {
        // Not beside the file, as with the lock.
        let temporary = format!(".parlour-{}", uuid::Uuid::new_v4().simple());
        self.git.write_atomic_as(&temporary, content, mode)?;
        let put = self.git.rename(&temporary, self.git, &self.name);
        if put.is_err() {
            // What failed matters more than what is left of ours.
            let _ = self.git.remove_file(&temporary);
        }
        Ok(put?)
    }
}

impl Drop for LockFile<'_> {
    fn drop(&mut self) {
        let _ = self.git.remove_file(lock(&self.name));
    }
}

/// Takes away what is left of locks in a clone: of the index, of `HEAD`, and of the branch that is checked out.
pub fn clear_left(git: &Dir) -> Result<(), Error> {
    clear(git, "index")?;
    clear(git, "HEAD")?;
    let head = git.read("HEAD", 4096)?.unwrap_or_default();
    let branch = std::str::from_utf8(&head)
        .ok()
        .and_then(|head| head.trim_end().strip_prefix("ref: "));
    match branch.filter(|branch| branch.starts_with("refs/heads/")) {
        Some(branch) => clear(git, branch),
        None => Ok(()),
    }
}

/// Takes a lock away that is parlour's and that nobody holds any more.
fn clear(git: &Dir, name: &str) -> Result<(), Error> {
    let lock = lock(name);
    if git.stamp(&lock)?.is_none_or(|stamp| stamp.len != OURS.len() as u64) {
        return Ok(());
    }
    let Some(mut file) = git.open_file(&lock)? else {
        return Ok(());
    };
    let mut said = [0; OURS.len()];
    let is_ours = file.read_exact(&mut said).is_ok() && said == *OURS;
    if is_ours && flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok() && is_at(git, &lock, &file)? {
        tracing::info!(
            "{} is left of an engine that was killed",
            git.path().join(&lock).display()
        );
        git.remove_file(&lock)?;
    }
    Ok(())
}

fn lock(name: &str) -> String {
    format!("{name}.lock")
}

fn hold(git: &Dir, name: &str) -> Result<File, Error> {
    let file = git.update(name)?;
    flock(&file, FlockOperation::NonBlockingLockExclusive)
        .map_err(|error| Error::io("locking", name, std::io::Error::from(error)))?;
    Ok(file)
}

/// Whether what is open is still what has this name: somebody else may have cleared it, and taken the lock, meanwhile.
fn is_at(git: &Dir, name: &str, file: &File) -> Result<bool, Error> {
    use std::os::unix::fs::MetadataExt;
    let there = git.stamp(name)?;
    Ok(match (file.metadata(), there) {
        (Ok(held), Some(there)) => held.ino() == there.inode,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_lock_that_a_killed_engine_left_is_taken_away_and_no_other() {
        let place = tempfile::tempdir().unwrap();
        let git = Dir::open(place.path()).unwrap();
        let path = place.path().join("index.lock");
        let held = LockFile::take(&git, "index").unwrap();
        assert!(LockFile::take(&git, "index").is_err(), "its holder lives");
        held.put(b"new", 0o644).unwrap();
        assert_eq!(
            (fs::read(place.path().join("index")).unwrap(), path.exists()),
            (b"new".to_vec(), false)
        );

        fs::write(&path, OURS).unwrap();
        drop(LockFile::take(&git, "index").unwrap());
        fs::write(&path, OURS).unwrap();
        clear_left(&git).unwrap();
        assert!(!path.exists());

        for of_git in [&b""[..], b"DIRC\0\0\0\x02"] {
            fs::write(&path, of_git).unwrap();
            assert!(LockFile::take(&git, "index").is_err());
            clear_left(&git).unwrap();
            assert_eq!(fs::read(&path).unwrap(), of_git);
        }
    }
}
