//! The mouse: selects, scrolls, presses the keys of hints, drags the sidebar's border, and is passed to an agent that asks for it.

use crossterm::event::{KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Rect;

use crate::domain::approval::queue;
use crate::domain::auxiliary;
use crate::domain::effect::Effect;
use crate::domain::{agent, schedule};
use crate::model::{ClientId, PaneId};
use crate::screen::State;
use crate::term;

use super::dialog::UsagePage;
use super::grid::tiles;
use super::guard::PersonAct;
use super::header::HeaderPart;
use super::keymap::{ChatsAction, PaneSheet};
use super::layout::{self, Layout, holds};
use super::sidebar_row::What;
use super::surface::{Cover, Surface};
use super::view::{Focus, Mode, Tab, View};
use super::{
    automations, command, copy, dialogs, dragging, foot, going, header, input, inspector, leader_menu, marking, rail,
    reading, roll_up, scrolling, start, tab, typing,
};

/// Lines a notch of the wheel scrolls.
const NOTCH: i64 = 3;
/// The same in the sidebar.
const ROWS: isize = 3;

pub fn update(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    if matches!(event.kind, MouseEventKind::Down(_))
        && let Some(view) = state.views.get_mut(&client)
    {
        view.over.led = false;
    }
    if let Some(effects) = marking::mouse(state, client, event) {
        return effects;
    }
    let part = marking::part(state, client, event);
    let effects = route(state, client, event);
    if let Some(part) = part {
        marking::hold(state, client, event, part);
    }
    effects
}

/// To what is under it, or holds it.
fn route(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    // Lines for a screen reader do not stand where surfaces are laid out.
    if view.over.reader.is_some() {
        return Vec::new();
    }
    if matches!(event.kind, MouseEventKind::Down(_)) {
        view.reading.handed = None;
        if view.over.guard.swallows(PersonAct::Click, now) {
            return Vec::new();
        }
    }
    if event.kind == MouseEventKind::Down(MouseButton::Left)
        && let Some(view) = state.views.get(&client)
    {
        let keys = foot::keys_at(state, view, event.column, event.row);
        if !keys.is_empty() {
            let press = |key| input::press(state, client, key);
            return keys.into_iter().flat_map(press).collect();
        }
        if let Some(key) = in_menu(state, view, event) {
            return input::press(state, client, key);
        }
    }
    if let Some(effects) = scrolling::mouse(state, client, event) {
        return effects;
    }
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let layout = layout::arrange(view);
    match view.surface().cover() {
        Some(Cover::Dialog) => return on_dialog(state, client, event),
        Some(Cover::Schedules) => return automations::mouse(state, client, event),
        None => {}
    }
    if view.sidebar.dragged {
        match event.kind {
            MouseEventKind::Drag(_) => view.sidebar.width = (event.column + 1).max(1),
            MouseEventKind::Up(_) => view.sidebar.dragged = false,
            _ => {}
        }
        return Vec::new();
    }
    if view.reading.handed.is_some() && matches!(event.kind, MouseEventKind::Drag(_) | MouseEventKind::Up(_)) {
        return on_pane(state, client, layout.pane, within(layout.pane, event));
    }
    if view.reading.press.is_some_and(|press| press.held) {
        match event.kind {
            MouseEventKind::Drag(MouseButton::Left) => {
                return dragging::drag(state, client, event.column, event.row);
            }
            MouseEventKind::Up(MouseButton::Left) => return dragging::release(state, client),
            _ => {}
        }
    }
    // The button that opened the menu comes up again.
    if !matches!(event.kind, MouseEventKind::Moved | MouseEventKind::Up(_)) {
        view.leader = false;
    }
    let (x, y) = (event.column, event.row);
    let tile = tiles::tiles(view)
        .into_iter()
        .find(|tile| holds(tile.title.union(tile.pane), x, y));
    if let Some(tile) = tile.filter(|tile| Some(&tile.chat) != view.chat.as_ref()) {
        return match event.kind {
            MouseEventKind::Down(MouseButton::Left) => going::select(state, client, Some(tile.chat)),
            _ => Vec::new(),
        };
    }
    match layout.sidebar {
        Some(bar) if holds(bar.area, x, y) => on_sidebar(state, client, &layout, event),
        _ if layout.rail.is_some_and(|rail| holds(rail, x, y)) => match event.kind {
            MouseEventKind::Down(MouseButton::Left) => rail::click(state, client, (x, y)),
            _ => Vec::new(),
        },
        _ if layout.inspector.is_some_and(|panel| holds(panel.area, x, y)) => {
            on_inspector(state, client, &layout, event)
        }
        _ if holds(layout.rule, x, y) => on_rule(state, client, event),
        _ if holds(layout.header, x, y) => on_header(state, client, event),
        _ if layout.beside.is_some_and(|area| holds(area, x, y)) => {
            if matches!(event.kind, MouseEventKind::Down(_)) {
                view.show(Tab::Sheet(PaneSheet::Transcript));
            }
            tab::mouse(state, client, PaneSheet::Transcript, event)
        }
        _ if holds(layout.free, x, y) && view.behind() == Surface::Start => on_start(state, client, event),
        _ if holds(layout.free, x, y) => match view.sheet().filter(|_| layout.beside.is_none()) {
            Some(sheet) => tab::mouse(state, client, sheet, event),
            None => on_pane(state, client, layout.pane, event),
        },
        _ => Vec::new(),
    }
}

/// The key of the entry of the menu behind the leader that is clicked, once it is seen.
fn in_menu(state: &State, view: &View, event: MouseEvent) -> Option<KeyEvent> {
    let is_seen = view.surface() == Surface::Leader && view.over.menu_from <= state.domain.now;
    let page = is_seen.then_some(view.over.menu_page)?;
    let menu = leader_menu::place(&state.keymap, layout::for_dialogs(view), page);
    menu.key_at(event.column, event.row)
}

fn on_dialog(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) => dialogs::input::click(state, client, event.column, event.row),
        MouseEventKind::ScrollUp => dialogs::input::wheel(state, client, -1, (event.column, event.row)),
        MouseEventKind::ScrollDown => dialogs::input::wheel(state, client, 1, (event.column, event.row)),
        _ => Vec::new(),
    }
}

