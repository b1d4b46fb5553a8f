//! What of a repository of parlour's own cannot be read back, as a power cut or a failing disk leaves it.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use git2::Repository;
use rayon::prelude::*;

use super::Error;
use super::loose_object::LooseObject;
use super::objects::is_fan_out;
use crate::fs::{self, Dir, DirEntryKind};

/// Bytes of a checksum, with which a pack ends. Its index ends with the same, and one of its own.
const CHECKSUM: u64 = 20;

/// The files of its objects that cannot be read back. Those that lie by themselves are read, packs are only looked at where
/// they end. An error says that it is no repository at all any more.
pub fn damaged_files(repository: &Dir) -> Result<Vec<PathBuf>, Error> {
    Repository::open_bare(repository.path()).map_err(|source| Error::Repository {
        path: repository.path().to_path_buf(),
        source,
    })?;
    let objects = repository.dir("objects")?;
    let mut files = Vec::new();
    for folder in objects.entries(".")? {
        let is_pack = folder.name == "pack";
        if folder.kind != DirEntryKind::Dir || !(is_pack || is_fan_out(&folder.name)) {
            continue;
        }
        for file in objects.entries(&folder.name)? {
            let path = Path::new(&folder.name).join(&file.name);
            let is_object = match is_pack {
                true => path.extension().is_some_and(|extension| extension == "pack"),
                false => file.name.as_encoded_bytes().iter().all(u8::is_ascii_hexdigit),
            };
            if is_object {
                files.push(path);
            }
        }
    }
    let is_damaged = |path: &PathBuf| !is_whole(&objects, path);
    let mut damaged: Vec<PathBuf> = files.into_par_iter().filter(is_damaged).collect();
    damaged.sort();
    Ok(damaged.into_iter().map(|path| objects.path().join(path)).collect())
}

/// What is gone by now was removed by whoever may.
fn is_whole(objects: &Dir, path: &Path) -> bool {
    let open = |path: &Path| -> Result<Option<File>, fs::Error> { objects.open_file(path) };
    match (open(path), path.starts_with("pack")) {
        (Ok(None), _) => true,
        (Ok(Some(object)), false) => LooseObject::open(object)
            .and_then(|object| object.copy_to(&mut io::sink()))
            .is_ok(),
        (Ok(Some(pack)), true) => match open(&path.with_extension("idx")) {
            Ok(Some(index)) => ends_alike(pack, index).unwrap_or(false),
            // It is made after its pack.
            Ok(None) => true,
            Err(_) => false,
        },
        (Err(_), _) => false,
    }
}

fn ends_alike(pack: File, index: File) -> io::Result<bool> {
    Ok(end(pack, CHECKSUM)? == end(index, 2 * CHECKSUM)?)
}

/// The checksum that stands so many bytes before the end.
fn end(mut file: File, before: u64) -> io::Result<[u8; CHECKSUM as usize]> {
    let mut checksum = [0; CHECKSUM as usize];
    file.seek(SeekFrom::End(-i64::try_from(before).unwrap_or(i64::MAX)))?;
    file.read_exact(&mut checksum)?;
    Ok(checksum)
}
