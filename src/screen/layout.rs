//! Where things are on one client's screen. Mouse hits, terminal sizes and drawing all ask here.

pub mod first;
mod parts;
mod reader;

use ratatui::layout::{Position, Rect};

use crate::domain::event::Size;
use crate::term::Screen;

use super::figures::data::MOST_LINES;
use super::grid::tiles::{self, body};
use super::inspector::InspectorTab;
use super::keymap::PaneSheet;
use super::reading::Reading;
use super::view::{Focus, Mode, Tab, View};

pub use parts::{Bar, Layout, Panel};

/// Below this nothing of the sidebar stands beside the pane.
const NARROW: u16 = 70;
/// Where the whole sidebar would leave less to the pane, it lies over it while it has the keys, and a rail stays beside.
const WHOLE_PANE: u16 = 80;
/// A mark, a sign and a line.
const RAIL: u16 = 3;
const NARROWEST_SIDEBAR: u16 = 18;
/// Of one that lies over the pane.
const DRAWER: u16 = 36;
/// From here on the inspector is shown unless a person hides it, and two things can stand side by side.
pub const ROOMY: u16 = 160;
/// Below this the inspector lies over the pane.
const ROOM_FOR_INSPECTOR: u16 = 100;
const OVER_INSPECTOR: u16 = 56;
/// Narrower than this it says nothing.
const LEAST_INSPECTOR: u16 = 8;
/// In so many columns its tabs have their names, and an open card can be read.
const NAMED_TABS: u16 = 46;
/// A strip of the pane narrower than this shows nothing whole and is better covered.
const NARROWEST_STRIP: u16 = 16;
/// From here on there are rows for a card of figures below the list, however long that is.
const ROOM_FOR_CARD: u16 = 45;
/// The most rows of that card: a line and what it says.
const CARD: u16 = 1 + MOST_LINES;
/// What the pane keeps when the sidebar is dragged wide.
const NARROWEST_PANE: u16 = 30;

/// Where dialogs lie: over all but the last row, which says their keys.
pub fn for_dialogs(view: &View) -> Rect {
    let layout = arrange(view);
    Rect {
        height: layout.whole.height - layout.foot.height,
        ..layout.whole
    }
}

/// What of the pane is in sight, without the line that lies over a zoomed one.
pub fn above_foot(view: &View) -> Rect {
    let placed = arrange(view);
    let mut area = placed.free;
    if area.bottom() > placed.foot.y && placed.foot.height > 0 {
        area.height = placed.foot.y.saturating_sub(area.y);
    }
    area
}

/// Where the selected chat's terminal stands without anything around it: zoomed, or as a tile of the grid.
fn alone(view: &View, body: Rect) -> Option<Rect> {
    if view.zoomed && view.chat.is_some() {
        return Some(body);
    }
    let mut tiles = tiles::tiles(view).into_iter();
    let tile = tiles.find(|tile| Some(&tile.chat) == view.chat.as_ref());
    tile.map(|tile| tile.pane)
}

