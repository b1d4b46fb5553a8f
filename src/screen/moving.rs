//! Moving about: among chats, panes, tabs and lines.

use crate::domain::approval::{clipboard, setup};
use crate::domain::effect::Effect;
use crate::domain::team::tree;
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::dialog::Field;
use super::going::{select, with_chat};
use super::keymap::{FilterAction, MoveAction};
use super::need::{self, Need};
use super::sidebar::Filter;
use super::surface::Surface;
use super::tab::Ahead;
use super::tab::transcript;
use super::view::{Focus, Mode, Tab, Tone, View};
use super::way::PageTurn;
use super::{copy, forest, going, grid, inspector, layout, links, listing, mending, reading, tab, toast, within};

/// More lines than a terminal keeps.
const FURTHEST: i64 = i64::MAX;
/// Chats that a page of the list has.
const PAGE: isize = 10;

pub(super) fn run(state: &mut State, client: ClientId, action: MoveAction) -> Vec<Effect> {
    match action {
        MoveAction::Up => up_or_down(state, client, -1),
        MoveAction::Down => up_or_down(state, client, 1),
        MoveAction::First => to_first(state, client),
        MoveAction::Last => to_last(state, client),
        // Only its key says which.
        MoveAction::Jump => Vec::new(),
        MoveAction::LastChat => listing::last_chat(state, client),
        MoveAction::SwitchFocus => switch_focus(state, client),
        MoveAction::ShutList => {
            // A tab that has no key of its own to leave it by.
            if matches!(state.views.get(&client).map(View::surface), Some(Surface::Sheet(_))) {
                return tab::close(state, client);
            }
            shut(state, client)
        }
        MoveAction::ScrollUp => turn_page(state, client, PageTurn::Up),
        MoveAction::ScrollDown => turn_page(state, client, PageTurn::Down),
        MoveAction::HalfUp => turn_page(state, client, PageTurn::HalfUp),
        MoveAction::HalfDown => turn_page(state, client, PageTurn::HalfDown),
        MoveAction::ScrollEnd => {
            match moved(state, client) {
                Moved::Cards => inspector::to_last(state, client),
                Moved::Grid | Moved::Lines | Moved::Chats => reading::follow(state, client),
            }
            Vec::new()
        }
        MoveAction::Links => with_chat(state, client, |state, client, _| links::begin(state, client)),
        MoveAction::CopyMode if !state.views.get(&client).is_some_and(|view| view.tab.is_terminal()) => Vec::new(),
        MoveAction::CopyMode => with_chat(state, client, |state, client, _| copy::begin(state, client)),
    }
}

/// Through what the keys lead that move, where they are pressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moved {
    Cards,
    /// The screens of several chats.
    Grid,
    /// Those of the terminal.
    Lines,
    Chats,
}

fn moved(state: &State, client: ClientId) -> Moved {
    match state.views.get(&client) {
        Some(view) if among_cards(view) => Moved::Cards,
        Some(view) if view.shown_grid().is_some() => Moved::Grid,
        Some(view) if view.focus == Focus::Pane && view.mode == Mode::Outside => Moved::Lines,
        Some(_) | None => Moved::Chats,
    }
}

/// Plain keys are for the cards.
pub(super) fn among_cards(view: &View) -> bool {
    view.focus == Focus::Inspector && view.mode == Mode::Outside && layout::arrange(view).inspector.is_some()
}

fn up_or_down(state: &mut State, client: ClientId, by: isize) -> Vec<Effect> {
    match moved(state, client) {
        Moved::Cards => {
            inspector::move_by(state, client, by);
            Vec::new()
        }
        Moved::Grid => grid::up_or_down(state, client, by),
        Moved::Lines => through_lines(state, client, by as i64),
        Moved::Chats => select_by(state, client, |chats, at| match at {
            Some(at) => chats.get(at.saturating_add_signed(by)).cloned(),
            None => chats.first().cloned(),
        }),
    }
}

fn to_first(state: &mut State, client: ClientId) -> Vec<Effect> {
    match moved(state, client) {
        Moved::Cards => {
            inspector::to_first(state, client);
            Vec::new()
        }
        Moved::Lines => through_lines(state, client, -FURTHEST),
        Moved::Grid | Moved::Chats => select_by(state, client, |chats, _| chats.first().cloned()),
    }
}

