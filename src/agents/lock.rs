//! The lock that agent CLIs written in JavaScript take on a file they rewrite (`proper-lockfile`): a directory beside it.

use std::error::Error;
use std::time::{Duration, Instant};

use crate::fs::{self, Dir, DirEntryKind};
use crate::model::{Failure, ProblemKind};

/// A CLI holds it for milliseconds, and counts one older than ten seconds as left behind.
const PATIENCE: Duration = Duration::from_secs(2);
const STALE: Duration = Duration::from_secs(10);

/// Held until it is dropped.
pub(super) struct Lock<'a> {
    dir: &'a Dir,
    name: String,
}

/// Why it cannot be taken.
#[derive(Debug, thiserror::Error)]
pub(super) enum LockError {
    #[error("an agent CLI that runs holds {name}")]
    Held { name: String },
    #[error(transparent)]
    Refused(fs::Error),
}

impl Failure for LockError {
    fn problem_kind(&self) -> ProblemKind {
        match self {
            LockError::Held { .. } => ProblemKind::Busy,
            LockError::Refused(error) => error.problem_kind(),
        }
    }

    fn below(&self) -> Option<&(dyn Error + 'static)> {
        self.source()
    }
}

impl Lock<'_> {
    pub(super) fn take<'a>(dir: &'a Dir, file: &str) -> Result<Lock<'a>, LockError> {
        let name = format!("{file}.lock");
        let started = Instant::now();
        loop {
            match dir.create_new_dir(&name) {
                Ok(_) => return Ok(Lock { dir, name }),
                Err(e) if e.kind() != std::io::ErrorKind::AlreadyExists => {
                    return Err(LockError::Refused(e));
                }
                Err(_) if is_stale(dir, &name) => return Ok(Lock { dir, name }),
                Err(_) if started.elapsed() > PATIENCE => {
                    return Err(LockError::Held { name });
                }
                // A lock directory cannot be waited on; the CLIs themselves poll for it the same way.
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
        }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        // A lock that stays behind is stale in ten seconds, for the CLI as for us.
        let _ = std::fs::remove_dir(self.dir.path().join(&self.name));
    }
}

fn is_stale(dir: &Dir, name: &str) -> bool {
    let found = dir.metadata(name).ok().flatten();
    found.is_some_and(|meta| meta.kind == DirEntryKind::Dir && meta.modified.elapsed().is_ok_and(|age| age > STALE))
}
