//! The rows of the sidebar: what each is, and how high.

use chrono::Datelike;

use crate::model::{Chat, ChatId, DirectoryPlace, ScheduleId, Timestamp, Zone};

/// A chat with more projects than this says how many more there are.
pub const PROJECT_LINES: usize = 3;

/// A heading or a chat, and where it lies in the whole list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SidebarRow {
    pub top: usize,
    pub height: usize,
    pub what: What,
    pub fold: Fold,
    /// All chats below this one, shown or folded away, if it is a chat.
    pub below: Vec<ChatId>,
}

/// Whether chats are below one, and shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fold {
    Leaf,
    Open,
    Shut,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    Day(Day),
    /// A chat and how it hangs below its parents, outermost first.
    Chat(ChatId, Box<[Rail]>),
    /// A schedule, and how many runs of it there are below.
    Runs {
        schedule: ScheduleId,
        count: usize,
        rails: Box<[Rail]>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Day {
    Today,
    Yesterday,
    LastWeek,
    Older,
}

/// One column of a tree, left of a chat's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rail {
    /// A line that goes by: siblings of a parent follow.
    Pass,
    Blank,
    /// To this chat, with siblings below it.
    Fork,
    /// To this chat, the last one.
    End,
}

impl Day {
    pub fn title(self) -> &'static str {
        match self {
            Day::Today => "Today",
            Day::Yesterday => "Yesterday",
            Day::LastWeek => "Last week",
            Day::Older => "Older",
        }
    }

    /// By the clocks of where the engine is.
    pub(super) fn of(moment: Timestamp, now: Timestamp, zone: Zone) -> Day {
        match day_number(now, zone) - day_number(moment, zone) {
            ..=0 => Day::Today,
            1 => Day::Yesterday,
            2..=7 => Day::LastWeek,
            8.. => Day::Older,
        }
    }
}

pub(super) fn day_number(moment: Timestamp, zone: Zone) -> i32 {
    zone.wall(moment).date().num_days_from_ce()
}

/// How many lines a chat takes: its name, its projects, its last words.
pub(super) fn height(chat: &Chat, asking: &[&ChatId]) -> usize {
    let projects = match chat.projects.len() {
        many if many > PROJECT_LINES => PROJECT_LINES + 1,
        few => few.max(1),
    };
    let says = !chat.preview.is_empty() || is_broken(chat) || asking.contains(&chat.id());
    1 + projects + usize::from(says)
}

pub(super) fn is_broken(chat: &Chat) -> bool {
    chat.place == DirectoryPlace::Gone || chat.unreadable.is_some()
}

pub(super) fn push(rows: &mut Vec<SidebarRow>, height: usize, what: What, fold: Fold) {
    let top = rows.last().map_or(0, |row| row.top + row.height);
    rows.push(SidebarRow {
        top,
        height,
        what,
        fold,
        below: Vec::new(),
    });
}

impl Rail {
    /// What this column is on the lines below a chat's name.
    pub fn below(self) -> Rail {
        match self {
            Rail::Pass | Rail::Fork => Rail::Pass,
            Rail::Blank | Rail::End => Rail::Blank,
        }
    }
}
