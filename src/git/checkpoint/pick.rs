//! Stages, unstages and discards what was chosen of one file, or takes it from another clone.
//!
//! Everything is made of what was just saved: the file, its last commit and its entry in the index. The clone gets one
//! new object and one new index, or one new file.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use git2::Oid;

use super::Store;
use super::clone_index::CloneIndex;
use super::converted::Conversion;
use super::diff::SavedFiles;
use super::file::TreeFile;
use super::placing::Placing;
use super::seen::LINK;
use super::snapshot::Snapshot;
use super::staging::has_conflict_marks;
use crate::fs::{Dir, DirEntryKind, Stamp};
use crate::git::Error;
use crate::git::compare::{ChosenLines, HunkOptions, MOST_LINES, PickWay, is_binary, picked, renumbered};
use crate::model::diff::FileAsk;
use crate::model::pick::{PickAct, PickedPart};
use crate::model::review::FileChange;

/// One file of a clone that was just saved, with what was chosen in it. If that is to be taken from another clone, the
/// file is that of the other one.
struct Picking<'a> {
    store: &'a Store,
    clone: &'a Dir,
    now: &'a Snapshot,
    ask: &'a FileAsk,
    /// The file before, where it was shown.
    was: Option<TreeFile>,
    is: Option<TreeFile>,
    /// What git does to the file as it stores it.
    conversion: Conversion,
    /// What was shown is the file as git stores it, which is not how it lies in the clone.
    is_converted: bool,
    /// None: all of the file.
    chosen: Option<ChosenLines>,
}

impl Store {
    /// Does this with what was chosen of a difference. `now` is the clone as it was just saved.
    pub fn pick(
        &self,
        clone: &Dir,
        now: &Snapshot,
        ask: &FileAsk,
        parts: &[PickedPart],
        act: PickAct,
    ) -> Result<(), Error> {
        let picking = Picking::new(self, (clone, now), ask, parts, act)?;
        match act {
            PickAct::Stage => picking.stage(),
            PickAct::Unstage => picking.unstage(),
            PickAct::Discard => picking.discard(),
            PickAct::Take => picking.take(),
        }
    }

    /// How a file differs from the last commit.
    pub fn uncommitted(&self, clone: &Dir, now: &Snapshot, (project, path): (&str, &Path)) -> Result<FileAsk, Error> {
        if !now.has_git() {
            return Err(Error::NotARepository {
                path: clone.path().to_path_buf(),
            });
        }
        let committed = self.committed(now)?;
        let sides = (committed, self.as_stored(clone, now, committed)?);
        let mut changes = self.changes(sides.0, sides.1)?;
        self.tell_staged(now, sides, &mut changes)?;
        let why = "it does not differ from the last commit";
        self.found(changes, sides, (project, path), why)
    }

    /// How a file differs in these files from what it was before; if it does not, that is said.
    pub fn difference(
        &self,
        (before, after): (Option<SavedFiles>, SavedFiles),
        (project, path): (&str, &Path),
        why: &'static str,
    ) -> Result<FileAsk, Error> {
        let changes = self.changes(before, after)?;
        self.found(changes, (before, after), (project, path), why)
    }

    /// How a file differs between the two sides, by all that differs there.
    fn found(
        &self,
        changes: Vec<FileChange>,
        (before, after): (Option<SavedFiles>, SavedFiles),
        (project, path): (&str, &Path),
        why: &'static str,
    ) -> Result<FileAsk, Error> {
        let Some(change) = changes.into_iter().find(|change| change.path == path) else {
            let was = before.map(|before| self.file_in(before, path)).transpose()?.flatten();
            let known = was.or(self.file_in(after, path)?);
            let path = path.to_path_buf();
            return Err(match known {
                Some(_) => Error::Pick { path, why },
                None => Error::NoFile { path },
            });
        };
        Ok(FileAsk {
            project: project.to_owned(),
            before: before.map(SavedFiles::tree),
            after: after.tree(),
            path: path.to_path_buf(),
            from: change.from,
            context: 3,
            ignore_whitespace: false,
            index: change.index.map(|index| index.content),
        })
    }

    /// Whether a file is the same at both moments.
    pub fn is_same_file(&self, one: &Snapshot, other: &Snapshot, path: &Path) -> Result<bool, Error> {
        Ok(self.file_in(one.files(), path)? == self.file_in(other.files(), path)?)
    }

    pub(super) fn blob(&self, id: Oid) -> Result<Vec<u8>, Error> {
        let blob = self.repository.find_blob(id).map_err(|source| self.failed(source))?;
        Ok(blob.content().to_vec())
    }
}

