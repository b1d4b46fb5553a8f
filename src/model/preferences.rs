//! What a person set at the screen for good, in no file that they write themselves: `preferences.json`.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use strum::VariantArray;

use super::{ChatId, ScheduleId};

/// The whole file. Unknown keys of a newer version are kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preferences {
    pub v: u32,
    #[serde(default)]
    pub chats: ListLook,
    /// The tour was begun once, and is not offered again.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub tour_seen: bool,
    #[serde(default)]
    pub left: LeftScreen,
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Default for Preferences {
    fn default() -> Preferences {
        Preferences {
            v: 1,
            chats: ListLook::default(),
            tour_seen: false,
            left: LeftScreen::default(),
            other: Map::new(),
        }
    }
}

/// What a person had before them when their last screen ended.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeftScreen {
    pub chat: Option<ChatId>,
    /// The chat of the directory that it was started in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<ChatId>,
    /// The tab that parlour draws; empty where a terminal was shown.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub tab: String,
    /// Keys went to its agent, or to the terminal beside it.
    pub inside: bool,
    pub marked: BTreeSet<ChatId>,
    /// Chats and schedules that are listed without what is below them.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub folded: BTreeSet<ChatId>,
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub shut: BTreeSet<ScheduleId>,
    /// What was typed into the filter; empty where none was open.
    pub filter: String,
    /// Columns of the list, where somebody dragged its border.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub width: Option<u16>,
    /// The list was hidden.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub hidden: bool,
    /// The agent CLI of the last chat that was made at a screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llm: Option<String>,
    /// What was typed as the prompt of a new chat that was not made.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub form: String,
    /// What was typed in a dialog that is open.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub words: Option<LeftWords>,
    /// Chats whose agents have come to rest since they were last seen.
    pub unseen: BTreeSet<ChatId>,
    /// Chats that were asked from a shell and that nobody has looked at since.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub queried: BTreeSet<ChatId>,
    /// The key that leads to each of these chats.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub numbers: BTreeMap<ChatId, u8>,
    /// What a person has open beside agents, with the chat and as it is called. It ends with its engine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub beside: Vec<(ChatId, String)>,
    /// Setups that run, with the chat and the project. The next engine runs them again.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub setups: Vec<(ChatId, String)>,
}

const IN_SHELL: &str = " in your shell";

/// What is kept of a program that has the terminal of a person's shell.
pub fn in_shell(program: &str) -> String {
    format!("{program}{IN_SHELL}")
}

/// What is told of what was open beside an agent as its engine ended, by what was kept of it.
pub fn ended_beside(kept: &str) -> String {
    match kept.ends_with(IN_SHELL) {
        true => format!("{kept} was cut off by the end of the engine"),
        false => format!("the {kept} beside the agent ended with the engine"),
    }
}

/// What was typed as a message or a remark, and not sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftWords {
    pub chat: ChatId,
    /// The place of the remark, or the title of the dialog.
    pub about: String,
    pub words: String,
    /// The message of the commit that was the last one then; empty where that says nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub behind: String,
}

/// Where a screen is. Its client gives it to the next engine if this one ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ScreenPlace {
    pub chat: Option<ChatId>,
    /// The tab that parlour draws; empty where the terminal is shown.
    pub tab: String,
    /// What a person types is no command: it goes to its agent, or into a field.
    pub types: bool,
}

/// How chats are listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
pub struct ListLook {
    pub order: ListOrder,
    pub groups: ListGrouping,
}

/// In which order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "kebab-case")]
pub enum ListOrder {
    /// What needs a person first, then what moved last.
    #[default]
    Need,
    Activity,
    Created,
    Name,
    /// By the keys that lead to them; those without one after them.
    Number,
}

/// Under what they have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "kebab-case")]
pub enum ListGrouping {
    #[default]
    None,
    Day,
    Project,
    Schedule,
    State,
}

impl ListOrder {
    pub fn words(self) -> &'static str {
        match self {
            ListOrder::Need => "by need",
            ListOrder::Activity => "by activity",
            ListOrder::Created => "newest first",
            ListOrder::Name => "by name",
            ListOrder::Number => "by number",
        }
    }

    pub fn next(self) -> ListOrder {
        after(self)
    }
}

impl ListGrouping {
    pub fn words(self) -> &'static str {
        match self {
            ListGrouping::None => "without groups",
            ListGrouping::Day => "in groups by day",
            ListGrouping::Project => "in groups by project",
            ListGrouping::Schedule => "in groups by schedule",
            ListGrouping::State => "in groups by state",
        }
    }

    pub fn next(self) -> ListGrouping {
        after(self)
    }
}

fn after<T: VariantArray + Copy + PartialEq>(this: T) -> T {
    let mut round = T::VARIANTS.iter().cycle().skip_while(|other| **other != this);
    round.nth(1).copied().unwrap_or(this)
}
