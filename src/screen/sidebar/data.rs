//! What one person's list of chats is: its rows, its filter, what is folded in it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::domain::event::Size;
use crate::domain::state::Domain;
use crate::model::preferences::ListLook;
use crate::model::{ChatId, ScheduleId, Status, Timestamp};

use super::super::dialog::{Field, Room};
use super::super::figures::data::Figures;
use super::super::filter::ChatTexts;
use super::super::sidebar_row::{SidebarRow, What};

/// How long a person who moved among the chats is taken to look for the next.
const HELD_MS: u64 = 3_000;

#[derive(Default)]
pub struct Sidebar {
    /// Columns as dragged; 0: by the screen's width.
    pub width: u16,
    pub hidden: bool,
    /// Where it was clicked last, and when: a second click goes in.
    pub(in crate::screen) clicked: Option<(u16, u16, Timestamp)>,
    /// It had the keys when it was hidden.
    pub had_keys: bool,
    /// Its border is held by the mouse.
    pub dragged: bool,
    pub filter: Option<Filter>,
    pub rows: Vec<SidebarRow>,
    /// Chats whose children are not shown.
    pub folded: BTreeSet<ChatId>,
    /// Schedules of whose runs only the newest is shown.
    pub shut: BTreeSet<ScheduleId>,
    pub look: ListLook,
    /// What is done to chats is done to all of these.
    pub marked: BTreeSet<ChatId>,
    /// What they brought back of what was archived then, and that may not be listed yet.
    pub(in crate::screen) unarchived: BTreeSet<(Timestamp, ChatId)>,
    /// What they deleted last in one go, which comes back in one go.
    pub deleted: DeletedTogether,
    /// The chat that the person was at before.
    pub last: Option<ChatId>,
    /// Chats that ask and that the person went on from without an answer, with what they waited for.
    pub left_waiting: BTreeMap<ChatId, Status>,
    /// Of the selected chat.
    pub figures: Option<Figures>,
    /// Until when chats keep their places: somebody moves among them.
    pub held: Option<Timestamp>,
    /// Lines above the list that are scrolled away.
    pub scroll: usize,
    /// What `rows` were built from.
    pub(super) built: Option<Built>,
    /// The selection that was last scrolled to, and on which size: the wheel may leave it behind.
    pub(super) revealed: Option<(ChatId, Size)>,
}

/// Chats that one answer deleted.
#[derive(Default)]
pub struct DeletedTogether {
    pub chats: Vec<ChatId>,
    /// They are being restored, or were.
    pub comes_back: bool,
    /// These are restored once they are deleted: the person asked for that meanwhile.
    pub late: Vec<ChatId>,
    /// When one was gone last.
    pub at: Option<Timestamp>,
    pub(super) seen: SeenOrder,
}

/// The list as the person saw it when they agreed that chats go. What runs ends first, and stands elsewhere by then.
#[derive(Default)]
pub(super) struct SeenOrder {
    going: Vec<ChatId>,
    chats: Vec<ChatId>,
}

impl SeenOrder {
    /// Those that stood next to a chat that is gone: below it, then above.
    pub(super) fn neighbours(&self, gone: &ChatId) -> impl Iterator<Item = &ChatId> {
        let at = self.chats.iter().position(|chat| chat == gone);
        let (above, below) = match at.filter(|_| self.going.contains(gone)) {
            Some(at) => (&self.chats[..at], &self.chats[at + 1..]),
            None => (&[][..], &[][..]),
        };
        let stay = |chat: &&ChatId| !self.going.contains(chat);
        below.iter().chain(above.iter().rev()).filter(stay)
    }
}

/// So long after a chat is gone, the key that brings it back means that, whatever has closed by then.
const OOPS_MS: u64 = 2_000;

impl DeletedTogether {
    /// These are to be deleted. One alone is told of by its name.
    pub fn begin(&mut self, chats: Vec<ChatId>) {
        self.late.retain(|late| !chats.contains(late));
        self.alone();
        self.chats = if chats.len() > 1 { chats } else { Vec::new() };
    }

    /// A chat is to be deleted by itself.
    pub fn alone(&mut self) {
        (self.chats, self.comes_back) = (Vec::new(), false);
    }

    /// A chat was deleted just now.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.at.is_some_and(|at| now.ms_since(at) < OOPS_MS)
    }
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
    /// It was begun by somebody who typed in an agent, as they go on to do.
    pub(in crate::screen) is_from_within: bool,
    /// What it looks through.
    pub(in crate::screen) texts: ChatTexts,
    /// Chats that match beside those of the list.
    pub more: usize,
}

impl Filter {
    pub(in crate::screen) fn new(domain: &Domain, words: &str, before: Option<ChatId>) -> Filter {
        Filter {
            field: Field::new(words, Room::Line),
            before,
            is_from_within: false,
            texts: ChatTexts::of(domain),
            more: 0,
        }
    }
}

impl Sidebar {
    /// What is typed into its filter.
    pub(in crate::screen) fn wanted(&self) -> String {
        let filter = self.filter.as_ref();
        filter.map(|filter| filter.field.text()).unwrap_or_default()
    }

    /// Tells lists apart: as long as it is the same, so are the chats in it and the agents that run.
    pub(in crate::screen) fn made_from(&self) -> Option<(u64, u64)> {
        self.built.map(|built| (built.chats, built.view))
    }

    /// The chats in it, top to bottom.
    pub fn chats(&self) -> impl DoubleEndedIterator<Item = &ChatId> {
        self.rows.iter().filter_map(|row| match &row.what {
            What::Chat(chat, _) => Some(chat),
            What::Heading(_) | What::Runs { .. } => None,
        })
    }

    /// The row whose sign for what is folded stands there, or whose only use is to fold.
    pub fn fold_at(&self, line: usize, column: usize) -> Option<&What> {
        let row = self.row_at(line)?;
        let at = row.fold_column().filter(|_| line == row.top)?;
        let is_there = match row.what {
            What::Runs { .. } => true,
            What::Chat(..) | What::Heading(_) => (at..at + 2).contains(&column),
        };
        is_there.then_some(&row.what)
    }

    fn row_at(&self, line: usize) -> Option<&SidebarRow> {
        let after = self.rows.partition_point(|row| row.top <= line);
        let row = self.rows.get(after.checked_sub(1)?)?;
        (line < row.top + row.height).then_some(row)
    }

    /// The chat on a line of the list.
    pub fn chat_at(&self, line: usize) -> Option<&ChatId> {
        match &self.row_at(line)?.what {
            What::Chat(chat, _) => Some(chat),
            What::Runs { .. } | What::Heading(_) => None,
        }
    }

    /// Somebody moves among the chats: nothing changes its place meanwhile.
    pub fn hold(&mut self, now: Timestamp) {
        self.held = Some(now.plus_ms(HELD_MS));
    }

    /// The person agreed that these go.
    pub(in crate::screen) fn note_seen(&mut self, going: Vec<ChatId>) {
        let chats = self.chats().cloned().collect();
        self.deleted.seen = SeenOrder { going, chats };
    }

    /// Where each chat stands.
    pub(super) fn places(&self) -> HashMap<ChatId, usize> {
        let chats = self.chats().cloned().enumerate();
        chats.map(|(at, chat)| (chat, at)).collect()
    }
}
