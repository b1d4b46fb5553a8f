//! Takes a checkpoint: stores what changed since the last one, and says whether anything did.
//!
//! The store's index remembers the stamp of each file as it was read. A file is read again only if its stamp changed, or
//! if it was so young when it was read that a later change could have left the stamp as it was.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use git2::{Index, IndexEntry, IndexTime, ObjectType, OdbLookupFlags, Oid, Repository};
use rayon::prelude::*;

use super::extras::{Extras, LeftOut, Reason};
use super::gitdir::{self, GitState, Tracked};
use super::ignored::Ignored;
use super::scan::{Found, Scan, bytes, scan};
use super::snapshot::{self, Parts, Snapshot};
use super::{Store, history, named};
use crate::fs::{Dir, Kind, Stamp};
use crate::git::{Cancel, Error};
use crate::model::Timestamp;

/// File systems tell time in steps of up to 10 ms; within two of them a change may not show.
const YOUNG: Duration = Duration::from_millis(25);
/// Files of this size and more are stored piece by piece.
const STREAMED: u64 = 32 << 20;
/// Below this, threads cost more than they save.
const FEW: usize = 64;

/// What a checkpoint is taken with.
pub struct Options<'a> {
    pub number: u64,
    pub at: Timestamp,
    /// Untracked files above this many bytes are left out.
    pub largest: u64,
    /// Checkpoints whose files are saved too, though they may be ignored by now: the one that is about to be restored,
    /// and the one that was restored last, if that is to be undone.
    pub also: &'a [&'a Snapshot],
    /// Keep it even if nothing changed.
    pub always: bool,
    pub cancel: &'a Cancel,
}

/// What came of taking a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The new checkpoint, or the last one if nothing changed since.
    pub snapshot: Snapshot,
    pub is_new: bool,
    pub left_out: Vec<LeftOut>,
}

impl Store {
    /// Saves the clone at `clone` as it is now. Nothing in it changes and nothing of it is run.
    pub fn take(&self, clone: &Dir, options: &Options<'_>) -> Result<Taken, Error> {
        let before = self.latest()?;
        let (parts, left_out) = self.save(clone, options)?;
        if let Some(before) = &before
            && !options.always
            && self.is_same(before, parts).map_err(|source| self.failed(source))?
        {
            return Ok(Taken {
                snapshot: before.clone(),
                is_new: false,
                left_out,
            });
        }
        let made = snapshot::commit(&self.repository, parts, before.as_ref(), options.at)
            .and_then(|commit| Ok((commit, Snapshot::load(&self.repository, options.number, commit)?)));
        let (commit, snapshot) = made.map_err(|source| self.failed(source))?;
        // A checkpoint that is said to exist must last longer than the power.
        self.dir.sync_file_system()?;
        self.keep(options.number, commit)?;
        Ok(Taken {
            snapshot,
            is_new: true,
            left_out,
        })
    }

    /// The clone's files as they are now, without keeping them: to compare with.
    pub fn now(&self, clone: &Dir, options: &Options<'_>) -> Result<Snapshot, Error> {
        let before = self.latest()?;
        let (parts, _) = self.save(clone, options)?;
        snapshot::commit(&self.repository, parts, before.as_ref(), options.at)
            .and_then(|commit| Snapshot::load(&self.repository, options.number, commit))
            .map_err(|source| self.failed(source))
    }

    fn save(&self, clone: &Dir, options: &Options<'_>) -> Result<(Parts, Vec<LeftOut>), Error> {
        let git = clone.dir(".git").ok();
        let state = match &git {
            Some(git) => GitState::read(clone, git)?,
            None => None,
        };
        let index = state.as_ref().and_then(|state| state.index.as_deref());
        let tracked = match index {
            Some(index) => gitdir::tracked(index, &self.dir)?,
            None => Vec::new(),
        };
        let mut scan = scan(clone, &Ignored::of_clone(git.as_ref()), options.cancel)?;
        let also = self.paths_of(options.also)?;
        let names = tracked.iter().map(|entry| &entry.path).chain(&also);
        named::add(clone, names.map(PathBuf::as_path), &mut scan)?;
        leave_out_large(&tracked, options, &mut scan);
        let files = self.store_files(clone, &mut scan, options.cancel)?;
        let store = || -> Result<Parts, git2::Error> {
            let git = state.as_ref().map(|state| snapshot::store_git(&self.repository, state));
            Ok(Parts {
                files,
                git: git.transpose()?,
                extras: self.repository.blob(&Extras::of(&scan).to_bytes())?,
            })
        };
        let parts = store().map_err(|source| self.failed(source))?;
        if let Some(state) = &state {
            history::keep(self, clone, state, &tracked);
        }
        Ok((parts, scan.left_out))
    }

