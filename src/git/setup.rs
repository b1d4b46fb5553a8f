//! Project setup: files such as `.env` that a repository does not hold and each new clone of it needs.
//!
//! They are kept by origin, so what was saved for one project is never offered to another of the same name. Saving is all
//! or nothing; applying never replaces a file that the repository tracks.

use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

use parking_lot::{Mutex, const_mutex};

use super::Error;
use super::protected::{Protection, protection};
use crate::fs::{self, Dir, DirEntryKind, SafeName};
use crate::model::storage::{ProjectSetup, SetupFile};

const MAX_FILES: usize = 100;
const MAX_BYTES: u64 = 10 << 20;
/// Beyond this the folder is broken, not full.
const SAME_NAMES: usize = 1000;
const ORIGIN: &str = "origin";
const STAGED: &str = "staged-";

/// Whoever changes what is kept: the engine alone does, by several workers.
static CHANGING: Mutex<()> = const_mutex(());

/// Whether the person has agreed to keep files that may tell programs what to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Approval {
    Given,
    Missing,
}

/// What became of the saved files in a new clone.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Applied {
    pub files: Vec<String>,
    /// Not copied, each with why.
    pub skipped: Vec<(String, &'static str)>,
}

/// Keeps `files` of `clone` for the next clones of the same origin, in place of what was kept before under those names.
pub fn save(
    setups: &Dir,
    origin_key: &str,
    project: &SafeName,
    clone: &Dir,
    files: &[String],
    approval: Approval,
) -> Result<Vec<String>, Error> {
    let read = read_all(clone, files, approval)?;
    let _changing = CHANGING.lock();
    let kept = find_or_claim(setups, origin_key, project)?;
    remove_left(&kept)?;
    // Built beside and swapped in, so that a crash leaves the old files or the new.
    let staged = staged_name();
    let swapped = fill(&kept, &staged, &read).and_then(|()| swap(&kept, &staged));
    if swapped.is_err() {
        // The error that matters is the one returned.
        let _ = kept.remove_tree(&staged);
    }
    swapped?;
    Ok(read.into_iter().map(|file| file.name).collect())
}

/// The folder of an origin, where a person's `project.toml` for it lies; made where it is missing.
pub fn folder(setups: &Dir, origin_key: &str, project: &SafeName) -> Result<Dir, Error> {
    let _changing = CHANGING.lock();
    find_or_claim(setups, origin_key, project)
}

fn find_or_claim(setups: &Dir, origin_key: &str, project: &SafeName) -> Result<Dir, Error> {
    match find(setups, origin_key)? {
        Some(kept) => Ok(kept),
        None => claim(setups, origin_key, project),
    }
}

/// What a person's `project.toml` for an origin says.
pub fn project_file(setups: &Dir, origin_key: &str, max: u64) -> Result<Option<Vec<u8>>, Error> {
    match find(setups, origin_key)? {
        Some(kept) => Ok(kept.read("project.toml", max)?),
        None => Ok(None),
    }
}

/// What is kept for all projects, by the names of their folders.
pub fn list(setups: &Dir) -> Result<Vec<ProjectSetup>, Error> {
    let mut projects = Vec::new();
    for (name, kept) in folders(setups)? {
        let Some(origin) = kept.read(ORIGIN, 4096)? else {
            continue;
        };
        let mut files = Vec::new();
        if let Some(dir) = present(kept.dir("files"))? {
            let mut paths = walk(&dir, Path::new(""))?;
            paths.sort();
            for path in paths {
                files.push(SetupFile {
                    bytes: dir.metadata(&path)?.map_or(0, |found| found.len),
                    path: path.display().to_string(),
                });
            }
        }
        projects.push(ProjectSetup {
            project: name.to_string_lossy().into_owned(),
            origin: String::from_utf8_lossy(&origin).into_owned(),
            files,
        });
    }
    Ok(projects)
}

