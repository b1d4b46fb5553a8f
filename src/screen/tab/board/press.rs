//! Keys and the mouse in the Work pane.

use crossterm::event::{KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

use super::data::{Board, Face};
use super::scroll::{reveal, select};
use super::state::shown;
use super::{cards, graph};
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::team::atom;
use crate::domain::work::TeamThen;
use crate::model::atom::{AtomChange, AtomKey, AtomStatus, Edit, Who};
use crate::model::{ChatId, ClientId};
use crate::screen::State;
use crate::screen::dialog::{AtomForm, AtomPage, Dialog, NewChat};
use crate::screen::hint::Hint;
use crate::screen::keymap::{Action, PaneSheet, SheetAction, TabAction, WorkAction};
use crate::screen::layout::holds;
use crate::screen::surface::Surface;
use crate::screen::view::{Focus, Mode, Tab, Tone, View};
use crate::screen::way::PageTurn;
use crate::screen::{dialogs, installed, toast};

/// Rows a notch of the wheel scrolls.
const NOTCH: isize = 3;

pub fn run(state: &mut State, client: ClientId, action: WorkAction) -> Vec<Effect> {
    match action {
        WorkAction::MoveBack => return shift(state, client, Shift::Back),
        WorkAction::MoveOn => return shift(state, client, Shift::On),
        WorkAction::Left => step(state, client, -1, 0),
        WorkAction::Right => step(state, client, 1, 0),
        WorkAction::Up => step(state, client, 0, -1),
        WorkAction::Down => step(state, client, 0, 1),
        WorkAction::PageUp => page(state, client, PageTurn::Up),
        WorkAction::PageDown => page(state, client, PageTurn::Down),
        WorkAction::First => to_end(state, client, |keys| keys.into_iter().next()),
        WorkAction::Last => to_end(state, client, |keys| keys.into_iter().next_back()),
        WorkAction::Face => turn(state, client),
        WorkAction::Claim => {
            return on_selected(state, client, |state, client, key| {
                change(state, client, AtomChange::Claim(key))
            });
        }
        WorkAction::Add => {
            let now = state.domain.now;
            let view = state.views.get_mut(&client);
            let draft = view.and_then(|view| view.over.drafts.atom_again(view.chat.as_ref()?, now));
            open(state, client, |domain, chat, key| {
                Some(draft.unwrap_or_else(|| AtomForm::add(domain, chat, key)).into())
            });
        }
        WorkAction::Edit => open(state, client, |domain, chat, key| {
            Some(AtomForm::edit(domain, chat, key?)?.into())
        }),
        WorkAction::HandOut => return hand_out(state, client),
        WorkAction::Open => open(state, client, page_of),
        WorkAction::Close => {
            if let Some(view) = state.views.get_mut(&client) {
                view.show(Tab::Terminal);
            }
        }
    }
    Vec::new()
}

/// Whether there is something to work on, and else why not.
pub fn is_possible(view: &View, action: WorkAction) -> (bool, &'static str) {
    match action {
        WorkAction::Open
        | WorkAction::MoveOn
        | WorkAction::MoveBack
        | WorkAction::Claim
        | WorkAction::Edit
        | WorkAction::HandOut => (view.tabs.board.selected.is_some(), "no task is selected"),
        WorkAction::Left
        | WorkAction::Right
        | WorkAction::Up
        | WorkAction::Down
        | WorkAction::PageUp
        | WorkAction::PageDown
        | WorkAction::First
        | WorkAction::Last
        | WorkAction::Face
        | WorkAction::Add
        | WorkAction::Close => (true, ""),
    }
}

/// The keys that matter now.
pub fn hints(state: &State, view: &View) -> Vec<Hint> {
    let surface = Surface::Sheet(PaneSheet::Work);
    let act = |action| Action::Sheet(SheetAction::Work(action));
    let key = |action, words| state.keymap.hint(surface, &[act(action)], words);
    let face = match view.tabs.board.face {
        Face::Board => "graph",
        Face::Graph => "board",
    };
    let close = state
        .keymap
        .hint(surface, &[act(WorkAction::Close), TabAction::CloseTab.into()], "close")
        .way_out();
    if shown(state, view).is_none_or(|(_, graph)| graph.atoms().next().is_none()) {
        return vec![key(WorkAction::Add, "add"), close];
    }
    vec![
        key(WorkAction::Open, "open"),
        state
            .keymap
            .hint(surface, &[WorkAction::MoveOn, WorkAction::MoveBack].map(act), "move"),
        key(WorkAction::Claim, "claim"),
        key(WorkAction::Edit, "edit"),
        key(WorkAction::Add, "add"),
        key(WorkAction::HandOut, "delegate"),
        key(WorkAction::Face, face),
        close,
    ]
}

/// As a graph, or as a board again.
fn turn(state: &mut State, client: ClientId) {
    if let Some(view) = state.views.get_mut(&client) {
        view.tabs.board.face = match view.tabs.board.face {
            Face::Board => Face::Graph,
            Face::Graph => Face::Board,
        };
    }
    reveal(state, client);
}

fn page_of(domain: &Domain, chat: &ChatId, key: Option<&AtomKey>) -> Option<Dialog> {
    Some(AtomPage::new(domain, chat, key?.clone()).into())
}

/// Asks for a chat below this one that takes the atom on, where it is free.
fn hand_out(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let (Some(key), Some((_, plan))) = (&view.tabs.board.selected, shown(state, view)) else {
        return Vec::new();
    };
    if !plan.is_ready(key) {
        toast::tell(
            state,
            client,
            "Only a task that is free can be handed to a new chat.",
            Tone::Told,
        );
        return Vec::new();
    }
    let cwd = view.client.cwd.clone();
    open(state, client, |domain, chat, key| {
        Some(NewChat::handing(domain, cwd, chat, key?).into())
    });
    installed::look_for_agents(state, client)
}

/// Opens a dialog about the chat that is shown and the atom that is selected.
fn open(state: &mut State, client: ClientId, make: impl FnOnce(&Domain, &ChatId, Option<&AtomKey>) -> Option<Dialog>) {
    let view = state.views.get(&client);
    let dialog = view.and_then(|view| make(&state.domain, view.chat.as_ref()?, view.tabs.board.selected.as_ref()));
    if let Some(dialog) = dialog {
        dialogs::open(state, client, dialog);
    }
}

fn on_selected(
    state: &mut State,
    client: ClientId,
    work: impl FnOnce(&mut State, ClientId, AtomKey) -> Vec<Effect>,
) -> Vec<Effect> {
    match state
        .views
        .get(&client)
        .and_then(|view| view.tabs.board.selected.clone())
    {
        Some(key) => work(state, client, key),
        None => {
            toast::tell(state, client, "No task is selected.", Tone::Told);
            Vec::new()
        }
    }
}

/// A person does it, for the chat that is shown.
fn change(state: &mut State, client: ClientId, change: AtomChange) -> Vec<Effect> {
    let Some(chat) = state.views.get(&client).and_then(|view| view.chat.clone()) else {
        return Vec::new();
    };
    atom::change(
        &mut state.domain,
        &chat,
        Who::Person,
        change,
        Requester::screen(client),
        TeamThen::Nothing,
    )
}

#[derive(Clone, Copy)]
enum Shift {
    On,
    Back,
}

/// One column on: claimed for this chat, then done. Back from either is to do again.
fn shift(state: &mut State, client: ClientId, to: Shift) -> Vec<Effect> {
    on_selected(state, client, |state, client, key| {
        let view = &state.views[&client];
        let status = shown(state, view).and_then(|(_, graph)| Some(graph.get(&key)?.status));
        let wanted = match (status, to) {
            (Some(AtomStatus::Todo), Shift::On) => AtomChange::Claim(key),
            (Some(AtomStatus::InProgress), Shift::On) => AtomChange::Update(key, Edit::to(AtomStatus::Done)),
            (Some(AtomStatus::InProgress | AtomStatus::Done), Shift::Back) => {
                AtomChange::Update(key, Edit::to(AtomStatus::Todo))
            }
            (Some(AtomStatus::Done), Shift::On) | (Some(AtomStatus::Todo), Shift::Back) | (None, _) => {
                return Vec::new();
            }
        };
        change(state, client, wanted)
    })
}

fn step(state: &mut State, client: ClientId, dx: isize, dy: isize) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let Some((_, plan)) = shown(state, view) else {
        return;
    };
    let next = match (&view.tabs.board.selected, view.tabs.board.face) {
        (None, _) => cards::sorted(plan).into_iter().flatten().next(),
        (Some(key), Face::Board) => beside(&cards::sorted(plan), key, dx, dy, cards::is_wide(view)),
        (Some(key), Face::Graph) => graph_step(&graph::draw(plan, Some(key)), key, dx, dy),
    };
    if let Some(next) = next {
        select(state, client, Some(next));
    }
}

