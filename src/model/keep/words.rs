//! What became of it, in words for a person: a line or more of each clone.

use std::fmt::Write as _;

use super::{
    BroughtHome, ChecksVerdict, Collision, Committed, EndWay, EndedGit, GitUnderWay, PullRequest, Pushed, Rebased,
};
use crate::model::text::visible;

fn short(commit: &str) -> &str {
    commit.get(..7).unwrap_or(commit)
}

impl GitUnderWay {
    pub fn words(self) -> &'static str {
        match self {
            GitUnderWay::Merge => "a merge",
            GitUnderWay::Rebase => "a rebase",
            GitUnderWay::CherryPick => "a cherry-pick",
            GitUnderWay::Revert => "a revert",
        }
    }

    /// What ends it.
    pub fn way_out(self) -> &'static str {
        match self {
            GitUnderWay::Rebase => {
                "`parlour rebase CHAT --continue` goes on with it, and `parlour rebase CHAT --abort` calls it off"
            }
            GitUnderWay::Merge => "`parlour commit CHAT` ends it, and `parlour rebase CHAT --abort` calls it off",
            GitUnderWay::CherryPick | GitUnderWay::Revert => {
                "`parlour commit CHAT` ends one, `parlour rebase CHAT --continue` a row of them, and `--abort` calls it off"
            }
        }
    }

    /// What ends it in the clone.
    pub fn by_git(self) -> &'static str {
        match self {
            GitUnderWay::Merge => "in the clone, `git merge --continue` ends it, and `git merge --abort` calls it off",
            GitUnderWay::Rebase => {
                "in the clone, `git rebase --continue` ends it, and `git rebase --abort` calls it off"
            }
            GitUnderWay::CherryPick => {
                "in the clone, `git cherry-pick --continue` ends it, and `git cherry-pick --abort` calls it off"
            }
            GitUnderWay::Revert => {
                "in the clone, `git revert --continue` ends it, and `git revert --abort` calls it off"
            }
        }
    }
}

impl EndWay {
    /// What is being done.
    pub fn doing(self) -> &'static str {
        match self {
            EndWay::Continue => "continuing",
            EndWay::Abort => "aborting",
        }
    }

    /// The same, before the name of a chat.
    pub fn doing_in(self) -> &'static str {
        match self {
            EndWay::Continue => "continuing what git has begun in",
            EndWay::Abort => "aborting what git has begun in",
        }
    }
}

impl Committed {
    pub fn words(&self) -> String {
        let project = visible(&self.project);
        let mut files = match self.files {
            1 => "1 file".to_owned(),
            many => format!("{many} files"),
        };
        if self.amended {
            files += " in all";
        }
        let on = self.branch.as_deref().map_or("no branch".to_owned(), visible);
        let mut words = format!(
            "{project}: {} on {on}: {} ({files})\n",
            short(&self.commit),
            visible(&self.subject)
        );
        if !self.skipped_hooks.is_empty() {
            let hooks = visible(&self.skipped_hooks.join(", "));
            let _ = writeln!(words, "{project}: hooks that did not run: {hooks}");
        }
        if !self.left_out.is_empty() {
            let left_out = visible(&self.left_out.join(", "));
            let _ = writeln!(words, "{project}: left out, as repositories of their own: {left_out}");
        }
        if !self.too_large.is_empty() {
            let files = visible(&self.too_large.join(", "));
            let _ = writeln!(words, "{project}: left out, as untracked and large: {files}");
        }
        words
    }
}

impl Pushed {
    pub fn words(&self) -> String {
        let (project, branch, remote) = (visible(&self.project), visible(&self.branch), visible(&self.remote));
        let mut words = match self.up_to_date {
            true => format!("{project}: {remote} has {branch} already\n"),
            false => format!("{project}: {branch} is at {} in {remote}\n", short(&self.commit)),
        };
        if let Some(why) = &self.untold {
            let why = visible(why);
            let _ = writeln!(
                words,
                "{project}: pushed, but the clone still counts it as not pushed: {why}"
            );
        }
        words
    }
}

/// Of the hooks of a repository that a branch comes home to, those that git would run: with a checkout all of them.
pub fn of_way_home(hooks: &[String], is_checked_out: bool) -> Vec<String> {
    let is_run = |hook: &&String| is_checked_out || *hook == "reference-transaction";
    hooks.iter().filter(is_run).cloned().collect()
}

