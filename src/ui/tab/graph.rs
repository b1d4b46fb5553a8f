//! The work graph with its wires.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::style::Style;

use crate::model::atom::Graph;
use crate::screen::tab::board::cards::AtomLook;
use crate::screen::tab::board::graph::{self, EAST, NORTH, SOUTH, TIP, WEST};
use crate::ui::scene::Scene;
use crate::ui::text::{inset, put, row};

pub fn draw(scene: &Scene, plan: &Graph, buf: &mut Buffer) {
    let board = &scene.view.tabs.board;
    let place = graph::place(scene.state, scene.view).intersection(buf.area);
    let drawing = graph::draw(plan, board.selected.as_ref());
    let (left, top) = board.corner;
    let at = |x: usize, y: usize| -> Option<(u16, u16)> {
        let (x, y) = (
            u16::try_from(x.checked_sub(left)?).ok()?,
            u16::try_from(y.checked_sub(top)?).ok()?,
        );
        (x < place.width && y < place.height).then_some((place.x + x, place.y + y))
    };
    for ((x, y), wire) in &drawing.wires {
        let style = if wire.lit {
            scene.theme.accent
        } else {
            scene.theme.border
        };
        if let Some(cell) = at(*x, *y).and_then(|at| buf.cell_mut(at)) {
            cell.set_symbol(symbol(wire.arms)).set_style(style);
        }
    }
    for node in &drawing.nodes {
        let (sign, style) = sign(scene, node.look);
        let selected = board.selected.as_ref() == Some(&node.key);
        let text = match node.look {
            AtomLook::Ready | AtomLook::InProgress => scene.theme.text.add_modifier(Modifier::BOLD),
            AtomLook::Blocked => scene.theme.text,
            AtomLook::Done => scene.theme.dim,
        };
        let over = |style| if selected { scene.theme.selection } else { style };
        // What is left of the edge is cut off with the name's beginning.
        let hidden = left.saturating_sub(node.x);
        let Some((x, y)) = at(node.x.max(left), node.y) else {
            continue;
        };
        let width = u16::try_from(node.width.saturating_sub(hidden))
            .unwrap_or(0)
            .min(place.right() - x);
        let line = Rect::new(x, y, width, 1);
        match hidden {
            0 => {
                put(buf, line, &format!("{sign} "), over(style));
                put(buf, crate::ui::text::after(line, 2), &node.label, over(text));
            }
            hidden => {
                let rest: String = node.label.chars().skip(hidden.saturating_sub(2)).collect();
                put(buf, line, &rest, over(text));
            }
        }
    }
    let (right, below) = (left + usize::from(place.width), top + usize::from(place.height));
    let more = [
        (left > 0, "←"),
        (drawing.width > right, "→"),
        (top > 0, "↑"),
        (drawing.height > below, "↓"),
    ];
    let more: Vec<&str> = more
        .into_iter()
        .filter(|(is_so, _)| *is_so)
        .map(|(_, sign)| sign)
        .collect();
    draw_selected(scene, plan, &more.join(" "), buf);
}

/// The last row: what the selected atom is, and in which directions there is more.
fn draw_selected(scene: &Scene, plan: &Graph, more: &str, buf: &mut Buffer) {
    let area = crate::screen::tab::board::area(scene.view);
    let line = inset(row(area, usize::from(area.height.saturating_sub(1))), 1);
    let line = crate::ui::text::put_right(buf, line, more, scene.theme.accent);
    let Some(key) = &scene.view.tabs.board.selected else {
        return;
    };
    let title = plan.get(key).map(|atom| atom.title.as_str()).unwrap_or_default();
    let waits = match plan.waits_for(key) {
        waits if waits.is_empty() => String::new(),
        waits => format!(" · waits for {}", waits.join(", ")),
    };
    put(buf, line, &format!("{title}{waits}"), scene.theme.dim);
}

fn symbol(arms: u8) -> &'static str {
    if arms & TIP != 0 {
        return "▸";
    }
    const NES: u8 = NORTH | EAST | SOUTH;
    const NSW: u8 = NORTH | SOUTH | WEST;
    const ESW: u8 = EAST | SOUTH | WEST;
    const NEW: u8 = NORTH | EAST | WEST;
    const ES: u8 = EAST | SOUTH;
    const SW: u8 = SOUTH | WEST;
    const NE: u8 = NORTH | EAST;
    const NW: u8 = NORTH | WEST;
    const NS: u8 = NORTH | SOUTH;
    match arms {
        NES => "├",
        NSW => "┤",
        ESW => "┬",
        NEW => "┴",
        ES => "┌",
        SW => "┐",
        NE => "└",
        NW => "┘",
        NORTH | SOUTH | NS => "│",
        EAST | WEST => "─",
        _ if arms == EAST | WEST => "─",
        _ => "┼",
    }
}

pub fn sign(scene: &Scene, look: AtomLook) -> (&'static str, Style) {
    match look {
        AtomLook::Ready => ("○", scene.theme.unseen),
        AtomLook::Blocked => ("◌", scene.theme.dim),
        AtomLook::InProgress => ("●", scene.theme.running),
        AtomLook::Done => ("✓", scene.theme.dim),
    }
}