/// The atom in that direction. Columns below each other are gone through from one into the next.
fn beside(columns: &[Vec<AtomKey>; 3], key: &AtomKey, dx: isize, dy: isize, wide: bool) -> Option<AtomKey> {
    let (column, row) = columns
        .iter()
        .enumerate()
        .find_map(|(column, keys)| Some((column, keys.iter().position(|known| known == key)?)))?;
    if dx != 0 {
        let mut next = column.checked_add_signed(dx)?;
        while columns.get(next)?.is_empty() {
            next = next.checked_add_signed(dx)?;
        }
        let keys = columns.get(next)?;
        return keys.get(row.min(keys.len() - 1)).cloned();
    }
    if wide {
        return columns[column].get(row.checked_add_signed(dy)?).cloned();
    }
    let all: Vec<&AtomKey> = columns.iter().flatten().collect();
    let at = all.iter().position(|known| *known == key)?.checked_add_signed(dy)?;
    all.get(at).map(|key| (*key).clone())
}

/// Left and right along a wire where there is one, up and down within the layer.
fn graph_step(drawing: &graph::Drawing, key: &AtomKey, dx: isize, dy: isize) -> Option<AtomKey> {
    let at = drawing.nodes.iter().find(|node| node.key == *key)?;
    let near = |node: &&graph::Node| (node.x.abs_diff(at.x), node.y.abs_diff(at.y));
    let nodes = drawing.nodes.iter();
    let found = match (dx, dy) {
        (0, ..0) => nodes.filter(|node| node.x == at.x && node.y < at.y).min_by_key(near),
        (0, _) => nodes.filter(|node| node.x == at.x && node.y > at.y).min_by_key(near),
        (..0, _) => {
            let wired = nodes
                .clone()
                .filter(|node| at.before.contains(&node.key))
                .min_by_key(near);
            wired.or_else(|| nodes.filter(|node| node.x < at.x).min_by_key(near))
        }
        (_, _) => {
            let wired = nodes
                .clone()
                .filter(|node| at.behind.contains(&node.key))
                .min_by_key(near);
            wired.or_else(|| nodes.filter(|node| node.x > at.x).min_by_key(near))
        }
    };
    found.map(|node| node.key.clone())
}

