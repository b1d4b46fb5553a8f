//! What is known of the usage of all chats, and the sums over them.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::chats::Chats;
use crate::model::usage::{ByModel, ChatUsage, UsageBy, UsedOnce, day_of};
use crate::model::{CallId, ChatId, Entry, Timestamp, Zone};

#[derive(Default)]
pub struct Usages {
    /// Those of deleted chats too, as long as the cache knows of them.
    pub chats: BTreeMap<ChatId, ChatUsage>,
    /// Over all chats, by day.
    pub days: BTreeMap<String, ByModel>,
    /// Over a tree, by its root.
    pub trees: BTreeMap<ChatId, ByModel>,
    /// Greater after every answer of a model that was added.
    pub revision: u64,
    /// Chats whose sums are being read, with the entries that were written meanwhile.
    pub reading: BTreeMap<ChatId, Vec<Entry>>,
    /// Shells that asked meanwhile. They are answered when nothing is being read any more.
    pub askers: Vec<UsageAsker>,
    /// Chats whose transcripts could not be read: nothing is said of them.
    pub unread: BTreeSet<ChatId>,
    /// Chats whose sums are not kept yet.
    pub dirty: BTreeSet<ChatId>,
    /// A worker keeps some. One does at a time.
    pub keeping: bool,
    /// Budgets that are nearly used up, or wholly.
    pub levels: BTreeMap<BudgetOf, BudgetLevel>,
    /// Prompts wait because of that.
    pub holds: bool,
    /// Models that were used without a price while a budget holds: said once each.
    pub unpriced: BTreeSet<String>,
}

/// Who asked what was used.
pub struct UsageAsker {
    pub call: CallId,
    pub by: UsageBy,
    /// Of this chat, or of all.
    pub chat: Option<ChatId>,
}

/// Whose budget it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BudgetOf {
    Chat(ChatId),
    /// By its root.
    Tree(ChatId),
    /// That of this day.
    Day(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BudgetLevel {
    /// 80 % of it are used.
    Near,
    Spent,
}

impl BudgetOf {
    /// The setting in `limits.budget`.
    pub fn key(&self) -> &'static str {
        match self {
            BudgetOf::Chat(_) => "chat",
            BudgetOf::Tree(_) => "tree",
            BudgetOf::Day(_) => "day",
        }
    }

    /// What is used up, in words.
    pub fn words(&self) -> &'static str {
        match self {
            BudgetOf::Chat(_) => "the budget of this chat",
            BudgetOf::Tree(_) => "the budget of this tree of chats",
            BudgetOf::Day(_) => "today's budget",
        }
    }
}

impl BudgetOf {
    /// Why a prompt waits.
    pub fn held(&self) -> &'static str {
        match self {
            BudgetOf::Chat(_) => "the budget of this chat is used up (limits.budget.chat)",
            BudgetOf::Tree(_) => "the budget of this tree is used up (limits.budget.tree)",
            BudgetOf::Day(_) => "today's budget is used up (limits.budget.day)",
        }
    }
}

impl Usages {
    pub fn add_to_sums(&mut self, root: &ChatId, zone: Zone, at: Timestamp, used: &UsedOnce) {
        self.days
            .entry(day_of(zone, at))
            .or_default()
            .add(used.model, used.spent);
        self.trees.entry(root.clone()).or_default().add(used.model, used.spent);
        self.revision += 1;
    }

    pub fn add_chat(&mut self, root: &ChatId, usage: &ChatUsage) {
        for (day, used) in &usage.days {
            *self.days.entry(day.clone()).or_default() += used;
        }
        *self.trees.entry(root.clone()).or_default() += &usage.all;
        self.revision += 1;
    }
}

/// The chat at the top of the tree that a chat stands in.
pub fn root(chats: &Chats, chat: &ChatId) -> ChatId {
    let mut above = chat;
    // A circle is made by hands alone.
    for _ in 0..64 {
        let parent = chats.get(above).and_then(|chat| chat.record.parent.as_ref());
        match parent.filter(|parent| chats.contains_key(parent)) {
            Some(parent) => above = parent,
            None => break,
        }
    }
    above.clone()
}
