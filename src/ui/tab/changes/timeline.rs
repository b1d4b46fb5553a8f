//! The marks of the turns, and a row about the chosen one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;

use crate::domain::review::way::{PointWay, way};
use crate::model::origin::AskedLine;
use crate::model::review::{Amount, DiffSet};
use crate::screen::tab::changes::in_place::is_all;
use crate::screen::tab::changes::timeline::{chosen, marks, spots};
use crate::screen::tab::changes::told_turn;
use crate::ui::scene::Scene;
use crate::ui::text::{after, inset, put, put_right, row};

pub fn draw(scene: &Scene, area: Rect, buf: &mut Buffer) {
    if area.is_empty() {
        return;
    }
    let theme = scene.theme;
    let changes = &scene.view.changes;
    let told = told_turn::told(scene.view);
    let (marks, chosen) = (marks(changes), chosen(changes));
    let told_turn = told.map(|told| told.turn);
    let about = told_turn.or(chosen);
    let Some(mark) = marks.iter().find(|mark| Some(mark.turn) == about) else {
        let way = scene.view.chat.as_ref().and_then(|chat| way(&scene.state.domain, chat));
        let words = match way {
            _ if is_all(changes) => "Opened in place: parlour only reads it.",
            Some(PointWay::OnDemand) => "A shell has no turns.",
            Some(PointWay::Before | PointWay::Told | PointWay::Sent) | None => {
                "No prompt yet: each one begins a turn here."
            }
        };
        put(buf, inset(row(area, 0), 1), words, theme.dim);
        return;
    };
    let strip = row(area, 0);
    let line = "─".repeat(usize::from(strip.width));
    put(buf, strip, &line, theme.border);
    let is_turn = matches!(changes.set, DiffSet::LastPrompt | DiffSet::Turn(_));
    for spot in spots(&marks, (chosen, told_turn), usize::from(strip.width)) {
        let is_reverted = marks.iter().any(|mark| mark.turn == spot.turn && mark.is_reverted);
        let is_marked = marks
            .iter()
            .any(|mark| mark.turn == spot.turn && Some(mark.number) == changes.marks.to_compare);
        let mut style = match () {
            () if told.is_some_and(|told| told.turn == spot.turn) => theme.found.add_modifier(Modifier::BOLD),
            () if Some(spot.turn) == chosen && is_turn => theme.selection.add_modifier(Modifier::BOLD),
            () if Some(spot.turn) == chosen => theme.accent.add_modifier(Modifier::BOLD),
            () if is_marked => theme.found,
            () => theme.text,
        };
        if is_reverted {
            style = style.add_modifier(Modifier::CROSSED_OUT);
        }
        let x = u16::try_from(spot.x).unwrap_or(u16::MAX);
        put(buf, after(strip, x), &spot.text, style);
    }
    let about = inset(row(area, 1), 1);
    let amount = match mark.amount {
        Some(amount) if amount.files == 0 => "changed nothing".to_string(),
        Some(amount) => in_words(amount),
        None => String::new(),
    };
    let amount = match mark.after {
        Some(after) => format!("{amount}, {} after it", in_words(after)),
        None => amount,
    };
    // What is compared may have nothing to do with the turn: what that changed is not what is shown.
    let is_meant = is_turn || told.is_some();
    let amount = if is_meant {
        format!("{amount} · ")
    } else {
        String::new()
    };
    let age = mark.at.age(scene.state.domain.now);
    let is_reverted = if mark.is_reverted { " · reverted" } else { "" };
    let rest = put_right(buf, about, &format!("  {amount}{age}{is_reverted}"), theme.dim);
    let says = match told.map(|told| (told.line, told.is_sure)) {
        Some((AskedLine::There(_), true)) => " wrote this line",
        Some((AskedLine::There(_), false)) => " or an edit after it wrote this line",
        Some((AskedLine::Removed(_), true)) => " removed this line",
        Some((AskedLine::Removed(_), false)) => " or an edit after it removed this line",
        None if is_meant => "",
        None => ", not shown:",
    };
    let (name, prompt) = match is_meant {
        true => (theme.accent, theme.text),
        false => (theme.dim, theme.dim),
    };
    let used = put(buf, rest, &format!("Turn {}{says}  ", mark.turn), name);
    put(buf, after(rest, used), mark.prompt, prompt);
}

fn in_words(amount: Amount) -> String {
    let files = if amount.files == 1 { "file" } else { "files" };
    format!("{} {files} +{} −{}", amount.files, amount.added, amount.removed)
}
