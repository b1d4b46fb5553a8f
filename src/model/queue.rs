//! The prompts that wait for a chat's agent, as people see and change them.

use serde::{Deserialize, Serialize};

use super::entry::From;
use super::{Happened, Timestamp, chat::Pending};

/// What is asked about them. One is named by its id, as the list gives it, since numbers change as prompts are sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum QueueAsk {
    List,
    Change { prompt: String, change: QueueChange },
}

/// What is done to one of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QueueChange {
    Edit(String),
    /// To this place, the first being 1.
    Move(usize),
    Remove,
    Turn(PromptKind),
}

/// When a prompt is sent to an agent that works.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum PromptKind {
    /// At once, where its CLI takes that, else when the turn ends.
    Steer,
    /// When the turn ends.
    FollowUp,
}

/// One that waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingPrompt {
    /// Its place, the first being 1.
    pub place: usize,
    pub id: String,
    pub kind: PromptKind,
    pub text: String,
    pub from: From,
    pub at: Timestamp,
    /// What it waits for.
    pub why: String,
    /// It waits for this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
    /// Why it cannot be changed any more.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fixed: Option<String>,
}

/// One that was taken out of the queue to be written anew. Sent again, it is the same prompt in other words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenBack {
    pub prompt: Pending,
    /// The ids of those that stood behind it.
    pub behind: Vec<String>,
}

impl TakenBack {
    pub fn kind(&self) -> PromptKind {
        self.prompt.kind()
    }

    /// It waited for a moment.
    pub fn is_timed(&self) -> bool {
        self.prompt.not_before.is_some()
    }

    /// The same, to be sent in the other of the two ways. What waited for a moment waits for it no longer: a steer goes
    /// behind the turn that runs, if one does.
    pub fn turned(mut self) -> TakenBack {
        self.prompt.follow_up = self.kind().other() == PromptKind::FollowUp;
        self.prompt.not_before = None;
        self
    }

    /// Makes the same prompt of one in other words; those that it stood before.
    pub fn goes_on_as(self, prompt: &mut Pending) -> Vec<String> {
        let known = self.prompt;
        (prompt.key, prompt.at) = (known.key, known.at);
        prompt.follow_up |= known.follow_up;
        prompt.not_before = prompt.not_before.or(known.not_before);
        self.behind
    }
}

impl PromptKind {
    pub fn word(self) -> &'static str {
        match self {
            PromptKind::Steer => "steer",
            PromptKind::FollowUp => "follow-up",
        }
    }

    pub fn other(self) -> PromptKind {
        match self {
            PromptKind::Steer => PromptKind::FollowUp,
            PromptKind::FollowUp => PromptKind::Steer,
        }
    }
}

/// How the note begins of a prompt that came to wait for a person.
const WAITS: &str = "a prompt is queued: ";

impl Happened {
    /// A prompt waits for a person, for this reason.
    pub fn waits(why: &str) -> Happened {
        Happened::Note {
            text: format!("{WAITS}{why}"),
        }
    }

    /// It tells what the queue shows as long as it is so.
    pub fn is_of_queue(&self) -> bool {
        matches!(self, Happened::Note { text } if text.starts_with(WAITS))
    }
}

impl Pending {
    pub fn kind(&self) -> PromptKind {
        match self.follow_up {
            true => PromptKind::FollowUp,
            false => PromptKind::Steer,
        }
    }

    /// What it is named by in lists: its sender's name for it, else its moment and its words.
    pub fn id(&self) -> String {
        match (&self.message, self.key.is_empty()) {
            (Some(message), _) => message.clone(),
            (None, false) => self.key.clone(),
            (None, true) => format!("t{:x}-{:x}", self.at.0, sum(&self.text)),
        }
    }
}

/// Tells texts apart that were sent in the same moment.
fn sum(text: &str) -> u32 {
    text.bytes().fold(2_166_136_261, |sum, byte| {
        (sum ^ u32::from(byte)).wrapping_mul(16_777_619)
    })
}
