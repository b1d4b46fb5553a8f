//! The one shape an error has when a person or an agent reads it.
//!
//! A service's error becomes a [`Problem`] by [`ResultExt::doing`], which keeps its kind and what lies below it. A problem
//! travels in events and over the socket, so its sources are kept as text.

use std::error::Error;
use std::{fmt, io};

use serde::{Deserialize, Serialize};
use serde_json::Number;

/// What we were doing, what went wrong, and what to do about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// A gerund: "opening grove".
    pub doing: String,
    pub cause: String,
    /// What to try, or where to look. Empty if the cause says it.
    #[serde(default)]
    pub hint: String,
    #[serde(default)]
    pub kind: ProblemKind,
    /// The limit that was reached, for programs that read this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Box<Limit>>,
    /// What doing it would lose, a thing a line, for programs that read this.
    #[serde(default, skip_serializing_if = "<[String]>::is_empty")]
    pub lost: Box<[String]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<Box<SuggestedPrompt>>,
    /// What the errors below the cause say that the cause does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<Box<SourceText>>,
}

/// What an agent could be asked to do about a problem, as a prompt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SuggestedPrompt(pub String);

/// What sort of trouble it is: who can do something about it. The shell's exit code follows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProblemKind {
    /// It cannot be done as it was asked for.
    #[default]
    User,
    /// Something that was named does not exist.
    Missing,
    /// A limit that a person has set is reached.
    Limit,
    /// It cannot be done now, and can be later.
    Busy,
    /// The disk, the network, another program or parlour failed.
    Fault,
}

/// A limit by its name in `config.json`'s `limits`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limit {
    pub name: String,
    pub value: Number,
}

/// An error below a problem, as text, with the one below it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SourceText {
    said: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<Box<SourceText>>,
}

/// An error that can become a problem.
pub trait Failure: fmt::Display {
    fn problem_kind(&self) -> ProblemKind;

    /// What to try. If there is nothing, the problem's kind says where to look, if it can.
    fn hint(&self) -> Option<&'static str> {
        None
    }

    fn below(&self) -> Option<&(dyn Error + 'static)> {
        None
    }
}

/// Says what was being done when something failed.
pub trait ResultExt<T> {
    /// `doing` is a gerund: "opening the project".
    fn doing(self, doing: impl Into<String>) -> Result<T, Problem>;

    /// As [`ResultExt::doing`], with something to try.
    fn doing_or(self, doing: impl Into<String>, hint: impl Into<String>) -> Result<T, Problem>;
}

impl<T, E: Failure> ResultExt<T> for Result<T, E> {
    fn doing(self, doing: impl Into<String>) -> Result<T, Problem> {
        self.map_err(|error| Problem::of(doing, &error))
    }

    fn doing_or(self, doing: impl Into<String>, hint: impl Into<String>) -> Result<T, Problem> {
        self.map_err(|error| Problem::of(doing, &error).hinted(hint))
    }
}

impl Problem {
    /// What was asked for cannot be done.
    pub fn new(doing: impl Into<String>, cause: impl fmt::Display, hint: impl Into<String>) -> Problem {
        Problem::bare(ProblemKind::User, doing, cause).hinted(hint)
    }

    /// What was named does not exist.
    pub fn missing(doing: impl Into<String>, cause: impl fmt::Display, hint: impl Into<String>) -> Problem {
        Problem::bare(ProblemKind::Missing, doing, cause).hinted(hint)
    }

    /// It can be done later.
    pub fn busy(doing: impl Into<String>, cause: impl fmt::Display, hint: impl Into<String>) -> Problem {
        Problem::bare(ProblemKind::Busy, doing, cause).hinted(hint)
    }

    /// Something failed that nobody asked for wrongly.
    pub fn fault(doing: impl Into<String>, cause: impl fmt::Display) -> Problem {
        Problem::bare(ProblemKind::Fault, doing, cause)
    }

