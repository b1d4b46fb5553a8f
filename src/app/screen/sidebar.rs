//! The list of chats: grouped by day, children under their parent, or what a filter found.
//!
//! Rows are built when something they depend on has changed, not for each frame: drawing reads them as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::app::event::Size;
use crate::app::state::{Live, State};
use crate::model::{Chat, ChatId, ClientId, Place, Status, Timestamp};

use super::dialog::Field;
use super::reading::Reading;
use super::view::View;
use super::{filter, layout, roll_up};

/// A chat with more projects than this says how many more there are.
pub const PROJECT_LINES: usize = 3;

#[derive(Default)]
pub struct Sidebar {
    /// Columns as dragged; 0: by the screen's width.
    pub width: u16,
    pub hidden: bool,
    /// Its border is held by the mouse.
    pub dragged: bool,
    pub filter: Option<Filter>,
    pub rows: Vec<Row>,
    /// Chats whose children are not shown.
    pub folded: BTreeSet<ChatId>,
    /// Lines above the list that are scrolled away.
    pub scroll: usize,
    /// What `rows` were built from.
    built: Option<u64>,
    /// The selection that was last scrolled to, and on which size: the wheel may leave it behind.
    revealed: Option<(ChatId, Size)>,
}

/// A filter being typed.
pub struct Filter {
    pub field: Field,
    /// The selection to return to when it is given up.
    pub before: Option<ChatId>,
}

/// A heading or a chat, and where it lies in the whole list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub top: usize,
    pub height: usize,
    pub what: What,
    pub fold: Fold,
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

    fn of(moment: Timestamp, now: Timestamp, utc_offset: i32) -> Day {
        match day_number(now, utc_offset) - day_number(moment, utc_offset) {
            ..=0 => Day::Today,
            1 => Day::Yesterday,
            2..=7 => Day::LastWeek,
            8.. => Day::Older,
        }
    }
}

fn day_number(moment: Timestamp, utc_offset: i32) -> i64 {
    (moment.0.div_euclid(1000) + i64::from(utc_offset)).div_euclid(86_400)
}

/// Builds the rows again where they are stale, and keeps scroll and selection possible.
pub fn settle(state: &mut State, client: ClientId) {
    uncover(state, client);
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let chats = &state.disk.chats;
    let asking = asking(&state.live);
    let print = fingerprint(chats, &asking, view, state.now);
    if view.sidebar.built != Some(print) {
        let place = view.sidebar.chats().position(|chat| Some(chat) == view.chat.as_ref());
        view.sidebar.rows = match &view.sidebar.filter {
            Some(filter) if !filter.field.is_empty() => found(chats, &asking, &filter.field.text()),
            Some(_) | None => by_day(chats, &asking, &view.sidebar.folded, (state.now, view.utc_offset)),
        };
        view.sidebar.built = Some(print);
        view.sidebar.revealed = None;
        keep_selection(view, place.unwrap_or(0));
    } else if view.chat.is_none() {
        keep_selection(view, 0);
    }
    reveal(view);
}

fn uncover(state: &mut State, client: ClientId) {
    let Some(view) = state
        .views
        .get_mut(&client)
        .filter(|view| !view.sidebar.folded.is_empty())
    else {
        return;
    };
    let mut folded = std::mem::take(&mut view.sidebar.folded);
    if let Some(chat) = view.chat.clone() {
        roll_up::uncover(state, &chat, &mut folded);
    }
    if let Some(view) = state.views.get_mut(&client) {
        view.sidebar.folded = folded;
    }
}

