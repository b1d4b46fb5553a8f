//! A call of a tool: its one line, and the rows below it. Cards, the transcript and questions draw calls by this.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::config::theme::Theme;
use crate::domain::approval::card::{Card, Tool, ToolState};
use crate::domain::call::CallSummary;
use crate::model::entry::ToolStatus;
use crate::model::text::{fit_path, one_line};
use crate::permission::Sort;
use crate::screen::call::{self, SeenPlaces};
use crate::screen::spinner;
use crate::screen::wrap::width;

use super::piece;
use super::scene::Scene;
use super::text::{after, but_last, put, put_right};

/// Columns of a directory's name.
const DIR: usize = 16;

/// A call in one line, with how it goes: sign, kind, what it is about; the directory and how long at the right.
pub(super) fn draw_card(scene: &Scene, card: &Card, tool: &Tool, selected: bool, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let over = |style: Style| if selected { theme.selection } else { style };
    let chat = scene.view.chat.as_ref();
    let live = chat.is_some_and(|chat| scene.state.domain.status(chat).is_live());
    let places = chat.map_or_else(SeenPlaces::default, |chat| SeenPlaces::of(&scene.state.domain, chat));
    let line = call::line(&tool.told, tool.dir.as_deref(), places.at(card.seq));
    let (sign, style) = sign(theme, tool.state, live);
    let sign = match tool.state {
        ToolState::Running if live => spinner::sign(scene.state, scene.view).unwrap_or(sign),
        ToolState::Running | ToolState::Asked | ToolState::Ended { .. } => sign,
    };
    let ms = match tool.state {
        // A CLI that tells of a call when it is over does not say how long it took.
        ToolState::Ended { ms, .. } => Some(ms).filter(|ms| *ms > 0),
        // A call is short until it is long: a number that jumps about tells nothing.
        ToolState::Running | ToolState::Asked if live => {
            Some(tool.ran(card.at, scene.state.domain.now)).filter(|ms| *ms >= 1_000)
        }
        ToolState::Running | ToolState::Asked => None,
    };
    let mut right = ms.map_or_else(String::new, duration);
    if let Some(dir) = &line.dir {
        right = format!("{} {right}", one_line(dir, DIR));
    }
    let at = after(area, 1);
    let rest = put_right(buf, but_last(at, 1), right.trim(), over(theme.dim));
    let indent = if tool.parent.is_some() { 2 } else { 0 };
    let rest = after(but_last(rest, 1), indent);
    let used = put(buf, rest, sign, over(style)) + 1;
    let told = match tool.state {
        // It changed nothing.
        ToolState::Ended {
            status: ToolStatus::Error | ToolStatus::Denied,
            ..
        } => Cow::Owned(CallSummary {
            amount: None,
            ..tool.told.clone()
        }),
        ToolState::Ended { .. } | ToolState::Running | ToolState::Asked => Cow::Borrowed(&tool.told),
    };
    draw_line(theme, (told.as_ref(), &line), selected, after(rest, used), buf);
}

/// What a call is, without how it goes: a sign for its kind, the kind, and what it is about.
pub(super) fn draw_line(
    theme: &Theme,
    (told, line): (&CallSummary, &call::CallLine),
    selected: bool,
    area: Rect,
    buf: &mut Buffer,
) {
    let over = |style: Style| if selected { theme.selection } else { style };
    let (mark, style) = mark(theme, told.sort);
    let used = put(buf, area, mark, over(style)) + 1;
    let used = used + put(buf, after(area, used), &told.name, over(theme.text)) + 1;
    let mut place = after(area, used);
    let amount = told.amount.map_or_else(Vec::new, call::amount);
    let wide: usize = amount.iter().map(|piece| width(&piece.text)).sum();
    let has_amount = wide + 12 <= usize::from(place.width);
    if has_amount {
        place = but_last(place, u16::try_from(wide).unwrap_or(u16::MAX));
    }
    let words = match line.is_path {
        true => fit_path(&line.words, place.width.into()),
        false => line.words.as_str().into(),
    };
    let used = put(buf, place, &words, over(theme.dim));
    if has_amount {
        let mut place = after(area, place.x - area.x + used);
        for piece in amount {
            let used = put(buf, place, &piece.text, over(piece::style(theme, piece.shade)));
            place = after(place, used);
        }
    }
}

fn sign(theme: &Theme, state: ToolState, live: bool) -> (&'static str, Style) {
    match state {
        ToolState::Running | ToolState::Asked if !live => ("■", theme.exited),
        ToolState::Running => ("●", theme.running),
        ToolState::Asked => ("◆", theme.waiting),
        ToolState::Ended { status, .. } => match status {
            ToolStatus::Ok => ("✓", theme.unseen),
            ToolStatus::Error => ("✗", theme.failed),
            ToolStatus::Denied => ("⊘", theme.waiting),
            ToolStatus::Interrupted | ToolStatus::Unknown => ("■", theme.exited),
        },
    }
}

/// What sort of tool it is, in one cell: each has a letter or shape of its own, and what changes something a colour.
fn mark(theme: &Theme, sort: Sort) -> (&'static str, Style) {
    match sort {
        Sort::Read => ("R", theme.dim),
        Sort::Write => ("W", theme.accent),
        Sort::Edit => ("E", theme.accent),
        Sort::Bash => ("$", theme.key),
        Sort::Search => ("/", theme.dim),
        Sort::Fetch => ("↓", theme.dim),
        Sort::Task => ("»", theme.key),
        Sort::Mcp => ("M", theme.dim),
        Sort::Other => ("·", theme.dim),
    }
}

/// In the shortest words: `40ms`, `1.2s`, `3m`, `2h`.
pub(super) fn duration(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms}ms"),
        1_000..60_000 => format!("{}.{}s", ms / 1_000, ms % 1_000 / 100),
        60_000..3_600_000 => format!("{}m", ms / 60_000),
        _ => format!("{}h", ms / 3_600_000),
    }
}
