//! The cards beside the terminal: what the agent was asked and did.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, Borders, Widget};

use crate::domain::approval::card::{Card, CardSubject, ToolState};
use crate::model::entry::{From, ToolStatus};
use crate::model::text::one_line;
use crate::screen::hint::label;
use crate::screen::inspector::{self, InspectorTab, PageRow, RowKind, page};
use crate::screen::keymap::ScreenAction;
use crate::screen::layout::Panel;
use crate::screen::view::{Focus, Mode};
use crate::screen::wrap::width;

use super::call;
use super::piece::{self, RowLook};
use super::scene::Scene;
use super::scrollbar;
use super::text::{after, but_last, clear, inset, put, row};
use super::usage;

pub fn draw(scene: &Scene, panel: &Panel, buf: &mut Buffer) {
    let theme = scene.theme;
    clear(buf, panel.area, theme.background.patch(theme.text));
    let focused = scene.view.focus == Focus::Inspector && scene.view.mode == Mode::Outside;
    let border = if focused { theme.focus } else { theme.border };
    Block::new()
        .borders(Borders::LEFT)
        .border_style(border)
        .render(panel.border, buf);
    let tab = scene.view.inspector.tab;
    if focused || tab != InspectorTab::Cards {
        draw_tabs(scene, panel, focused, buf);
    }
    if tab != InspectorTab::Cards {
        draw_page(scene, panel, buf);
    } else {
        draw_cards(scene, panel, focused, buf);
    }
    if let Some(bar) = inspector::bar::bar(scene.state, scene.view, panel) {
        scrollbar::draw(scene, &bar, buf);
    }
}

fn draw_cards(scene: &Scene, panel: &Panel, focused: bool, buf: &mut Buffer) {
    let theme = scene.theme;
    let Some(cards) = inspector::cards(scene.state, scene.view) else {
        put(buf, inset(panel.list, 1), "reading the transcript…", theme.dim);
        return;
    };
    if !focused {
        draw_title(scene, panel, cards.iter(), buf);
    }
    if cards.is_empty() {
        put(buf, inset(panel.list, 1), "Nothing was asked or done yet.", theme.dim);
        return;
    }
    let inspector = &scene.view.inspector;
    let places = inspector::places(scene.state, scene.view);
    let rows = inspector::rows(cards, inspector, &places, panel.list.width.into());
    let first = inspector::first_row(inspector, rows.len(), panel.list.height.into());
    for (at, line) in rows.iter().skip(first).take(panel.list.height.into()).enumerate() {
        let area = row(panel.list, at);
        let selected = focused && inspector.selected == Some(line.card);
        let within = but_last(after(area, 3), 1);
        match line.kind {
            RowKind::Head => {
                if let Some(card) = cards.iter().find(|card| card.seq == line.card) {
                    draw_head(scene, card, selected, area, buf);
                }
            }
            RowKind::Body => piece::draw(theme, &line.text, RowLook::default(), within, buf),
            RowKind::More => {
                piece::draw(theme, &line.text, RowLook::default(), within, buf);
                let words: usize = line.text.pieces.iter().map(|piece| width(&piece.text)).sum();
                let keys = scene
                    .state
                    .keymap
                    .leading(scene.view.behind(), ScreenAction::Output.into());
                let key = label(&keys);
                let used = u16::try_from(words).unwrap_or(u16::MAX);
                put(buf, after(within, used), &format!(": {key} shows it"), theme.accent);
            }
        }
    }
}

/// The tabs with the keys that show them.
fn draw_tabs(scene: &Scene, panel: &Panel, focused: bool, buf: &mut Buffer) {
    let theme = scene.theme;
    for placed in page::tabs(&scene.view.inspector, panel) {
        let style = match (placed.tab == scene.view.inspector.tab, focused) {
            (true, true) => theme.accent.add_modifier(Modifier::BOLD),
            (true, false) => theme.header,
            (false, _) => theme.dim,
        };
        put(buf, placed.area, &placed.words, style);
    }
}

