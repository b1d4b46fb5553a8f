//! What one person's list of chats is: its rows, its filter, what is folded in it.

use std::collections::BTreeSet;

use crate::domain::event::Size;
use crate::model::{ChatId, ScheduleId};

use super::super::dialog::Field;
use super::super::sidebar_row::{Fold, SidebarRow, What};

#[derive(Default)]
pub struct Sidebar {
    /// Columns as dragged; 0: by the screen's width.
    pub width: u16,
    pub hidden: bool,
    /// Its border is held by the mouse.
    pub dragged: bool,
    pub filter: Option<Filter>,
    pub rows: Vec<SidebarRow>,
    /// Chats whose children are not shown.
    pub folded: BTreeSet<ChatId>,
    /// Schedules of whose runs only the newest is shown.
    pub shut: BTreeSet<ScheduleId>,
    /// Lines above the list that are scrolled away.
    pub scroll: usize,
    /// What `rows` were built from.
    pub(super) built: Option<Built>,
    /// The selection that was last scrolled to, and on which size: the wheel may leave it behind.
    pub(super) revealed: Option<(ChatId, Size)>,
}

/// What decides which rows there are; what only changes how a row looks is not in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Built {
    /// Of all chats: while it stays, none of them is looked at.
    pub(super) revision: u64,
    /// Of what a row needs to know of the chats: agents that work change them all the time, and seldom this.
    pub(super) chats: u64,
    /// Of everything else.
    pub(super) view: u64,
}

/// A filter being typed.
pub struct Filter {
    pub field: Field,
    /// The selection to return to when it is given up.
    pub before: Option<ChatId>,
}

impl Sidebar {
    /// What is typed into its filter.
    pub(super) fn wanted(&self) -> String {
        let filter = self.filter.as_ref();
        filter.map(|filter| filter.field.text()).unwrap_or_default()
    }

    /// The chats in it, top to bottom.
    pub fn chats(&self) -> impl DoubleEndedIterator<Item = &ChatId> {
        self.rows.iter().filter_map(|row| match &row.what {
            What::Chat(chat, _) => Some(chat),
            What::Day(_) | What::Runs { .. } => None,
        })
    }

    /// The chat whose roll-up is on a line of the list.
    pub fn roll_up_at(&self, line: usize) -> Option<&ChatId> {
        let row = self.rows.iter().find(|row| line + 1 == row.top + row.height)?;
        match &row.what {
            What::Chat(chat, _) if row.fold != Fold::Leaf => Some(chat),
            What::Chat(..) | What::Runs { .. } | What::Day(_) => None,
        }
    }

    /// The schedule whose heading is on a line of the list.
    pub fn runs_at(&self, line: usize) -> Option<&ScheduleId> {
        let row = self.rows.iter().find(|row| line == row.top)?;
        match &row.what {
            What::Runs { schedule, .. } => Some(schedule),
            What::Chat(..) | What::Day(_) => None,
        }
    }

    /// The chat on a line of the list.
    pub fn chat_at(&self, line: usize) -> Option<&ChatId> {
        let after = self.rows.partition_point(|row| row.top <= line);
        let row = self.rows.get(after.checked_sub(1)?)?;
        match &row.what {
            What::Chat(chat, _) if line < row.top + row.height => Some(chat),
            What::Chat(..) | What::Runs { .. } | What::Day(_) => None,
        }
    }
}