impl<'a> Picking<'a> {
    /// The clone must still have what was shown of it: the file before, if the one after is another clone's.
    fn new(
        store: &'a Store,
        (clone, now): (&'a Dir, &'a Snapshot),
        ask: &'a FileAsk,
        parts: &[PickedPart],
        act: PickAct,
    ) -> Result<Picking<'a>, Error> {
        let (was, is) = store.sides(ask)?;
        let (own, shown) = match act {
            PickAct::Stage | PickAct::Unstage | PickAct::Discard => (ask.path.as_path(), is),
            PickAct::Take => (ask.from.as_deref().unwrap_or(&ask.path), was),
        };
        let mut picking = Picking {
            store,
            clone,
            now,
            ask,
            was,
            is,
            conversion: store.conversion(clone, now.files(), own)?,
            is_converted: false,
            chosen: None,
        };
        let saved = store.file_in(now.files(), own)?;
        if saved != shown {
            let stored = saved
                .map(|saved| store.stored_file(picking.conversion, saved, was))
                .transpose()?;
            if stored != shown {
                return Err(Error::Stale {
                    path: own.to_path_buf(),
                });
            }
            picking.is_converted = true;
        }
        let is_there = |stamp: Stamp| stamp.kind != DirEntryKind::Dir;
        if shown.is_none() && clone.stamp(own)?.is_some_and(is_there) {
            return Err(picking.refused("parlour does not save it: it is too large, ignored or cannot be read"));
        }
        if was.is_none() && is.is_none() && ask.index.is_none() {
            let path = ask.path.clone();
            return Err(Error::NoFile { path });
        }
        picking.chosen = picking.choose(parts)?;
        Ok(picking)
    }

    fn refused(&self, why: &'static str) -> Error {
        Error::Pick {
            path: self.ask.path.clone(),
            why,
        }
    }

    fn choose(&self, parts: &[PickedPart]) -> Result<Option<ChosenLines>, Error> {
        if parts.is_empty() {
            return Ok(None);
        }
        let is_plain = |file: &TreeFile| !file.is_commit() && file.mode != LINK;
        let (old, new) = (self.text(self.was)?, self.text(self.is)?);
        if ![self.was, self.is].iter().flatten().all(is_plain) || is_binary(&old) || is_binary(&new) {
            return Err(self.refused("it has no lines: choose the whole file"));
        }
        let how = HunkOptions {
            context: self.ask.context,
            ignore_whitespace: self.ask.ignore_whitespace,
            most: MOST_LINES,
        };
        let chosen = ChosenLines::of(&old, &new, how, parts).map_err(|source| self.store.failed(source))?;
        match chosen {
            Some(chosen) => Ok(Some(chosen)),
            None => Err(self.refused("there is no such change in it")),
        }
    }

    fn text(&self, file: Option<TreeFile>) -> Result<Vec<u8>, Error> {
        match file.filter(|file| !file.is_commit()) {
            Some(file) => self.store.blob(file.id),
            None => Ok(Vec::new()),
        }
    }

    /// The path that the file had before and has no more.
    fn left(&self) -> Result<Option<&'a Path>, Error> {
        let from = self.ask.from.as_deref().filter(|from| *from != self.ask.path);
        Ok(match from {
            Some(from) if self.store.file_in(self.now.files(), from)?.is_none() => Some(from),
            Some(_) | None => None,
        })
    }

    fn stage(&self) -> Result<(), Error> {
        let path = &self.ask.path;
        let mut index = CloneIndex::read(self.store, self.clone)?;
        let left = self.left()?;
        let staged = match &self.chosen {
            None => self.is,
            Some(chosen) => {
                if index.has_conflict(path) {
                    return Err(self.refused("it is in conflict: stage the whole file once that is resolved"));
                }
                let entry = index.get(path).or_else(|| index.get(left?));
                let (base, old, new) = (self.text(entry)?, self.text(self.was)?, self.text(self.is)?);
                // What differs from the last commit beside them would stay, next to what it is replaced by.
                if !self.is_from_last_commit()? {
                    return Err(self.refused("not all that changed in it was compared: choose its lines once more"));
                }
                let chosen = ChosenLines {
                    removed: self.renumber(&old, &base, &chosen.removed)?,
                    added: chosen.added.clone(),
                    old: Vec::new(),
                    new: chosen.new.clone(),
                };
                let content = self.picked(&base, &new, PickWay::Forth, &chosen)?;
                let mode = entry.or(self.is).or(self.was).map_or(0, |file| file.mode);
                self.made(&index, content, mode, self.is.is_none())?
            }
        };
        match staged {
            Some(file) => {
                if !file.is_commit() {
                    self.check_form()?;
                    if index.has_conflict(path) && has_conflict_marks(&self.text(self.is)?) {
                        return Err(
                            self.refused("it has the marks of its conflict still: resolve them, or use `git add`")
                        );
                    }
                    if self.chosen.is_none() {
                        index.store_blob(&self.text(self.is)?)?;
                    }
                }
                index.put(path, file)?;
            }
            None => index.remove(path)?,
        }
        if let Some(left) = left {
            index.remove(left)?;
        }
        self.written(index, "that is staged already")
    }

    /// What is staged must be as git itself would store it.
    fn check_form(&self) -> Result<(), Error> {
        if let Some(why) = self.conversion.refusal() {
            return Err(self.refused(why));
        }
        let Some(is) = self.is.filter(|_| !self.is_converted) else {
            return Ok(());
        };
        match self.store.stored_file(self.conversion, is, self.was)? == is {
            true => Ok(()),
            false => Err(self.refused("git stores it with other ends of lines: compare what is uncommitted")),
        }
    }

    fn unstage(&self) -> Result<(), Error> {
        self.written(self.unstaged()?, "nothing of that is staged")
    }

    /// The index without what was chosen, as the last commit has it. It is still to be written.
    fn unstaged(&self) -> Result<CloneIndex<'a>, Error> {
        let path = &self.ask.path;
        let mut index = CloneIndex::read(self.store, self.clone)?;
        let committed = self.store.committed(self.now)?;
        let at = |path: &Path| match committed {
            Some(files) => self.store.file_in(files, path),
            None => Ok(None),
        };
        let head = at(path)?;
        let Some(chosen) = &self.chosen else {
            match head {
                Some(file) => index.put(path, file)?,
                None => index.remove(path)?,
            }
            if let Some(from) = self.left()?
                && let Some(file) = at(from)?
            {
                index.put(from, file)?;
            }
            return Ok(index);
        };
        if index.has_conflict(path) {
            return Err(self.refused("it is in conflict: unstage the whole file"));
        }
        let entry = index.get(path);
        let base = match (head, self.ask.from.as_deref()) {
            (None, Some(from)) => at(from)?,
            (head, _) => head,
        };
        let (old, new) = (self.text(base)?, self.text(entry)?);
        let was = self.text(self.was)?;
        let chosen = ChosenLines {
            removed: self.renumber(&was, &old, &chosen.removed)?,
            added: self.renumber(&self.text(self.is)?, &new, &chosen.added)?,
            old: chosen.old.iter().copied().filter(|_| was == old).collect(),
            new: Vec::new(),
        };
        let content = self.picked(&old, &new, PickWay::Back, &chosen)?;
        let mode = entry.or(base).map_or(0, |file| file.mode);
        match self.made(&index, content, mode, head.is_none())? {
            Some(file) => index.put(path, file)?,
            None => index.remove(path)?,
        }
        Ok(index)
    }

    /// A file of the index; none if it is empty, and should not be there then.
    fn made(
        &self,
        index: &CloneIndex<'_>,
        content: Vec<u8>,
        mode: u32,
        goes_if_empty: bool,
    ) -> Result<Option<TreeFile>, Error> {
        if content.is_empty() && goes_if_empty {
            return Ok(None);
        }
        let id = index.store_blob(&content)?;
        Ok(Some(TreeFile { id, mode }))
    }

    fn written(&self, index: CloneIndex<'_>, nothing: &'static str) -> Result<(), Error> {
        let path = self.ask.path.clone();
        let is_written = index.write()?;
        is_written
            .then_some(())
            .ok_or(Error::PickedAlready { path, why: nothing })
    }

    fn renumber(&self, from: &[u8], to: &[u8], numbers: &BTreeSet<u32>) -> Result<BTreeSet<u32>, Error> {
        renumbered(from, to, numbers).map_err(|source| self.store.failed(source))
    }

    /// To the byte, whatever was left out of what was shown.
    fn picked(&self, old: &[u8], new: &[u8], way: PickWay, chosen: &ChosenLines) -> Result<Vec<u8>, Error> {
        picked(old, new, way, false, chosen).map_err(|source| self.store.failed(source))
    }

    fn placing(&self) -> Placing<'a> {
        Placing {
            store: self.store,
            clone: self.clone,
            now: self.now,
        }
    }

    fn discard(&self) -> Result<(), Error> {
        let path = &self.ask.path;
        if [self.was, self.is].into_iter().flatten().any(TreeFile::is_commit) {
            return Err(self.refused("it is a repository of its own"));
        }
        let index = self.index_without()?;
        if self.was == self.is && self.ask.from.as_ref().is_none_or(|from| from == path) {
            let index = index.ok_or_else(|| self.refused("it is as it was"))?;
            return self.written(index, "it is as it was");
        }
        let is_committed = match self.store.committed(self.now)? {
            Some(files) => {
                self.was.is_some() && self.store.file_in(files, self.ask.from.as_ref().unwrap_or(path))? == self.was
            }
            None => false,
        };
        if is_committed && let Some(why) = self.conversion.refusal() {
            return Err(self.refused(why));
        }
        match &self.chosen {
            None => {
                let from = self.left()?;
                let back = from.unwrap_or(path);
                match self.was {
                    Some(file) if is_committed && self.is.is_none() => {
                        let stored = self.text(Some(file))?;
                        self.placing().put(back, file.mode, &self.checked_out(&stored))?;
                    }
                    Some(file) => self
                        .placing()
                        .put(back, file.mode, &self.in_clone(&self.text(Some(file))?))?,
                    None => self.placing().take_away(path)?,
                }
                if from.is_some() {
                    self.placing().take_away(path)?;
                }
            }
            Some(chosen) => {
                let (old, new) = (self.text(self.was)?, self.text(self.is)?);
                if self.is_converted && self.text(self.store.file_in(self.now.files(), path)?)? != *self.in_clone(&new)
                {
                    return Err(self.refused("the ends of its lines differ from each other: discard the whole file"));
                }
                let content = picked(&old, &new, PickWay::Back, self.ask.ignore_whitespace, chosen)
                    .map_err(|source| self.store.failed(source))?;
                match self.is.or(self.was) {
                    Some(_) if content.is_empty() && self.was.is_none() => self.placing().take_away(path)?,
                    Some(file) => self.placing().put(path, file.mode, &self.in_clone(&content))?,
                    None => {}
                }
            }
        }
        // The file is discarded by then; what stays staged is shown as such.
        if let Some(Err(error)) = index.map(CloneIndex::write) {
            tracing::warn!("{} is discarded, and stays staged: {error}", path.display());
        }
        Ok(self.clone.sync_file_system()?)
    }

    /// The file before is that of the last commit, whatever else was compared.
    fn is_from_last_commit(&self) -> Result<bool, Error> {
        let path = self.ask.from.as_ref().unwrap_or(&self.ask.path);
        let committed = self.store.committed(self.now)?;
        let file = committed.map(|files| self.store.file_in(files, path)).transpose()?;
        Ok(file.flatten() == self.was)
    }

    /// The index without what is discarded, staged or not, if the last commit is what it was compared with: else the next
    /// commit would take it. Conflicts stay, as does an index that git alone can change.
    fn index_without(&self) -> Result<Option<CloneIndex<'a>>, Error> {
        if !self.is_from_last_commit()? {
            return Ok(None);
        }
        let index = CloneIndex::read(self.store, self.clone).ok();
        let is_whole = index.is_some_and(|index| !index.has_conflict(&self.ask.path));
        Ok(is_whole.then(|| self.unstaged().ok()).flatten())
    }

    /// Content as it was shown, as it lies in the clone.
    fn in_clone<'c>(&self, shown: &'c [u8]) -> Cow<'c, [u8]> {
        match self.is_converted {
            true => self.checked_out(shown),
            false => shown.into(),
        }
    }

    fn checked_out<'c>(&self, stored: &'c [u8]) -> Cow<'c, [u8]> {
        match self.conversion {
            Conversion::Lines(rule) => rule.checked_out(stored),
            Conversion::None | Conversion::Pointer | Conversion::Filter => stored.into(),
        }
    }

    fn take(&self) -> Result<(), Error> {
        if [self.was, self.is].into_iter().flatten().any(TreeFile::is_commit) {
            return Err(self.refused("it is a repository of its own"));
        }
        let path = &self.ask.path;
        let own = self.ask.from.as_deref().unwrap_or(path);
        match (&self.chosen, self.is) {
            (None, Some(file)) => {
                self.placing().put(path, file.mode, &self.text(Some(file))?)?;
                if own != path {
                    self.placing().take_away(own)?;
                }
            }
            (None, None) => self.placing().take_away(own)?,
            (Some(chosen), is) => {
                let (old, new) = (self.text(self.was)?, self.text(is)?);
                let content = picked(&old, &new, PickWay::Forth, self.ask.ignore_whitespace, chosen)
                    .map_err(|source| self.store.failed(source))?;
                match self.was.or(is) {
                    Some(_) if content.is_empty() && is.is_none() => self.placing().take_away(own)?,
                    Some(file) => self.placing().put(own, file.mode, &content)?,
                    None => {}
                }
            }
        }
        Ok(self.clone.sync_file_system()?)
    }
}