/// All that decides which rows there are; what only changes how a row looks is not in it. Made of numbers, because
/// it is made after each event.
fn fingerprint(chats: &BTreeMap<ChatId, Chat>, asking: &[&ChatId], view: &View, now: Timestamp) -> u64 {
    let mut print = DefaultHasher::new();
    asking.hash(&mut print);
    view.sidebar.folded.hash(&mut print);
    (day_number(now, view.utc_offset), view.utc_offset).hash(&mut print);
    let filter = view.sidebar.filter.as_ref().map(|filter| filter.field.text());
    filter.hash(&mut print);
    let mut sum = print.finish();
    let mut mix = |number: u64| sum = (sum.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for chat in chats.values() {
        let sizes = chat.projects.len() << 32 | chat.record.name.len() << 1 | usize::from(chat.preview.is_empty());
        mix(chat.record.created.0.cast_unsigned());
        mix(chat.updated.0.cast_unsigned());
        mix(chat.seq << 2 | u64::from(chat.place == Place::Gone) << 1 | u64::from(chat.unreadable.is_some()));
        mix(sizes as u64);
    }
    sum
}

/// A selection that vanished moves to the chat that is now in its place; what a filter finds is selected best first.
fn keep_selection(view: &mut View, place: usize) {
    let chats: Vec<&ChatId> = view.sidebar.chats().collect();
    let there = view.chat.as_ref().is_some_and(|chat| chats.contains(&chat));
    if there {
        return;
    }
    view.chat = match &view.sidebar.filter {
        Some(filter) => chats.first().map(|chat| (*chat).clone()).or(filter.before.clone()),
        None => chats
            .get(place.min(chats.len().saturating_sub(1)))
            .map(|chat| (*chat).clone()),
    };
    view.reading = Reading::default();
}

/// Scrolls to a new selection; afterwards the wheel is free to leave it.
fn reveal(view: &mut View) {
    let Some(bar) = layout::arrange(view).sidebar else {
        return;
    };
    let room = usize::from(bar.list.height);
    let all = view.sidebar.rows.last().map_or(0, |row| row.top + row.height);
    let sidebar = &mut view.sidebar;
    let shown = sidebar
        .revealed
        .as_ref()
        .is_some_and(|(chat, size)| Some(chat) == view.chat.as_ref() && *size == view.size);
    if !shown {
        let chosen = |row: &Row| matches!(&row.what, What::Chat(id, _) if Some(id) == view.chat.as_ref());
        if let Some(at) = sidebar.rows.iter().position(chosen) {
            // With its heading, where that stands right above it.
            let heading = at
                .checked_sub(1)
                .filter(|above| matches!(sidebar.rows[*above].what, What::Day(_)));
            let top = sidebar.rows[heading.unwrap_or(at)].top;
            let bottom = sidebar.rows[at].top + sidebar.rows[at].height;
            sidebar.scroll = sidebar.scroll.max(bottom.saturating_sub(room)).min(top);
        }
        sidebar.revealed = view.chat.clone().map(|chat| (chat, view.size));
    }
    sidebar.scroll = sidebar.scroll.min(all.saturating_sub(room));
}

/// Chats whose agent needs a person: what it asks stands where its last words would.
fn asking(live: &Live) -> Vec<&ChatId> {
    let agents = live.agents.iter();
    agents
        .filter(|(_, agent)| matches!(agent.verdict.status, Status::NeedsYou(_)))
        .map(|(chat, _)| chat)
        .collect()
}

/// How many lines a chat takes: its name, its projects, its last words.
fn height(chat: &Chat, asking: &[&ChatId]) -> usize {
    let projects = match chat.projects.len() {
        many if many > PROJECT_LINES => PROJECT_LINES + 1,
        few => few.max(1),
    };
    let broken = chat.place == Place::Gone || chat.unreadable.is_some();
    let says = !chat.preview.is_empty() || broken || asking.contains(&chat.id());
    1 + projects + usize::from(says)
}

fn found(chats: &BTreeMap<ChatId, Chat>, asking: &[&ChatId], wanted: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    for chat in filter::matching(chats, wanted) {
        push(
            &mut rows,
            height(chat, asking),
            What::Chat(chat.id().clone(), Box::default()),
            Fold::Leaf,
        );
    }
    rows
}

/// Rows in an order that does not jump while agents work: by day of the last sign of life in a tree, newest chat first.
fn by_day(
    chats: &BTreeMap<ChatId, Chat>,
    asking: &[&ChatId],
    folded: &BTreeSet<ChatId>,
    (now, utc_offset): (Timestamp, i32),
) -> Vec<Row> {
    let forest = Forest::of(chats);
    let mut roots: Vec<(Day, &Chat)> = forest
        .roots
        .iter()
        .map(|root| (Day::of(forest.newest(root), now, utc_offset), *root))
        .collect();
    roots.sort_by_key(|(day, root)| (*day, std::cmp::Reverse(root.record.created)));
    let mut rows: Vec<Row> = Vec::with_capacity(chats.len() + 4);
    let mut today = None;
    for (day, root) in roots {
        if today != Some(day) {
            // A free line above each heading but the first.
            let height = if rows.is_empty() { 1 } else { 2 };
            push(&mut rows, height, What::Day(day), Fold::Leaf);
            today = Some(day);
        }
        forest.rows(root, asking, folded, Vec::new(), &mut rows);
    }
    rows
}

fn push(rows: &mut Vec<Row>, height: usize, what: What, fold: Fold) {
    let top = rows.last().map_or(0, |row| row.top + row.height);
    rows.push(Row {
        top,
        height,
        what,
        fold,
    });
}

/// Chats below their parents. A parent that is gone, or a circle made by hand, makes a chat a root: none is lost.
struct Forest<'a> {
    roots: Vec<&'a Chat>,
    children: BTreeMap<&'a ChatId, Vec<&'a Chat>>,
}

