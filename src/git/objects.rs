//! Brings a cache's objects into a clone: shared copy-on-write, copied, or borrowed. Never hard-linked.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use super::packs::size_of_packs;
use super::{CancelFlag, Error};
use crate::fs::{Dir, DirEntryKind};
use crate::sys::reflink::CopiedBy;

/// Objects are read-only, so that a slip of a hand cannot spoil them.
const OBJECT_MODE: u32 = 0o400;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BroughtObjects {
    Copied,
    Borrowed,
}

/// Fills `clone`'s empty object store from `cache`. Above `copy_limit` bytes that cannot be shared copy-on-write, the
/// clone reads the cache's objects in place; the cache never drops any, so that is safe.
pub(super) fn bring(cache: &Dir, clone: &Dir, copy_limit: u64, cancel: &CancelFlag) -> Result<BroughtObjects, Error> {
    let (from, to) = (cache.dir("objects")?, clone.create_dir("objects")?);
    let mut copy_all = size_of_packs(cache.path()) <= copy_limit;
    for folder in from.entries(".")?.into_iter().filter(|e| e.kind == DirEntryKind::Dir) {
        if folder.name != "pack" && !is_fan_out(&folder.name) {
            continue;
        }
        let (from, to) = (from.dir(&folder.name)?, to.create_dir(&folder.name)?);
        for entry in from
            .entries(".")?
            .into_iter()
            .filter(|e| e.kind == DirEntryKind::File && is_finished(&e.name))
        {
            cancel.check()?;
            let Some(file) = from.open_file(&entry.name)? else {
                continue;
            };
            let copied = to.copy_file_until(&file, &entry.name, OBJECT_MODE, &|| cancel.is_set());
            cancel.check()?;
            let copied = copied?;
            if copied == CopiedBy::Whole && !copy_all {
                // The first file tells what the file system can do; the index files come first and are small.
                return borrow(cache, clone);
            }
            copy_all = true;
        }
    }
    Ok(BroughtObjects::Copied)
}

fn borrow(cache: &Dir, clone: &Dir) -> Result<BroughtObjects, Error> {
    for folder in clone.entries("objects")? {
        clone.remove_tree(Path::new("objects").join(folder.name))?;
    }
    clone.create_dir("objects/pack")?;
    let mut line = cache.path().join("objects").into_os_string().into_encoded_bytes();
    line.push(b'\n');
    clone.create_dir("objects/info")?.write_atomic("alternates", line)?;
    Ok(BroughtObjects::Borrowed)
}

pub(super) fn is_fan_out(name: &OsStr) -> bool {
    name.len() == 2 && name.as_bytes().iter().all(u8::is_ascii_hexdigit)
}

/// Not one that a fetch is still writing.
fn is_finished(name: &OsStr) -> bool {
    let name = name.as_bytes();
    !name.starts_with(b"tmp_") && !name.starts_with(b".") && !name.ends_with(b".lock") && !name.ends_with(b".keep")
}