fn to_last(state: &mut State, client: ClientId) -> Vec<Effect> {
    match moved(state, client) {
        Moved::Cards => {
            inspector::to_last(state, client);
            Vec::new()
        }
        Moved::Lines => through_lines(state, client, FURTHEST),
        Moved::Grid | Moved::Chats => select_by(state, client, |chats, _| chats.last().cloned()),
    }
}

/// Through what the terminal shows, which has the keys. At its ends the key says that it does nothing.
fn through_lines(state: &mut State, client: ClientId, by: i64) -> Vec<Effect> {
    let before = reading::top(state, client);
    let effects = reading::scroll(state, client, by);
    let now = state.domain.now;
    let is_there = before.is_none() || before == reading::top(state, client);
    if let Some(view) = state.views.get_mut(&client).filter(|_| is_there) {
        let end = if by < 0 { "oldest" } else { "newest" };
        view.over.guard.does_nothing(&format!("this is the {end} line"), now);
    }
    effects
}

/// Selects what `choose` finds among the sidebar's chats, given where the selection is now.
fn select_by(
    state: &mut State,
    client: ClientId,
    choose: impl FnOnce(&[ChatId], Option<usize>) -> Option<ChatId>,
) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.sidebar.hold(state.domain.now);
    let chats: Vec<ChatId> = view.sidebar.chats().cloned().collect();
    let at = chats.iter().position(|chat| Some(chat) == view.chat.as_ref());
    match choose(&chats, at) {
        Some(chat) => select(state, client, Some(chat)),
        None => Vec::new(),
    }
}

/// Some chats further, to the end at most.
fn page_of_chats(state: &mut State, client: ClientId, by: isize) -> Vec<Effect> {
    select_by(state, client, |chats, at| {
        let last = chats.len().checked_sub(1)?;
        let to = at.map_or(0, |at| at.saturating_add_signed(by).min(last));
        chats.get(to).cloned()
    })
}

/// The next of the chats that have the trouble of which the last row tells, at its error.
pub(super) fn next_troubled(state: &mut State, client: ClientId) -> Vec<Effect> {
    let (Some(trouble), Some(view)) = (mending::shared(&state.domain), state.views.get_mut(&client)) else {
        toast::tell(state, client, "No trouble is shared by several chats.", Tone::Told);
        return Vec::new();
    };
    view.sidebar.hold(state.domain.now);
    let at = trouble.chats.iter().position(|chat| Some(chat) == view.chat.as_ref());
    let next = at.map_or(0, |at| (at + 1) % trouble.chats.len());
    let mut effects = select(state, client, trouble.chats.into_iter().nth(next));
    effects.extend(transcript::go_to_last_error(state, client));
    effects
}

/// The next chat below, round the end, whose agent asks, or failed unseen; where none does, one that came to rest unseen; then
/// one that asks and that the person went on from before, and at last one whose failure was seen. Never the one that is shown.
pub(super) fn next_waiting(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.sidebar.hold(state.domain.now);
    let view = &*view;
    let folded = &view.sidebar.folded;
    let shut = &view.sidebar.shut;
    let with_hidden = |chat: &ChatId| {
        let runs = forest::runs_with(&state.domain.disk.chats, chat).filter(|(schedule, _)| shut.contains(schedule));
        let shown = runs.map_or_else(|| vec![chat.clone()], |(_, runs)| runs);
        match folded.contains(chat) {
            true => [shown, tree::below(&state.domain, chat)].concat(),
            false => shown,
        }
    };
    let chats: Vec<ChatId> = view.sidebar.chats().flat_map(with_hidden).collect();
    let at = chats.iter().position(|chat| Some(chat) == view.chat.as_ref());
    let after = at.map_or(0, |at| at + 1);
    let others = chats.len() - usize::from(at.is_some());
    let round: Vec<&ChatId> = chats.iter().cycle().skip(after).take(others).collect();
    let unseen = |chat: &ChatId| state.domain.live.unseen.contains(chat);
    let failed = |chat: &ChatId| state.domain.status(chat).has_failed();
    let asks = |chat: &ChatId| {
        let asks = need::of(&state.domain, chat) == Need::Waiting;
        asks || setup::waits(&state.domain, chat) || clipboard::waits(&state.domain, chat).is_some()
    };
    let mut left = view.sidebar.left_waiting.clone();
    left.retain(|chat, before| asks(chat) && state.domain.status(chat) == *before);
    if let Some(here) = view.chat.as_ref().filter(|here| asks(here)) {
        left.insert(here.clone(), state.domain.status(here));
    }
    let first = |chat: &&&ChatId| asks(chat) && !left.contains_key(**chat) || failed(chat) && unseen(chat);
    let next = round.iter().find(first);
    let next = next.or_else(|| round.iter().find(|chat| unseen(chat)));
    let again = next.is_none();
    let next = next.or_else(|| round.iter().find(|chat| asks(chat)));
    let next = next.or_else(|| round.iter().find(|chat| failed(chat)));
    let words = match view.chat.as_ref().is_some_and(|chat| asks(chat) || failed(chat)) {
        true => "No other agent waits for you.",
        false => "No agent waits for you.",
    };
    let next = next.map(|chat| (**chat).clone());
    if again {
        left.clear();
    }
    if let Some(view) = state.views.get_mut(&client) {
        view.sidebar.left_waiting = left;
    }
    match next {
        Some(chat) => {
            let effects = select(state, client, Some(chat));
            // It is the agent that waits.
            if let Some(view) = state.views.get_mut(&client).filter(|view| view.tab.is_terminal()) {
                view.show(Tab::Terminal);
            }
            effects
        }
        None => {
            toast::tell(state, client, words, Tone::Told);
            Vec::new()
        }
    }
}

