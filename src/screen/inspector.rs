//! The inspector beside the terminal: what a chat's agent was asked and did, one card each, opened for more.
//!
//! Its rows are made here, for drawing and for the mouse alike.

mod act;
pub mod bar;
mod card;
mod data;
mod hints;
mod moment;
pub mod page;
mod setting;
mod settings;
mod shelf;

use std::collections::BTreeSet;

use crate::domain::approval::card::{Card, CardSubject, Cards};
use crate::domain::approval::shown_cards::Shelf;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::work::{Read, ReadThen};
use crate::model::{ChatId, ClientId};
use crate::screen::State;

use super::call::{self, CallMeasure, SeenPlaces};
use super::dialog::{Output, Whole};
use super::keymap::ScreenAction;
use super::tab::todos;
use super::tab::transcript::flow::shown;
use super::tab::transcript::row::{Piece, TextInk, TextRow};
use super::view::{Focus, Mode, Tone, View};
use super::way::PageTurn;
use super::wrap::wrap;
use super::{dialogs, layout, toast, within};

use shelf::shown_card;

pub use act::{is_possible, on_call, run};
pub use data::{CameFrom, Inspector, InspectorTab, PageRow};
pub use hints::hints;
pub use moment::{chosen_prompt, fork, go_back};
pub use page::{leave, step_aside};
pub use shelf::{cards, chosen_card, places};