fn on_sidebar(state: &mut State, client: ClientId, layout: &Layout, event: MouseEvent) -> Vec<Effect> {
    let (Some(view), Some(bar)) = (state.views.get_mut(&client), layout.sidebar) else {
        return Vec::new();
    };
    let sidebar = &mut view.sidebar;
    let (x, y) = (event.column, event.row);
    match event.kind {
        MouseEventKind::ScrollUp => sidebar.scroll = sidebar.scroll.saturating_add_signed(-ROWS),
        MouseEventKind::ScrollDown => sidebar.scroll = sidebar.scroll.saturating_add_signed(ROWS),
        MouseEventKind::Down(MouseButton::Left) if holds(bar.border, x, y) => sidebar.dragged = true,
        // The counts stand there; a row below is a chat.
        MouseEventKind::Down(MouseButton::Left) if holds(bar.title, x, y) => {
            return match queue::waiting_chats(&state.domain) {
                0 => Vec::new(),
                _ => command::run(state, client, ChatsAction::NextWaiting.into()),
            };
        }
        MouseEventKind::Down(MouseButton::Left) if holds(bar.list, x, y) => {
            let line = sidebar.scroll + usize::from(y - bar.list.y);
            sidebar.hold(state.domain.now);
            match sidebar.fold_at(line, usize::from(x - bar.list.x)).cloned() {
                Some(What::Chat(chat, _)) => return roll_up::toggle(state, client, chat),
                Some(What::Runs { schedule, .. }) => return roll_up::toggle_schedule(state, client, &schedule),
                Some(What::Heading(_)) | None => {}
            }
            let Some(chat) = sidebar.chat_at(line).cloned() else {
                return Vec::new();
            };
            let at = (x, y, state.domain.now);
            let is_again = view
                .sidebar
                .clicked
                .replace(at)
                .is_some_and(|(before_x, before_y, before)| {
                    (before_x, before_y) == (x, y) && !reading::is_past(at.2, before, dragging::TWICE_MS)
                });
            let goes_in = is_again || view.mode == Mode::Agent;
            if goes_in {
                let effects = going::show(state, client, chat);
                if typing::live_pane(state, client).is_none() {
                    to_list(state, client);
                }
                return effects;
            }
            to_list(state, client);
            return going::select(state, client, Some(chat));
        }
        _ => {}
    }
    Vec::new()
}

fn to_list(state: &mut State, client: ClientId) {
    if let Some(view) = state.views.get_mut(&client) {
        (view.mode, view.focus) = (Mode::Outside, Focus::Sidebar);
    }
}

/// A click on a tab's name.
fn on_rule(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let mut tabs = tab::tabs(state, view).into_iter();
    let clicked = tabs.find(|tab| holds(tab.area, event.column, event.row));
    if let (MouseEventKind::Down(MouseButton::Left), Some(clicked)) = (event.kind, clicked)
        && let Some(view) = state.views.get_mut(&client)
    {
        view.show(clicked.tab);
        (view.focus, view.mode) = (Focus::Pane, Mode::Outside);
        // A terminal is clicked to type in it, if something runs there.
        if clicked.tab.is_terminal() && typing::live_pane(state, client).is_some() {
            return going::with_chat(state, client, going::go_in_shown);
        }
    }
    Vec::new()
}

fn on_inspector(state: &mut State, client: ClientId, layout: &Layout, event: MouseEvent) -> Vec<Effect> {
    let Some(panel) = layout.inspector else {
        return Vec::new();
    };
    match event.kind {
        MouseEventKind::ScrollUp => inspector::wheel(state, client, -1),
        MouseEventKind::ScrollDown => inspector::wheel(state, client, 1),
        MouseEventKind::Down(MouseButton::Left) if holds(panel.list, event.column, event.row) => {
            return inspector::click(state, client, usize::from(event.row - panel.list.y));
        }
        MouseEventKind::Down(MouseButton::Left) if holds(panel.title, event.column, event.row) => {
            return inspector::page::click_tab(state, client, (event.column, event.row));
        }
        _ => {}
    }
    Vec::new()
}

