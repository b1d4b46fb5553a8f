//! What the dialogs of each way to keep something say.

use crate::model::keep::{CloneToKeep, PushTarget};
use crate::model::text::visible;

use super::super::super::keymap::KeepWay;
use super::super::Stop;

pub(super) fn in_words(clone: &CloneToKeep) -> String {
    let branch = clone.branch.as_deref().map_or("no branch".into(), visible);
    format!("{} · {branch}", visible(&clone.project))
}

/// What a push sends, and where.
fn goes(target: &PushTarget) -> String {
    let commits = match target.commits {
        0 => "no new commit".into(),
        1 => "1 commit".into(),
        many => format!("{many} commits"),
    };
    let new = if target.is_new { ", as a new branch" } else { "" };
    format!("{commits} to {}{new}", visible(&target.remote))
}

fn goes_home(home: &str) -> String {
    format!("to {}", visible(home))
}

fn uncommitted(clone: &CloneToKeep) -> String {
    let files = match clone.changed {
        0 => "all is committed".into(),
        1 => "1 file not committed".into(),
        many => format!("{many} files not committed"),
    };
    match clone.under_way {
        Some(what) => format!("{files}; {} is under way", what.words()),
        None => files,
    }
}

impl KeepWay {
    pub(super) fn is_written(self) -> bool {
        matches!(self, KeepWay::Commit | KeepWay::Amend | KeepWay::Pull)
    }

    pub(super) fn begins_at(self) -> Stop {
        match self {
            KeepWay::Commit | KeepWay::Amend => Stop::Prompt,
            KeepWay::Pull => Stop::Name,
            KeepWay::Home => Stop::Name,
            // A slip of Enter sends nothing anywhere, and loses nothing.
            KeepWay::Push | KeepWay::Rebase | KeepWay::Abort => Stop::No,
            KeepWay::Continue => Stop::Yes,
        }
    }

    /// What it takes from this clone.
    pub(super) fn told(self, clone: &CloneToKeep, all: bool) -> String {
        let files = |count: usize| match count {
            1 => "1 file".to_owned(),
            many => format!("{many} files"),
        };
        let taken = || match (clone.staged, clone.changed) {
            (_, 0) => "nothing is changed".into(),
            (0, _) if self == KeepWay::Amend && !all => "nothing is staged: its message alone".into(),
            (_, changed) if all => format!("{}, all that is changed", files(changed)),
            (0, changed) if clone.too_large.is_empty() => format!("{}, all that is changed", files(changed)),
            (0, changed) => files(changed),
            (staged, changed) if staged == changed => format!("{}, as staged", files(staged)),
            (staged, changed) => format!("{} of {changed}, as staged", files(staged)),
        };
        if let Some(stopped) = self.stopped(clone) {
            return stopped;
        }
        match self {
            KeepWay::Amend if clone.is_pushed => format!("{}; a remote has the last commit", taken()),
            KeepWay::Commit | KeepWay::Amend if clone.staged > 0 || clone.too_large.is_empty() => taken(),
            KeepWay::Amend if !all => taken(),
            KeepWay::Commit | KeepWay::Amend => {
                let large = visible(&clone.too_large.join(", "));
                format!("{}; left out, as untracked and large: {large}", taken())
            }
            KeepWay::Push | KeepWay::Pull => {
                let target = clone.target.as_ref().map_or("nowhere to push to".into(), goes);
                format!("{target}; {}", uncommitted(clone))
            }
            KeepWay::Home => {
                let home = clone.home.as_deref().map_or("nowhere to bring it to".into(), goes_home);
                format!("{home}; {}", uncommitted(clone))
            }
            KeepWay::Rebase => uncommitted(clone),
            KeepWay::Continue | KeepWay::Abort => self.ends(clone),
        }
    }

