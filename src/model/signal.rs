//! What we hear about an agent, and from where. The verdict over all of it is made in `app::status`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::talk::OwnRewind;
use super::{Happened, HookEvent, Timestamp};

/// Where a signal comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Source {
    Process,
    Hook,
    SessionFile,
    Transcript,
    /// A title by which the CLI says all that it does, questions included.
    Sign,
    /// A title that only hints at it.
    Title,
    Screen,
}

/// What it says the agent does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Activity {
    Starting,
    Busy(Option<String>),
    Waiting(String),
    Idle,
    /// The turn is over, and so much still runs behind it.
    Background(u32),
    Failed(String),
    /// The provider refused a request, which is made again then.
    Retrying {
        what: String,
        until: Timestamp,
    },
    Ended(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signal {
    pub source: Source,
    pub activity: Activity,
    /// In words, for `parlour explain`: "hook Stop", "title ✳ Claude Code".
    pub because: String,
    pub at: Timestamp,
}

impl Signal {
    pub fn waits(&self) -> bool {
        matches!(self.activity, Activity::Waiting(_))
    }

    pub fn retries(&self) -> bool {
        matches!(self.activity, Activity::Retrying { .. })
    }
}

/// What happened, and when where the agent's CLI tells; else it is dated as it is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reported {
    pub at: Option<Timestamp>,
    pub what: Happened,
}

impl From<Happened> for Reported {
    fn from(what: Happened) -> Reported {
        Reported { at: None, what }
    }
}

/// What an agent CLI's own server says as it happens. Prompts and tools that it tells of are signals too.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Streamed {
    Reported(Reported),
    /// What is no entry by itself: a question, the end of a turn.
    Event(HookEvent),
    /// Words have begun that will be told under this key: what follows is recorded behind them.
    Awaits(String),
    /// A person went back in it.
    WentBack(OwnRewind),
}

/// Words of an agent that are still arriving. They are shown, and never written down: they are told again when they are
/// whole. An empty text says that none arrive.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LiveText {
    /// The [`Happened::key`] under which they will be told.
    pub key: String,
    pub is_thought: bool,
    pub text: String,
    /// How much of its beginning was let go.
    #[serde(default)]
    pub before: u64,
}

/// Bytes of words that are still arriving; of longer ones the end is shown.
const LIVE: usize = 16 << 10;

impl LiveText {
    pub fn of(key: String, is_thought: bool) -> LiveText {
        LiveText {
            key,
            is_thought,
            ..LiveText::default()
        }
    }

    /// So many words at a time are let go that it costs little for each.
    pub fn grow(&mut self, words: &str) {
        self.text.push_str(words);
        if self.text.len() > LIVE {
            let cut = self.text.floor_char_boundary(self.text.len() - LIVE / 2);
            self.before += cut as u64;
            self.text.drain(..cut);
        }
    }
}

impl Streamed {
    /// As [`Happened::key`].
    pub fn key(&self) -> Option<String> {
        match self {
            Streamed::Reported(told) => told.what.key(),
            Streamed::Event(_) | Streamed::Awaits(_) | Streamed::WentBack(_) => None,
        }
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Source::Process => "process",
            Source::Hook => "hook",
            Source::SessionFile => "session file",
            Source::Transcript => "transcript",
            Source::Sign => "sign",
            Source::Title => "title",
            Source::Screen => "screen",
        })
    }
}

impl fmt::Display for Activity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Activity::Starting => f.write_str("starting"),
            Activity::Busy(None) => f.write_str("busy"),
            Activity::Busy(Some(tool)) => write!(f, "busy with {tool}"),
            Activity::Waiting(what) => write!(f, "waiting: {what}"),
            Activity::Idle => f.write_str("idle"),
            Activity::Background(count) => write!(f, "{count} in the background"),
            Activity::Failed(what) => write!(f, "failed: {what}"),
            Activity::Retrying { what, .. } => write!(f, "retrying: {what}"),
            Activity::Ended(why) => write!(f, "ended: {why}"),
        }
    }
}
