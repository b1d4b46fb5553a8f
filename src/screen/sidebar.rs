//! The list of chats: by need, children under their parent, or what a filter found.
//!
//! Rows are built when something they depend on has changed, not for each frame: drawing reads them as they are.

mod data;

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::domain::opening;
use crate::domain::state::Domain;
use crate::model::preferences::{ListGrouping, ListOrder};
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::keymap::ChatsAction;
use super::reading::Reading;
use super::sidebar_row::{SidebarRow, What, day_number};
use super::surface::Surface;
use super::view::{Tone, View};
use super::{forest, layout, need, roll_up, toast};

use data::Built;
pub use data::{DeletedTogether, Filter, Sidebar};

/// Builds the rows again where they are stale, and keeps scroll and selection possible.
pub fn settle(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let (revision, print) = (state.domain.disk.chats.revision(), print_of_view(state, view));
    let is_current = |built: Built| built.revision == revision && built.view == print;
    if !view.sidebar.built.is_some_and(is_current) {
        let before = view.chat.clone();
        let print = match uncover(state, client) {
            true => state
                .views
                .get(&client)
                .map_or(print, |view| print_of_view(state, view)),
            false => print,
        };
        build(state, client, print);
        follow_selection(state, client, before);
    }
    if let Some(view) = state.views.get_mut(&client) {
        reveal(view);
    }
}

fn build(state: &mut State, client: ClientId, print: u64) {
    let (domain, Some(view)) = (&state.domain, state.views.get_mut(&client)) else {
        return;
    };
    let wanted = view.sidebar.wanted();
    let now = Built {
        revision: domain.disk.chats.revision(),
        chats: match wanted.is_empty() {
            true => print_of(domain),
            // A filter looks at all of each chat.
            false => domain.disk.chats.revision(),
        },
        view: print,
    };
    let before = view.sidebar.built.replace(now);
    if before.is_some_and(|before| (before.chats, before.view) == (now.chats, now.view)) {
        return;
    }
    let place = view.sidebar.chats().position(|chat| Some(chat) == view.chat.as_ref());
    let was_in_sight = is_in_sight(view);
    let selected = view.chat.as_ref();
    view.sidebar.rows = match view.sidebar.filter.as_mut().filter(|_| !wanted.is_empty()) {
        Some(filter) => {
            filter.texts.refresh(domain);
            let found = filter.texts.matching(domain, &wanted);
            filter.more = found.more;
            forest::flat(domain, &found.chats, selected)
        }
        None => {
            let look = forest::ForestLook {
                look: view.sidebar.look,
                selected,
                folded: &view.sidebar.folded,
                shut: &view.sidebar.shut,
                numbers: &domain.live.looked_at.numbers,
                held: match is_held(domain, view) {
                    true => view.sidebar.places(),
                    false => Default::default(),
                },
            };
            forest::rows(domain, &look)
        }
    };
    view.sidebar.marked.retain(|chat| domain.disk.chats.contains_key(chat));
    view.tabs.read.retain(|chat, _| domain.disk.chats.contains_key(chat));
    // The wheel may have left the selection behind, and nobody who reads elsewhere is taken back.
    if was_in_sight {
        view.sidebar.revealed = None;
    }
    keep_selection(view, place.unwrap_or(0));
}

/// The row under somebody's cursor stays there.
fn is_held(domain: &Domain, view: &View) -> bool {
    matches!(view.behind(), Surface::Sidebar(_)) && view.sidebar.held.is_some_and(|until| until > domain.now)
}

fn is_in_sight(view: &View) -> bool {
    let Some(bar) = layout::arrange(view).sidebar else {
        return true;
    };
    let (scroll, end) = (view.sidebar.scroll, view.sidebar.scroll + usize::from(bar.list.height));
    selected(view).is_none_or(|at| {
        let row = &view.sidebar.rows[at];
        row.top >= scroll && row.top < end
    })
}

/// The row of the chat that is selected.
fn selected(view: &View) -> Option<usize> {
    let chosen = |row: &SidebarRow| matches!(&row.what, What::Chat(id, _) if Some(id) == view.chat.as_ref());
    view.sidebar.rows.iter().position(chosen)
}

/// Opens what the selected chat is folded under, and says whether anything may be open now that was not.
fn uncover(state: &mut State, client: ClientId) -> bool {
    let Some(view) = state
        .views
        .get_mut(&client)
        .filter(|view| !view.sidebar.folded.is_empty() || !view.sidebar.shut.is_empty())
    else {
        return false;
    };
    let mut folded = std::mem::take(&mut view.sidebar.folded);
    let mut shut = std::mem::take(&mut view.sidebar.shut);
    if let Some(chat) = view.chat.clone() {
        roll_up::uncover(state, &chat, &mut folded, &mut shut);
    }
    if let Some(view) = state.views.get_mut(&client) {
        (view.sidebar.folded, view.sidebar.shut) = (folded, shut);
    }
    true
}