    /// An index whose stamps alone changed counts as the same: git changes them when it only looks.
    fn is_same(&self, before: &Snapshot, now: Parts) -> Result<bool, git2::Error> {
        let was = before.parts();
        if was.files != now.files || was.extras != now.extras || was.git == now.git {
            return Ok(was == now);
        }
        let states = (
            snapshot::git_state(&self.repository, was.git)?,
            snapshot::git_state(&self.repository, now.git)?,
        );
        let (Some(was), Some(now)) = states else {
            return Ok(false);
        };
        let entries = |state: &GitState| match &state.index {
            Some(index) => gitdir::tracked(index, &self.dir).map(Some),
            None => Ok(None),
        };
        let is_same_beside = was.raw_head == now.raw_head && was.refs == now.refs && was.state == now.state;
        Ok(is_same_beside
            && match (entries(&was), entries(&now)) {
                (Ok(was), Ok(now)) => was == now,
                _ => false,
            })
    }

    fn paths_of(&self, snapshots: &[&Snapshot]) -> Result<Vec<PathBuf>, Error> {
        let mut paths = Vec::new();
        for snapshot in snapshots {
            paths.extend(self.paths(snapshot)?);
            let extras = snapshot
                .extras(&self.repository)
                .map_err(|source| self.failed(source))?;
            paths.extend(extras.empty_dirs);
            // With its index back, the clone tracks these.
            let git = snapshot
                .git_state(&self.repository)
                .map_err(|source| self.failed(source))?;
            if let Some(index) = git.and_then(|git| git.index) {
                let tracked = gitdir::tracked(&index, &self.dir)?;
                paths.extend(tracked.into_iter().map(|entry| entry.path));
            }
        }
        Ok(paths)
    }

    /// Brings the store's index up to date. Returns the tree of files.
    fn store_files(&self, clone: &Dir, scan: &mut Scan, cancel: &Cancel) -> Result<Oid, Error> {
        let mut index = self.index();
        let (changed, gone) = compare(&index, &scan.files);
        let stored = self.store_changed(clone, &changed, cancel)?;
        for path in gone {
            // Best effort: an entry whose name libgit2 cannot find by it was never added by that name.
            let _ = index.remove(&path, 0);
        }
        for (found, stored) in changed.iter().zip(stored) {
            let path = found.path.clone();
            let left_out = match stored {
                None => Some(Reason::Unreadable),
                Some(entry) => index.add(&entry).err().map(|_| Reason::Name),
            };
            if let Some(reason) = left_out {
                let _ = index.remove(&path, 0);
                scan.left_out.push(LeftOut { path, reason });
            }
        }
        for path in &scan.nested {
            let head = gitdir::open(&clone.path().join(path))
                .ok()
                .and_then(|nested| nested.head().ok()?.target());
            if let Some(head) = head {
                let _ = index.add(&snapshot::entry(bytes(path).to_vec(), head, GITLINK));
            }
        }
        scan.left_out.sort_unstable();
        index
            .write_tree_to(&self.repository)
            .and_then(|tree| index.write().map(|()| tree))
            .map_err(|source| self.failed(source))
    }

    /// What was read last. A broken one only costs reading all files again.
    pub(super) fn index(&self) -> Index {
        let path = self.dir.path().join("index");
        Index::open(&path).unwrap_or_else(|_| {
            let _ = self.dir.remove_file("index");
            Index::open(&path).expect("a missing index is an empty one")
        })
    }

    /// The entries of these files, in order; none for what cannot be read.
    fn store_changed(
        &self,
        clone: &Dir,
        changed: &[&Found],
        cancel: &Cancel,
    ) -> Result<Vec<Option<IndexEntry>>, Error> {
        let store = |repository: &Repository, found: &Found| -> Result<Option<IndexEntry>, Error> {
            cancel.check()?;
            store_file(repository, clone, found)
        };
        if changed.len() < FEW {
            return changed.iter().map(|found| store(&self.repository, found)).collect();
        }
        // A repository serves one thread.
        let path = self.dir.path();
        let open = || Repository::open_bare(path);
        changed
            .par_iter()
            .map_init(open, |repository, found| match repository {
                Ok(repository) => store(repository, found),
                Err(error) => Err(Error::Repository {
                    path: path.to_path_buf(),
                    source: git2::Error::from_str(error.message()),
                }),
            })
            .collect()
    }
}

const GITLINK: u32 = 0o160_000;
const LINK: u32 = 0o120_000;
const PLAIN: u32 = 0o100_644;
const PROGRAM: u32 = 0o100_755;

pub(super) fn git_mode(stamp: &Stamp) -> u32 {
    match (stamp.kind, stamp.mode & 0o100 != 0) {
        (Kind::Link, _) => LINK,
        (_, true) => PROGRAM,
        (_, false) => PLAIN,
    }
}

/// The files that have to be read, and the paths that are there no more.
fn compare<'a>(index: &Index, files: &'a [Found]) -> (Vec<&'a Found>, Vec<PathBuf>) {
    let (mut changed, mut gone) = (Vec::new(), Vec::new());
    let mut files = files.iter().peekable();
    for entry in index.iter() {
        while let Some(found) = files.next_if(|found| bytes(&found.path) < entry.path.as_slice()) {
            changed.push(found);
        }
        match files.next_if(|found| bytes(&found.path) == entry.path.as_slice()) {
            Some(found) if is_as(&entry, &found.stamp) => {}
            Some(found) => changed.push(found),
            None => gone.push(PathBuf::from(OsStr::from_bytes(&entry.path))),
        }
    }
    changed.extend(files);
    (changed, gone)
}