/// The parts of the screen for this view.
pub fn arrange(view: &View) -> Layout {
    if view.over.reader.is_some() {
        return reader::for_reader(view);
    }
    let whole = Rect::new(0, 0, view.size.cols, view.size.rows);
    let nothing = Rect::new(0, 0, 0, 0);
    let body = body(view.size);
    let foot = Rect {
        y: body.bottom(),
        height: whole.height - body.height,
        ..whole
    };
    if let Some(pane) = alone(view, body) {
        return Layout {
            whole,
            sidebar: None,
            rail: None,
            header: nothing,
            rule: nothing,
            pane,
            free: pane,
            inspector: None,
            beside: None,
            foot,
        };
    }
    let sidebar = sidebar(view, body);
    let rail = rail(view, body);
    let railed = rail.map_or(0, |rail| rail.width);
    let beside = sidebar.filter(|bar| !bar.over).map_or(railed, |bar| bar.area.width);
    let main = Rect {
        x: beside,
        width: body.width - beside,
        ..body
    };
    let (header_rows, rule_rows) = rows_above(main.height);
    let covered = sidebar.map_or(railed, |bar| bar.area.width);
    let beside = Rect {
        x: covered,
        width: body.width - covered,
        ..body
    };
    let header = Rect {
        height: header_rows,
        ..beside
    };
    let rule = Rect {
        y: header.bottom(),
        height: rule_rows,
        ..beside
    };
    let pane = Rect {
        y: rule.bottom(),
        height: main.height - header_rows - rule_rows,
        ..main
    };
    let inspector = inspector(view, pane, beside.x);
    let taken = inspector.map_or(0, |panel| panel.area.width);
    let pane = Rect {
        width: pane.width - inspector.map_or(0, |panel| panel.takes),
        ..pane
    };
    let free = Rect {
        y: pane.y,
        height: pane.height,
        width: beside.width.saturating_sub(taken),
        ..beside
    };
    let pane = if view.reading.is_kept { free } else { pane };
    let (pane, beside) = match is_halved(view) {
        true => halves(pane),
        // It moves over, so that its lines are read from their beginnings, and goes on beyond the screen.
        false if sidebar.is_some_and(|bar| bar.over) => (Rect { x: free.x, ..pane }, None),
        false => (pane, None),
    };
    let (free, beside) = match view.tab {
        Tab::Terminal | Tab::Sheet(PaneSheet::Transcript) if beside.is_some() => (pane, beside),
        Tab::Terminal | Tab::Sheet(_) | Tab::Side(_) => (free, None),
    };
    Layout {
        whole,
        sidebar,
        rail: rail.filter(|_| sidebar.is_none()),
        header,
        rule,
        pane,
        free,
        inspector,
        beside,
        foot,
    }
}

/// Rows of the header and of the line below it.
fn rows_above(height: u16) -> (u16, u16) {
    let header = match height {
        0..6 => 0,
        6..16 => 1,
        16.. => 2,
    };
    (header, u16::from(height >= 6))
}

/// The terminal has half of its place, the transcript may have the other. A shell is a terminal alone.
pub fn is_halved(view: &View) -> bool {
    let is_agents = match view.tab {
        Tab::Terminal | Tab::Sheet(_) => true,
        Tab::Side(_) => false,
    };
    let is_told = view.chat.is_some() && !view.inspector.of_shell;
    view.transcript.look.beside && view.size.cols >= ROOMY && is_told && is_agents
}

/// A line stands between the two.
fn halves(place: Rect) -> (Rect, Option<Rect>) {
    let left = place.width.saturating_sub(1) / 2;
    let pane = Rect { width: left, ..place };
    let beside = Rect {
        x: place.x + left + 1,
        width: place.width.saturating_sub(left + 1),
        ..place
    };
    (pane, Some(beside))
}

fn wants_inspector(view: &View) -> bool {
    let usual = view.size.cols >= ROOMY && !is_halved(view) && !view.inspector.of_shell;
    view.inspector.wanted.unwrap_or(usual) && view.chat.is_some()
}

/// It is in sight, or makes way for what is read in the pane until it has the keys.
pub fn has_inspector(view: &View) -> bool {
    arrange(view).inspector.is_some() || view.sheet().is_some() && wants_inspector(view) && !view.zoomed
}

