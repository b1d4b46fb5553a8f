//! What was read last: the stamp and the object of each file, so that only changed files are read again.
//!
//! A file of our own and not a git index: libgit2 needs 30 ms to write one of 20,000 files and 12 ms to make trees of it,
//! which is more than all the rest of a checkpoint. A broken or missing one only costs reading all files.

use std::ffi::OsStr;
use std::hash::{DefaultHasher, Hasher};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use git2::Oid;

use super::scan::bytes;
use crate::fs::{Dir, DirEntryKind, Error, Stamp};

const FILE: &str = "seen";
const HEAD: &[u8] = b"parlour seen 1\n";
const MAX: u64 = 1 << 30;
/// Most file systems tell time in steps of up to 10 ms; within two of them a change may not show.
const YOUNG: Duration = Duration::from_millis(25);
/// Some tell whole seconds, FAT every other one: old ext4, HFS+, many shares of a network.
const COARSE: Duration = Duration::from_secs(2);

pub(super) const GITLINK: u32 = 0o160_000;
pub(super) const LINK: u32 = 0o120_000;
pub(super) const PLAIN: u32 = 0o100_644;
pub(super) const PROGRAM: u32 = 0o100_755;

/// The part of a stamp that changes when a file does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FileMark {
    len: u64,
    modified: (i64, u32),
    changed: (i64, u32),
    inode: u64,
}

impl FileMark {
    /// None of a stamp so young that another change could leave it as it is.
    pub fn of(stamp: &Stamp) -> Option<FileMark> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let age = |(seconds, nanoseconds): (i64, u32)| {
            let then = Duration::new(seconds.max(0).unsigned_abs(), nanoseconds);
            now.checked_sub(then).unwrap_or_default()
        };
        let is_coarse = stamp.modified.1 == 0 && stamp.changed.1 == 0;
        let young = if is_coarse { COARSE + YOUNG } else { YOUNG };
        let is_young = age(stamp.modified).min(age(stamp.changed)) < young;
        (!is_young).then_some(FileMark::plain(stamp))
    }

    fn plain(stamp: &Stamp) -> FileMark {
        FileMark {
            len: stamp.len,
            modified: stamp.modified,
            changed: stamp.changed,
            inode: stamp.inode,
        }
    }

    pub fn is_of(&self, stamp: &Stamp) -> bool {
        *self == FileMark::plain(stamp)
    }
}

/// A file, a link, or the commit of a nested repository, as it was stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SeenFile {
    pub path: PathBuf,
    /// As git writes it.
    pub mode: u32,
    pub id: Oid,
    /// None where the file has to be read again.
    pub mark: Option<FileMark>,
}

impl SeenFile {
    pub fn is_as(&self, stamp: &Stamp) -> bool {
        self.mode == git_mode(stamp) && self.mark.is_some_and(|mark| mark.is_of(stamp))
    }
}

/// All files of one moment, in git's order, and the tree that they make.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SeenFiles {
    pub tree: Option<Oid>,
    /// The clone's own index, by its mark and as it is stored.
    pub index: Option<(FileMark, Oid)>,
    /// What of `files` is ignored, and was saved because it is tracked.
    pub named: Vec<PathBuf>,
    pub files: Vec<SeenFile>,
}

impl SeenFiles {
    pub fn load(dir: &Dir) -> SeenFiles {
        let text = dir.read(FILE, MAX).ok().flatten().unwrap_or_default();
        SeenFiles::parse(&text).unwrap_or_default()
    }

    pub fn get(&self, path: &Path) -> Option<&SeenFile> {
        let at = self.files.binary_search_by(|file| bytes(&file.path).cmp(bytes(path)));
        at.ok().map(|at| &self.files[at])
    }