/// What it says of the status and of usage leads to the pages of those, and what it says of schedules to them.
fn on_header(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    let at = (event.column, event.row);
    let part = state
        .views
        .get(&client)
        .and_then(|view| header::part_at(state, view, at));
    match (event.kind, part) {
        (MouseEventKind::Down(MouseButton::Left), Some(HeaderPart::Usage)) => {
            let chat = state.views.get(&client).and_then(|view| view.chat.clone());
            return dialogs::open(state, client, UsagePage::new(chat));
        }
        (MouseEventKind::Down(MouseButton::Left), Some(HeaderPart::Status)) => {
            return going::with_chat(state, client, command::explain);
        }
        (MouseEventKind::Down(MouseButton::Left), Some(HeaderPart::Question)) => {
            return command::run(state, client, ChatsAction::Approvals.into());
        }
        _ => {}
    }
    let chat = state.views.get(&client).and_then(|view| view.chat.as_ref());
    let shown = chat.is_some_and(|chat| schedule::made_by(&state.domain, chat).next().is_some());
    match event.kind {
        MouseEventKind::Down(MouseButton::Left) if shown => automations::open(state, client),
        _ => Vec::new(),
    }
}

/// A click on what the page offers while there is no chat.
fn on_start(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    let view = state.views.get(&client);
    let key = view.and_then(|view| start::key_at(state, view, (event.column, event.row)));
    match (event.kind, key) {
        (MouseEventKind::Down(MouseButton::Left), Some(key)) => input::press(state, client, key),
        _ => Vec::new(),
    }
}

fn on_pane(state: &mut State, client: ClientId, pane: Rect, event: MouseEvent) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let Some(shown) = view.pane() else {
        return Vec::new();
    };
    let inside = view.mode == Mode::Agent;
    let wheel = match event.kind {
        MouseEventKind::ScrollUp => -NOTCH,
        MouseEventKind::ScrollDown => NOTCH,
        _ => 0,
    };
    // A program that saw no press knows nothing to do with its release.
    let is_due = match event.kind {
        MouseEventKind::Drag(button) => view.reading.handed == Some(button),
        MouseEventKind::Up(button) => view.reading.handed.take_if(|handed| *handed == button).is_some(),
        _ => true,
    };
    if (inside || wheel != 0)
        && is_due
        && let Some(bytes) = passed_on(state, client, pane, event)
    {
        handed(state, client, event);
        return match shown {
            PaneId::Agent(chat) => agent::input(&mut state.domain, &chat, client, bytes),
            PaneId::Side(number) => auxiliary::input(&mut state.domain, number, client, bytes),
        };
    }
    if wheel != 0 {
        let copying = state.views.get(&client).and_then(|view| view.reading.copy);
        return match copying {
            Some(cursor) => copy::scroll(state, client, cursor, wheel),
            None => reading::scroll(state, client, wheel),
        };
    }
    if event.kind == MouseEventKind::Down(MouseButton::Left) {
        dragging::press(state, client, event);
    }
    Vec::new()
}

/// What the program is clicked in for is not what was selected before, and where the button comes up is its own too.
fn handed(state: &mut State, client: ClientId, event: MouseEvent) {
    if let Some(view) = state.views.get_mut(&client) {
        view.reading.selection = None;
        view.reading.press = None;
        if let MouseEventKind::Down(button) = event.kind {
            view.reading.handed = Some(button);
        }
    }
}

/// At the nearest place of the pane.
fn within(pane: Rect, event: MouseEvent) -> MouseEvent {
    let column = event.column.clamp(pane.x, pane.right().saturating_sub(1).max(pane.x));
    let row = event.row.clamp(pane.y, pane.bottom().saturating_sub(1).max(pane.y));
    MouseEvent { column, row, ..event }
}

/// The event as the program gets it, where it asked for the mouse and Shift does not keep it from it.
fn passed_on(state: &State, client: ClientId, pane: Rect, event: MouseEvent) -> Option<Vec<u8>> {
    if event.modifiers.contains(KeyModifiers::SHIFT) {
        return None;
    }
    let screen = state.domain.live.screen(&typing::live_pane(state, client)?)?;
    // Scrolled back, the lines under the mouse are not the program's any more.
    let reading = &state.views.get(&client)?.reading;
    if reading.top.is_some() {
        return None;
    }
    let (left, top) = layout::crop(screen, pane, reading);
    let (column, row) = (event.column - pane.x + left, event.row - pane.y + top);
    if column >= screen.cols || usize::from(row) >= screen.rows.len() {
        return None;
    }
    let event = MouseEvent { column, row, ..event };
    term::mouse::encode(&event, &screen.modes).filter(|bytes| !bytes.is_empty())
}
