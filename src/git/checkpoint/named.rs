//! What is saved by name although it is ignored: files that the clone tracks, and what another checkpoint holds.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use super::left_out::{Omission, Reason};
use super::scan::{DEEPEST, FoundDir, FoundFile, Scan, bytes};
use crate::fs::{self, Dir, DirEntryKind};
use crate::git::Error;

/// Adds those of `names` that are there, and the directories on the way to each. Returns the added files, sorted.
pub(super) fn add<'a>(
    clone: &Dir,
    names: impl Iterator<Item = &'a Path>,
    scan: &mut Scan,
) -> Result<Vec<PathBuf>, Error> {
    let missing: BTreeSet<&Path> = {
        let known: HashSet<&Path> = scan.files.iter().map(|found| found.path.as_path()).collect();
        names.filter(|name| !known.contains(name)).collect()
    };
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    let (mut added, mut above) = (Vec::new(), BTreeSet::new());
    for path in missing {
        if scan.nested.iter().any(|nested| path.starts_with(nested)) {
            continue;
        }
        let stamp = match clone.stamp(path) {
            Ok(stamp) => stamp,
            Err(error) => {
                leave_unread(path, error, scan)?;
                continue;
            }
        };
        match stamp {
            Some(stamp) if matches!(stamp.kind, DirEntryKind::File | DirEntryKind::Link) => {
                added.push(path.to_path_buf());
                let path = path.to_path_buf();
                scan.files.push(FoundFile { path, stamp });
            }
            Some(stamp) if stamp.kind == DirEntryKind::Dir => drop(above.insert(path.to_path_buf())),
            _ => {}
        }
        above.extend(
            path.ancestors()
                .skip(1)
                .filter(|dir| !dir.as_os_str().is_empty())
                .map(Path::to_path_buf),
        );
    }
    scan.files.sort_unstable_by(|a, b| bytes(&a.path).cmp(bytes(&b.path)));
    add_dirs(clone, above, scan)?;
    Ok(added)
}

/// Adds the directories beneath those that one of these files is to replace.
pub(super) fn add_replaced(clone: &Dir, files: &BTreeSet<PathBuf>, scan: &mut Scan) -> Result<(), Error> {
    let mut found = BTreeSet::new();
    for dir in scan.dirs.iter().filter(|dir| files.contains(&dir.path)) {
        add_beneath(clone, &dir.path, scan, &mut found)?;
    }
    add_dirs(clone, found, scan)
}

/// Those that are ignored and hold no file go with it, and come back with the undo. Whether `dir` can be replaced at all: it
/// stays where a file lies in it that is not saved.
fn add_beneath(clone: &Dir, dir: &Path, scan: &Scan, found: &mut BTreeSet<PathBuf>) -> Result<bool, Error> {
    let entries = match clone.entries(dir) {
        Ok(_) if dir.components().count() > DEEPEST => return Ok(false),
        Ok(entries) => entries,
        Err(error) if Reason::of_unread(&error).is_some() => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    for entry in entries {
        let path = dir.join(entry.name);
        let goes = match entry.kind {
            DirEntryKind::Dir => add_beneath(clone, &path, scan, found)?,
            _ => {
                let known = scan.files.binary_search_by(|file| bytes(&file.path).cmp(bytes(&path)));
                known.is_ok()
            }
        };
        if !goes {
            return Ok(false);
        }
    }
    found.insert(dir.to_path_buf());
    Ok(true)
}

/// What lies beneath something that is left out is left out with it.
fn leave_unread(path: &Path, error: fs::Error, scan: &mut Scan) -> Result<(), Error> {
    let Some(reason) = Reason::of_unread(&error) else {
        return Err(error.into());
    };
    if !scan.left_out.iter().any(|out| path.starts_with(&out.path)) {
        let path = path.to_path_buf();
        scan.left_out.push(Omission { path, reason });
    }
    Ok(())
}

/// A directory that is ignored has a mode, and may be empty: else a restore would not bring it back.
fn add_dirs(clone: &Dir, dirs: BTreeSet<PathBuf>, scan: &mut Scan) -> Result<(), Error> {
    let known: HashSet<PathBuf> = scan.dirs.iter().map(|dir| dir.path.clone()).collect();
    for path in dirs.into_iter().filter(|path| !known.contains(path)) {
        let Some(stamp) = clone.stamp(&path)?.filter(|stamp| stamp.kind == DirEntryKind::Dir) else {
            continue;
        };
        scan.dirs.push(FoundDir { path, mode: stamp.mode });
    }
    scan.dirs.sort_unstable_by(|a, b| bytes(&a.path).cmp(bytes(&b.path)));
    Ok(())
}
