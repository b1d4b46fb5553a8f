//! What is saved by name although it is ignored: files that the clone tracks, and what another checkpoint holds.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use super::left_out::{Omission, Reason};
use super::scan::{FoundDir, FoundFile, Scan, bytes};
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
