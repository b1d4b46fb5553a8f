//! The whole of one client's screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::config::theme::Theme;
use crate::domain::chat as chats;
use crate::model::ClientId;
use crate::model::text::one_line;
use crate::screen::keymap::PaneSheet;
use crate::screen::surface::Surface;
use crate::screen::typing::live_pane;
use crate::screen::view::{Mode, Tab};
use crate::screen::{State, layout, reading};

use super::scene::{CursorAt, Scene};
use super::terminal::BareScreen;
use super::{
    automations, foot, grid, header, inspector, key_card, leader, mark, pane, reader, sidebar, surfaces, tab, toast,
};

/// Draws what this client sees into `area`, and says where the cursor is, if it is to be seen.
pub fn render(state: &State, client: ClientId, theme: &Theme, area: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let view = state.views.get(&client)?;
    let plain;
    let theme = match view.client.no_color {
        true => {
            plain = Theme::plain();
            &plain
        }
        false => theme,
    };
    let scene = Scene { state, view, theme };
    if view.over.reader.is_some() {
        return reader::render(&scene, buf);
    }
    let layout = layout::arrange(view);
    buf.set_style(area, theme.background.patch(theme.text));
    let mut cursor = match view.tab {
        Tab::Sheet(sheet) if view.chat.is_some() && layout.beside.is_none() => tab::draw(&scene, sheet, buf),
        Tab::Sheet(_) | Tab::Terminal | Tab::Side(_) => pane::draw(&scene, layout.pane, layout.free, buf),
    };
    if layout.beside.is_some() {
        let typed = tab::draw(&scene, PaneSheet::Transcript, buf);
        cursor = typed.or(cursor);
    }
    grid::draw(&scene, buf);
    if let Some(panel) = &layout.inspector {
        inspector::draw(&scene, panel, buf);
        cursor = cursor.filter(|at| !layout::holds(panel.area, at.x, at.y));
    }
    header::draw(&scene, layout.header, buf);
    header::draw_rule(&scene, layout.rule, buf);
    if let Some(rail) = layout.rail {
        sidebar::rail::draw(&scene, rail, layout.rule, buf);
    }
    if let Some(bar) = layout.sidebar {
        let typed = sidebar::draw(&scene, &bar, layout.rule, buf);
        cursor = typed.or(cursor.filter(|at| !layout::holds(bar.area, at.x, at.y)));
    }
    foot::draw(&scene, layout.foot, buf);
    if view.leader && state.domain.now >= view.over.menu_from {
        leader::draw(&scene, &layout, buf);
        cursor = None;
    }
    if let Some(page) = &view.over.automations {
        automations::draw(&scene, page, layout.whole, buf);
        foot::draw(&scene, layout.foot, buf);
        cursor = None;
    }
    let over = layout::for_dialogs(view);
    let mut covered = Rect::default();
    if let Some(open) = &view.over.dialog {
        surfaces::draw_veil(&scene, open, over, buf);
        let behind = (!view.over.toasts.is_empty()).then(|| buf.clone());
        cursor = surfaces::draw_dialog(&scene, open, over, buf);
        covered = behind.map_or(covered, |behind| toast::drawn_over(&behind, buf));
        if let Some(card) = &view.over.keys {
            key_card::draw(&scene, card, open, over, buf);
            cursor = None;
        }
        foot::draw(&scene, layout.foot, buf);
    }
    mark::draw(&scene, buf);
    toast::draw(&scene, &layout, covered, buf);
    cursor.filter(|at| layout::holds(area, at.x, at.y))
}

/// The screen of the program that is shown where it is drawn and nothing lies over any of it.
pub fn bare_screen(state: &State, client: ClientId) -> Option<BareScreen> {
    let view = state.views.get(&client)?;
    live_pane(state, client)?;
    let screen = reading::live(state, view)?;
    let layout = layout::arrange(view);
    let surface = view.surface();
    let covered = surface == Surface::Leader
        || surface.covers()
        || !view.tab.is_terminal()
        || view.reading.is_under_way()
        || !view.over.toasts.is_empty()
        || layout.beside.is_some()
        || view.grid.is_some()
        || layout.free != layout.pane
        || layout.pane.intersects(layout.foot);
    let area = layout.pane.intersection(layout.whole);
    (!covered).then(|| BareScreen {
        screen: screen.clone(),
        area,
        crop: layout::crop(screen, area, &view.reading),
        focused: view.mode == Mode::Agent,
    })
}

/// The title of the person's terminal window: the chat that is shown, and who waits.
pub fn title(state: &State, client: ClientId) -> String {
    let chat = state.views.get(&client).and_then(|view| view.chat.as_ref());
    let known = chat.and_then(|chat| state.domain.disk.chats.get(chat));
    let name = known.map(|known| {
        let name = one_line(chats::label(&state.domain, known), 60);
        let project = known.projects.first().map(header::project);
        let project = project.map_or(String::new(), |project| format!(" · {}", one_line(&project, 60)));
        format!("{name}{project}")
    });
    let waiting = header::counts(state).needs_you;
    let waiting = if waiting == 0 {
        String::new()
    } else {
        format!("({waiting}) ")
    };
    match name {
        Some(name) => format!("{waiting}{name} · parlour"),
        None => format!("{waiting}parlour"),
    }
}