/// What is read and scrolled.
fn draw_page(scene: &Scene, panel: &Panel, buf: &mut Buffer) {
    let theme = scene.theme;
    let rows = page::rows(scene.state, scene.view, panel);
    let height = usize::from(panel.list.height);
    let first = page::first_row(scene.view.inspector.scroll, rows.len(), panel);
    let within = inset(panel.list, page::MARGIN);
    for (at, line) in rows.iter().skip(first).take(height).enumerate() {
        let area = row(within, at);
        match line {
            PageRow::Text(text) => piece::draw(theme, text, RowLook::default(), area, buf),
            PageRow::Setting(text, number) => {
                let has_keys = scene.view.focus == Focus::Inspector && scene.view.mode == Mode::Outside;
                if has_keys && *number == scene.view.inspector.setting {
                    put(buf, row(panel.list, at), "▌", theme.accent);
                    buf.set_style(area, theme.selection);
                }
                piece::draw(theme, text, RowLook::default(), area, buf);
            }
            PageRow::Call(seq) => {
                let called = inspector::cards(scene.state, scene.view);
                let card = called.and_then(|cards| cards.iter().find(|card| card.seq == *seq));
                if let Some((card, CardSubject::Tool(tool))) = card.map(|card| (card, &card.what)) {
                    call::draw_card(scene, card, tool, false, area, buf);
                }
            }
            PageRow::Usage(line) => usage::draw_lines(theme, std::slice::from_ref(line), area, buf),
        }
    }
}

fn draw_title<'c>(scene: &Scene, panel: &Panel, cards: impl Iterator<Item = &'c Card>, buf: &mut Buffer) {
    let (mut calls, mut failed, mut errors) = (0, 0, 0);
    for card in cards {
        match &card.what {
            CardSubject::Tool(tool) => {
                calls += 1;
                failed += usize::from(matches!(
                    tool.state,
                    ToolState::Ended {
                        status: ToolStatus::Error,
                        ..
                    }
                ));
            }
            CardSubject::Error { .. } => errors += 1,
            CardSubject::Prompt { .. } | CardSubject::Interrupt { .. } => {}
        }
    }
    let words = match calls {
        1 => "1 call".to_string(),
        calls => format!("{calls} calls"),
    };
    let title = inset(panel.title, 1);
    let used = put(buf, title, &words, scene.theme.dim);
    let noun = match errors {
        0 | 1 => "error",
        _ => "errors",
    };
    let mut rest = after(title, used);
    for (count, what) in [(failed, "failed"), (errors, noun)] {
        if count > 0 {
            let used = put(buf, rest, &format!(" · {count} {what}"), scene.theme.failed);
            rest = after(rest, used);
        }
    }
}

/// Sign, name, what it is about; the directory and how long at the right.
fn draw_head(scene: &Scene, card: &Card, selected: bool, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    if selected {
        clear(buf, area, theme.selection);
    }
    let over = |style: Style| if selected { theme.selection } else { style };
    let (sign, style, name, words) = match &card.what {
        CardSubject::Prompt { text, from } => (">", theme.accent, requester(*from), one_line(text, 200)),
        CardSubject::Interrupt { .. } => ("■", theme.waiting, "Interrupted", String::new()),
        CardSubject::Error { message, .. } => ("!", theme.failed, "Error", one_line(message, 200)),
        CardSubject::Tool(tool) => return call::draw_card(scene, card, tool, selected, area, buf),
    };
    let bold = style.add_modifier(Modifier::BOLD);
    let at = after(area, 1);
    let used = put(buf, at, sign, over(bold)) + 1;
    let used = used + put(buf, after(at, used), name, over(bold));
    let gap = u16::from(!name.is_empty());
    put(buf, after(at, used + gap), &words, over(style));
}

fn requester(from: From) -> &'static str {
    match from {
        From::Person => "",
        From::Parent => "parent:",
        From::Schedule => "schedule:",
        From::Inbox => "inbox:",
    }
}