pub(super) fn filter(state: &mut State, client: ClientId) -> Vec<Effect> {
    if let Some(view) = state.views.get_mut(&client) {
        let before = std::mem::replace(&mut view.mode, Mode::Outside);
        view.focus = Focus::Sidebar;
        view.sidebar.hidden = false;
        view.zoomed = false;
        view.sidebar.filter = Some(Filter {
            is_from_within: before == Mode::Agent,
            ..Filter::new(&state.domain, "", view.chat.clone())
        });
    }
    Vec::new()
}

/// A key of the filter's field that is no text.
pub(super) fn in_filter(state: &mut State, client: ClientId, action: FilterAction) -> Vec<Effect> {
    match action {
        FilterAction::GiveUp => give_up_filter(state, client),
        FilterAction::Choose => {
            let Some(view) = state.views.get_mut(&client) else {
                return Vec::new();
            };
            let is_from_within = view.sidebar.filter.as_ref().is_some_and(|filter| filter.is_from_within);
            view.end_filter();
            match view.chat.clone().filter(|_| is_from_within) {
                Some(chat) => going::show(state, client, chat),
                None => Vec::new(),
            }
        }
        FilterAction::Up => up_or_down(state, client, -1),
        FilterAction::Down => up_or_down(state, client, 1),
        FilterAction::PageUp => page_of_chats(state, client, -PAGE),
        FilterAction::PageDown => page_of_chats(state, client, PAGE),
    }
}

fn give_up_filter(state: &mut State, client: ClientId) -> Vec<Effect> {
    let filter = state.views.get(&client).and_then(|view| view.sidebar.filter.as_ref());
    let Some((before, is_from_within)) = filter.map(|filter| (filter.before.clone(), filter.is_from_within)) else {
        return Vec::new();
    };
    let mut effects = select(state, client, before.clone());
    if let Some(view) = state.views.get_mut(&client) {
        view.end_filter();
    }
    if let Some(chat) = before.filter(|_| is_from_within) {
        effects.extend(going::show(state, client, chat));
    }
    effects
}

/// Another text finds other chats, and the best of them is selected.
pub(super) fn change_filter(state: &mut State, client: ClientId, change: impl FnOnce(&mut Field)) -> Vec<Effect> {
    let view = state.views.get_mut(&client);
    let Some(filter) = view.and_then(|view| view.sidebar.filter.as_mut()) else {
        return Vec::new();
    };
    let before = filter.field.text();
    change(&mut filter.field);
    match filter.field.text() == before {
        true => Vec::new(),
        false => select(state, client, None),
    }
}

fn switch_focus(state: &mut State, client: ClientId) -> Vec<Effect> {
    if state.views.get(&client).is_some_and(|view| view.shown_grid().is_some()) {
        return grid::step(state, client, 1);
    }
    let ahead = state.views.get(&client).map(|view| tab::ahead(state, view));
    if let (Some(view), Some(ahead)) = (state.views.get_mut(&client), ahead) {
        if ahead == Ahead::Sidebar && view.focus == Focus::Pane {
            within::leave_for_list(view);
        }
        view.mode = Mode::Outside;
        // Whoever goes on in the round has not come back.
        view.tabs.within = None;
        view.focus = match view.focus {
            Focus::Sidebar => {
                // Round again from the first.
                if let Tab::Side(_) = view.tab {
                    view.show(Tab::Terminal);
                }
                Focus::Pane
            }
            Focus::Pane => match ahead {
                Ahead::Tab(tab) => {
                    view.show(tab);
                    Focus::Pane
                }
                Ahead::Inspector => Focus::Inspector,
                Ahead::Sidebar => Focus::Sidebar,
            },
            Focus::Inspector => Focus::Sidebar,
        };
        // List and cards are not there beside what fills the screen.
        view.zoomed &= view.focus == Focus::Pane;
        if view.shown_grid().is_some() {
            view.focus = Focus::Pane;
        }
        view.sidebar.hidden &= view.focus != Focus::Sidebar;
    }
    Vec::new()
}

