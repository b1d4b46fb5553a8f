//! Why a call of an agent is not carried out, in words for the agent: it can change its call, and look for no log.

use std::fmt;

use crate::model::{Failure, Problem, ProblemKind};

/// What is wrong, whose fault that is, and what its agent can do.
#[derive(Debug)]
pub struct Unable {
    kind: ProblemKind,
    cause: String,
    hint: &'static str,
}

impl Unable {
    /// The call cannot be carried out as it is.
    pub fn user(cause: impl Into<String>, hint: &'static str) -> Unable {
        Unable {
            kind: ProblemKind::User,
            cause: cause.into(),
            hint,
        }
    }

    /// What it names is not there.
    pub fn missing(cause: impl Into<String>) -> Unable {
        Unable {
            kind: ProblemKind::Missing,
            cause: cause.into(),
            hint: what_to_do(ProblemKind::Missing),
        }
    }

    /// The machine failed, or parlour.
    pub fn fault(cause: impl Into<String>) -> Unable {
        Unable {
            kind: ProblemKind::Fault,
            cause: cause.into(),
            hint: what_to_do(ProblemKind::Fault),
        }
    }

    /// With more words around the cause.
    pub fn told(self, cause: impl FnOnce(String) -> String) -> Unable {
        Unable {
            cause: cause(self.cause),
            ..self
        }
    }

    /// As an error of the tool.
    pub fn problem(self, tool: &str) -> Problem {
        Problem::new(format!("calling {tool}"), self.cause, self.hint).of_kind(self.kind)
    }
}

impl<E: Failure> From<E> for Unable {
    fn from(error: E) -> Unable {
        let kind = error.problem_kind();
        Unable {
            kind,
            cause: error.to_string(),
            hint: what_to_do(kind),
        }
    }
}

impl fmt::Display for Unable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

fn what_to_do(kind: ProblemKind) -> &'static str {
    match kind {
        ProblemKind::User => "change the call",
        ProblemKind::Missing => "see with shell what is there",
        ProblemKind::Busy => "try again in a moment",
        ProblemKind::Limit | ProblemKind::Fault => "if it fails again, tell the user",
    }
}
