//! What waits for its end in a clone: a rebase, or a merge and the like, which the next commit ends.

use std::path::Path;

use git2::{Commit, Oid, Repository};

use super::error::{KeepError, UnderWayError};
use super::place::ClonePlace;
use crate::fs::Dir;
use crate::git::Error;
use crate::model::keep::GitUnderWay;

/// In the git directory of a clone, by files and directories of these names.
const SIGNS: [(&str, GitUnderWay); 5] = [
    ("rebase-merge", GitUnderWay::Rebase),
    ("rebase-apply", GitUnderWay::Rebase),
    ("MERGE_HEAD", GitUnderWay::Merge),
    ("CHERRY_PICK_HEAD", GitUnderWay::CherryPick),
    ("REVERT_HEAD", GitUnderWay::Revert),
];

/// What git removes when the commit of a merge, a cherry-pick or a revert is there.
const ENDED: [&str; 6] = [
    "MERGE_HEAD",
    "CHERRY_PICK_HEAD",
    "REVERT_HEAD",
    "MERGE_MODE",
    "MERGE_MSG",
    "AUTO_MERGE",
];

/// What the next commit ends.
#[derive(Clone)]
pub(super) struct Concluded {
    /// What the commit has as parents beside the one that is checked out.
    pub parents: Vec<Oid>,
    /// The commit whose author it has.
    pub author_of: Option<Oid>,
    /// The message that git proposes.
    pub message: String,
}

impl ClonePlace<'_> {
    pub(super) fn under_way(&self) -> Option<GitUnderWay> {
        let has = |name: &str| self.state.state.keys().any(|path| path.starts_with(name));
        SIGNS.into_iter().find(|(name, _)| has(name)).map(|(_, what)| what)
    }

    /// Fails while a merge or the like waits for its end.
    pub fn nothing_under_way(&self) -> Result<(), KeepError> {
        self.under_way()
            .map_or(Ok(()), |what| Err(UnderWayError::Still { what }.into()))
    }

    /// What a commit made now ends; `None` where nothing is under way. A rebase, a row of commits and what git has put
    /// aside for later are ended by git alone.
    pub(super) fn concludes(&self) -> Result<Option<Concluded>, KeepError> {
        let Some(what) = self.under_way() else {
            return Ok(None);
        };
        let is_more = ["sequencer", "MERGE_AUTOSTASH"];
        let has_more = is_more
            .iter()
            .any(|name| self.state.state.keys().any(|path| path.starts_with(name)));
        if what == GitUnderWay::Rebase || has_more {
            return Err(UnderWayError::Still { what }.into());
        }
        let unread = || KeepError::from(UnderWayError::Still { what });
        let picked = match what {
            GitUnderWay::CherryPick => self.commits("CHERRY_PICK_HEAD").ok_or_else(unread)?.first().copied(),
            GitUnderWay::Merge | GitUnderWay::Revert | GitUnderWay::Rebase => None,
        };
        let parents = match what {
            GitUnderWay::Merge => self.commits("MERGE_HEAD").ok_or_else(unread)?,
            GitUnderWay::CherryPick | GitUnderWay::Revert | GitUnderWay::Rebase => Vec::new(),
        };
        Ok(Some(Concluded {
            parents,
            author_of: picked,
            message: self.proposed_message(),
        }))
    }

    /// The message that git has written for the commit, without its comments.
    fn proposed_message(&self) -> String {
        let raw = self.state.state.get(Path::new("MERGE_MSG"));
        let raw = raw.map(|raw| String::from_utf8_lossy(raw).into_owned());
        git2::message_prettify(raw.unwrap_or_default(), Some(b'#')).unwrap_or_default()
    }

    /// The commits that a file names, one a line.
    fn commits(&self, name: &str) -> Option<Vec<Oid>> {
        let raw = self.state.state.get(Path::new(name))?;
        let lines = std::str::from_utf8(raw).ok()?.lines().map(str::trim);
        let commits = lines.filter(|line| !line.is_empty()).map(Oid::from_str);
        let commits = commits.collect::<Result<Vec<Oid>, _>>().ok()?;
        (!commits.is_empty()).then_some(commits)
    }

    /// Forgets what a commit has ended, as git does.
    pub(super) fn conclude(&self) -> Result<(), KeepError> {
        for name in ENDED {
            self.git.remove_file(name).map_err(Error::from)?;
        }
        Ok(())
    }
}

impl Concluded {
    /// `None` if the commit that is checked out has ended it already: a kill leaves its signs behind.
    pub(super) fn unless_done(
        self,
        repository: &Repository,
        head: &Commit<'_>,
    ) -> Result<Option<Concluded>, git2::Error> {
        let mut parents = self.parents.clone();
        let mut left = Vec::new();
        for parent in parents.drain(..) {
            let is_there = parent == head.id() || repository.graph_descendant_of(head.id(), parent)?;
            if !is_there && !left.contains(&parent) {
                left.push(parent);
            }
        }
        let is_merge = !self.parents.is_empty();
        let said = git2::message_prettify(String::from_utf8_lossy(head.message_raw_bytes()).into_owned(), None);
        let is_said = !self.message.is_empty() && said.is_ok_and(|said| said == self.message);
        let is_done = if is_merge { left.is_empty() } else { is_said };
        Ok((!is_done).then_some(Concluded { parents: left, ..self }))
    }
}

/// It is one of the files by which something is known to be under way.
pub(super) fn is_sign(path: &Path) -> bool {
    SIGNS.iter().any(|(name, _)| path.starts_with(name))
}

/// What waits for its end in the clone at `files`; `None` where nothing does, or the clone can't be read. With it the message
/// that git proposes for the commit that ends it, if one commit does.
pub fn under_way(files: &Dir) -> Option<(GitUnderWay, Option<String>)> {
    let place = ClonePlace::open(files).ok()?;
    let what = place.under_way()?;
    let concluded = place.concludes().ok().flatten();
    Some((what, concluded.map(|concluded| concluded.message)))
}