    /// Money is spent. The limit is in US dollars.
    pub fn over_budget(doing: impl Into<String>, cause: impl fmt::Display, name: &str, dollars: f64) -> Problem {
        let cause = format!("{cause}, and limits.{name} is ${dollars:.2}");
        let hint = format!("a person can raise limits.{name} in config.json, or set limits.budget.stop to false");
        let limit = Limit {
            name: name.into(),
            value: Number::from_f64(dollars).unwrap_or_else(|| 0.into()),
        };
        Problem {
            limit: Some(Box::new(limit)),
            ..Problem::bare(ProblemKind::Limit, doing, cause).hinted(hint)
        }
    }

    /// As [`Problem::new`], of a limit that a person has set.
    pub fn limited(doing: impl Into<String>, cause: impl fmt::Display, name: &str, value: usize) -> Problem {
        let cause = format!("{cause}, and limits.{name} is {value}");
        let hint = format!("a person can raise limits.{name} in config.json");
        let limit = Limit {
            name: name.into(),
            value: value.into(),
        };
        Problem {
            limit: Some(Box::new(limit)),
            ..Problem::bare(ProblemKind::Limit, doing, cause).hinted(hint)
        }
    }

    /// An error met while something was done.
    pub fn of(doing: impl Into<String>, error: &(impl Failure + ?Sized)) -> Problem {
        let problem = Problem::bare(error.problem_kind(), doing, error);
        let source = SourceText::below(&problem.cause, error.below());
        Problem { source, ..problem }.hinted(error.hint().unwrap_or_default())
    }

    fn bare(kind: ProblemKind, doing: impl Into<String>, cause: impl fmt::Display) -> Problem {
        Problem {
            doing: doing.into(),
            cause: cause.to_string(),
            hint: kind.where_to_look().into(),
            kind,
            limit: None,
            lost: Box::default(),
            prompt: None,
            source: None,
        }
    }

    /// The agent of this chat could be asked to do something about it.
    pub fn for_agent(self, handle: &str, prompt: String) -> Problem {
        let sent = format!("`parlour send {handle} {}` has the agent do it", quoted(&prompt));
        let hint = match self.hint.as_str() {
            "" => sent,
            hint => format!("{hint}; {sent}"),
        };
        Problem {
            hint,
            prompt: Some(Box::new(SuggestedPrompt(prompt))),
            ..self
        }
    }

    /// The same, met while something else was done.
    pub fn while_doing(self, doing: impl Into<String>) -> Problem {
        Problem {
            doing: doing.into(),
            ..self
        }
    }

    pub fn of_kind(self, kind: ProblemKind) -> Problem {
        Problem { kind, ..self }
    }

    /// With something to try. An empty hint changes nothing.
    pub fn hinted(self, hint: impl Into<String>) -> Problem {
        match hint.into() {
            hint if hint.is_empty() => self,
            hint => Problem { hint, ..self },
        }
    }
}

/// As a word for a shell.
fn quoted(text: &str) -> String {
    match text.contains(['"', '$', '`', '\\', '!']) {
        true => format!("'{}'", text.replace('\'', "'\\''")),
        false => format!("\"{text}\""),
    }
}

impl ProblemKind {
    /// As programs read it.
    pub fn name(self) -> &'static str {
        match self {
            ProblemKind::User => "user",
            ProblemKind::Missing => "missing",
            ProblemKind::Limit => "limit",
            ProblemKind::Busy => "busy",
            ProblemKind::Fault => "fault",
        }
    }

    /// What an error of the operating system is.
    pub fn of_io(error: io::ErrorKind) -> ProblemKind {
        use io::ErrorKind::{
            AlreadyExists, DirectoryNotEmpty, InvalidFilename, InvalidInput, IsADirectory, NotADirectory, NotFound,
            ResourceBusy, TimedOut, WouldBlock,
        };
        match error {
            NotFound => ProblemKind::Missing,
            AlreadyExists | DirectoryNotEmpty | InvalidFilename | InvalidInput | IsADirectory | NotADirectory => {
                ProblemKind::User
            }
            ResourceBusy | TimedOut | WouldBlock => ProblemKind::Busy,
            _ => ProblemKind::Fault,
        }
    }

    /// What a person can still do if nobody knows anything better.
    fn where_to_look(self) -> &'static str {
        match self {
            // The cause says what is wrong.
            ProblemKind::User => "",
            ProblemKind::Missing => "`parlour list` shows all chats, `parlour status` the engine",
            ProblemKind::Limit => "a person can raise it in config.json",
            ProblemKind::Busy => "try again in a moment",
            ProblemKind::Fault => {
                "`parlour doctor` looks for the reason; the engine's log is run/engine.log in parlour's home"
            }
        }
    }
}

