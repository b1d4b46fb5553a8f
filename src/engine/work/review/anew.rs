//! Clones that are gone, or whose git directory is: an agent may remove either. Going back to a checkpoint makes them anew.

use crate::engine::work::clones;
use crate::git::checkpoint::Snapshot;
use crate::git::{GitDirAnew, Origin};
use crate::model::chat::Directory;
use crate::model::{Kind, Problem, ResultExt};

use super::clones::{Review, Reviewed};

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

    /// Makes the directory of a clone that is gone, and its git directory, if it had one at this checkpoint.
    pub(super) fn make_anew(&self, clone: &mut Reviewed, to: &Snapshot, doing: &str) -> Result<(), Problem> {
        let of = |directory: &&Directory| directory.name == clone.name;
        let Some(directory) = self.chat.record.dirs.iter().find(of) else {
            return Ok(());
        };
        let services = &self.context.services;
        let projects = services.projects_dir(self.chat.id()).doing(doing)?;
        if projects.metadata(&clone.name).doing(doing)?.is_none() {
            clone.dir = projects.create_dir(&clone.name).doing(doing)?;
        }
        if !to.has_git() || clone.dir.metadata(".git").doing(doing)?.is_some() {
            return Ok(());
        }
        let staging = services.home.dir().dir("staging").doing(doing)?;
        let origin: Option<Origin> = clones::origin(services, directory).ok();
        let anew = GitDirAnew {
            program: &services.git,
            staging: &staging,
            url: &directory.origin,
            origin: origin.as_ref(),
        };
        anew.put(&clone.dir).doing(doing)
    }
}
