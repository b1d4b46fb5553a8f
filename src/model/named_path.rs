//! A file or directory that somebody named, where it cannot be read or written: that is for whoever named it to put right,
//! not for parlour.

use std::io::{self, ErrorKind};
use std::path::Path;

use super::Problem;
use super::text::visible;

const ANOTHER: &str = "name another";

impl Problem {
    /// A file that was to be written.
    pub fn unwritten(doing: impl Into<String>, path: &Path, error: &io::Error) -> Problem {
        match error.kind() {
            ErrorKind::NotFound => {
                let dir = path.parent().filter(|dir| *dir != Path::new("")).unwrap_or(path);
                let cause = format!("there is no directory {}", shown(dir));
                Problem::missing(doing, cause, "make it, or name another")
            }
            ErrorKind::AlreadyExists => Problem::new(doing, "something of that name is there already", ANOTHER),
            _ => Problem::unusable(doing, "written", error),
        }
    }

    /// A file that was to be read.
    pub fn unread(doing: impl Into<String>, path: &Path, error: &io::Error) -> Problem {
        match error.kind() {
            ErrorKind::NotFound => Problem::missing(doing, format!("there is no file {}", shown(path)), ANOTHER),
            _ => Problem::unusable(doing, "read", error),
        }
    }

    fn unusable(doing: impl Into<String>, done: &str, error: &io::Error) -> Problem {
        match error.kind() {
            ErrorKind::IsADirectory => Problem::new(doing, "it is a directory", "name a file"),
            ErrorKind::NotADirectory => Problem::new(doing, "a file stands where a directory is needed", ANOTHER),
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
                Problem::new(doing, format!("it may not be {done} by you"), ANOTHER)
            }
            _ => Problem::of(doing, error),
        }
    }
}

fn shown(path: &Path) -> String {
    visible(&path.to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ProblemKind;

    #[test]
    fn a_path_that_cannot_be_used_is_said_to_be_the_cause() {
        let path = Path::new("/nope/talk.md");
        let unwritten = |kind: ErrorKind| Problem::unwritten("writing", path, &kind.into());
        let unread = |kind: ErrorKind| Problem::unread("reading", path, &kind.into());
        for (problem, kind, cause) in [
            (
                unwritten(ErrorKind::NotFound),
                ProblemKind::Missing,
                "there is no directory /nope",
            ),
            (
                unread(ErrorKind::NotFound),
                ProblemKind::Missing,
                "there is no file /nope/talk.md",
            ),
            (
                unwritten(ErrorKind::IsADirectory),
                ProblemKind::User,
                "it is a directory",
            ),
            (
                unread(ErrorKind::PermissionDenied),
                ProblemKind::User,
                "it may not be read by you",
            ),
            (
                unwritten(ErrorKind::StorageFull),
                ProblemKind::Fault,
                "no storage space",
            ),
        ] {
            assert_eq!((problem.kind, problem.cause.as_str()), (kind, cause));
        }
    }
}