fn to_end(state: &mut State, client: ClientId, choose: impl FnOnce(Vec<AtomKey>) -> Option<AtomKey>) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let keys = shown(state, view).map(|(_, plan)| cards::sorted(plan).concat());
    if let Some(key) = keys.and_then(choose) {
        select(state, client, Some(key));
    }
}

/// A page up or down, or half of one.
pub fn page(state: &mut State, client: ClientId, turn: PageTurn) {
    let rows = state.views.get(&client).map_or(0, |view| super::area(view).height);
    // A line or two stay, to read on from.
    scroll(state, client, turn.rows(rows, 3), None);
}

/// Scrolls the column at this place, or all of them.
fn scroll(state: &mut State, client: ClientId, by: isize, x: Option<u16>) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let columns = cards::columns(state, view);
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    match view.tabs.board.face {
        Face::Graph => view.tabs.board.corner.1 = view.tabs.board.corner.1.saturating_add_signed(by),
        Face::Board => {
            for (top, column) in view.tabs.board.tops.iter_mut().zip(columns) {
                let meant = x.is_none_or(|x| holds(column.area, x, column.area.y));
                if meant {
                    *top = top.saturating_add_signed(by);
                }
            }
        }
    }
}

/// A click selects an atom, one on the selected atom opens it; the wheel scrolls.
pub fn mouse(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    let (x, y) = (event.column, event.row);
    let sideways = event.modifiers.contains(KeyModifiers::SHIFT);
    match event.kind {
        MouseEventKind::ScrollUp if sideways => pan(state, client, -NOTCH),
        MouseEventKind::ScrollDown if sideways => pan(state, client, NOTCH),
        MouseEventKind::ScrollLeft => pan(state, client, -NOTCH),
        MouseEventKind::ScrollRight => pan(state, client, NOTCH),
        MouseEventKind::ScrollUp => scroll(state, client, -NOTCH, Some(x)),
        MouseEventKind::ScrollDown => scroll(state, client, NOTCH, Some(x)),
        MouseEventKind::Down(MouseButton::Left) => {
            let hit = state.views.get(&client).and_then(|view| hit(state, view, x, y));
            let Some(view) = state.views.get_mut(&client) else {
                return Vec::new();
            };
            (view.mode, view.focus) = (Mode::Outside, Focus::Pane);
            match hit {
                Some(key) if view.tabs.board.selected.as_ref() == Some(&key) => open(state, client, page_of),
                Some(key) => view.tabs.board.selected = Some(key),
                None => {}
            }
        }
        _ => {}
    }
    Vec::new()
}

fn pan(state: &mut State, client: ClientId, by: isize) {
    if let Some(view) = state.views.get_mut(&client) {
        view.tabs.board.corner.0 = view.tabs.board.corner.0.saturating_add_signed(by);
    }
}

fn hit(state: &State, view: &View, x: u16, y: u16) -> Option<AtomKey> {
    let Board {
        face,
        tops,
        corner,
        selected,
    } = &view.tabs.board;
    match face {
        Face::Board => {
            let columns = cards::columns(state, view);
            let (top, column) = tops.iter().zip(columns).find(|(_, column)| holds(column.list, x, y))?;
            let line = column.lines.get(top + usize::from(y - column.list.y))?;
            line.key.clone()
        }
        Face::Graph => {
            let (_, plan) = shown(state, view)?;
            let place = graph::place(state, view);
            let (x, y) = (
                usize::from(x.checked_sub(place.x)?) + corner.0,
                usize::from(y.checked_sub(place.y)?) + corner.1,
            );
            let drawing = graph::draw(plan, selected.as_ref());
            let on = |node: &&graph::Node| node.y == y && (node.x..node.x + node.width).contains(&x);
            drawing.nodes.iter().find(on).map(|node| node.key.clone())
        }
    }
}