/// Keeps `files` of a project no more: all of them or none.
pub fn remove(setups: &Dir, project: &str, files: &[String]) -> Result<(), Error> {
    let absent = || Error::NoSetup("no setup files are kept for a project of that name".into());
    let _changing = CHANGING.lock();
    let mut all = folders(setups)?.into_iter();
    let (_, kept) = all.find(|(name, _)| *name == *project).ok_or_else(absent)?;
    let dir = present(kept.dir("files"))?.ok_or_else(absent)?;
    let known = walk(&dir, Path::new(""))?;
    if let Some(file) = files
        .iter()
        .find(|file| !known.iter().any(|path| path == Path::new(file)))
    {
        return Err(Error::NoSetup(format!("{file:?} is not kept for it")));
    }
    for file in files {
        dir.remove_for_good(file)?;
    }
    Ok(())
}

/// Copies what is kept for an origin into `clone`, which nobody sees yet.
pub fn apply(setups: &Dir, origin_key: &str, clone: &Dir) -> Result<Applied, Error> {
    let mut applied = Applied::default();
    let Some(kept) = find(setups, origin_key)? else {
        return Ok(applied);
    };
    let Some(files) = present(kept.dir("files"))? else {
        return Ok(applied);
    };
    let tracked = tracked(clone)?;
    for path in walk(&files, Path::new(""))? {
        let name = path.display().to_string();
        match place(&files, clone, &path, &tracked)? {
            None => applied.files.push(name),
            Some(why) => applied.skipped.push((name, why)),
        }
    }
    exclude(clone, &applied.files)?;
    Ok(applied)
}

/// Whether a file of `clone`, or all files beneath a directory of it, are kept for its origin as they are.
pub fn keeps(setups: &Dir, origin_key: &str, clone: &Dir, path: &Path) -> bool {
    let kept = || -> Result<bool, Error> {
        let Some(kept) = find(setups, origin_key)? else {
            return Ok(false);
        };
        let files = kept.dir("files")?;
        let mut waiting = vec![path.to_path_buf()];
        let mut seen = 0;
        while let Some(path) = waiting.pop() {
            seen += 1;
            match clone.metadata(&path)?.map(|found| found.kind) {
                Some(DirEntryKind::Dir) => {
                    waiting.extend(clone.entries(&path)?.iter().map(|entry| path.join(&entry.name)))
                }
                Some(DirEntryKind::File) if seen <= MAX_FILES => {
                    let there = files.read(&path, MAX_BYTES)?;
                    if there.is_none() || there != clone.read(&path, MAX_BYTES)? {
                        return Ok(false);
                    }
                }
                Some(DirEntryKind::File | DirEntryKind::Link | DirEntryKind::Other) | None => return Ok(false),
            }
        }
        Ok(true)
    };
    kept().unwrap_or(false)
}

/// Names the files in the clone's own excludes: a repository need not ignore them, and an agent that adds everything
/// must not commit what is in them.
fn exclude(clone: &Dir, files: &[String]) -> Result<(), Error> {
    const EXCLUDE: &str = "info/exclude";
    if files.is_empty() {
        return Ok(());
    }
    let git = clone.dir(".git")?;
    git.create_dir("info")?;
    let mut text = git.read(EXCLUDE, 1 << 20)?.unwrap_or_default();
    if !text.is_empty() && !text.ends_with(b"\n") {
        text.push(b'\n');
    }
    for file in files {
        text.extend(format!("/{}\n", literally(file)).into_bytes());
    }
    Ok(git.write_atomic(EXCLUDE, text)?)
}