/// Whether the entry was made of a file with this stamp. Git keeps 32 bits of sizes, inodes and seconds.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
pub(super) fn is_as(entry: &IndexEntry, stamp: &Stamp) -> bool {
    let same = |time: &IndexTime, (seconds, nanoseconds): (i64, u32)| {
        time.seconds() == seconds as i32 && time.nanoseconds() == nanoseconds
    };
    entry.mode == git_mode(stamp)
        && entry.file_size == stamp.len as u32
        && entry.ino == stamp.inode as u32
        && same(&entry.mtime, stamp.modified)
        && same(&entry.ctime, stamp.changed)
}

#[allow(clippy::cast_possible_truncation)]
fn entry_of(path: &Path, stamp: &Stamp, id: Oid, is_sure: bool) -> IndexEntry {
    let time = |(seconds, nanoseconds): (i64, u32)| IndexTime::new(seconds as i32, nanoseconds);
    IndexEntry {
        // A stamp that no file has: it is read again next time.
        ctime: if is_sure {
            time(stamp.changed)
        } else {
            IndexTime::new(0, 0)
        },
        mtime: time(stamp.modified),
        dev: stamp.device as u32,
        ino: stamp.inode as u32,
        uid: stamp.owner,
        gid: stamp.group,
        file_size: stamp.len as u32,
        ..snapshot::entry(bytes(path).to_vec(), id, git_mode(stamp))
    }
}

/// Stores one file. A file that changes while it is read is stored as it was read, and read again next time.
fn store_file(repository: &Repository, clone: &Dir, found: &Found) -> Result<Option<IndexEntry>, Error> {
    let path = &found.path;
    let Ok(Some(stamp)) = clone.stamp(path) else {
        return Ok(None);
    };
    let failed = |source| Error::Repository {
        path: repository.path().to_path_buf(),
        source,
    };
    let stored = match stamp.kind {
        Kind::Link => match clone.read_link(path) {
            Ok(Some(target)) => store_bytes(repository, target.as_os_str().as_bytes()).map_err(failed)?,
            Ok(None) | Err(_) => return Ok(None),
        },
        Kind::File if stamp.len >= STREAMED => match clone.open_file(path) {
            Ok(Some(mut file)) => store_stream(repository, &mut file, stamp.len).map_err(failed)?,
            Ok(None) | Err(_) => return Ok(None),
        },
        Kind::File => match clone.read(path, STREAMED * 2) {
            Ok(Some(content)) => store_bytes(repository, &content).map_err(failed)?,
            Ok(None) | Err(_) => return Ok(None),
        },
        Kind::Dir | Kind::Other => return Ok(None),
    };
    let after = clone.stamp(path).ok().flatten();
    let is_sure = after.as_ref() == Some(&stamp) && !is_young(&stamp);
    Ok(Some(entry_of(path, &stamp, stored, is_sure)))
}

/// Whether another change could come and leave the same stamp.
fn is_young(stamp: &Stamp) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let age = |(seconds, nanoseconds): (i64, u32)| {
        let then = Duration::new(seconds.max(0).unsigned_abs(), nanoseconds);
        now.checked_sub(then).unwrap_or_default()
    };
    age(stamp.modified).min(age(stamp.changed)) < YOUNG
}

fn store_bytes(repository: &Repository, content: &[u8]) -> Result<Oid, git2::Error> {
    let id = Oid::hash_object(ObjectType::Blob, content)?;
    let odb = repository.odb()?;
    match odb.exists_ext(id, OdbLookupFlags::NO_REFRESH) {
        true => Ok(id),
        false => odb.write(ObjectType::Blob, content),
    }
}

fn store_stream(repository: &Repository, file: &mut std::fs::File, len: u64) -> Result<Oid, git2::Error> {
    use std::io::{Read, Write};
    let failed = |error: std::io::Error| git2::Error::from_str(&error.to_string());
    let odb = repository.odb()?;
    let size = usize::try_from(len).map_err(|_| git2::Error::from_str("a file is too large for this machine"))?;
    let mut writer = odb.writer(size, ObjectType::Blob)?;
    let copied = std::io::copy(&mut file.take(len), &mut writer).map_err(failed)?;
    // It shrank while it was read; the size was promised.
    std::io::copy(&mut std::io::repeat(0).take(len - copied), &mut writer).map_err(failed)?;
    writer.flush().map_err(failed)?;
    writer.finalize()
}

fn leave_out_large(tracked: &[Tracked], options: &Options<'_>, scan: &mut Scan) {
    let is_tracked = |path: &Path| tracked.iter().any(|entry| entry.path == path);
    let (kept, large) = std::mem::take(&mut scan.files)
        .into_iter()
        .partition(|found| found.stamp.len <= options.largest || is_tracked(&found.path));
    scan.files = kept;
    let large: Vec<Found> = large;
    scan.left_out.extend(large.into_iter().map(|found| LeftOut {
        path: found.path,
        reason: Reason::Large,
    }));
}