/// At the right of the pane's place; over it where there is no room beside, but not over a terminal that is typed in.
/// A sidebar that lies over the pane reaches up to `free`.
fn inspector(view: &View, place: Rect, free: u16) -> Option<Panel> {
    if !wants_inspector(view) || place.height < 3 {
        return None;
    }
    let over = view.size.cols < ROOM_FOR_INSPECTOR;
    if over && (view.mode == Mode::Agent || is_read(view)) {
        return None;
    }
    let has_keys = view.focus == Focus::Inspector;
    let is_beside_list = free > place.x;
    let left = if over { free.max(place.x) } else { place.x };
    let place = Rect {
        x: left,
        width: place.right().saturating_sub(left),
        ..place
    };
    // What is read in the pane is read whole, and so are the cards. Whoever chooses a chat sees some of it.
    let gives_way = view.sheet().is_some() || is_beside_list || place.width < NARROWEST_PANE;
    if over && !has_keys && gives_way {
        return None;
    }
    let width = match over {
        true if view.sheet().is_some() || place.width < OVER_INSPECTOR + NARROWEST_STRIP => place.width,
        true => OVER_INSPECTOR,
        false => beside_pane(view, place.width),
    };
    if width < LEAST_INSPECTOR {
        return None;
    }
    let takes = if over { 0 } else { width };
    // What is read takes half of the screen. The terminal keeps its size, so that its program need not draw again.
    let width = match view.inspector.tab {
        // Nor do they grow as they get the keys: the lines that a card is about are read beside it.
        InspectorTab::Cards if !has_keys || view.sheet().is_some() || view.inspector.open.is_empty() => width,
        InspectorTab::Cards => width.max((view.size.cols * 2 / 5).min(NAMED_TABS).min(place.width)),
        InspectorTab::Card | InspectorTab::Todos | InspectorTab::Usage | InspectorTab::Chat => {
            width.max((view.size.cols / 2).min(place.width))
        }
    };
    let area = Rect {
        x: place.right() - width,
        width,
        ..place
    };
    let inner = Rect {
        x: area.x + 1,
        width: width - 1,
        ..area
    };
    Some(Panel {
        area,
        title: Rect { height: 1, ..inner },
        list: Rect {
            y: inner.y + 1,
            height: inner.height - 1,
            ..inner
        },
        border: Rect { width: 1, ..area },
        over,
        takes,
    })
}

/// Columns of an inspector that stands beside the pane.
fn beside_pane(view: &View, place: u16) -> u16 {
    (view.size.cols / 4)
        .clamp(32, 56)
        .min(place.saturating_sub(NARROWEST_PANE))
}

/// Keys are for what the terminal shows, so nothing lies over it.
fn is_read(view: &View) -> bool {
    view.reading.links.is_some() || view.reading.copy.is_some()
}

fn has_nothing_to_choose(view: &View) -> bool {
    view.chat.is_none() && view.sidebar.filter.is_none()
}

/// Columns of a sidebar that nobody dragged, where it does not lie over a narrow screen.
fn usual_width(body: Rect) -> u16 {
    (body.width / 15 * 4).clamp(28, 40)
}

/// The list lies over the terminal while one chooses in it, and is not there else.
pub fn has_list_over(view: &View) -> bool {
    view.size.cols < NARROW
}

/// Too little would be left beside it. Whoever drags it wide wants it so.
fn is_drawer(view: &View, body: Rect) -> bool {
    let usual = usual_width(body);
    let width = match view.sidebar.width {
        0 => usual,
        set => set.max(NARROWEST_SIDEBAR).min(usual),
    };
    body.width >= NARROW && body.width - width < WHOLE_PANE
}

/// Columns that a drawer takes from the pane, whether it is open or shut: no key changes the size of a terminal.
fn rail(view: &View, body: Rect) -> Option<Rect> {
    let is_there = is_drawer(view, body) && !view.sidebar.hidden && !has_nothing_to_choose(view);
    is_there.then_some(Rect { width: RAIL, ..body })
}

