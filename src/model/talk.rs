//! The conversation of a chat as going back leaves it: what of its transcript is hidden, and which session goes on.

use serde::{Deserialize, Serialize};

use super::{ChatId, Handle, Timestamp};

/// Where the conversation of a chat comes from, if not from its session alone: a part of its record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TalkOrigin {
    /// The session of another chat whose conversation this one takes up, until it has a session of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked: Option<String>,
    #[serde(default, skip_serializing_if = "WentBack::is_none")]
    pub went_back: WentBack,
    /// The chat, and the moment of it, that this one was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub of: Option<ForkOrigin>,
    /// The handle from before the chat had a name. It answers to it still, because scripts and agents may know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub formerly: Option<Handle>,
    /// The handle from before its last renaming, to which it answers too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before_renaming: Option<Handle>,
    /// An agent made it, and no person.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub by_agent: bool,
}

/// Where a fork comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForkOrigin {
    pub chat: ChatId,
    /// The checkpoint from which its clones come; none where the original had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checkpoint: Option<u64>,
    /// The last entry of its transcript that was told in the original.
    pub inherited: u64,
}

/// What going back has made of a chat's conversation.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WentBack {
    /// What its session's own transcript says of earlier was told in another session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
    /// What is not shown, oldest first. It stays in the transcript.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hidden: Vec<HiddenEntries>,
    /// Its agent could not go on from there: it begins anew, and reads what was said until then in `AGENTS.md`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub retold: bool,
}

/// Entries from one number up to another, both among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenEntries {
    pub from: u64,
    pub to: u64,
}

impl HiddenEntries {
    pub fn has(&self, seq: u64) -> bool {
        (self.from..=self.to).contains(&seq)
    }
}

impl WentBack {
    pub fn hides(&self, seq: u64) -> bool {
        self.hidden.iter().any(|entries| entries.has(seq))
    }

    /// Nobody went back.
    pub fn is_none(&self) -> bool {
        *self == WentBack::default()
    }
}

/// What a person did to the conversation in the agent's CLI itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum OwnRewind {
    /// They took back this prompt and all behind it.
    Before {
        /// Its id.
        prompt: String,
        /// What it says, where its CLI has given it another id since; else empty.
        text: String,
        goes_on: RewindEnd,
    },
    /// They brought back what they had taken back.
    Again {
        /// The id of the first prompt of it.
        from: String,
        /// The first prompt that is still taken back; none: all of it is there again.
        until: Option<String>,
    },
}

/// Where the conversation goes on behind what was taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum RewindEnd {
    /// It did not go on yet.
    Open,
    /// With what was said at this moment or later.
    At(Timestamp),
    /// With the prompt of this id.
    With(String),
}

/// The conversation of a chat at one moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TalkState {
    /// The agent CLI's session; none: the next start begins one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked: Option<String>,
    #[serde(default)]
    pub went_back: WentBack,
    /// The last entry of the transcript then.
    pub last: u64,
}

/// What going back changes of the conversation, or has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevertedTalk {
    /// Prompts that are hidden, oldest first, in a line each.
    pub hidden: Vec<String>,
    /// How many entries are hidden with them.
    pub entries: u64,
    /// Prompts that are shown again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<String>,
    /// The first of these, or of the hidden ones, as it was said, if a person did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    pub agent: TalkFate,
}

/// How the agent takes it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TalkFate {
    /// It goes on from there.
    GoesOn,
    /// Its CLI cannot: it begins anew, with what was said until then in `AGENTS.md`.
    BeginsAnew,
    /// It begins an empty conversation: ahead of that prompt, its session has nothing.
    BeginsEmpty,
}