/// Through the cards, the tab or the terminal, wherever the keys are.
pub fn turn_page(state: &mut State, client: ClientId, turn: PageTurn) -> Vec<Effect> {
    if moved(state, client) == Moved::Cards {
        inspector::turn_page(state, client, turn);
        return Vec::new();
    }
    if let Some(sheet) = state.views.get(&client).and_then(View::sheet) {
        tab::page(state, client, sheet, turn);
        return Vec::new();
    }
    let rows = state.views.get(&client).map_or(0, |view| layout::pane_size(view).rows);
    // One line stays, to read on from.
    reading::scroll(state, client, turn.rows(rows, 1) as i64)
}

/// What becomes of the list out of zoom.
const HIDDEN_LATER: &str = "The list will be hidden out of zoom.";
const THERE_LATER: &str = "The list will be there out of zoom.";

fn forget_later(view: &mut View) {
    toast::take_away(view, HIDDEN_LATER);
    toast::take_away(view, THERE_LATER);
}

/// What fills the screen has the keys.
pub(super) fn zoom(state: &mut State, client: ClientId) -> Vec<Effect> {
    if let Some(view) = state.views.get_mut(&client) {
        view.zoomed = !view.zoomed && view.chat.is_some();
        forget_later(view);
        if view.zoomed {
            // Whoever zooms from the cards has not closed them.
            if view.focus == Focus::Inspector {
                view.tabs.within = None;
            }
            view.focus = Focus::Pane;
        }
    }
    Vec::new()
}

/// Leaves what lies over the terminal: the list, or the screens of others.
fn shut(state: &mut State, client: ClientId) -> Vec<Effect> {
    if let Some(effects) = within::back_from_list(state, client) {
        return effects;
    }
    match state.views.get_mut(&client) {
        Some(view) if is_drawer_open(view) => view.focus = Focus::Pane,
        Some(view) if view.shown_grid().is_some() => grid::close(state, client),
        Some(_) | None => {}
    }
    Vec::new()
}

/// The list has the keys and lies over the terminal.
pub fn is_drawer_open(view: &View) -> bool {
    let layout = layout::arrange(view);
    layout.sidebar.is_some_and(|bar| bar.over) && view.focus == Focus::Sidebar
}

/// The sidebar is on the screen, whole or as its rail.
fn is_there(view: &View) -> bool {
    let layout = layout::arrange(view);
    layout.sidebar.is_some() || layout.rail.is_some()
}

/// The list of a narrow screen, from within a terminal too. Whether a wide one has it stays.
fn open_or_shut(view: &mut View) {
    let opens = !is_there(view);
    view.sidebar.hidden = false;
    view.focus = match opens {
        true => {
            within::leave_for_list(view);
            (view.mode, view.tabs.within) = (Mode::Outside, None);
            Focus::Sidebar
        }
        false => Focus::Pane,
    };
}

pub(super) fn toggle_sidebar(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let is_shown = is_there(view) || view.zoomed && !view.sidebar.hidden;
    view.sidebar.hidden = is_shown;
    if view.zoomed {
        let text = if is_shown { HIDDEN_LATER } else { THERE_LATER };
        forget_later(view);
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    forget_later(view);
    if layout::has_list_over(view) {
        open_or_shut(view);
        return Vec::new();
    }
    if is_shown {
        view.sidebar.had_keys = view.focus == Focus::Sidebar;
        if view.sidebar.had_keys {
            view.focus = Focus::Pane;
        }
        return Vec::new();
    }
    // A narrow screen shows it only to those who choose in it.
    let had_keys = std::mem::take(&mut view.sidebar.had_keys) && view.focus == Focus::Pane;
    if had_keys || !is_there(view) {
        view.focus = Focus::Sidebar;
    }
    Vec::new()
}