fn sidebar(view: &View, body: Rect) -> Option<Bar> {
    let is_narrow = body.width < NARROW;
    let over = is_narrow || is_drawer(view, body);
    let choosing = view.mode == Mode::Outside && view.focus == Focus::Sidebar && !has_nothing_to_choose(view);
    let choosing = choosing && !is_read(view);
    if (over && !choosing) || (!over && view.sidebar.hidden) || body.width == 0 {
        return None;
    }
    let own = match (view.sidebar.width, is_narrow) {
        (0, false) if over => usual_width(body).max(DRAWER),
        (0, false) => usual_width(body),
        // A strip of the pane that shows nothing whole is better covered.
        (0, true) if body.width < DRAWER + 16 => body.width,
        (0, true) => DRAWER,
        (set, _) => set,
    };
    let most = match over {
        true => body.width,
        false => body.width.saturating_sub(NARROWEST_PANE),
    };
    let width = own.max(NARROWEST_SIDEBAR).min(most).max(1);
    let area = Rect { width, ..body };
    let border = Rect {
        x: area.right() - 1,
        width: 1,
        ..area
    };
    let inner = Rect {
        width: width - 1,
        ..area
    };
    let title = Rect {
        height: inner.height.min(1),
        ..inner
    };
    let filter_rows = match view.sidebar.filter.is_some() {
        true => inner.height.saturating_sub(1).min(1),
        false => 0,
    };
    let filter = Rect {
        y: title.bottom(),
        height: filter_rows,
        ..inner
    };
    let taken = title.height + filter_rows;
    let card_rows = match has_card(view, inner.height, taken) {
        true => view.sidebar.figures.as_ref().map_or(CARD, |figures| 1 + figures.lines),
        false => 0,
    };
    let list = Rect {
        y: inner.y + taken,
        height: inner.height.saturating_sub(taken + card_rows),
        ..inner
    };
    let card = Rect {
        y: list.bottom(),
        height: card_rows,
        ..inner
    };
    Some(Bar {
        area,
        title,
        filter,
        list,
        card,
        border,
        over,
        is_joined: !is_narrow,
    })
}

/// Below the list, where its rows leave so many, once there is something to say in it.
fn has_card(view: &View, high: u16, taken: u16) -> bool {
    let is_known = view.sidebar.figures.as_ref().is_some_and(|figures| figures.is_shown);
    view.chat.is_some() && (high >= ROOM_FOR_CARD || is_known && leaves_room(view, high.saturating_sub(taken)))
}

/// The chats leave rows for the card of figures.
fn leaves_room(view: &View, high: u16) -> bool {
    let all = view.sidebar.rows.last().map_or(0, |row| row.top + row.height);
    all + usize::from(CARD) <= usize::from(high)
}

/// The card of figures is there, or would be if they were known.
pub fn wants_figures(view: &View) -> bool {
    arrange(view)
        .sidebar
        .is_some_and(|bar| bar.card.height > 0 || leaves_room(view, bar.list.height))
}

/// The size a terminal in this view has.
pub fn pane_size(view: &View) -> Size {
    let pane = arrange(view).pane;
    Size {
        cols: pane.width,
        rows: pane.height,
    }
}

/// Which part of a terminal that is larger than its pane is seen: its left column and top row. Follows the cursor, the
/// one of copy mode where there is one.
pub fn crop(screen: &Screen, pane: Rect, reading: &Reading) -> (u16, u16) {
    let rows = u16::try_from(screen.rows.len()).unwrap_or(u16::MAX);
    let follow = |cursor: u16, seen: u16, all: u16| match all > seen {
        true => (cursor + 1).saturating_sub(seen).min(all - seen),
        false => 0,
    };
    let (row, col) = match &reading.copy {
        Some(copy) => {
            let row = copy.cursor.line.saturating_sub(screen.first);
            (u16::try_from(row).unwrap_or(u16::MAX), copy.cursor.col)
        }
        None => (screen.cursor.row, screen.cursor.col),
    };
    let row = row.min(rows.saturating_sub(1));
    let col = col.min(screen.cols.saturating_sub(1));
    (follow(col, pane.width, screen.cols), follow(row, pane.height, rows))
}

pub fn holds(area: Rect, x: u16, y: u16) -> bool {
    area.contains(Position::new(x, y))
}

/// Without its first `columns`.
pub fn after(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width);
    Rect {
        x: area.x + columns,
        width: area.width - columns,
        ..area
    }
}

/// Its first `columns` alone.
pub fn up_to(area: Rect, columns: u16) -> Rect {
    Rect {
        width: columns.min(area.width),
        ..area
    }
}