/// Lines of an opened card's input and output each; the whole of it stands in the transcript.
const LINES: usize = 60;
/// Cards of this many lines a notch of the wheel.
const NOTCH: isize = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InspectorRow {
    /// The card's entry.
    pub card: u64,
    pub kind: RowKind,
    pub text: TextRow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowKind {
    /// The card's one line: drawn from the card itself.
    Head,
    Body,
    /// What is not shown of an output, which can be opened.
    More,
}

/// Has the transcripts read whose cards somebody looks at, and lets go of those that nobody does.
pub fn settle(state: &mut State) -> Vec<Effect> {
    let shown = |view: &&View| layout::has_inspector(view);
    let chats: BTreeSet<ChatId> = state
        .views
        .values()
        .filter(shown)
        .filter_map(|view| view.chat.clone())
        .collect();
    state
        .domain
        .live
        .looked_at
        .shelves
        .retain(|chat, _| chats.contains(chat));
    let mut effects = Vec::new();
    for chat in chats {
        if !state.domain.live.looked_at.shelves.contains_key(&chat) {
            state
                .domain
                .live
                .looked_at
                .shelves
                .insert(chat.clone(), Shelf::Reading(Vec::new()));
            let job = Read::Tail(chat.clone());
            effects.extend(chat::work(&mut state.domain, Requester::Nobody, ReadThen::Shelve, job));
        }
    }
    let of_todos = |view: &&View| shown(view) && view.inspector.tab == InspectorTab::Todos;
    let planned = state
        .views
        .values()
        .filter(of_todos)
        .filter_map(|view| view.chat.clone());
    for chat in planned.collect::<BTreeSet<ChatId>>() {
        effects.extend(todos::look_up_plan(state, chat));
    }
    let clients: Vec<ClientId> = state.views.keys().copied().collect();
    clients.into_iter().for_each(|client| seek(state, client));
    effects
}

/// Shows the cards, and goes to this one.
pub fn go_to(state: &mut State, client: ClientId, card: u64) {
    if let Some(view) = state.views.get_mut(&client) {
        view.inspector.wanted = Some(true);
        view.zoomed = false;
        view.mode = Mode::Outside;
        let before = std::mem::replace(&mut view.focus, Focus::Inspector);
        match layout::arrange(view).inspector {
            Some(_) => view.inspector.sought = Some(card),
            None => view.focus = before,
        }
    }
}

/// Goes to the card that is sought, once the cards are here.
fn seek(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let (Some(sought), Some(cards)) = (view.inspector.sought, cards(state, view)) else {
        return;
    };
    let is_there = cards.iter().any(|card| card.seq == sought);
    if let Some(view) = state.views.get_mut(&client) {
        view.inspector.sought = None;
    }
    if is_there {
        return select(state, client, Some(sought));
    }
    let text = "Its card is not shown: only the newest are.";
    toast::tell(state, client, text, Tone::Told);
}

/// Every row of the list, in a column this wide.
pub fn rows(cards: &Cards, inspector: &Inspector, places: &SeenPlaces, width: usize) -> Vec<InspectorRow> {
    let mut rows = Vec::new();
    for card in cards.iter() {
        let how = CallMeasure {
            width: width.saturating_sub(4),
            most: LINES,
            has_line: true,
            places: places.at(card.seq),
            first: None,
        };
        let mut put = |kind, text| {
            let card = card.seq;
            rows.push(InspectorRow { card, kind, text });
        };
        put(RowKind::Head, TextRow::default());
        if inspector.open.contains(&card.seq) {
            body(card, how, &mut put);
        }
    }
    rows
}

fn body(card: &Card, how: CallMeasure<'_>, put: &mut impl FnMut(RowKind, TextRow)) {
    let mut say = |text: &str, ink: TextInk| {
        let lines = text.lines().flat_map(|line| wrap(&shown(line), how.width));
        for line in lines.take(LINES) {
            put(RowKind::Body, TextRow::of(vec![Piece::new(line, ink)]));
        }
    };
    match &card.what {
        CardSubject::Prompt { text, .. } => say(text, TextInk::Text),
        CardSubject::Interrupt { cause } => say(cause, TextInk::Dim),
        CardSubject::Error { place, message, hint } => {
            say(message, TextInk::Failed);
            say(hint, TextInk::Dim);
            say(&format!("in {place}"), TextInk::Dim);
        }
        CardSubject::Tool(tool) => {
            let asked = call::of_call(tool, how);
            asked.into_iter().for_each(|row| put(RowKind::Body, row));
            let within = CallMeasure {
                width: how.width.saturating_sub(2),
                ..how
            };
            let back = call::came_back(tool, within);
            let bar = |mut row: TextRow| {
                row.pieces.insert(0, Piece::new("│ ", TextInk::Border));
                row
            };
            back.rows.into_iter().for_each(|row| put(RowKind::Body, bar(row)));
            let line = |words, ink| TextRow::of(vec![Piece::new(words, ink)]);
            for words in back.cut.iter().flat_map(|words| wrap(words, how.width)) {
                put(RowKind::Body, line(words, TextInk::Dim));
            }
            if let Some(words) = back.more {
                put(RowKind::More, line(words, TextInk::Accent));
            }
        }
    }
}

/// The first of the rows that fit into `height`.
pub fn first_row(inspector: &Inspector, rows: usize, height: usize) -> usize {
    let last = rows.saturating_sub(height);
    match inspector.selected {
        Some(_) => inspector.top.min(last),
        None => last,
    }
}

/// Shows it and goes there, or hides it. Whoever hides it from within an agent stays there.
pub fn toggle(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let shown = layout::arrange(view).inspector.is_some();
    view.inspector.wanted = Some(!shown);
    if !shown {
        within::leave(view);
    }
    if !(shown && view.mode == Mode::Agent) {
        view.mode = Mode::Outside;
    }
    view.zoomed = false;
    view.focus = match shown {
        true => Focus::Pane,
        false => Focus::Inspector,
    };
}

/// Up and down: by cards, by what can be changed, and by rows in the other tabs.
pub fn move_by(state: &mut State, client: ClientId, by: isize) {
    match tab(state, client) {
        InspectorTab::Cards => step(state, client, by),
        InspectorTab::Chat => setting::step(state, client, by),
        InspectorTab::Card | InspectorTab::Todos | InspectorTab::Usage => page::scroll(state, client, by),
    }
}

fn tab(state: &State, client: ClientId) -> InspectorTab {
    state
        .views
        .get(&client)
        .map_or_else(InspectorTab::default, |view| view.inspector.tab)
}

/// Moves the selection by cards.
pub fn step(state: &mut State, client: ClientId, by: isize) {
    if let Some(view) = state.views.get_mut(&client) {
        view.inspector.scroll = 0;
    }
    let Some(seqs) = seqs(state, client) else { return };
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let last = seqs.len().saturating_sub(1);
    let at = match view.inspector.selected.and_then(|seq| seqs.binary_search(&seq).ok()) {
        Some(at) => at.saturating_add_signed(by).min(last),
        None if by < 0 => last.saturating_add_signed(by + 1),
        None => last,
    };
    select(state, client, seqs.get(at).copied());
}

pub fn to_first(state: &mut State, client: ClientId) {
    match tab(state, client) {
        InspectorTab::Cards => {}
        InspectorTab::Chat => return setting::step(state, client, isize::MIN / 2),
        InspectorTab::Card | InspectorTab::Todos | InspectorTab::Usage => {
            return page::scroll(state, client, isize::MIN / 2);
        }
    }
    let first = seqs(state, client).and_then(|seqs| seqs.first().copied());
    select(state, client, first);
}

/// Follows the newest card again.
pub fn to_last(state: &mut State, client: ClientId) {
    match tab(state, client) {
        InspectorTab::Cards => {}
        InspectorTab::Chat => return setting::step(state, client, isize::MAX / 2),
        InspectorTab::Card | InspectorTab::Todos | InspectorTab::Usage => {
            return page::scroll(state, client, isize::MAX / 2);
        }
    }
    select(state, client, None);
}

fn seqs(state: &State, client: ClientId) -> Option<Vec<u64>> {
    let cards = cards(state, state.views.get(&client)?)?;
    Some(cards.iter().map(|card| card.seq).collect())
}

/// Opens the selected card in its place, the newest where none is, or closes it.
pub fn fold(state: &mut State, client: ClientId) {
    if let Some(card) = state.views.get(&client).and_then(|view| shown_card(state, view)) {
        let seq = card.seq;
        flip(state, client, seq);
    }
}

/// The card that is selected, while the cards have the keys.
pub fn selected<'s>(state: &'s State, view: &View) -> Option<&'s Card> {
    let seq = view.inspector.selected.filter(|_| view.focus == Focus::Inspector)?;
    cards(state, view)?.iter().find(|card| card.seq == seq)
}

