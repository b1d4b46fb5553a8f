//! The Work pane: the board, or the graph; or what it is for, where there is nothing yet.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, Borders, Widget};

use crate::screen::keymap::{SheetAction, WorkAction};
use crate::screen::tab::board::cards::{self, AtomLook, CardLine, CardLineKind, Column};
use crate::screen::tab::board::{self, Face};
use crate::screen::view::{Focus, Mode};
use crate::ui::message::{self, Placeholder};
use crate::ui::scene::Scene;
use crate::ui::scrollbar;
use crate::ui::tab::graph;
use crate::ui::tab::graph::sign;
use crate::ui::text::{after, clear, inset, put, row};

pub fn draw(scene: &Scene, buf: &mut Buffer) {
    let area = board::area(scene.view);
    clear(buf, area, scene.theme.background.patch(scene.theme.text));
    let Some((_, plan)) = board::shown(scene.state, scene.view) else {
        return message::draw(&empty(scene), area, scene.theme, buf);
    };
    let problem = board::problem(plan);
    if let Some(problem) = &problem {
        put(buf, inset(row(area, 0), 1), problem, scene.theme.failed);
    }
    match scene.view.tabs.board.face {
        _ if plan.atoms().next().is_none() => message::draw(&empty(scene), area, scene.theme, buf),
        Face::Board => {
            let columns = cards::columns(scene.state, scene.view);
            for (at, (column, top)) in columns.iter().zip(scene.view.tabs.board.tops).enumerate() {
                draw_column(scene, column, top, at > 0, buf);
            }
        }
        Face::Graph => graph::draw(scene, plan, buf),
    }
}

fn empty(scene: &Scene) -> Placeholder {
    let keys = [(WorkAction::Add, "add a task"), (WorkAction::Close, "the terminal")];
    Placeholder {
        sign: None,
        headline: "No plan yet".into(),
        words: "The chats of a tree can share a plan: tasks, what each waits for, and who does it. Agents add to it \
                and claim from it by themselves, and so can you."
            .into(),
        keys: scene.sheet_keys(keys.map(|(action, words)| (SheetAction::Work(action), words))),
    }
}

/// Keys are this pane's.
fn is_focused(scene: &Scene) -> bool {
    scene.view.focus == Focus::Pane && scene.view.mode == Mode::Outside
}

fn draw_column(scene: &Scene, column: &Column, top: usize, beside: bool, buf: &mut Buffer) {
    let theme = scene.theme;
    if beside {
        Block::new()
            .borders(Borders::LEFT)
            .border_style(theme.border)
            .render(column.area, buf);
    }
    if let Some((status, count)) = column.head {
        put(
            buf,
            inset(after(row(column.area, 0), u16::from(beside)), 1),
            &cards::heading(status, count),
            theme.accent,
        );
    }
    let high = usize::from(column.list.height);
    for (at, line) in column.lines.iter().skip(top).take(high).enumerate() {
        draw_line(scene, line, row(column.list, at), beside, buf);
    }
    let bar = board::column_bar(column, top);
    scrollbar::draw(scene, &bar, buf);
    let below = column
        .lines
        .iter()
        .skip(top + high)
        .filter(|line| matches!(line.kind, CardLineKind::Title(_)))
        .count();
    scrollbar::draw_rest(scene, below, row(column.list, high.saturating_sub(1)), buf);
}

fn draw_line(scene: &Scene, line: &CardLine, area: Rect, beside: bool, buf: &mut Buffer) {
    let theme = scene.theme;
    let selected = is_focused(scene) && line.key.is_some() && line.key == scene.view.tabs.board.selected;
    let area = after(area, u16::from(beside));
    if selected {
        clear(buf, area, theme.selection);
    }
    let over = |style: Style| if selected { theme.selection } else { style };
    let area = inset(area, 1);
    match line.kind {
        CardLineKind::Heading(_) => {
            put(buf, area, &line.text, theme.accent);
        }
        CardLineKind::Title(look) | CardLineKind::Further(look) => {
            if matches!(line.kind, CardLineKind::Title(_)) {
                let (sign, style) = sign(scene, look);
                put(buf, area, sign, over(style));
            }
            let weight = match look {
                AtomLook::Ready | AtomLook::InProgress => theme.text.add_modifier(Modifier::BOLD),
                AtomLook::Blocked => theme.text,
                AtomLook::Done => theme.dim,
            };
            put(buf, after(area, 2), &line.text, over(weight));
        }
        CardLineKind::About => {
            put(buf, after(area, 2), &line.text, over(theme.dim));
        }
        CardLineKind::Note => {
            put(buf, after(area, 2), &line.text, over(theme.waiting));
        }
        CardLineKind::Gap => {}
    }
}
