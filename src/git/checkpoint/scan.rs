//! A walk over a clone's working tree: what is there, without reading the files.
//!
//! By handle, one directory at a time, following no link: the agent may be at work in it. Directories are walked in
//! parallel, because the time goes into system calls.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::ignored::Ignored;
use super::left_out::{Omission, Reason};
use crate::fs::{Dir, DirEntryKind, Stamp};
use crate::git::{CancelFlag, Error};

/// Deeper than any tree of files that people keep; each level holds a descriptor.
const DEEPEST: usize = 200;

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
    scan.files.sort_unstable_by(|a, b| bytes(&a.path).cmp(bytes(&b.path)));
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
        if self.cancel.is_set() {
            return;
        }
        let entries = match dir.stamps() {
            Ok(entries) => entries,
            // It vanished while we came to it.
            Err(error) if error.is_missing() => return,
            Err(error) if at.as_os_str().is_empty() => {
                *self.failed.lock().expect("no walker panics") = Some(error.into());
                return;
            }
            Err(_) => return self.leave_out(at, Reason::Unreadable),
        };
        let has = |name: &str| entries.iter().any(|(entry, _)| entry == OsStr::new(name));
        let ignored = match has(".gitignore") {
            true => ignored.with(&dir, &at),
            false => ignored,
        };
        let (mut files, mut dirs, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for (name, stamp) in entries {
            let path = at.join(&name);
            let is_dir = stamp.kind == DirEntryKind::Dir;
            if name == ".git" || ignored.has(&path, is_dir) {
                continue;
            }
            match stamp.kind {
                DirEntryKind::File | DirEntryKind::Link => files.push(FoundFile { path, stamp }),
                DirEntryKind::Dir if stamp.device != self.device => others.push((path, Reason::Mount)),
                DirEntryKind::Dir => dirs.push((name, path, stamp)),
                DirEntryKind::Other => others.push((path, Reason::Special)),
            }
        }
        self.found.lock().expect("no walker panics").files.append(&mut files);
        for (path, reason) in others {
            self.leave_out(path, reason);
        }
        for (name, path, stamp) in dirs {
            self.enter(scope, &dir, (&name, path, stamp), &ignored);
        }
    }

    fn enter<'s>(
        &'s self,
        scope: &rayon::Scope<'s>,
        parent: &Dir,
        (name, path, stamp): (&OsStr, PathBuf, Stamp),
        ignored: &Ignored,
    ) {
        let dir = match parent.dir(name) {
            Ok(dir) => dir,
            Err(error) if error.is_missing() || error.is_blocked() => return,
            Err(_) => return self.leave_out(path, Reason::Unreadable),
        };
        if path.components().count() > DEEPEST {
            return self.leave_out(path, Reason::Deep);
        }
        let is_nested = dir.stamp(".git").is_ok_and(|stamp| stamp.is_some());
        if is_nested {
            self.found.lock().expect("no walker panics").nested.push(path.clone());
            return self.leave_out(path, Reason::Nested);
        }
        self.found.lock().expect("no walker panics").dirs.push(FoundDir {
            path: path.clone(),
            mode: stamp.mode,
        });
        let ignored = ignored.clone();
        scope.spawn(move |scope| self.visit(scope, dir, path, ignored));
    }

    fn leave_out(&self, path: PathBuf, reason: Reason) {
        let mut found = self.found.lock().expect("no walker panics");
        found.left_out.push(Omission { path, reason });
    }
}
