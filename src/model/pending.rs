//! A prompt on its way to the agent of a chat, and what is kept of one that has arrived.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{ChatId, Timestamp};

/// A prompt on its way to the agent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pending {
    pub text: String,
    pub from: super::entry::From,
    /// The chat whose agent sent it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sender: Option<ChatId>,
    /// Waits for the turn's end instead of steering.
    #[serde(default)]
    pub follow_up: bool,
    pub at: Timestamp,
    /// The message of the inbox that it is. The inbox keeps it, not the record's prompts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// It was typed once, so its agent may have it though nothing was heard of that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub begun: bool,
    /// The sender's own name for it: sent again under the same key, it is the same prompt.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub key: String,
    /// It is not sent before this moment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub not_before: Option<Timestamp>,
    /// It is a command of the CLI's own: it is typed as it is, and told by nobody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub command: bool,
    /// Our transcript has it already, by the word of a hook. The agent CLI's own may lack it still.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub told: bool,
}

impl Pending {
    /// A person wrote it as a prompt.
    pub fn is_written(&self) -> bool {
        self.from == super::entry::From::Person && self.message.is_none() && !self.command
    }

    /// What tells its words from those of another.
    pub fn words(&self) -> String {
        HEXLOWER.encode(&Sha256::digest(self.text.as_bytes())[..12])
    }

    pub fn new(text: String, from: super::entry::From, at: Timestamp) -> Pending {
        Pending {
            text,
            from,
            sender: None,
            follow_up: false,
            at,
            message: None,
            begun: false,
            key: String::new(),
            not_before: None,
            command: false,
            told: false,
        }
    }
}

/// The key of a prompt that the agent has got. On disk what tells its words from others stands behind it, after a blank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct DeliveredKey {
    pub key: String,
    /// Not known of those that an older parlour noted.
    words: Option<String>,
}

impl DeliveredKey {
    pub(super) fn of(prompt: &Pending) -> DeliveredKey {
        DeliveredKey {
            key: prompt.key.clone(),
            words: Some(prompt.words()),
        }
    }

    /// The key is that of a prompt in other words.
    pub fn is_of_another(&self, prompt: &Pending) -> bool {
        self.words.as_ref().is_some_and(|words| *words != prompt.words())
    }
}

impl From<String> for DeliveredKey {
    fn from(text: String) -> DeliveredKey {
        match text.split_once(' ') {
            Some((key, words)) => DeliveredKey {
                key: key.into(),
                words: Some(words.into()),
            },
            None => DeliveredKey { key: text, words: None },
        }
    }
}

impl From<DeliveredKey> for String {
    fn from(known: DeliveredKey) -> String {
        match known.words {
            Some(words) => format!("{} {words}", known.key),
            None => known.key,
        }
    }
}