/// A path as a pattern that matches nothing else.
fn literally(path: &str) -> String {
    let mut pattern = String::with_capacity(path.len());
    for c in path.chars() {
        if matches!(c, '*' | '?' | '[' | '\\' | ' ') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

struct SavedFile {
    name: String,
    bytes: Vec<u8>,
    /// Scripts stay scripts.
    executable: bool,
}

fn read_all(clone: &Dir, files: &[String], approval: Approval) -> Result<Vec<SavedFile>, Error> {
    let refuse = |file: &str, why: &str| {
        Err(Error::Setup {
            file: file.to_string(),
            why: why.to_string(),
        })
    };
    if files.len() > MAX_FILES {
        return refuse(
            &format!("{} files", files.len()),
            "at most 100 files are kept for a project",
        );
    }
    let mut left = MAX_BYTES;
    let mut saved: Vec<SavedFile> = Vec::new();
    let tracked = tracked(clone)?;
    for file in files {
        match protection(file) {
            Protection::None => {}
            Protection::Git => return refuse(file, "git's own files are not kept"),
            Protection::Hidden => {
                return refuse(
                    file,
                    "its name holds control, invisible or direction-changing characters",
                );
            }
            Protection::Asked if approval == Approval::Given => {}
            Protection::Asked => return Err(Error::Approval { file: file.clone() }),
        }
        let Some(metadata) = clone.metadata(file)? else {
            return Err(Error::NoFile { path: file.into() });
        };
        if metadata.kind != DirEntryKind::File {
            return refuse(file, "it is no regular file; name files, not directories or links");
        }
        let bytes = match clone.read(file, left) {
            Err(fs::Error::TooLarge { .. }) => {
                return refuse(file, "at most 10 MB are kept for a project");
            }
            other => other?.unwrap_or_default(),
        };
        left -= bytes.len() as u64;
        let plain = Path::new(file).components().filter(|part| *part != Component::CurDir);
        let path = plain.collect::<PathBuf>();
        if tracked.has(&path) {
            return refuse(file, "the repository tracks it, so each clone has it already");
        }
        let name = path.display().to_string();
        if saved.iter().all(|other| other.name != name) {
            saved.push(SavedFile {
                name,
                bytes,
                executable: metadata.mode & 0o100 != 0,
            });
        }
    }
    Ok(saved)
}

/// The folder that says that it is this origin's. Its name is for people: clones of one origin can have several.
fn find(setups: &Dir, origin_key: &str) -> Result<Option<Dir>, Error> {
    for (_, dir) in folders(setups)? {
        if dir.read(ORIGIN, 4096)?.as_deref() == Some(origin_key.as_bytes()) {
            return Ok(Some(dir));
        }
    }
    Ok(None)
}

/// Those of all projects, by name.
fn folders(setups: &Dir) -> Result<Vec<(OsString, Dir)>, Error> {
    let mut names: Vec<OsString> = setups
        .entries(".")?
        .into_iter()
        .filter(|entry| entry.kind == DirEntryKind::Dir)
        .map(|entry| entry.name)
        .collect();
    names.sort();
    let mut folders = Vec::new();
    for name in names {
        if let Some(dir) = present(setups.dir(&name))? {
            folders.push((name, dir));
        }
    }
    Ok(folders)
}

fn claim(setups: &Dir, origin_key: &str, project: &SafeName) -> Result<Dir, Error> {
    for name in candidates(project) {
        match setups.create_new_dir(&name) {
            Ok(dir) => {
                dir.write_atomic(ORIGIN, origin_key)?;
                return Ok(dir);
            }
            Err(e) if e.kind() == std::io::ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e.into()),
        }
    }
    Err(Error::Setup {
        file: project.to_string(),
        why: "too many projects have that name".into(),
    })
}

fn candidates(project: &SafeName) -> impl Iterator<Item = String> {
    (1..=SAME_NAMES).map(move |n| {
        if n == 1 {
            project.to_string()
        } else {
            format!("{project}-{n}")
        }
    })
}

fn staged_name() -> String {
    format!("{STAGED}{}", uuid::Uuid::new_v4().simple())
}

/// Removes what a change that was cut off has left: it may hold secrets that are kept no more.
fn remove_left(kept: &Dir) -> Result<(), Error> {
    for entry in kept.entries(".")? {
        if entry.name.to_string_lossy().starts_with(STAGED) {
            kept.remove_tree(&entry.name)?;
        }
    }
    Ok(())
}

fn fill(kept: &Dir, staged: &str, saved: &[SavedFile]) -> Result<(), Error> {
    let to = kept.create_new_dir(staged)?;
    if let Some(from) = present(kept.dir("files"))? {
        for path in walk(&from, Path::new(""))? {
            if saved.iter().all(|file| Path::new(&file.name) != path) {
                copy(&from, &to, &path)?;
            }
        }
    }
    for file in saved {
        if let Some(parent) = Path::new(&file.name).parent().filter(|p| !p.as_os_str().is_empty()) {
            to.create_dir(parent)?;
        }
        to.write_atomic(&file.name, &file.bytes)?;
        if file.executable {
            to.set_executable(&file.name)?;
        }
    }
    Ok(())
}

fn swap(kept: &Dir, staged: &str) -> Result<(), Error> {
    if kept.metadata("files")?.is_none() {
        return Ok(kept.rename(staged, kept, "files")?);
    }
    kept.exchange(staged, "files")?;
    Ok(kept.remove_tree(staged)?)
}

/// Copies one file, or says why not.
fn place(files: &Dir, clone: &Dir, path: &Path, tracked: &Tracked) -> Result<Option<&'static str>, Error> {
    if tracked.has(path) {
        return Ok(Some("the repository tracks a file of that name"));
    }
    match clone.metadata(path) {
        Ok(None) => {}
        Ok(Some(_)) => return Ok(Some("something of that name is there already")),
        Err(e) if e.is_blocked() => return Ok(Some("a link or a file is in the way")),
        Err(e) => return Err(e.into()),
    }
    match copy(files, clone, path) {
        Err(Error::Files(e)) if e.is_blocked() => Ok(Some("a link or a file is in the way")),
        other => other.map(|()| None),
    }
}