    /// What becomes of what git has begun in this clone.
    fn ends(self, clone: &CloneToKeep) -> String {
        let Some(what) = clone.under_way else {
            return "nothing is under way".into();
        };
        let is_abort = self == KeepWay::Abort;
        let what = what.words();
        match (clone.conflicts, clone.changed) {
            (_, 0) if is_abort => format!("{what} is under way"),
            (_, 1) if is_abort => format!("{what} is under way, and 1 file not committed: both go"),
            (_, many) if is_abort => format!("{what} is under way, and {many} files not committed: all of it goes"),
            (0, _) if clone.ends_by_commit => format!("{what} is under way: a commit ends it"),
            (0, _) => format!("{what} is under way, without conflicts"),
            (1, _) => format!("{what} is under way, 1 file in conflict: resolve and stage it first"),
            (many, _) => format!("{what} is under way, {many} files in conflict: resolve and stage them first"),
        }
    }

    /// What a commit or a rebase comes to in a clone in which git has begun something, or files are in conflict; `None` where
    /// that does not matter.
    fn stopped(self, clone: &CloneToKeep) -> Option<String> {
        let is_stopped = matches!(self, KeepWay::Commit | KeepWay::Amend | KeepWay::Rebase);
        let files = match clone.conflicts {
            0 => None,
            1 => Some("1 file in conflict".to_owned()),
            many => Some(format!("{many} files in conflict")),
        };
        let told = match (clone.under_way, files) {
            (None, None) => return None,
            (None, Some(files)) => format!("{files}: resolve and stage them first"),
            (Some(what), files) if self == KeepWay::Commit && clone.ends_by_commit => match files {
                Some(files) => format!("{} is under way, {files}: resolve and stage them first", what.words()),
                None => format!("the commit ends {}", what.words()),
            },
            (Some(what), _) => format!(
                "{} is under way: continue or abort it first, in the same menu",
                what.words()
            ),
        };
        Some(told).filter(|_| is_stopped)
    }

    pub(super) fn title(self) -> &'static str {
        match self {
            KeepWay::Commit => "Commit",
            KeepWay::Amend => "Amend the last commit",
            KeepWay::Push => "Push",
            KeepWay::Pull => "Open a pull request",
            KeepWay::Home => "Bring the branch home",
            KeepWay::Rebase => "Rebase",
            KeepWay::Continue => "Continue what git has begun",
            KeepWay::Abort => "Abort what git has begun",
        }
    }

    /// The word on its button, and while it is under way.
    pub(super) fn button(self, is_busy: bool) -> &'static str {
        match (self, is_busy) {
            (KeepWay::Commit, false) => "Commit",
            (KeepWay::Commit, true) => "Committing…",
            (KeepWay::Amend, false) => "Amend",
            (KeepWay::Amend, true) => "Amending…",
            (KeepWay::Push, false) => "Push",
            (KeepWay::Push, true) => "Pushing…",
            (KeepWay::Pull, false) => "Push and open",
            (KeepWay::Pull, true) => "Opening…",
            (KeepWay::Home, false) => "Bring it home",
            (KeepWay::Home, true) => "Bringing it home…",
            (KeepWay::Rebase, false) => "Rebase",
            (KeepWay::Rebase, true) => "Rebasing…",
            (KeepWay::Continue, false) => "Continue",
            (KeepWay::Continue, true) => "Continuing…",
            (KeepWay::Abort, false) => "Abort",
            (KeepWay::Abort, true) => "Aborting…",
        }
    }

    pub(super) fn note(self) -> &'static str {
        match self {
            KeepWay::Commit | KeepWay::Amend => "A checkpoint is taken first. Nothing that a clone configures is run.",
            KeepWay::Push => "The branch goes to the project's remote, with your own credentials.",
            KeepWay::Pull => "By gh, with your login. Read the text first: others will see it.",
            KeepWay::Home => {
                "The repository that the clone came from gets the branch. Its files stay as they are unless you tick this."
            }
            KeepWay::Rebase => {
                "The branch that it goes onto is fetched first. If commits conflict, nothing changes unless you tick that."
            }
            KeepWay::Continue => {
                "A checkpoint is taken first. Commits are made as git would, with the messages that they had."
            }
            KeepWay::Abort => {
                "A checkpoint is taken first, so a revert brings it back. Then all is as before it began."
            }
        }
    }
}
