//! Clears a cache of what a killed fetch left in it.

use super::Error;
use crate::fs::{Dir, DirEntryKind};

/// Removes what a killed fetch left, which would stop the next one. Only one fetch of a cache runs at a time.
pub(super) fn tidy(cache: &Dir) -> Result<(), Error> {
    for entry in cache.entries(".")? {
        if entry.name.to_string_lossy().ends_with(".lock") {
            cache.remove_file(&entry.name)?;
        }
    }
    let pack = cache.create_dir("objects/pack")?;
    for entry in pack.entries(".")? {
        let name = entry.name.to_string_lossy();
        if name.starts_with("tmp_") || name.ends_with(".keep") {
            pack.remove_file(&entry.name)?;
        }
    }
    let mut waiting = vec![cache.dir("refs")?];
    while let Some(dir) = waiting.pop() {
        for entry in dir.entries(".")? {
            if entry.kind == DirEntryKind::Dir {
                waiting.push(dir.dir(&entry.name)?);
            } else if entry.name.to_string_lossy().ends_with(".lock") {
                dir.remove_file(&entry.name)?;
            }
        }
    }
    Ok(())
}
