//! Directories of a person's own that a chat works in where they lie: their repositories are read, and never changed.

use crate::fs::Dir;
use crate::git::checkpoint::{self, SavedFiles, Store};
use crate::model::chat::Directory;
use crate::model::in_place::{self, Uncompared};
use crate::model::review::{Changes, DiffSet, ToldPatch};
use crate::model::{Kind, Problem, ResultExt};

use super::clones::{Review, Reviewed};

/// Beside the stores of clones, whose names are those of checkpoints.
const FOLDER: &str = "in-place";

impl Review<'_> {
    pub fn has_clones(&self) -> bool {
        self.chat.record.dirs.iter().any(|dir| dir.kind == Kind::Git)
    }

    /// Turns have checkpoints: those of a chat without clones are of reverts of its conversation alone.
    pub fn has_saved(&self) -> bool {
        self.has_clones() && !self.known.is_empty()
    }

    pub fn has_places(&self) -> bool {
        self.places().next().is_some()
    }

    pub fn is_place(&self, project: &str) -> bool {
        self.places().any(|dir| dir.name == project)
    }

    /// Nothing is changed in what a person opened in place.
    pub fn refuse_place(&self, project: Option<&str>, doing: &str) -> Result<(), Problem> {
        match project.filter(|project| self.is_place(project)) {
            Some(project) => Err(Problem::new(
                doing,
                in_place::why_not(project),
                "use git in that directory",
            )),
            None => Ok(()),
        }
    }

    /// As [`Review::all`]; without clones and places, there is nothing that a person could have meant.
    pub fn compared(&self, doing: &str) -> Result<Vec<Reviewed>, Problem> {
        match self.has_places() {
            true => self.all(doing),
            false => self.some_clones(doing),
        }
    }

    /// What can be compared: the clones, and the places that are repositories. One that cannot be read is left out.
    pub fn all(&self, doing: &str) -> Result<Vec<Reviewed>, Problem> {
        let mut all = self.clones(doing)?;
        all.extend(self.places().filter_map(|dir| self.place(dir, doing).ok()?));
        Ok(all)
    }

    fn places(&self) -> impl Iterator<Item = &Directory> {
        self.chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Local)
    }

    fn stores(&self, doing: &str) -> Result<Dir, Problem> {
        self.checkpoints.dir().create_dir(FOLDER).doing(doing)
    }

    fn forget_old(&self, dir: &Directory, doing: &str) -> Result<(), Problem> {
        checkpoint::forget_old(&self.stores(doing)?, &dir.name).doing(doing)
    }

    /// None of what is no repository.
    fn place(&self, dir: &Directory, doing: &str) -> Result<Option<Reviewed>, Problem> {
        let stores = self.stores(doing)?;
        // By where a person opened it: an agent may have put something else into the place of the link.
        let opened = Dir::open_unlinked(&dir.origin).doing(doing)?;
        let store = Store::of_place(&stores, &dir.name, opened.path()).doing(doing)?;
        Ok(store.map(|store| Reviewed {
            name: dir.name.clone(),
            dir: opened,
            store,
        }))
    }
}

/// Whether now is one of the sides: a place has no earlier moments.
pub fn are_shown(set: &DiffSet) -> bool {
    match set {
        DiffSet::LastPrompt | DiffSet::Since(_) | DiffSet::Base | DiffSet::Uncommitted => true,
        DiffSet::Turn(_) | DiffSet::Between(..) | DiffSet::Commit(_) | DiffSet::With(_) => false,
    }
}

/// What the places that are meant differ by from their last commits. Why one cannot be compared is told with it.
pub fn changes(review: &Review<'_>, project: Option<&str>, lines: bool, doing: &str) -> Result<Vec<Changes>, Problem> {
    let is_meant = |dir: &&Directory| project.is_none_or(|project| dir.name == project);
    let mut all = Vec::new();
    for dir in review.places().filter(is_meant) {
        let found = review.forget_old(dir, doing).and_then(|()| review.place(dir, doing));
        let found = found.and_then(|place| match place {
            Some(place) => differs(review, &place, lines, doing),
            None => Ok(uncompared(&dir.name, Uncompared::NoRepository)),
        });
        all.push(match found {
            Ok(found) => found,
            Err(problem) if review.context.cancel.is_set() => return Err(problem),
            Err(problem) => uncompared(&dir.name, Uncompared::Unreadable { why: problem.cause }),
        });
    }
    Ok(all)
}

fn uncompared(project: &str, why: Uncompared) -> Changes {
    Changes {
        project: project.to_owned(),
        in_place: true,
        left_out: Some(why),
        ..Changes::default()
    }
}

fn differs(review: &Review<'_>, place: &Reviewed, lines: bool, doing: &str) -> Result<Changes, Problem> {
    let store = &place.store;
    let states = store.in_place(&place.dir, &review.context.cancel).doing(doing)?;
    let mut files = store.changes(states.committed, states.now).doing(doing)?;
    store.tell_staged_in_place(&states, &mut files).doing(doing)?;
    let patch = match lines {
        true => {
            let prefix = format!("{}/", place.name);
            store.patch(states.committed, states.now, &prefix).doing(doing)?
        }
        false => Vec::new(),
    };
    let left_out = Some(states.left_out).filter(|files| *files > 0);
    Ok(Changes {
        project: place.name.clone(),
        before: states.committed.map(SavedFiles::tree),
        after: states.now.tree(),
        files,
        patch: ToldPatch::of(&patch),
        in_place: true,
        left_out: left_out.map(|files| Uncompared::Untracked { files }),
    })
}
