//! The list of chats: grouped by day, children under their parent, or what a filter found.
//!
//! Rows are built when something they depend on has changed, not for each frame: drawing reads them as they are.

mod data;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::domain::opening;
use crate::domain::state::{Domain, Live};
use crate::model::{Chat, ChatId, ClientId, Status, Zone};
use crate::screen::State;

use super::reading::Reading;
use super::sidebar_row::{Fold, SidebarRow, What, day_number, height, is_broken, push};
use super::view::View;
use super::{filter, forest, layout, roll_up};

use data::Built;
pub use data::{Filter, Sidebar};

/// Builds the rows again where they are stale, and keeps scroll and selection possible.
pub fn settle(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let revision = state.domain.disk.chats.revision();
    let is_current = |built: Built| built.revision == revision && built.view == print_of_view(&state.domain, view);
    if !view.sidebar.built.is_some_and(is_current) {
        uncover(state, client);
        build(state, client);
    }
    if let Some(view) = state.views.get_mut(&client) {
        reveal(view);
    }
}

fn build(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let (chats, zone) = (&state.domain.disk.chats, state.domain.live.facts.zone);
    let wanted = view.sidebar.wanted();
    let now = Built {
        revision: chats.revision(),
        chats: match wanted.is_empty() {
            true => print_of(chats, zone),
            // A filter looks at all of each chat.
            false => chats.revision(),
        },
        view: print_of_view(&state.domain, view),
    };
    let before = view.sidebar.built.replace(now);
    if before.is_some_and(|before| (before.chats, before.view) == (now.chats, now.view)) {
        return;
    }
    let asking = asking(&state.domain.live);
    let place = view.sidebar.chats().position(|chat| Some(chat) == view.chat.as_ref());
    view.sidebar.rows = match wanted.is_empty() {
        false => found(chats, &asking, &wanted),
        true => {
            let look = forest::ForestLook {
                asking: &asking,
                folded: &view.sidebar.folded,
                shut: &view.sidebar.shut,
            };
            forest::by_day(chats, &look, (state.domain.now, zone))
        }
    };
    view.sidebar.revealed = None;
    keep_selection(view, place.unwrap_or(0));
}

fn uncover(state: &mut State, client: ClientId) {
    let Some(view) = state
        .views
        .get_mut(&client)
        .filter(|view| !view.sidebar.folded.is_empty() || !view.sidebar.shut.is_empty())
    else {
        return;
    };
    let mut folded = std::mem::take(&mut view.sidebar.folded);
    let mut shut = std::mem::take(&mut view.sidebar.shut);
    if let Some(chat) = view.chat.clone() {
        roll_up::uncover(state, &chat, &mut folded, &mut shut);
    }
    if let Some(view) = state.views.get_mut(&client) {
        (view.sidebar.folded, view.sidebar.shut) = (folded, shut);
    }
}

/// Made after each event, so it is of nothing that grows with the chats on disk. The selection is in it because it must not
/// be under a parent that is folded.
fn print_of_view(domain: &Domain, view: &View) -> u64 {
    let mut print = DefaultHasher::new();
    asking(&domain.live).hash(&mut print);
    (&view.sidebar.folded, &view.sidebar.shut, &view.chat).hash(&mut print);
    day_number(domain.now, domain.live.facts.zone).hash(&mut print);
    view.sidebar.wanted().hash(&mut print);
    print.finish()
}

/// What a row is of a chat. That an agent works changes none of it, but on the first sign of life of a day.
fn print_of(chats: &BTreeMap<ChatId, Chat>, zone: Zone) -> u64 {
    let mut print = DefaultHasher::new();
    for chat in chats.values() {
        let record = &chat.record;
        (chat.id(), record.stands_below(), &record.schedule, record.created.0).hash(&mut print);
        (day_number(chat.updated, zone), chat.projects.len()).hash(&mut print);
        (chat.preview.is_empty(), is_broken(chat)).hash(&mut print);
    }
    print.finish()
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
        let chosen = |row: &SidebarRow| matches!(&row.what, What::Chat(id, _) if Some(id) == view.chat.as_ref());
        if let Some(at) = sidebar.rows.iter().position(chosen) {
            // With its heading, where that stands right above it.
            let heading = at
                .checked_sub(1)
                .filter(|above| matches!(sidebar.rows[*above].what, What::Day(_) | What::Runs { .. }));
            let top = sidebar.rows[heading.unwrap_or(at)].top;
            let bottom = sidebar.rows[at].top + sidebar.rows[at].height;
            sidebar.scroll = sidebar.scroll.max(bottom.saturating_sub(room)).min(top);
        }
        sidebar.revealed = view.chat.clone().map(|chat| (chat, view.size));
    }
    sidebar.scroll = sidebar.scroll.min(all.saturating_sub(room));
}

/// Chats whose agent needs a person, and chats in which something is being opened: that stands where last words would.
fn asking(live: &Live) -> Vec<&ChatId> {
    let agents = live.agents.iter();
    agents
        .filter(|(_, agent)| matches!(agent.verdict.status, Status::NeedsYou(_)))
        .map(|(chat, _)| chat)
        .chain(opening::chats(live))
        .collect()
}

fn found(chats: &BTreeMap<ChatId, Chat>, asking: &[&ChatId], wanted: &str) -> Vec<SidebarRow> {
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