/// Opens the whole output of the selected card; where none is, the newest that there is.
pub fn open_output(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let has_output = |card: &&Card| matches!(&card.what, CardSubject::Tool(tool) if tool.output.is_some());
    let newest = || cards(state, view)?.iter().rfind(has_output).map(|card| card.seq);
    match view.inspector.selected.or_else(newest) {
        Some(seq) => open_output_of(state, client, seq),
        None if layout::arrange(view).inspector.is_none() => {
            let key = state.leads(client, ScreenAction::Inspector);
            toast::tell(
                state,
                client,
                format!("No cards are shown: {key} shows them."),
                Tone::Told,
            );
            Vec::new()
        }
        None => {
            let text = match cards(state, view).is_some_and(|cards| cards.iter().next().is_some()) {
                true => "No card has more output than it shows: Enter opens a card.",
                false => "No card with output yet.",
            };
            toast::tell(state, client, text, Tone::Told);
            Vec::new()
        }
    }
}

fn open_output_of(state: &mut State, client: ClientId, seq: u64) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let card = cards(state, view).and_then(|cards| cards.iter().find(|card| card.seq == seq));
    let kept = card.and_then(|card| match &card.what {
        CardSubject::Tool(tool) => Some((tool.name.clone(), tool.output.clone()?, tool.cut)),
        CardSubject::Prompt { .. } | CardSubject::Error { .. } | CardSubject::Interrupt { .. } => None,
    });
    let (Some((tool, file, cut)), Some(chat)) = (kept, view.chat.clone()) else {
        // All that there is of it is in the open card.
        if !view.inspector.open.contains(&seq) {
            flip(state, client, seq);
        }
        return Vec::new();
    };
    let output = Output::new(&state.domain, &chat, Whole { tool, file, cut });
    dialogs::open(state, client, output)
}