    /// As [`save`] writes it.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut body = Vec::with_capacity(self.files.len() * 128);
        put_id(&mut body, self.tree);
        put_mark(&mut body, self.index.map(|(mark, _)| mark));
        put_id(&mut body, self.index.map(|(_, id)| id));
        put_number(&mut body, self.named.len());
        for path in &self.named {
            put_path(&mut body, path);
        }
        for file in &self.files {
            put_path(&mut body, &file.path);
            body.extend(file.mode.to_le_bytes());
            put_id(&mut body, Some(file.id));
            put_mark(&mut body, file.mark);
        }
        let mut text = HEAD.to_vec();
        text.extend(sum(&body).to_le_bytes());
        text.append(&mut body);
        text
    }

    fn parse(text: &[u8]) -> Option<SeenFiles> {
        let (wanted, body) = text.strip_prefix(HEAD)?.split_first_chunk::<8>()?;
        if u64::from_le_bytes(*wanted) != sum(body) {
            return None;
        }
        let mut rest = body;
        let tree = take_id(&mut rest)?;
        let index = (take_mark(&mut rest)?, take_id(&mut rest)?);
        let named = u32::from_le_bytes(take(&mut rest)?);
        let named: Option<Vec<PathBuf>> = (0..named).map(|_| take_path(&mut rest)).collect();
        let mut files = Vec::new();
        while !rest.is_empty() {
            files.push(SeenFile {
                path: take_path(&mut rest)?,
                mode: u32::from_le_bytes(take(&mut rest)?),
                id: take_id(&mut rest)??,
                mark: take_mark(&mut rest)?,
            });
        }
        Some(SeenFiles {
            tree,
            index: index.0.zip(index.1),
            named: named?,
            files,
        })
    }
}

pub(super) fn git_mode(stamp: &Stamp) -> u32 {
    match (stamp.kind, stamp.mode & 0o100 != 0) {
        (DirEntryKind::Link, _) => LINK,
        (_, true) => PROGRAM,
        (_, false) => PLAIN,
    }
}

/// Against a torn file, not against a person.
fn sum(body: &[u8]) -> u64 {
    let mut sum = DefaultHasher::new();
    sum.write(body);
    sum.finish()
}

/// Not synced: it can be made again. What it names must be in the store for good.
pub(super) fn save(dir: &Dir, seen: &[u8]) -> Result<(), Error> {
    dir.replace_unsynced(FILE, seen, 0o600)
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (chunk, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*chunk)
}

fn put_number(body: &mut Vec<u8>, number: usize) {
    body.extend(u32::try_from(number).unwrap_or(u32::MAX).to_le_bytes());
}

fn put_path(body: &mut Vec<u8>, path: &Path) {
    put_number(body, bytes(path).len());
    body.extend(bytes(path));
}

fn take_path(rest: &mut &[u8]) -> Option<PathBuf> {
    let len = u32::from_le_bytes(take(rest)?) as usize;
    let (path, after) = rest.split_at_checked(len)?;
    *rest = after;
    Some(PathBuf::from(OsStr::from_bytes(path)))
}

fn put_id(body: &mut Vec<u8>, id: Option<Oid>) {
    body.extend(id.unwrap_or(Oid::ZERO_SHA1).as_bytes());
}

fn take_id(rest: &mut &[u8]) -> Option<Option<Oid>> {
    let id = Oid::from_bytes(&take::<20>(rest)?).ok()?;
    Some((!id.is_zero()).then_some(id))
}

fn put_mark(body: &mut Vec<u8>, mark: Option<FileMark>) {
    body.push(u8::from(mark.is_some()));
    let Some(mark) = mark else {
        return;
    };
    body.extend(mark.len.to_le_bytes());
    for (seconds, nanoseconds) in [mark.modified, mark.changed] {
        body.extend(seconds.to_le_bytes());
        body.extend(nanoseconds.to_le_bytes());
    }
    body.extend(mark.inode.to_le_bytes());
}

fn take_mark(rest: &mut &[u8]) -> Option<Option<FileMark>> {
    if take::<1>(rest)? == [0] {
        return Some(None);
    }
    let len = u64::from_le_bytes(take(rest)?);
    let time = |rest: &mut &[u8]| Some((i64::from_le_bytes(take(rest)?), u32::from_le_bytes(take(rest)?)));
    Some(Some(FileMark {
        len,
        modified: time(rest)?,
        changed: time(rest)?,
        inode: u64::from_le_bytes(take(rest)?),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stamp(ago: Duration, nanoseconds: u32) -> Stamp {
        let then = (SystemTime::now() - ago).duration_since(UNIX_EPOCH).unwrap();
        let time = (then.as_secs() as i64, nanoseconds);
        Stamp {
            kind: DirEntryKind::File,
            mode: 0o644,
            len: 4,
            modified: time,
            changed: time,
            device: 1,
            inode: 2,
            owner: 0,
            group: 0,
        }
    }

    #[test]
    fn where_the_file_system_tells_whole_seconds_a_stamp_is_believed_later() {
        let is_believed = |ago, nanoseconds| FileMark::of(&stamp(Duration::from_millis(ago), nanoseconds)).is_some();
        assert!(!is_believed(0, 0) && !is_believed(900, 0));
        assert!(is_believed(3500, 0));
        assert!(is_believed(1500, 1), "it tells finer ones");
    }
}
