//! The one shape an error has when a person or an agent reads it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What we were doing, what went wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// A gerund: "opening grove".
    pub doing: String,
    pub cause: String,
    /// What to try; empty where there is nothing to say.
    #[serde(default)]
    pub hint: String,
    /// The limit that was reached, for programs that read this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// What doing it would lose, a thing a line, for programs that read this.
    #[serde(default, skip_serializing_if = "<[String]>::is_empty")]
    pub lost: Box<[String]>,
}

/// A limit by its name in `config.json`'s `limits`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    pub name: String,
    pub value: usize,
}

impl Problem {
    pub fn new(doing: impl Into<String>, cause: impl fmt::Display, hint: impl Into<String>) -> Problem {
        Problem {
            doing: doing.into(),
            cause: cause.to_string(),
            hint: hint.into(),
            limit: None,
            lost: Box::default(),
        }
    }

    /// As [`Problem::new`], of a limit that a person has set.
    pub fn limited(doing: impl Into<String>, cause: impl fmt::Display, name: &str, value: usize) -> Problem {
        let cause = format!("{cause}, and limits.{name} is {value}");
        let limit = Limit {
            name: name.into(),
            value,
        };
        Problem {
            limit: Some(limit),
            ..Problem::new(doing, cause, format!("a person can raise limits.{name} in config.json"))
        }
    }
}

/// One line: `opening grove: no such branch; try main`.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.doing, self.cause)?;
        match self.hint.is_empty() {
            true => Ok(()),
            false => write!(f, "; {}", self.hint),
        }
    }
}

impl std::error::Error for Problem {}
