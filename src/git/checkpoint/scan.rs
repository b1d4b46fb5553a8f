//! A walk over a clone's working tree: what is there, without reading the files.
//!
//! By handle, one directory at a time, following no link: the agent may be at work in it. Directories are walked in
//! parallel, because the time goes into system calls. Each is opened only when its turn comes: of a hundred thousand
//! siblings few are open at once. What the system could not look at fails the walk, since what a checkpoint lacks
//! counts as not there.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::ignored::Ignored;
use super::left_out::{Omission, Reason};
use crate::fs::{self, Dir, DirEntryKind, Stamp};
use crate::git::{CancelFlag, Error};

/// Deeper than any tree of files that people keep; each level may hold a descriptor for each thread.
pub(super) const DEEPEST: usize = 200;

/// A file or link that is there, by its path in the clone.
#[derive(Debug, Clone)]
pub(super) struct FoundFile {
    pub path: PathBuf,
    pub stamp: Stamp,
}

/// All that is there and not ignored, in git's order of paths.
#[derive(Default)]
pub(super) struct Scan {
    pub files: Vec<FoundFile>,
    /// Directories below the top.
    pub dirs: Vec<FoundDir>,
    /// Repositories within the clone, submodules among them.
    pub nested: Vec<PathBuf>,
    pub left_out: Vec<Omission>,
}

pub(super) struct FoundDir {
    pub path: PathBuf,
    pub mode: u32,
}

struct TreeWalk<'a> {
    device: u64,
    cancel: &'a CancelFlag,
    found: Mutex<Scan>,
    failed: Mutex<Option<Error>>,
}

/// Walks the clone at `work`.
pub(super) fn scan(work: &Dir, ignored: &Ignored, cancel: &CancelFlag) -> Result<Scan, Error> {
    let device = work.own_stamp()?.device;
    let walk = TreeWalk {
        device,
        cancel,
        found: Mutex::default(),
        failed: Mutex::default(),
    };
    let top = work.try_clone()?;
    rayon::scope(|scope| walk.visit(scope, top, PathBuf::new(), ignored.clone()));
    cancel.check()?;
    if let Some(error) = walk.failed.into_inner().expect("no walker panics") {
        return Err(error);
    }
    let mut scan = walk.found.into_inner().expect("no walker panics");
    // It lies in long runs that are in order, which this sort takes as they are.
    scan.files.sort_by(|a, b| bytes(&a.path).cmp(bytes(&b.path)));
    scan.dirs.sort_unstable_by(|a, b| bytes(&a.path).cmp(bytes(&b.path)));
    scan.nested.sort_unstable();
    scan.left_out.sort_unstable_by(|a, b| a.path.cmp(&b.path));
    Ok(scan)
}

pub(super) fn bytes(path: &Path) -> &[u8] {
    path.as_os_str().as_bytes()
}

impl<'a> TreeWalk<'a> {
    fn visit<'s>(&'s self, scope: &rayon::Scope<'s>, dir: Dir, at: PathBuf, ignored: Ignored) {
        let (mut entries, mut has_list) = (Vec::new(), false);
        let listed = dir.stamps(|name, stamp| {
            has_list |= name == ".gitignore";
            if name != ".git" {
                entries.push((at.join(name), stamp));
            }
        });
        match listed {
            Ok(()) => {}
            // It vanished while we came to it.
            Err(error) if error.is_missing() => return,
            Err(error) if at.as_os_str().is_empty() => return self.fail(error),
            Err(error) => return self.leave_unread(at, error),
        }
        entries.sort_unstable_by(|(a, _), (b, _)| bytes(a).cmp(bytes(b)));
        let ignored = match has_list {
            true => match ignored.with(&dir, &at) {
                Ok(ignored) => ignored,
                Err(error) => return self.fail(error),
            },
            false => ignored,
        };
        let (mut files, mut dirs) = (Vec::with_capacity(entries.len()), Vec::new());
        for (path, stamp) in entries {
            let is_dir = stamp.as_ref().is_ok_and(|stamp| stamp.kind == DirEntryKind::Dir);
            if ignored.has(&path, is_dir) {
                continue;
            }
            match stamp {
                Ok(stamp) => match stamp.kind {
                    DirEntryKind::File | DirEntryKind::Link => files.push(FoundFile { path, stamp }),
                    DirEntryKind::Dir if stamp.device != self.device => self.leave_out(path, Reason::Mount),
                    DirEntryKind::Dir => dirs.push((path, stamp)),
                    DirEntryKind::Other => self.leave_out(path, Reason::Special),
                },
                Err(error) => self.leave_unread(path, error),
            }
        }
        self.found.lock().expect("no walker panics").files.append(&mut files);
        let dir = Arc::new(dir);
        // What a walker has put off last it does first: so most of what is found is in order.
        for (path, stamp) in dirs.into_iter().rev() {
            let (parent, ignored) = (Arc::clone(&dir), ignored.clone());
            scope.spawn(move |scope| self.enter(scope, parent, (path, stamp), ignored));
        }
    }

    fn enter<'s>(
        &'s self,
        scope: &rayon::Scope<'s>,
        parent: Arc<Dir>,
        (path, stamp): (PathBuf, Stamp),
        ignored: Ignored,
    ) {
        let Some(name) = path.file_name() else {
            return;
        };
        if self.is_over() {
            return;
        }
        if path.components().count() > DEEPEST {
            return self.leave_out(path, Reason::Deep);
        }
        let dir = match parent.dir(name) {
            Ok(dir) => dir,
            Err(error) if error.is_missing() || error.is_blocked() => return,
            Err(error) => return self.leave_unread(path, error),
        };
        drop(parent);
        match dir.stamp(".git") {
            Ok(None) => {}
            Ok(Some(_)) => {
                self.found.lock().expect("no walker panics").nested.push(path.clone());
                return self.leave_out(path, Reason::Nested);
            }
            Err(error) => return self.leave_unread(path, error),
        }
        self.found.lock().expect("no walker panics").dirs.push(FoundDir {
            path: path.clone(),
            mode: stamp.mode,
        });
        self.visit(scope, dir, path, ignored);
    }

    /// Nobody wants it any more, or it has failed.
    fn is_over(&self) -> bool {
        self.cancel.is_set() || self.failed.lock().expect("no walker panics").is_some()
    }

    fn leave_out(&self, path: PathBuf, reason: Reason) {
        let mut found = self.found.lock().expect("no walker panics");
        found.left_out.push(Omission { path, reason });
    }

    fn leave_unread(&self, path: PathBuf, error: fs::Error) {
        match Reason::of_unread(&error) {
            Some(reason) => self.leave_out(path, reason),
            None => self.fail(error),
        }
    }

    fn fail(&self, error: fs::Error) {
        let mut failed = self.failed.lock().expect("no walker panics");
        failed.get_or_insert(error.into());
    }
}
