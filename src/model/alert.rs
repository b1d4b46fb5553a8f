//! What a person is called for when they look elsewhere, and how.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

use super::ChatId;

/// Why a person is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum AlertKind {
    /// Its agent asks something.
    NeedsYou,
    /// A turn of an agent that no other agent waits for is over.
    Done,
    /// A turn failed, or the agent's process ended in one.
    Failed,
    /// The provider's limit ended a turn, or the login ran out.
    Limit,
}

/// A call for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alert {
    pub kind: AlertKind,
    pub chat: ChatId,
    /// What the chat is called on screen.
    pub name: String,
    pub project: Option<String>,
    pub branch: Option<String>,
    /// In a line: what is asked, or what failed. Empty where the kind says all.
    pub text: String,
}

impl Alert {
    /// As a person reads it, in one line.
    pub fn words(&self) -> String {
        let name = &self.name;
        match (self.kind, self.text.as_str()) {
            (AlertKind::NeedsYou, "") => format!("{name} needs you"),
            (AlertKind::NeedsYou, text) => format!("{name} needs you: {text}"),
            (AlertKind::Done, _) => format!("{name} is done"),
            (AlertKind::Failed, "") => format!("{name} failed"),
            (AlertKind::Failed, text) => format!("{name} failed: {text}"),
            (AlertKind::Limit, text) => format!("{name} cannot go on: {text}"),
        }
    }
}

/// `notify` of `config.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NotifySettings {
    /// What a person is called for.
    pub on: BTreeSet<AlertKind>,
    pub terminal: TerminalNotice,
    /// A command line for `sh` that is run as well, with the chat in its environment.
    pub command: Option<String>,
}

impl Default for NotifySettings {
    fn default() -> NotifySettings {
        NotifySettings {
            on: AlertKind::VARIANTS.iter().copied().collect(),
            terminal: TerminalNotice::Auto,
            command: None,
        }
    }
}

/// How the person's terminal is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TerminalNotice {
    /// The bell, and a notification in the form that the terminal is known to take.
    #[default]
    Auto,
    Bell,
    /// iTerm2's, taken by most others that show any.
    Osc9,
    /// urxvt's.
    Osc777,
    /// kitty's.
    Osc99,
    Off,
}