/// Made after each event, so it is of nothing that grows with the chats on disk. The selection is in it because it must not
/// be under a parent that is folded, and has a line more.
fn print_of_view(state: &State, view: &View) -> u64 {
    let (domain, mut print) = (&state.domain, DefaultHasher::new());
    // One that has ended or sleeps is what it was when it did.
    for (chat, agent) in domain.live.live_agents() {
        (chat, need::of(domain, chat), agent.turn.began).hash(&mut print);
    }
    for chat in opening::chats(&domain.live) {
        chat.hash(&mut print);
    }
    let sidebar = &view.sidebar;
    (&domain.live.unseen, &sidebar.folded, &sidebar.shut, &view.chat).hash(&mut print);
    (sidebar.look, is_held(domain, view)).hash(&mut print);
    if sidebar.look.order == ListOrder::Number {
        domain.live.looked_at.numbers.hash(&mut print);
    }
    if sidebar.look.groups == ListGrouping::Day {
        day_number(domain.now, domain.live.facts.zone).hash(&mut print);
    }
    sidebar.wanted().hash(&mut print);
    print.finish()
}

/// What a row is of a chat. That an agent works changes none of it.
fn print_of(domain: &Domain) -> u64 {
    let mut print = DefaultHasher::new();
    for chat in domain.disk.chats.values() {
        let record = &chat.record;
        let need = need::of(domain, chat.id());
        (chat.id(), record.stands_below(), &record.schedule, record.created).hash(&mut print);
        (need, need::activity(domain, chat, need)).hash(&mut print);
        (&record.name, chat.preview.is_empty()).hash(&mut print);
        (record.set.pinned, record.set.archived).hash(&mut print);
        chat.projects.first().map(|project| &project.name).hash(&mut print);
    }
    print.finish()
}

/// A selection that vanished moves to the chat that is now in its place, or stood next to it when the person deleted it; what
/// a filter finds is selected best first.
fn keep_selection(view: &mut View, place: usize) {
    let chats: Vec<&ChatId> = view.sidebar.chats().collect();
    let there = view.chat.as_ref().is_some_and(|chat| chats.contains(&chat));
    if there {
        return;
    }
    let seen = &view.sidebar.deleted.seen;
    let gone = view.chat.iter();
    let beside = gone
        .flat_map(|gone| seen.neighbours(gone))
        .find(|chat| chats.contains(chat));
    let in_place = || chats.get(place.min(chats.len().saturating_sub(1))).copied();
    let next = match &view.sidebar.filter {
        Some(filter) => chats.first().map(|chat| (*chat).clone()).or(filter.before.clone()),
        None => beside.or_else(in_place).cloned(),
    };
    view.chat = next;
    view.reading = Reading::default();
}

/// Whoever typed in a chat that is gone types in no other one by that: what is on its way is swallowed.
fn follow_selection(state: &mut State, client: ClientId, before: Option<ChatId>) {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let Some(before) = before.filter(|before| view.chat.as_ref() != Some(before)) else {
        return;
    };
    if !view.types_in_chat() {
        return;
    }
    view.stop_typing();
    view.over.guard.closed("the chat has", now);
    if state.domain.disk.chats.contains_key(&before) {
        return;
    }
    let undo = state.leads(client, ChatsAction::UndoDelete);
    let text = format!("The chat that you typed in was deleted, so keys go to no agent. {undo} restores it.");
    toast::tell(state, client, text, Tone::Told);
}

/// Scrolls to a new selection; afterwards the wheel is free to leave it.
fn reveal(view: &mut View) {
    let Some(bar) = layout::arrange(view).sidebar else {
        return;
    };
    let room = usize::from(bar.list.height);
    let all = view.sidebar.rows.last().map_or(0, |row| row.top + row.height);
    let selected = selected(view);
    let sidebar = &mut view.sidebar;
    let shown = sidebar
        .revealed
        .as_ref()
        .is_some_and(|(chat, size)| Some(chat) == view.chat.as_ref() && *size == view.size);
    if !shown {
        if let Some(at) = selected {
            // With its heading, where that stands right above it.
            let heading = at
                .checked_sub(1)
                .filter(|above| matches!(sidebar.rows[*above].what, What::Heading(_) | What::Runs { .. }));
            let top = sidebar.rows[heading.unwrap_or(at)].top;
            let bottom = sidebar.rows[at].top + sidebar.rows[at].height;
            sidebar.scroll = sidebar.scroll.max(bottom.saturating_sub(room)).min(top);
        }
        sidebar.revealed = view.chat.clone().map(|chat| (chat, view.size));
    }
    sidebar.scroll = sidebar.scroll.min(all.saturating_sub(room));
}