impl BroughtHome {
    pub fn words(&self) -> String {
        let (project, branch) = (visible(&self.project), visible(&self.branch));
        let into = visible(&self.into.to_string_lossy());
        let words = match &self.from {
            Some(from) if *from == self.commit => format!("{project}: {into} has {branch} already"),
            Some(from) if self.replaced => format!(
                "{project}: {branch} goes from {} to {} in {into}, and replaces what was brought before",
                short(from),
                short(&self.commit)
            ),
            Some(from) => format!(
                "{project}: {branch} goes from {} to {} in {into}",
                short(from),
                short(&self.commit)
            ),
            None => format!("{project}: {branch} is new in {into}, at {}", short(&self.commit)),
        };
        let mut words = match self.checked_out {
            true => format!("{words}, and is checked out\n"),
            false => format!("{words}\n"),
        };
        if !self.skipped_hooks.is_empty() {
            let hooks = visible(&self.skipped_hooks.join(", "));
            let _ = writeln!(words, "{project}: hooks of {into} that did not run: {hooks}");
        }
        words
    }
}

impl Rebased {
    pub fn words(&self) -> String {
        let (project, branch) = (visible(&self.project), visible(&self.branch));
        let onto = match self.onto == self.branch {
            true => format!("origin/{branch}"),
            false => visible(&self.onto),
        };
        let base = short(&self.base);
        let Some(conflict) = &self.conflict else {
            return match self.up_to_date {
                true => format!("{project}: {branch} stands on {onto} ({base}) already\n"),
                false => format!("{project}: {branch} is at {} on {onto} ({base})\n", short(&self.commit)),
            };
        };
        let subject = visible(&conflict.subject);
        let files = visible(&conflict.files.join(", "));
        format!("{project}: the rebase on {onto} ({base}) is under way; {subject} conflicts in {files}\n")
    }
}

impl EndedGit {
    pub fn words(&self) -> String {
        let (project, what) = (visible(&self.project), self.what.words());
        let on = self.branch.as_deref().map_or("no branch".to_owned(), visible);
        let at = short(&self.commit);
        let files = visible(&self.conflicts.join(", "));
        match (self.stopped, self.conflicts.is_empty()) {
            (false, _) if self.aborted => format!("{project}: {what} is called off; {on} is at {at}\n"),
            (false, _) => format!("{project}: {what} is over; {on} is at {at}\n"),
            (true, true) => format!("{project}: {what} stopped again, at {at}: it waits to be continued\n"),
            (true, false) => format!("{project}: {what} goes on; the next commit conflicts in {files}\n"),
        }
    }
}

impl PullRequest {
    pub fn words(&self) -> String {
        let (project, title) = (visible(&self.project), visible(&self.title));
        let checks = self.checks;
        let counted = [
            (checks.passed, "passed"),
            (checks.failed, "failed"),
            (checks.pending, "pending"),
        ];
        let counted: Vec<String> = counted
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, word)| format!("{count} {word}"))
            .collect();
        let checks = match counted.is_empty() {
            true => String::new(),
            false => format!("; checks: {}", counted.join(", ")),
        };
        let (number, state, url) = (self.number, visible(&self.state), visible(&self.url));
        format!("{project}: #{number} {state}: {title}{checks}\n{url}\n")
    }
}

impl PullRequest {
    /// Its number, and what sets it apart: `#7 ✗`, `#7 draft`, `#7 merged`.
    pub fn sign(&self) -> String {
        let state = match self.state.as_str() {
            "open" => String::new(),
            other => format!(" {}", visible(other)),
        };
        let checks = match self.verdict() {
            Some(ChecksVerdict::Failing) => " ✗",
            Some(ChecksVerdict::Running) => " ◌",
            Some(ChecksVerdict::Passing) => " ✓",
            None => "",
        };
        format!("#{}{state}{checks}", self.number)
    }

    /// The same in words: `PR #7 open, checks failing`.
    pub fn in_short(&self) -> String {
        let checks = match self.verdict() {
            Some(ChecksVerdict::Failing) => ", checks failing",
            Some(ChecksVerdict::Running) => ", checks running",
            Some(ChecksVerdict::Passing) => ", checks passing",
            None => "",
        };
        format!("PR #{} {}{checks}", self.number, visible(&self.state))
    }
}

impl Collision {
    /// What is told where there is none: clones are compared by their commits alone.
    pub const NONE: &str = "No commits conflict. What is not committed was not compared.";

    pub fn words(&self) -> String {
        let [one, other] = self
            .sides
            .each_ref()
            .map(|side| format!("{} ({})", visible(&side.chat), visible(&side.branch)));
        let mut words = format!("{one} and {other} conflict in {}\n", visible(&self.sides[0].project));
        for file in &self.files {
            let _ = writeln!(words, "  {}", visible(file));
        }
        words
    }
}
