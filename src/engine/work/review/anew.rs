//! Clones that are gone, or whose git directory is: an agent may remove either. Going back to a checkpoint makes them anew.

use crate::engine::work::clones;
use crate::engine::work::context::WorkContext;
use crate::fs::DirEntryKind;
use crate::git::checkpoint::{Snapshot, has_no_git};
use crate::git::{GitDirAnew, Origin};
use crate::model::chat::Directory;
use crate::model::text::visible;
use crate::model::{AreaMode, ChatId, Happened, Kind, Problem, ResultExt};

use super::clones::{Review, Reviewed};
use crate::store::{self, ChangeUnderWay, UnderWay};

/// An empty directory that stands for a clone that is gone, until the clone is made.
const EMPTY: &str = "gone-clone";

impl Review<'_> {
    /// Clones of which nothing is there; what cannot be looked at is.
    pub(super) fn gone_clones(&self, doing: &str) -> Result<Vec<Reviewed>, Problem> {
        let services = &self.context.services;
        let projects = services.projects_dir(self.chat.id()).doing(doing)?;
        let is_gone = |directory: &&Directory| {
            directory.kind == Kind::Git && matches!(projects.metadata(&directory.name), Ok(None))
        };
        let gone = self.chat.record.dirs.iter().filter(is_gone).map(|directory| {
            let staging = services.home.dir().dir("staging").doing(doing)?;
            let empty = staging.create_dir(EMPTY).doing(doing)?;
            self.reviewed(directory, empty, doing)
        });
        gone.collect()
    }

    /// All that it has by its record, in place or not.
    pub(super) fn clones_and_gone(&self, doing: &str) -> Result<Vec<Reviewed>, Problem> {
        let mut clones = self.clones(doing)?;
        clones.extend(self.gone_clones(doing)?);
        Ok(clones)
    }

    /// Makes the directory of a clone that is gone, and its git directory, if it had one at this checkpoint.
    pub(super) fn make_anew(
        &self,
        under_way: &mut ChangeUnderWay,
        (clone, to): (&mut Reviewed, &Snapshot),
        doing: &str,
    ) -> Result<(), Problem> {
        let of = |directory: &&Directory| directory.name == clone.name;
        let Some(directory) = self.chat.record.dirs.iter().find(of) else {
            return Ok(());
        };
        let services = &self.context.services;
        let projects = services.projects_dir(self.chat.id()).doing(doing)?;
        if projects.metadata(&clone.name).doing(doing)?.is_none() {
            clone.dir = projects.create_dir(&clone.name).doing(doing)?;
        }
        if !to.has_git() || !has_no_git(&clone.dir).doing(doing)? {
            return Ok(());
        }
        self.open_root(&clone.name);
        clone.dir.remove_empty_dir(".git").doing(doing)?;
        let staging = services.home.dir().dir("staging").doing(doing)?;
        let origin: Option<Origin> = clones::origin(services, directory).ok();
        let anew = GitDirAnew {
            program: &services.git,
            staging: &staging,
            url: &directory.origin,
            origin: origin.as_ref(),
        };
        let staged = anew.stage().doing(doing)?;
        under_way.makes(&clone.name, staged.identity).doing(doing)?;
        staged.put(&clone.dir).doing(doing)
    }

    /// Takes away what a revert that is called off made for a clone: its git directory, and its own if nothing was there. A git
    /// directory that a person made meanwhile is theirs.
    pub(super) fn unmake(
        &self,
        what: &UnderWay,
        (clone, was): (&Reviewed, &Snapshot),
        doing: &str,
    ) -> Result<(), Problem> {
        let here = clone.dir.stamp(".git").doing(doing)?;
        let made = what.made.get(&clone.name);
        if !was.has_git() && here.is_some_and(|here| made == Some(&(here.device, here.inode))) {
            clone.dir.remove_tree(".git").doing(doing)?;
        }
        if clone.store.is_of_nothing(was).doing(doing)? {
            let projects = self.context.services.projects_dir(self.chat.id()).doing(doing)?;
            projects.remove_empty_dir(&clone.name).doing(doing)?;
        }
        Ok(())
    }

    /// Lets parlour write at the root of a clone that is read-only, until [`forbid_writing`]. What lies deeper a restore opens
    /// itself.
    pub(super) fn open_root(&self, name: &str) {
        let open = || -> Result<(), store::Error> {
            let projects = self.context.services.projects_dir(self.chat.id())?;
            match projects.stamp(name)? {
                Some(stamp) if stamp.kind == DirEntryKind::Dir && stamp.mode & 0o300 != 0o300 => {
                    Ok(projects.set_mode(name, stamp.mode | 0o700)?)
                }
                _ => Ok(()),
            }
        };
        if let Err(error) = open() {
            tracing::warn!("{}: {error}", self.chat.id());
        }
    }
}

/// After clones were restored: what was made again is watched as the others are, and what is read-only is so again.
pub(super) fn restored(context: &WorkContext, id: &ChatId) {
    forbid_writing(context, id);
    if let Ok(chat) = context.services.home.load(id) {
        context.services.watch_chat(&chat);
    }
}

/// Takes the right to be written to from all clones that are read-only: what was restored may have it, and what was made
/// again has it.
pub(super) fn forbid_writing(context: &WorkContext, id: &ChatId) {
    let (Ok(chat), Ok(projects)) = (context.services.home.load(id), context.services.projects_dir(id)) else {
        return;
    };
    let is_meant = |directory: &&Directory| {
        directory.kind == Kind::Git
            && directory.mode == AreaMode::Ro
            && matches!(projects.metadata(&directory.name), Ok(Some(found)) if found.kind == DirEntryKind::Dir)
    };
    for directory in chat.record.dirs.iter().filter(is_meant) {
        if let Err(error) = projects.forbid_writing(&directory.name, ".git") {
            let name = visible(&directory.name);
            let text =
                format!("Files of projects/{name}, which is read-only, keep the right to be written to: {error}");
            tracing::warn!("{id}: {text}");
            context.journals.tell(id, Happened::Note { text });
        }
    }
}
