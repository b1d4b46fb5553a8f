//! What can go wrong with the index.

use std::path::PathBuf;

use crate::model::{Failure, Problem, ProblemKind};
use crate::store;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// It has to be made again.
    #[error("the search index is damaged: {0}")]
    Damaged(String),
    #[error("the search index {}: {source}", path.display())]
    Database { path: PathBuf, source: rusqlite::Error },
    #[error(transparent)]
    Home(#[from] store::Error),
    /// What was asked for cannot be answered.
    #[error("{}", .0.cause)]
    Asked(Box<Problem>),
    #[error("nobody waits for it any more")]
    Cancelled,
}

impl Error {
    /// As a person or an agent reads it.
    pub fn problem(self, doing: &str) -> Problem {
        match self {
            Error::Asked(problem) => *problem,
            other => Problem::of(doing, &other),
        }
    }
}

impl Failure for Error {
    fn problem_kind(&self) -> ProblemKind {
        match self {
            Error::Home(error) => error.problem_kind(),
            Error::Asked(problem) => problem.kind,
            Error::Damaged(_) | Error::Database { .. } | Error::Cancelled => ProblemKind::Fault,
        }
    }

    fn hint(&self) -> Option<&'static str> {
        match self {
            Error::Home(error) => error.hint(),
            Error::Damaged(_) | Error::Database { .. } => {
                Some("remove cache/history.db and history.db2 of the home: they are made again")
            }
            Error::Asked(_) | Error::Cancelled => None,
        }
    }

    fn below(&self) -> Option<&(dyn std::error::Error + 'static)> {
        std::error::Error::source(self)
    }
}
