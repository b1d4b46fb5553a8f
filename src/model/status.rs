//! parlour's judgement of what a chat's agent is doing.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What is said of an idle agent whose last turn was cut off by the end of its process, until its next turn.
pub const INTERRUPTED: &str = "interrupted";

/// What is said of an idle agent whose last command in its last turn failed: a check sign alone would hide that.
pub const COMMAND_FAILED: &str = "last command failed";

/// What is said of an agent whose last turn failed where its status is another one by now, with the reason behind it.
pub const TURN_FAILED: &str = "last turn failed";

/// How it ends what is said of what goes on behind a turn that is over.
pub const IN_BACKGROUND: &str = " in the background";

/// How the reason begins for which a process ended that nobody ended; the last one in transcripts of an older parlour.
pub const CRASHED: [&str; 4] = [
    "ended with exit code ",
    "exited with code ",
    "ended by signal ",
    "killed by signal ",
];

/// What an agent that was told to stop is at work with.
pub const STOPPING: &str = "stopping";

/// Never `Idle` for lack of a better word: what is not known is `Unknown`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", content = "detail", rename_all = "kebab-case")]
pub enum Status {
    Starting,
    /// At work, with the tool it is using where that is known.
    Running(Option<String>),
    /// Something that only a person should answer, in words.
    NeedsYou(String),
    /// It waits for a prompt, with what is to be said beside that: its last turn was interrupted, the last command in it
    /// failed, or something of its own goes on in the background.
    Idle(Option<String>),
    /// The provider refused a request, for a limit say, and its CLI makes it again: why, and when.
    Retrying(String),
    Error(String),
    /// A limit of the provider ended its turn: when it ends, where that is known.
    Limited(String),
    /// Its turn failed since nobody is logged in, or the login ran out.
    LoggedOut(String),
    /// No process, with the reason: "engine stopped", "ended", "exit code 1".
    Exited(String),
    Hibernated,
    Unknown(String),
}

impl Status {
    /// The word used in files, on the shell and on screen.
    pub fn word(&self) -> &'static str {
        match self {
            Status::Starting => "starting",
            Status::Running(_) => "running",
            Status::NeedsYou(_) => "needs-you",
            Status::Idle(_) => "idle",
            Status::Retrying(_) => "retrying",
            Status::Error(_) => "error",
            Status::Limited(_) => "limit",
            Status::LoggedOut(_) => "logged-out",
            Status::Exited(_) => "exited",
            Status::Hibernated => "hibernated",
            Status::Unknown(_) => "unknown",
        }
    }

    /// The word as screens say it.
    pub fn in_plain_words(&self) -> &'static str {
        match self {
            Status::NeedsYou(_) => "needs you",
            Status::LoggedOut(_) => "not logged in",
            Status::Starting
            | Status::Running(_)
            | Status::Idle(_)
            | Status::Retrying(_)
            | Status::Error(_)
            | Status::Limited(_)
            | Status::Exited(_)
            | Status::Hibernated
            | Status::Unknown(_) => self.word(),
        }
    }

    /// Word and detail, in the words of screens.
    pub fn in_full(&self) -> String {
        self.with_detail(self.in_plain_words())
    }

    fn with_detail(&self, word: &str) -> String {
        match self.detail() {
            "" => word.into(),
            // It says the word itself.
            detail if detail.starts_with(word) => detail.into(),
            detail => format!("{word}: {detail}"),
        }
    }

    /// The tool, the question or the reason; empty where the word says all.
    pub fn detail(&self) -> &str {
        match self {
            Status::Running(said) | Status::Idle(said) => said.as_deref().unwrap_or(""),
            Status::NeedsYou(text)
            | Status::Retrying(text)
            | Status::Error(text)
            | Status::Limited(text)
            | Status::LoggedOut(text)
            | Status::Exited(text)
            | Status::Unknown(text) => text,
            Status::Starting | Status::Hibernated => "",
        }
    }

    pub fn is_idle(&self) -> bool {
        matches!(self, Status::Idle(_))
    }

    /// Whether an agent that ended like this was in the middle of a turn, by the word and the detail of its status. `None`
    /// where another status, the one before, tells that.
    pub fn is_in_turn(word: &str, detail: &str) -> Option<bool> {
        match word {
            "running" if detail == STOPPING => None,
            "running" if detail.ends_with(IN_BACKGROUND) => Some(false),
            "running" | "retrying" => Some(true),
            "idle" => Some(Status::is_interrupted(detail)),
            "error" | "limit" | "logged-out" => Some(false),
            _ => None,
        }
    }

    /// Whether the last turn of an idle agent was cut off, by the detail of its status.
    pub fn is_interrupted(detail: &str) -> bool {
        let rest = detail.strip_prefix(INTERRUPTED);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(" · "))
    }

    /// What had failed in the last turn of an agent that was known by this word and detail.
    pub fn what_failed(word: &str, detail: &str) -> Option<String> {
        match word {
            "error" | "limit" | "logged-out" if detail.is_empty() => Some(TURN_FAILED.into()),
            "error" | "limit" | "logged-out" => Some(format!("{TURN_FAILED}: {detail}")),
            _ => Some(detail.into()).filter(|_| detail == COMMAND_FAILED || detail.starts_with(TURN_FAILED)),
        }
    }

    /// Whether its last turn failed, for whatever reason, or its process did.
    pub fn has_failed(&self) -> bool {
        match self {
            Status::Error(_) | Status::Limited(_) | Status::LoggedOut(_) => true,
            Status::Exited(why) => CRASHED.iter().any(|begins| why.starts_with(begins)),
            Status::Starting
            | Status::Running(_)
            | Status::NeedsYou(_)
            | Status::Idle(_)
            | Status::Retrying(_)
            | Status::Hibernated
            | Status::Unknown(_) => false,
        }
    }

    /// Whether a process stands behind it.
    pub fn is_live(&self) -> bool {
        match self {
            Status::Exited(_) | Status::Hibernated => false,
            Status::Starting
            | Status::Running(_)
            | Status::NeedsYou(_)
            | Status::Idle(_)
            | Status::Retrying(_)
            | Status::Error(_)
            | Status::Limited(_)
            | Status::LoggedOut(_)
            | Status::Unknown(_) => true,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.with_detail(self.word()))
    }
}
