//! What differs between two saved states.

use std::path::{Path, PathBuf};

use git2::{Delta, Diff, DiffFindOptions, DiffFormat, DiffLineType, DiffOptions, FileMode, Oid, Patch};

use super::snapshot::Snapshot;
use super::{Store, pointer};
use crate::git::Error;
use crate::model::review::{FileChange, FileKind};

/// The files of a clone at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SavedFiles(pub(super) Oid);

/// Lines around a change.
const CONTEXT: u32 = 3;
/// A patch of more bytes is cut: nobody reads it, and a terminal would choke on it.
const LONGEST: usize = 32 << 20;

impl Snapshot {
    pub fn files(&self) -> SavedFiles {
        SavedFiles(self.files)
    }
}

impl Store {
    /// Where `snapshot`'s branch left the other branch of the clone, `None` where they share nothing that is kept.
    pub fn base(&self, snapshot: &Snapshot, base: &str) -> Result<Option<SavedFiles>, Error> {
        let find = || -> Result<Option<SavedFiles>, git2::Error> {
            let Some(git) = snapshot.git_state(&self.repository)? else {
                return Ok(None);
            };
            let full = [format!("refs/remotes/origin/{base}"), format!("refs/heads/{base}")];
            let tip = full.iter().find_map(|name| git.commit_of(name));
            let (Some(head), Some(tip)) = (git.head.commit(), tip) else {
                return Ok(None);
            };
            let base = self.repository.merge_base(head, tip)?;
            self.tree_of(base).map(Some)
        };
        find().map_err(|source| self.failed(source))
    }

    /// The files of the last commit.
    pub fn committed(&self, snapshot: &Snapshot) -> Result<Option<SavedFiles>, Error> {
        let find = || -> Result<Option<SavedFiles>, git2::Error> {
            let git = snapshot.git_state(&self.repository)?;
            let commit = git.and_then(|git| git.head.commit());
            commit.map(|commit| self.tree_of(commit)).transpose()
        };
        find().map_err(|source| self.failed(source))
    }

    fn tree_of(&self, commit: Oid) -> Result<SavedFiles, git2::Error> {
        Ok(SavedFiles(self.repository.find_commit(commit)?.tree_id()))
    }

    /// The files that differ, by path; nothing at all comes before the first files.
    pub fn changes(&self, from: Option<SavedFiles>, to: SavedFiles) -> Result<Vec<FileChange>, Error> {
        let list = || -> Result<Vec<FileChange>, git2::Error> {
            let diff = self.diff(from, to)?;
            (0..diff.deltas().len()).map(|at| change(&diff, at)).collect()
        };
        list().map_err(|source| self.failed(source))
    }

    /// As git writes patches, with `prefix` before each path.
    pub fn patch(&self, from: Option<SavedFiles>, to: SavedFiles, prefix: &str) -> Result<Vec<u8>, Error> {
        self.patch_of(from, to, prefix, &[])
    }

    /// Of these files alone; of all, if none is named.
    pub(super) fn patch_of(
        &self,
        from: Option<SavedFiles>,
        to: SavedFiles,
        prefix: &str,
        paths: &[&Path],
    ) -> Result<Vec<u8>, Error> {
        let mut options = options();
        options
            .old_prefix(format!("a/{prefix}"))
            .new_prefix(format!("b/{prefix}"));
        self.print((from, to), &mut options, paths, prefix)
    }

    /// The same as bytes, with the content of binary files: what is to be applied.
    pub(super) fn whole_patch(
        &self,
        from: Option<SavedFiles>,
        to: SavedFiles,
        paths: &[&Path],
    ) -> Result<Vec<u8>, Error> {
        self.print((from, to), options().show_binary(true), paths, "")
    }

    fn print(
        &self,
        (from, to): (Option<SavedFiles>, SavedFiles),
        options: &mut DiffOptions,
        paths: &[&Path],
        prefix: &str,
    ) -> Result<Vec<u8>, Error> {
        options.disable_pathspec_match(true);
        for path in paths {
            options.pathspec(path);
        }
        let mut print = || -> Result<Vec<u8>, git2::Error> {
            let mut text = Vec::new();
            self.diff_with(from, to, options)?
                .print(DiffFormat::Patch, |_, _, line| {
                    if matches!(line.origin(), '+' | '-' | ' ') {
                        text.push(u8::try_from(line.origin()).unwrap_or(b' '));
                    }
                    match line.origin_value() == DiffLineType::FileHeader {
                        true => put_head(line.content(), prefix, &mut text),
                        false => text.extend_from_slice(line.content()),
                    }
                    text.len() < LONGEST
                })
                .or_else(|error| if text.len() < LONGEST { Err(error) } else { Ok(()) })?;
            Ok(text)
        };
        print().map_err(|source| self.failed(source))
    }

