//! The rows of the sidebar: what each is, and how high.

use chrono::Datelike;

use crate::domain::opening;
use crate::domain::state::Domain;
use crate::model::{Chat, ChatId, ScheduleId, Timestamp, Zone};

use super::need::Need;

/// Deeper trees than this would push names out of sight.
pub const RAILS: usize = 5;

/// A heading or a chat, and where it lies in the whole list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SidebarRow {
    pub top: usize,
    pub height: usize,
    pub what: What,
    pub fold: Fold,
    /// Of a chat; what needs nobody of a heading.
    pub need: Need,
    /// When what it was listed by last moved.
    pub moved: Timestamp,
    /// Other chats have its name, so it goes by its handle.
    pub by_handle: bool,
    /// What is folded away below this chat.
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
    Heading(Heading),
    /// A chat and how it hangs below its parents, outermost first.
    Chat(ChatId, Box<[Rail]>),
    /// A schedule, and how many runs of it there are below.
    Runs {
        schedule: ScheduleId,
        count: usize,
        rails: Box<[Rail]>,
    },
}

/// What the chats below it have in common, in the order in which the groups stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Heading {
    Pinned,
    State(Need),
    Day(Day),
    Project(String),
    NoProject,
    Schedule(ScheduleId),
    NoSchedule,
    Archived,
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

impl SidebarRow {
    pub(super) fn new(height: usize, what: What, fold: Fold) -> SidebarRow {
        SidebarRow {
            top: 0,
            height,
            what,
            fold,
            need: Need::Ended,
            moved: Timestamp::default(),
            by_handle: false,
            below: Vec::new(),
        }
    }

    /// How far from the left its sign for what is folded stands.
    pub fn fold_column(&self) -> Option<usize> {
        let rails = match &self.what {
            What::Chat(_, rails) | What::Runs { rails, .. } => rails.len().min(RAILS),
            What::Heading(_) => return None,
        };
        let sign = match &self.what {
            What::Chat(..) => 1,
            What::Runs { .. } | What::Heading(_) => 0,
        };
        (self.fold != Fold::Leaf).then_some(1 + 2 * rails + sign)
    }
}

/// How many lines a chat takes: it has a second one for its last words if they are to be read now.
pub(super) fn height(domain: &Domain, chat: &Chat, need: Need, is_selected: bool) -> usize {
    let says = match need {
        _ if opening::words(domain, chat.id()).is_some() => true,
        Need::Waiting | Need::Failed => true,
        Need::Unseen => !chat.preview.is_empty() || chat.is_shell(),
        // Its last words are of the command before this one.
        Need::Running if chat.is_shell() => false,
        Need::Running | Need::Idle | Need::Ended => is_selected && !chat.preview.is_empty(),
    };
    1 + usize::from(says)
}

/// Below the last one.
pub(super) fn push(rows: &mut Vec<SidebarRow>, row: SidebarRow) {
    let top = rows.last().map_or(0, |row| row.top + row.height);
    rows.push(SidebarRow { top, ..row });
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
