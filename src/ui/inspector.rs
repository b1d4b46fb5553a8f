//! The cards beside the terminal: what the agent was asked and did.

use std::borrow::Cow;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, Borders, Widget};

use crate::domain::approval::card::{Card, CardSubject, Tool, ToolState};
use crate::domain::chat;
use crate::model::called;
use crate::model::entry::{From, ToolStatus};
use crate::model::text::{fit_path, one_line};
use crate::permission::{Sort, sort_of};
use crate::screen::inspector::{self, RowKind};
use crate::screen::keymap::ScreenAction;
use crate::screen::layout::Panel;
use crate::screen::view::{Focus, Mode};

use super::scene::Scene;
use super::text::{after, but_last, clear, inset, put, put_right, row};

/// Behind the name of a tool of parlour's own.
const OURS: &str = " · parlour";

pub fn draw(scene: &Scene, panel: &Panel, buf: &mut Buffer) {
    let theme = scene.theme;
    clear(buf, panel.area, theme.background.patch(theme.text));
    let focused = scene.view.focus == Focus::Inspector && scene.view.mode == Mode::Outside;
    let border = if focused { theme.focus } else { theme.border };
    Block::new()
        .borders(Borders::LEFT)
        .border_style(border)
        .render(panel.border, buf);
    let Some(cards) = inspector::cards(scene.state, scene.view) else {
        put(buf, inset(panel.list, 1), "reading the transcript…", theme.dim);
        return;
    };
    draw_title(scene, panel, cards.iter(), focused, buf);
    if cards.is_empty() {
        put(buf, inset(panel.list, 1), "Nothing was asked or done yet.", theme.dim);
        return;
    }
    let inspector = &scene.view.inspector;
    let rows = inspector::rows(cards, &inspector.open, panel.list.width.into());
    let first = inspector::first_row(inspector, rows.len(), panel.list.height.into());
    for (at, line) in rows.iter().skip(first).take(panel.list.height.into()).enumerate() {
        let area = row(panel.list, at);
        let selected = focused && inspector.selected == Some(line.card);
        let style = match line.kind {
            RowKind::Head => {
                if let Some(card) = cards.iter().find(|card| card.seq == line.card) {
                    draw_head(scene, card, selected, area, buf);
                }
                continue;
            }
            RowKind::Input => theme.text,
            RowKind::Output | RowKind::Told => theme.dim,
            RowKind::Failed => theme.failed,
            RowKind::More => {
                let key = scene.state.keymap.key(ScreenAction::Output);
                let words = format!("{}: {key} shows it", line.text);
                put(buf, after(area, 3), &words, theme.accent);
                continue;
            }
        };
        let mark = if line.kind == RowKind::Output { "│ " } else { "  " };
        let used = put(buf, after(area, 1), mark, theme.border);
        put(buf, after(area, 1 + used), &line.text, style);
    }
}

fn draw_title<'c>(
    scene: &Scene,
    panel: &Panel,
    cards: impl Iterator<Item = &'c Card>,
    focused: bool,
    buf: &mut Buffer,
) {
    let (mut calls, mut failed) = (0, 0);
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
            CardSubject::Error { .. } => failed += 1,
            CardSubject::Prompt { .. } | CardSubject::Interrupt { .. } => {}
        }
    }
    let words = match calls {
        1 => "1 call".to_string(),
        calls => format!("{calls} calls"),
    };
    let style = if focused { scene.theme.accent } else { scene.theme.dim };
    let title = inset(panel.title, 1);
    let used = put(buf, title, &words, style);
    if failed > 0 {
        put(
            buf,
            after(title, used),
            &format!(" · {failed} failed"),
            scene.theme.failed,
        );
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
        CardSubject::Tool(tool) => return draw_tool(scene, card, tool, selected, area, buf),
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

/// A call in one line.
pub(super) fn draw_tool(scene: &Scene, card: &Card, tool: &Tool, selected: bool, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let over = |style: Style| if selected { theme.selection } else { style };
    let live = scene
        .view
        .chat
        .as_ref()
        .is_some_and(|chat| scene.state.domain.status(chat).is_live());
    let (sign, style) = sign(scene, tool.state, live);
    let ms = match tool.state {
        ToolState::Ended { ms, .. } => Some(ms),
        // A call is short until it is long: a number that jumps about tells nothing.
        ToolState::Running | ToolState::Asked if live => {
            Some(scene.state.domain.now.ms_since(card.at)).filter(|ms| *ms >= 1_000)
        }
        ToolState::Running | ToolState::Asked => None,
    };
    let mut right = ms.map_or_else(String::new, duration);
    if let Some(dir) = &tool.dir {
        right = format!("{} {right}", one_line(dir, 16));
    }
    let at = after(area, 1);
    let rest = put_right(buf, but_last(at, 1), right.trim(), over(theme.dim));
    let indent = if tool.parent.is_some() { 2 } else { 0 };
    let rest = Rect {
        width: rest.width.saturating_sub(1),
        ..after(rest, indent)
    };
    let used = put(buf, rest, sign, over(style)) + 1;
    let (mark, style) = mark(scene, sort_of(&tool.name));
    let used = used + put(buf, after(rest, used), mark, over(style)) + 1;
    let name = called(&tool.name);
    // The room is for what it was called with; of other servers it is told whose tool it is.
    let name = name.strip_suffix(OURS).unwrap_or(&name);
    let used = used + put(buf, after(rest, used), name, over(theme.text)) + 1;
    let place = after(rest, used);
    let summary = near(scene, &tool.summary);
    put(buf, place, &fit_path(&summary, place.width.into()), over(theme.dim));
}

/// As [`chat::near`], of the chat that is shown.
fn near<'t>(scene: &Scene, text: &'t str) -> Cow<'t, str> {
    match scene.view.chat.as_ref() {
        Some(chat) => chat::near(&scene.state.domain, chat, text),
        None => text.into(),
    }
}

fn sign(scene: &Scene, state: ToolState, live: bool) -> (&'static str, Style) {
    let theme = scene.theme;
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
fn mark(scene: &Scene, sort: Sort) -> (&'static str, Style) {
    let theme = scene.theme;
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
