//! Stores one file of a clone, as it is read.

use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use git2::{ObjectType, Odb, OdbLookupFlags, Oid, Repository};

use super::seen::{self, FileMark, SeenFile};
use crate::fs::{self, Dir, DirEntryKind};
use crate::git::Error;
use crate::git::loose_object::LooseObject;

/// Files of this size and more are stored, and brought back, piece by piece.
pub(super) const STREAMED: u64 = 32 << 20;

/// Stores one file; none if it is gone or cannot be read as it is. A file that changes while it is read is stored as it
/// was read, and read again next time.
pub(super) fn store_file(repository: &Repository, clone: &Dir, path: &Path) -> Result<Option<SeenFile>, Error> {
    store_unknown((repository, repository), clone, path)
}

/// The same, but a content that the second repository has is not stored again, unless it is large.
pub(super) fn store_unknown(
    (repository, known): (&Repository, &Repository),
    clone: &Dir,
    path: &Path,
) -> Result<Option<SeenFile>, Error> {
    let Some(stamp) = readable(clone.stamp(path))? else {
        return Ok(None);
    };
    // How old it is counts when it is read, not when that has ended.
    let mark = FileMark::of(&stamp);
    let failed = |source| Error::Repository {
        path: repository.path().to_path_buf(),
        source,
    };
    let stored = match stamp.kind {
        DirEntryKind::Link => match readable(clone.read_link(path))? {
            Some(target) => store_new((repository, known), target.as_os_str().as_bytes()).map_err(failed)?,
            None => return Ok(None),
        },
        DirEntryKind::File if stamp.len >= STREAMED => match readable(clone.open_file(path))? {
            Some(mut file) => store_stream(repository, &mut file, stamp.len).map_err(failed)?,
            None => return Ok(None),
        },
        DirEntryKind::File => match clone.read(path, STREAMED * 2) {
            // It has grown since it was looked at.
            Err(fs::Error::TooLarge { .. }) => return store_unknown((repository, known), clone, path),
            read => match readable(read)? {
                Some(content) => store_new((repository, known), &content).map_err(failed)?,
                None => return Ok(None),
            },
        },
        DirEntryKind::Dir | DirEntryKind::Other => return Ok(None),
    };
    let after = clone.stamp(path).ok().flatten();
    Ok(Some(SeenFile {
        path: path.to_path_buf(),
        mode: seen::git_mode(&stamp),
        id: stored,
        mark: mark.filter(|_| after == Some(stamp)),
    }))
}

/// None of what is gone or cannot be read. What the system could not look at is an error: nothing is known of it.
fn readable<T>(read: Result<Option<T>, fs::Error>) -> Result<Option<T>, Error> {
    match read {
        Err(error) if error.is_of_the_file() => Ok(None),
        other => Ok(other?),
    }
}

/// Writes nothing, and touches nothing, where the content is known.
pub(super) fn store_bytes(repository: &Repository, content: &[u8]) -> Result<Oid, git2::Error> {
    store_new((repository, repository), content)
}

fn store_new((repository, known): (&Repository, &Repository), content: &[u8]) -> Result<Oid, git2::Error> {
    let id = Oid::hash_object(ObjectType::Blob, content)?;
    match known.odb()?.exists_ext(id, OdbLookupFlags::NO_REFRESH) {
        true => Ok(id),
        false => repository.odb()?.write(ObjectType::Blob, content),
    }
}

/// Stores a large content that another store has.
pub(super) fn store_loose(into: &Odb<'_>, object: LooseObject) -> Result<Oid, git2::Error> {
    let size =
        usize::try_from(object.size).map_err(|_| git2::Error::from_str("a file is too large for this machine"))?;
    let mut writer = into.writer(size, ObjectType::Blob)?;
    object
        .copy_to(&mut writer)
        .map_err(|error| git2::Error::from_str(&error.to_string()))?;
    writer.finalize()
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
