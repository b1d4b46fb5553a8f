//! What can go wrong between a source and its clone, in words for a person.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::fs;
use crate::model::text::visible;
use crate::model::{Failure, ProblemKind};

const NOWHERE: &str = "there is no such directory";

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("git was not found on PATH; install it and start parlour again")]
    NoGit,
    /// The text is shown without credentials.
    #[error("{source_text} cannot be opened: {why}")]
    Source { source_text: String, why: String },
    #[error("{} cannot be opened: {why}", path.display())]
    Place { path: PathBuf, why: String },
    #[error("{} cannot be opened: {}", path.display(), NOWHERE)]
    Nowhere { path: PathBuf },
    #[error("`{}` is no branch name: {why}", visible(name))]
    BranchName { name: String, why: &'static str },
    #[error("there is no branch `{}` in {origin}{}", visible(name), nearest_words(nearest, default.as_deref()))]
    NoBranch {
        name: String,
        origin: String,
        nearest: Vec<String>,
        default: Option<String>,
    },
    #[error("{} is no repository any more", path.display())]
    NotARepository { path: PathBuf },
    #[error("{origin} has no commits yet; make a first commit there, or open it in place")]
    Empty { origin: String },
    #[error("{origin} names its objects by SHA-256, which parlour cannot read yet")]
    ObjectNames { origin: String },
    #[error("git {verb} failed: {said}")]
    Git { verb: &'static str, said: String },
    #[error("git {verb} took longer than {minutes} minutes and was stopped")]
    Slow { verb: &'static str, minutes: u64 },
    #[error("{origin} is larger than {megabytes} MB, the limit for one repository; raise it in config.json")]
    TooLarge { origin: String, megabytes: u64 },
    #[error("cancelled")]
    Cancelled,
    #[error("{file:?} cannot be saved: {why}")]
    Setup { file: String, why: String },
    #[error("{0}")]
    NoSetup(String),
    #[error("{file:?} may tell programs what to run, so saving it needs the user's approval")]
    Approval { file: String },
    #[error("{} is in the way: it is in no checkpoint, so it cannot be replaced", visible(&path.to_string_lossy()))]
    InTheWay { path: PathBuf },
    #[error("{} changed meanwhile", visible(&path.to_string_lossy()))]
    Changing { path: PathBuf },
    #[error("{} changed since it was shown", visible(&path.to_string_lossy()))]
    Stale { path: PathBuf },
    #[error("{}: {why}", visible(&path.to_string_lossy()))]
    Pick { path: PathBuf, why: &'static str },
    #[error("{}: {why}", visible(&path.to_string_lossy()))]
    PickedAlready { path: PathBuf, why: &'static str },
    #[error("there is no file {}", visible(&path.to_string_lossy()))]
    NoFile { path: PathBuf },
    #[error("{} is there: git is at work, or was killed at it", visible(&path.to_string_lossy()))]
    Locked { path: PathBuf },
    #[error("that state is not kept any more")]
    Forgotten,
    #[error("parlour's own copy of it, {}, is damaged, and it cannot be fetched anew: {why}", path.display())]
    Damaged { path: PathBuf, why: Arc<Error> },
    #[error(transparent)]
    Files(#[from] fs::Error),
    #[error("reading {}: {source}", path.display())]
    Repository { path: PathBuf, source: git2::Error },
    /// The outcome of a fetch that several calls waited for.
    #[error(transparent)]
    Shared(Arc<Error>),
}

impl Error {
    /// What libgit2 says of a repository of parlour's own. It writes objects to compare, too, so a full disk is likely.
    pub(super) fn of_store(path: &Path, source: git2::Error) -> Error {
        match source.message().contains("No space left on device") {
            true => fs::Error::Io {
                doing: "writing",
                path: path.to_path_buf(),
                source: io::ErrorKind::StorageFull.into(),
            }
            .into(),
            false => Error::Repository {
                path: path.to_path_buf(),
                source,
            },
        }
    }

    pub fn is_cancelled(&self) -> bool {
        match self {
            Error::Shared(error) => error.is_cancelled(),
            other => matches!(other, Error::Cancelled),
        }
    }

    /// What is read may be damaged: nobody else is to blame for it.
    pub(super) fn may_be_damage(&self) -> bool {
        match self {
            Error::Git { .. } | Error::Repository { .. } | Error::NotARepository { .. } => true,
            Error::Files(error) => error.is_of_the_file(),
            Error::Shared(error) => error.may_be_damage(),
            Error::NoGit
            | Error::Source { .. }
            | Error::Place { .. }
            | Error::Nowhere { .. }
            | Error::BranchName { .. }
            | Error::NoBranch { .. }
            | Error::Empty { .. }
            | Error::ObjectNames { .. }
            | Error::Slow { .. }
            | Error::TooLarge { .. }
            | Error::Cancelled
            | Error::Setup { .. }
            | Error::NoSetup(_)
            | Error::Approval { .. }
            | Error::InTheWay { .. }
            | Error::Changing { .. }
            | Error::Stale { .. }
            | Error::Pick { .. }
            | Error::PickedAlready { .. }
            | Error::NoFile { .. }
            | Error::Locked { .. }
            | Error::Forgotten
            | Error::Damaged { .. } => false,
        }
    }

    /// The error behind the name of what was to be opened, which is not said twice.
    pub fn said_of(&self, named: &str) -> String {
        match self {
            Error::Source { source_text, why } if source_text == named => why.clone(),
            Error::Place { path, why } if path.as_os_str() == named => why.clone(),
            Error::Nowhere { path } if path.as_os_str() == named => NOWHERE.into(),
            Error::Shared(error) => error.said_of(named),
            other => other.to_string(),
        }
    }

    pub(super) fn io(doing: &'static str, path: impl Into<PathBuf>, source: std::io::Error) -> Error {
        Error::Files(fs::Error::Io {
            doing,
            path: path.into(),
            source,
        })
    }
}

impl Failure for Error {
    fn problem_kind(&self) -> ProblemKind {
        match self {
            Error::Nowhere { .. }
            | Error::NoBranch { .. }
            | Error::NotARepository { .. }
            | Error::NoSetup(_)
            | Error::NoFile { .. }
            | Error::Forgotten => ProblemKind::Missing,
            Error::Source { .. }
            | Error::Place { .. }
            | Error::BranchName { .. }
            | Error::Empty { .. }
            | Error::ObjectNames { .. }
            | Error::Cancelled
            | Error::Setup { .. }
            | Error::Approval { .. }
            | Error::InTheWay { .. }
            | Error::Pick { .. }
            | Error::PickedAlready { .. } => ProblemKind::User,
            Error::Changing { .. } | Error::Stale { .. } | Error::Locked { .. } => ProblemKind::Busy,
            Error::TooLarge { .. } | Error::Slow { .. } => ProblemKind::Limit,
            Error::NoGit | Error::Git { .. } | Error::Repository { .. } => ProblemKind::Fault,
            Error::Files(error) => error.problem_kind(),
            Error::Shared(error) | Error::Damaged { why: error, .. } => error.problem_kind(),
        }
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            Error::NoGit => Some("`parlour doctor` says which git it needs"),
            Error::Source { .. } | Error::Place { .. } | Error::Nowhere { .. } => {
                Some("give a path or a URL that you can open")
            }
            Error::BranchName { .. } => Some("give another name"),
            Error::NoBranch { .. } => Some("name a branch that it has"),
            Error::NotARepository { .. } => Some("open it again"),
            Error::Empty { .. } => Some("then open it again"),
            Error::ObjectNames { .. } => Some("clone a repository that names them by SHA-1, which is git's usual way"),
            Error::Git { .. } => Some("run the same git command yourself to see more"),
            Error::Slow { .. } => Some("a person can raise limits.cloneSeconds in config.json"),
            Error::Cancelled => Some("ask again if you still want it"),
            Error::Setup { .. } => Some("correct that file, or leave it out"),
            Error::Approval { .. } => Some("a person can keep it: `parlour setup add FILE --chat CHAT`"),
            Error::InTheWay { .. } => Some("move it elsewhere, then try again"),
            Error::Changing { .. } => Some("stop what writes there, then try again"),
            // Behind a colon it says what to do.
            Error::Pick { why, .. } if why.contains(": ") => None,
            Error::Stale { .. } | Error::Pick { .. } => Some("look at its changes again"),
            Error::NoFile { .. } => Some("name it by its path in the clone"),
            Error::Locked { .. } => Some("try again; if no git runs there, remove that file"),
            Error::Forgotten => Some("look at the changes again"),
            Error::PickedAlready { .. } | Error::TooLarge { .. } | Error::Repository { .. } | Error::NoSetup(_) => None,
            Error::Files(error) => error.hint(),
            Error::Shared(error) | Error::Damaged { why: error, .. } => error.hint(),
        }
    }

    fn below(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self)
    }
}

fn nearest_words(nearest: &[String], default: Option<&str>) -> String {
    match (nearest, default) {
        ([], None) => String::new(),
        ([], Some(default)) => format!("; its default branch is {}", visible(default)),
        (names, _) => format!("; nearest: {}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_already_is_not_said_twice() {
        let source = || Error::Source {
            source_text: "https://h/grove".into(),
            why: "it does not answer".into(),
        };
        assert_eq!(source().said_of("https://h/grove"), "it does not answer");
        assert_eq!(
            Error::Shared(Arc::new(source())).said_of("https://h/grove"),
            "it does not answer"
        );
        assert_eq!(
            source().said_of("grove"),
            "https://h/grove cannot be opened: it does not answer",
            "a name stands for an address that it does not tell"
        );
        let place = Error::Place {
            path: "/nowhere".into(),
            why: "there is nothing".into(),
        };
        assert_eq!(place.said_of("/nowhere"), "there is nothing");
        let nowhere = Error::Nowhere { path: "/gone".into() };
        assert_eq!(nowhere.said_of("/gone"), "there is no such directory");
        assert_eq!(
            nowhere.to_string(),
            "/gone cannot be opened: there is no such directory"
        );
    }
}