fn flip(state: &mut State, client: ClientId, seq: u64) {
    if let Some(view) = state.views.get_mut(&client)
        && !view.inspector.open.remove(&seq)
    {
        view.inspector.open.insert(seq);
    }
    select(state, client, Some(seq));
}

/// Selects a card and brings it into sight, with as much of what is open of it as fits.
fn select(state: &mut State, client: ClientId, seq: Option<u64>) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let Some(panel) = layout::arrange(view).inspector else {
        return;
    };
    let rows = cards(state, view).map_or_else(Vec::new, |cards| {
        rows(cards, &view.inspector, &places(state, view), panel.list.width.into())
    });
    let height = usize::from(panel.list.height);
    let before = first_row(&view.inspector, rows.len(), height);
    let of_card = |row: &InspectorRow| Some(row.card) == seq;
    let top = match (rows.iter().position(of_card), rows.iter().rposition(of_card)) {
        (Some(first), Some(last)) => before.max((last + 1).saturating_sub(height)).min(first),
        _ => before,
    };
    if let Some(view) = state.views.get_mut(&client) {
        view.inspector.selected = seq;
        view.inspector.top = top;
    }
}

/// A click on a row of the list.
pub fn click(state: &mut State, client: ClientId, row: usize) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let (Some(panel), Some(cards)) = (layout::arrange(view).inspector, cards(state, view)) else {
        return Vec::new();
    };
    let rows = rows(cards, &view.inspector, &places(state, view), panel.list.width.into());
    let first = first_row(&view.inspector, rows.len(), panel.list.height.into());
    let clicked = rows.get(first + row).map(|row| (row.card, row.kind));
    let is_list = view.inspector.tab == InspectorTab::Cards;
    if let Some(view) = state.views.get_mut(&client) {
        view.mode = Mode::Outside;
        view.focus = Focus::Inspector;
    }
    match clicked.filter(|_| is_list) {
        None if !is_list => return setting::click(state, client, row),
        Some((seq, RowKind::More)) => return open_output_of(state, client, seq),
        Some((seq, RowKind::Head | RowKind::Body)) => flip(state, client, seq),
        None => {}
    }
    Vec::new()
}

pub fn wheel(state: &mut State, client: ClientId, by: isize) {
    match tab(state, client) {
        InspectorTab::Chat => page::scroll(state, client, by * NOTCH),
        InspectorTab::Cards | InspectorTab::Card | InspectorTab::Todos | InspectorTab::Usage => {
            move_by(state, client, by * NOTCH);
        }
    }
}

/// A page, less a row or two to read on from; of the cards a few.
pub fn turn_page(state: &mut State, client: ClientId, turn: PageTurn) {
    let panel = state
        .views
        .get(&client)
        .and_then(|view| layout::arrange(view).inspector);
    let height = panel.map_or(1, |panel| panel.list.height);
    let cards = match turn {
        PageTurn::Up => -NOTCH,
        PageTurn::Down => NOTCH,
        PageTurn::HalfUp => -NOTCH / 2,
        PageTurn::HalfDown => NOTCH / 2,
    };
    match tab(state, client) {
        InspectorTab::Cards => step(state, client, cards),
        InspectorTab::Card | InspectorTab::Todos | InspectorTab::Usage | InspectorTab::Chat => {
            page::scroll(state, client, turn.rows(height, 2));
        }
    }
}