impl<'a> Forest<'a> {
    fn of(chats: &'a BTreeMap<ChatId, Chat>) -> Forest<'a> {
        let mut forest = Forest {
            roots: Vec::new(),
            children: BTreeMap::new(),
        };
        for chat in chats.values() {
            match &chat.record.parent {
                Some(parent) if leads_to_a_root(chats, chat) => {
                    forest.children.entry(parent).or_default().push(chat);
                }
                Some(_) | None => forest.roots.push(chat),
            }
        }
        for children in forest.children.values_mut() {
            children.sort_by_key(|child| child.record.created);
        }
        forest
    }

    fn children(&self, chat: &Chat) -> &[&'a Chat] {
        self.children.get(chat.id()).map_or(&[], Vec::as_slice)
    }

    fn newest(&self, chat: &Chat) -> Timestamp {
        let children = self.children(chat).iter().map(|child| self.newest(child));
        children.fold(chat.updated, Ord::max)
    }

    fn rows(&self, chat: &Chat, asking: &[&ChatId], folded: &BTreeSet<ChatId>, rails: Vec<Rail>, rows: &mut Vec<Row>) {
        let children = self.children(chat);
        let fold = match children {
            [] => Fold::Leaf,
            _ if folded.contains(chat.id()) => Fold::Shut,
            _ => Fold::Open,
        };
        // The roll-up of what is below has a line of its own.
        let height = height(chat, asking) + usize::from(fold != Fold::Leaf);
        push(rows, height, What::Chat(chat.id().clone(), rails.clone().into()), fold);
        if fold == Fold::Shut {
            return;
        }
        let below: Vec<Rail> = rails.iter().map(|rail| rail.below()).collect();
        for (place, child) in children.iter().enumerate() {
            let rail = if place + 1 == children.len() {
                Rail::End
            } else {
                Rail::Fork
            };
            self.rows(child, asking, folded, [below.as_slice(), &[rail]].concat(), rows);
        }
    }
}

/// Whether a chat's parent is there and going up from it ends. Deeper than this is a circle, or as good as one.
fn leads_to_a_root(chats: &BTreeMap<ChatId, Chat>, chat: &Chat) -> bool {
    const DEEPEST: usize = 32;
    let parent = |chat: &Chat| chat.record.parent.as_ref().and_then(|parent| chats.get(parent));
    let mut above = parent(chat);
    if above.is_none() {
        return false;
    }
    for _ in 0..DEEPEST {
        match above {
            Some(chat) => above = parent(chat),
            None => return true,
        }
    }
    false
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

impl Sidebar {
    /// The chats in it, top to bottom.
    pub fn chats(&self) -> impl DoubleEndedIterator<Item = &ChatId> {
        self.rows.iter().filter_map(|row| match &row.what {
            What::Chat(chat, _) => Some(chat),
            What::Day(_) => None,
        })
    }

    /// The chat whose roll-up is on a line of the list.
    pub fn roll_up_at(&self, line: usize) -> Option<&ChatId> {
        let row = self.rows.iter().find(|row| line + 1 == row.top + row.height)?;
        match &row.what {
            What::Chat(chat, _) if row.fold != Fold::Leaf => Some(chat),
            What::Chat(..) | What::Day(_) => None,
        }
    }

    /// The chat on a line of the list.
    pub fn chat_at(&self, line: usize) -> Option<&ChatId> {
        let after = self.rows.partition_point(|row| row.top <= line);
        let row = self.rows.get(after.checked_sub(1)?)?;
        match &row.what {
            What::Chat(chat, _) if line < row.top + row.height => Some(chat),
            What::Chat(..) | What::Day(_) => None,
        }
    }
}