fn copy(from: &Dir, to: &Dir, path: &Path) -> Result<(), Error> {
    if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        to.create_dir(parent)?;
    }
    let Some(file) = from.open_file(path)? else {
        return Ok(());
    };
    let mode = from.metadata(path)?.map_or(0o600, |m| 0o600 | (m.mode & 0o100));
    to.copy_file_in(&file, path, mode)?;
    Ok(())
}

/// All regular files beneath, by their paths.
fn walk(dir: &Dir, at: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut found = Vec::new();
    for entry in dir.entries(".")? {
        let path = at.join(&entry.name);
        match entry.kind {
            DirEntryKind::Dir => found.extend(walk(&dir.dir(&entry.name)?, &path)?),
            DirEntryKind::File => found.push(path),
            DirEntryKind::Link | DirEntryKind::Other => {}
        }
    }
    Ok(found)
}

/// The paths in a clone's index, compared without case: some file systems do not tell them apart.
struct Tracked(Vec<String>);

fn tracked(clone: &Dir) -> Result<Tracked, Error> {
    let failed = |source| Error::Repository {
        path: clone.path().to_path_buf(),
        source,
    };
    let index = git2::Repository::open(clone.path())
        .and_then(|r| r.index())
        .map_err(failed)?;
    let mut paths: Vec<String> = index
        .iter()
        .map(|e| String::from_utf8_lossy(&e.path).to_lowercase())
        .collect();
    paths.sort();
    Ok(Tracked(paths))
}

impl Tracked {
    fn has(&self, path: &Path) -> bool {
        self.0.binary_search(&path.to_string_lossy().to_lowercase()).is_ok()
    }
}

/// A missing directory is an answer, not an error.
fn present(dir: Result<Dir, fs::Error>) -> Result<Option<Dir>, Error> {
    match dir {
        Ok(dir) => Ok(Some(dir)),
        Err(e) if e.is_missing() => Ok(None),
        Err(e) => Err(e.into()),
    }
}