    fn diff(&self, from: Option<SavedFiles>, to: SavedFiles) -> Result<Diff<'_>, git2::Error> {
        self.diff_with(from, to, &mut options())
    }

    fn diff_with(
        &self,
        from: Option<SavedFiles>,
        to: SavedFiles,
        options: &mut DiffOptions,
    ) -> Result<Diff<'_>, git2::Error> {
        let from = from.map(|files| self.repository.find_tree(files.0)).transpose()?;
        let to = self.repository.find_tree(to.0)?;
        let mut diff = self
            .repository
            .diff_tree_to_tree(from.as_ref(), Some(&to), Some(options))?;
        diff.find_similar(Some(DiffFindOptions::new().renames(true)))?;
        Ok(diff)
    }
}

/// The head of a file's patch. libgit2 writes the prefix before the names of a renamed or copied file in all of its lines but
/// those that say so, and then nothing applies the patch.
fn put_head(head: &[u8], prefix: &str, text: &mut Vec<u8>) {
    const NAMES: [&[u8]; 4] = [b"rename from ", b"rename to ", b"copy from ", b"copy to "];
    for line in head.split_inclusive(|byte| *byte == b'\n') {
        let found = NAMES.iter().find_map(|word| Some((*word, line.strip_prefix(*word)?)));
        let Some((word, name)) = found else {
            text.extend_from_slice(line);
            continue;
        };
        let (quote, name) = match name.strip_prefix(b"\"") {
            Some(rest) => (&b"\""[..], rest),
            None => (&b""[..], name),
        };
        for part in [word, quote, prefix.as_bytes(), name] {
            text.extend_from_slice(part);
        }
    }
}

fn options() -> DiffOptions {
    let mut options = DiffOptions::new();
    options
        .context_lines(CONTEXT)
        .include_typechange(true)
        .indent_heuristic(true);
    options
}

fn change(diff: &Diff<'_>, at: usize) -> Result<FileChange, git2::Error> {
    let delta = diff
        .get_delta(at)
        .ok_or_else(|| git2::Error::from_str("a difference vanished"))?;
    let path = |file: &git2::DiffFile<'_>| file.path().map(PathBuf::from);
    let (old, new) = (delta.old_file(), delta.new_file());
    let is_commit = old.mode() == FileMode::Commit || new.mode() == FileMode::Commit;
    let kind = match delta.status() {
        _ if is_commit => FileKind::Submodule,
        Delta::Added | Delta::Copied | Delta::Untracked => FileKind::Added,
        Delta::Deleted => FileKind::Deleted,
        Delta::Renamed => FileKind::Renamed,
        _ if old.id() == new.id() => FileKind::Mode,
        _ => FileKind::Modified,
    };
    let patch = Patch::from_diff(diff, at)?;
    let lines = match &patch {
        Some(patch) => patch.line_stats()?,
        None => (0, 0, 0),
    };
    let is_binary = patch.as_ref().is_none_or(|patch| patch.delta().flags().is_binary());
    let is_pointer = patch.is_some_and(|patch| {
        let first = patch.line_in_hunk(0, 0);
        first.is_ok_and(|line| pointer::is_beginning(line.content()))
    });
    // Its lines say nothing to a person.
    let (is_binary, lines) = match is_pointer {
        true => (true, (0, 0, 0)),
        false => (is_binary, lines),
    };
    Ok(FileChange {
        path: path(&new).or_else(|| path(&old)).unwrap_or_default(),
        from: path(&old).filter(|_| kind == FileKind::Renamed),
        kind,
        binary: is_binary && kind != FileKind::Submodule && kind != FileKind::Mode,
        added: lines.1,
        removed: lines.2,
        id: if delta.status() == Delta::Deleted {
            old.id()
        } else {
            new.id()
        }
        .to_string(),
        index: None,
    })
}
