//! What a person reads of a transcript as one thing: a prompt, an answer, a call from its start to its end.

use std::sync::Arc;

use crate::domain::approval::card::{Card, CardSubject, Cards, Tool, ToolState};
use crate::model::entry::ToolStatus;
use crate::model::usage::TokenCount;
use crate::model::{Entry, LiveText, Timestamp};

/// Where an item stands. What is said of damage or of hidden entries stands before the entry of that number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemKey {
    pub seq: u64,
    pub part: ItemPart,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemPart {
    Gap,
    Hidden,
    /// A sub-agent that is known by the call behind it.
    SubAgent,
    /// What was said before a call that was heard of first: the entry of this number.
    SaidBefore(u64),
    #[default]
    Entry,
    /// Behind all entries.
    AtWork,
}

#[derive(Clone, Debug)]
pub struct TranscriptItem {
    pub key: ItemKey,
    pub at: Timestamp,
    /// Of its turn, counted through the whole transcript; 0 before the first prompt.
    pub turn: u32,
    /// It was gone back before: shown only where a person unfolds that.
    pub hidden_by: Option<ItemKey>,
    /// The sub-agent whose call it is: shown only where that is open.
    pub of: Option<ItemKey>,
    /// A message that stands below as the prompt by which the agent got it.
    pub is_delivered: bool,
    /// Rises with each change: what was laid out of it before is not it any more.
    pub revision: u32,
    pub what: ItemKind,
}

#[derive(Clone, Debug)]
pub enum ItemKind {
    Prompt(Arc<Entry>),
    Said(Arc<Entry>),
    Thought(Arc<Entry>),
    /// A call, as the one card of its own.
    Tool(Box<Cards>),
    SubAgent(SubAgentSums),
    /// What a sub-agent was asked, or said.
    OfSubAgent(Arc<Entry>),
    /// Anything else that is told in a line or two.
    Event(Arc<Entry>),
    /// Entries of kinds that parlour does not know, all those of a turn.
    Unknown(Vec<Arc<Entry>>),
    /// What a turn that goes on ends with.
    AtWork(AtWork),
    /// Bytes that are no entry.
    Gap(u64),
    /// What was gone back before.
    Hidden {
        prompts: u32,
        /// How often one went back in what is hidden.
        reverts: u32,
        entries: u64,
    },
}

/// What an agent does that is no entry yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AtWork {
    Writes(LiveText),
    /// Its CLI tells what it writes when that is whole.
    WritesUnseen,
}

/// What is known of a sub-agent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SubAgentSums {
    pub id: String,
    pub name: String,
    /// What it is for, in the words of the call that gave it its work.
    pub task: String,
    pub calls: u32,
    pub failed: u32,
    pub used: TokenCount,
    /// When it ended, or did something last.
    pub last: Timestamp,
    pub has_ended: bool,
}

impl SubAgentSums {
    pub fn title(&self) -> String {
        match (self.task.as_str(), self.name.as_str()) {
            ("", "") => "sub-agent".into(),
            ("", name) => name.into(),
            (task, "") => task.into(),
            (task, name) => format!("{task} · {name}"),
        }
    }
}

impl ItemKey {
    pub const AT_WORK: ItemKey = ItemKey {
        seq: u64::MAX,
        part: ItemPart::AtWork,
    };

    pub fn entry(seq: u64) -> ItemKey {
        ItemKey {
            seq,
            part: ItemPart::Entry,
        }
    }
}

impl TranscriptItem {
    /// The call that it is.
    pub fn tool(&self) -> Option<(&Card, &Tool)> {
        let ItemKind::Tool(cards) = &self.what else {
            return None;
        };
        let card = cards.get(0)?;
        match &card.what {
            CardSubject::Tool(tool) => Some((card, tool)),
            CardSubject::Prompt { .. } | CardSubject::Error { .. } | CardSubject::Interrupt { .. } => None,
        }
    }

    /// Something of it went wrong.
    pub fn is_failed(&self) -> bool {
        let is_error = |status| matches!(status, ToolStatus::Error);
        match &self.what {
            ItemKind::Tool(_) => self
                .tool()
                .is_some_and(|(_, tool)| matches!(tool.state, ToolState::Ended { status, .. } if is_error(status))),
            ItemKind::Event(entry) => super::events::is_error(&entry.what),
            ItemKind::Prompt(_)
            | ItemKind::Said(_)
            | ItemKind::Thought(_)
            | ItemKind::SubAgent(_)
            | ItemKind::OfSubAgent(_)
            | ItemKind::Unknown(_)
            | ItemKind::AtWork(_)
            | ItemKind::Gap(_)
            | ItemKind::Hidden { .. } => false,
        }
    }
}
