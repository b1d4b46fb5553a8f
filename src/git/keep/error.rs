//! What can keep work from being kept, in words for a person.

use std::path::PathBuf;

use crate::git::Error;
use crate::model::keep::GitUnderWay;
use crate::model::text::visible;
use crate::model::{Failure, ProblemKind};

#[derive(Debug, thiserror::Error)]
pub enum KeepError {
    #[error(transparent)]
    Git(#[from] Error),
    #[error("it cannot be written down that the clone is about to change: {said}")]
    Unwritten { said: String },
    #[error("{}", nothing(*amends))]
    NothingToCommit { amends: bool },
    #[error("it has no commit yet")]
    NoCommit,
    #[error("a remote has the last commit already: {}", visible(subject))]
    PushedAlready { subject: String },
    #[error("no branch is checked out")]
    NoBranch,
    #[error(transparent)]
    UnderWay(#[from] UnderWayError),
    #[error("all that is changed is untracked and large: {}", listed(files))]
    OnlyTooLarge { files: Vec<String> },
    #[error("it has conflicts: {}", listed(files))]
    Conflicts { files: Vec<String> },
    #[error(
        "{} goes through the filter {}, which parlour does not run",
        visible(file),
        visible(filter)
    )]
    Filtered { file: String, filter: String },
    #[error("git does not know your name and e-mail address")]
    NoPerson,
    #[error("the message is empty")]
    EmptyMessage,
    #[error("it has no remote: it came from {}", visible(&checkout.to_string_lossy()))]
    NoRemote { checkout: PathBuf },
    #[error("{remote} refused {}: {said}", visible(branch))]
    PushRefused {
        branch: String,
        remote: String,
        said: String,
    },
    #[error("{} has changes that are not committed", visible(place))]
    Unclean { place: String },
    #[error("not all files of {} could be replaced: {said}", visible(place))]
    HalfMoved { place: String, said: String },
    /// It came from a URL, or from a checkout that is gone.
    #[error("it was cloned from {origin}, which is {}", if *is_gone { "not there any more" } else { "no repository on this machine" })]
    NoHome { origin: String, is_gone: bool },
    #[error("{} is checked out in {}", visible(branch), visible(&at.to_string_lossy()))]
    CheckedOutThere { branch: String, at: PathBuf },
    #[error("{} is no name for a branch", visible(branch))]
    BadName { branch: String },
    #[error("{} has another branch {}, with commits that this one lacks", visible(&into.to_string_lossy()), visible(branch))]
    Diverged { branch: String, into: PathBuf },
    #[error("{} has a branch {}, beside which {} cannot be", visible(&into.to_string_lossy()), visible(other), visible(branch))]
    InTheWay {
        branch: String,
        other: String,
        into: PathBuf,
    },
    #[error("{} keeps its refs in a way that parlour cannot write", visible(&path.to_string_lossy()))]
    Reftable { path: PathBuf },
    #[error("its remote names no default branch")]
    NoBase,
    #[error("{} conflicts in {}; nothing was changed", visible(subject), listed(files))]
    RebaseConflict {
        branch: String,
        onto: String,
        subject: String,
        files: Vec<String>,
    },
    #[error("pull requests are made by `gh`, which is not on PATH")]
    NoForge,
    #[error("`gh` is not logged in")]
    NotLoggedIn,
    #[error("its remote is on no forge that `gh` knows")]
    NoForgeHost,
    #[error("`gh` cannot reach {}", visible(host))]
    ForgeUnreachable { host: String },
    #[error("gh: {}", visible(said))]
    Forge { said: String },
    #[error("{} has no pull request", visible(branch))]
    NoPull { branch: String },
}

/// What git has begun in a clone stands in the way, or is not what is to be ended.
#[derive(Debug, thiserror::Error)]
pub enum UnderWayError {
    #[error("{} is under way", what.words())]
    Still { what: GitUnderWay },
    #[error("nothing is under way")]
    Nothing,
    #[error("{} is under way, which a commit ends", what.words())]
    ByCommit { what: GitUnderWay },
    /// There is more in its plan than commits.
    #[error("{} is under way, of which more comes than commits", what.words())]
    ByGit { what: GitUnderWay },
}

impl KeepError {
    /// What the agent whose clone of this name it is could be asked to do about it.
    pub fn prompt(&self, clone: &str) -> Option<String> {
        let KeepError::RebaseConflict {
            branch, onto, files, ..
        } = self
        else {
            return None;
        };
        Some(format!(
            "In projects/{}, fetch origin and rebase the branch {} onto origin/{}. It conflicts in {}: resolve that so that \
             what both sides mean is kept, and end the rebase.",
            visible(clone),
            visible(branch),
            visible(onto),
            listed(files)
        ))
    }
}