impl SourceText {
    /// The errors from here down. One that adds nothing to what is said above it is left out.
    fn below(said_above: &str, error: Option<&(dyn Error + 'static)>) -> Option<Box<SourceText>> {
        let error = error?;
        let said = error.to_string();
        if said_above.contains(&said) {
            return SourceText::below(said_above, error.source());
        }
        let source = SourceText::below(&said, error.source());
        Some(Box::new(SourceText { said, source }))
    }
}

impl Failure for io::Error {
    fn problem_kind(&self) -> ProblemKind {
        ProblemKind::of_io(self.kind())
    }

    fn below(&self) -> Option<&(dyn Error + 'static)> {
        self.source()
    }
}

impl Failure for serde_json::Error {
    fn problem_kind(&self) -> ProblemKind {
        ProblemKind::Fault
    }
}

/// Its kind is the kind of the first error of the system below it, if there is one.
impl Failure for anyhow::Error {
    fn problem_kind(&self) -> ProblemKind {
        let io = self.chain().find_map(|error| error.downcast_ref::<io::Error>());
        io.map_or(ProblemKind::Fault, |error| error.problem_kind())
    }

    fn below(&self) -> Option<&(dyn Error + 'static)> {
        self.source()
    }
}

/// Words about what somebody asked for.
impl Failure for String {
    fn problem_kind(&self) -> ProblemKind {
        ProblemKind::User
    }
}

impl Failure for str {
    fn problem_kind(&self) -> ProblemKind {
        ProblemKind::User
    }
}

impl<E: Failure + ?Sized> Failure for &E {
    fn problem_kind(&self) -> ProblemKind {
        (**self).problem_kind()
    }

    fn hint(&self) -> Option<&'static str> {
        (**self).hint()
    }

    fn below(&self) -> Option<&(dyn Error + 'static)> {
        (**self).below()
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

impl Error for Problem {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &dyn Error)
    }
}

impl fmt::Display for SourceText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.said)
    }
}

impl Error for SourceText {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.source.as_deref().map(|source| source as &dyn Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("the record cannot be kept")]
    struct Unkept(#[source] io::Error);

    impl Failure for Unkept {
        fn problem_kind(&self) -> ProblemKind {
            self.0.problem_kind()
        }

        fn below(&self) -> Option<&(dyn Error + 'static)> {
            self.source()
        }
    }

    #[test]
    fn an_error_keeps_its_kind_and_what_is_below_it() {
        let full = || Unkept(io::Error::new(io::ErrorKind::StorageFull, "no space"));
        let problem = Err::<(), _>(full()).doing("renaming the chat").unwrap_err();
        assert_eq!(problem.kind, ProblemKind::Fault);
        assert_eq!(problem.cause, "the record cannot be kept");
        assert_eq!(problem.source().map(ToString::to_string), Some("no space".into()));
        let read = serde_json::from_value::<Problem>(serde_json::to_value(&problem).unwrap());
        assert_eq!(read.unwrap(), problem);
    }

    #[test]
    fn a_hint_says_something_or_is_left_out() {
        let said = |kind| Problem::bare(kind, "opening grove", "no").hinted("").hint;
        use ProblemKind::{Busy, Fault, Limit, Missing, User};
        assert!(
            [Missing, Limit, Busy, Fault]
                .map(said)
                .iter()
                .all(|hint| !hint.is_empty())
        );
        let wrong = Problem::bare(User, "opening grove", "no");
        assert_eq!(wrong.to_string(), "opening grove: no");
        assert_eq!(
            wrong.for_agent("auth", "Say why".into()).hint,
            "`parlour send auth \"Say why\"` has the agent do it"
        );
        let given = Err::<(), _>("no such branch".to_string()).doing_or("opening grove", "try main");
        assert_eq!(
            given.unwrap_err().to_string(),
            "opening grove: no such branch; try main"
        );
    }
}