impl Failure for KeepError {
    fn problem_kind(&self) -> ProblemKind {
        match self {
            KeepError::Git(error) => error.problem_kind(),
            KeepError::UnderWay(UnderWayError::Nothing) => ProblemKind::User,
            KeepError::UnderWay(_) => ProblemKind::Busy,
            KeepError::NoBase | KeepError::NoForge | KeepError::NoForgeHost | KeepError::NoPull { .. } => {
                ProblemKind::Missing
            }
            KeepError::Forge { .. }
            | KeepError::ForgeUnreachable { .. }
            | KeepError::HalfMoved { .. }
            | KeepError::Unwritten { .. } => ProblemKind::Fault,
            KeepError::NothingToCommit { .. }
            | KeepError::NoHome { .. }
            | KeepError::NoRemote { .. }
            | KeepError::NoCommit
            | KeepError::PushedAlready { .. }
            | KeepError::NoBranch
            | KeepError::OnlyTooLarge { .. }
            | KeepError::Conflicts { .. }
            | KeepError::Filtered { .. }
            | KeepError::NoPerson
            | KeepError::NotLoggedIn
            | KeepError::EmptyMessage
            | KeepError::PushRefused { .. }
            | KeepError::Unclean { .. }
            | KeepError::CheckedOutThere { .. }
            | KeepError::BadName { .. }
            | KeepError::Diverged { .. }
            | KeepError::InTheWay { .. }
            | KeepError::RebaseConflict { .. }
            | KeepError::Reftable { .. } => ProblemKind::User,
        }
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            KeepError::Git(error) => error.hint(),
            KeepError::Unwritten { .. } => Some("nothing was changed; make room on the disk of parlour's home"),
            KeepError::NothingToCommit { amends: true } => {
                Some("`-m` gives it another message, `--all` takes in all that is changed")
            }
            KeepError::NothingToCommit { amends: false } => {
                Some("`parlour diff CHAT --base` shows what its branch has")
            }
            KeepError::NoCommit => Some("`parlour commit CHAT` makes one"),
            KeepError::PushedAlready { .. } => Some(
                "`parlour commit CHAT` makes one of its own; `--despite-remote` replaces that one, and a push needs force then",
            ),
            KeepError::NoBranch => Some("have a branch made in the clone: git switch -c NAME"),
            KeepError::UnderWay(UnderWayError::Still { what }) => Some(what.way_out()),
            KeepError::UnderWay(UnderWayError::Nothing) => Some("`git status` in the clone says what is"),
            KeepError::UnderWay(UnderWayError::ByCommit { .. }) => {
                Some("`parlour commit CHAT`, once its conflicts are resolved and staged")
            }
            KeepError::UnderWay(UnderWayError::ByGit { what }) => Some(what.by_git()),
            KeepError::OnlyTooLarge { .. } => Some("`git add` it in the clone to commit it all the same"),
            KeepError::Conflicts { .. } => Some("resolve and stage them first, in the tab Changes or with git add"),
            KeepError::Filtered { .. } => Some("stage it in the clone with git add, then commit"),
            KeepError::NoPerson => Some("git config --global user.name NAME, and user.email"),
            KeepError::EmptyMessage => Some("write one, in a shell with -m"),
            KeepError::NoRemote { .. } => Some("`parlour home CHAT` brings the branch there"),
            KeepError::PushRefused { .. } => Some(
                "`parlour rebase CHAT --upstream` takes up what others pushed there; `--force-with-lease` replaces what you saw last",
            ),
            KeepError::Unclean { .. } => Some("commit them, or put them away with git stash"),
            KeepError::HalfMoved { .. } => Some(
                "the branch stays where it was: git status there shows the new files, and git restore puts the old ones back",
            ),
            KeepError::NoHome { .. } => Some("`parlour push CHAT` sends the branch to its remote"),
            KeepError::CheckedOutThere { .. } => Some(
                "`--as NAME` brings it as another branch; `--checkout` moves that one on, where nothing is uncommitted",
            ),
            KeepError::BadName { .. } => Some("letters, digits, - and / do: fix/login"),
            KeepError::Diverged { .. } => Some("rename one of the two, or merge that one into the clone's first"),
            KeepError::InTheWay { .. } => Some("rename one of the two"),
            KeepError::Reftable { .. } => Some("fetch the branch from the clone with git there"),
            KeepError::RebaseConflict { .. } => {
                Some("`--keep-conflicts` leaves the rebase under way, to be ended in the clone")
            }
            KeepError::NoForge => Some("install it from https://cli.github.com, and say `gh auth login`"),
            KeepError::NotLoggedIn => Some("say `gh auth login` once, or set GH_TOKEN before the engine starts"),
            KeepError::NoForgeHost => Some(
                "`gh auth login --hostname HOST` tells it of a host; `parlour push CHAT` pushes without a pull request",
            ),
            KeepError::ForgeUnreachable { .. } => Some("try again when the network is back"),
            KeepError::Forge { .. } => Some("`gh auth status` says whether you are logged in"),
            KeepError::NoPull { .. } => Some("`parlour pr CHAT` opens one"),
            KeepError::NoBase => Some("say in the clone which it is: git remote set-head origin BRANCH"),
        }
    }

    fn below(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self)
    }
}

fn nothing(amends: bool) -> &'static str {
    match amends {
        true => "nothing is staged, and its message would stay as it is",
        false => "there is nothing to commit",
    }
}

fn listed(files: &[String]) -> String {
    let shown: Vec<String> = files.iter().take(8).map(|file| visible(file)).collect();
    match files.len().saturating_sub(8) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}
