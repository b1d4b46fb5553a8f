//! The trash: deleted chats, or the one that is to be deleted for good.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;

use crate::model::bytes;
use crate::model::deleted::Deleted;
use crate::model::text::one_line;
use crate::screen::dialog::{Trash, place};
use crate::screen::keymap::ChatAction;

use super::dialog::{ButtonLook, draw_frame, draw_question};
use super::message::{self, Placeholder};
use super::scene::Scene;
use super::text::{after, but_last, clear, inset, put, put_right, row};

pub fn draw(scene: &Scene, trash: &Trash, whole: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    if let (Some(question), Some(form)) = (trash.question(whole), &trash.confirm) {
        draw_frame(scene, question.placed.area, "Delete this chat for good?", buf);
        let lines = trash.words(question.placed.text.width.into());
        return draw_question(scene, (&question, form), &lines, ButtonLook::Danger, buf);
    }
    let placed = place::servers(whole);
    draw_frame(scene, placed.area, "Trash", buf);
    let list = trash.list.as_deref().unwrap_or_default();
    if trash.list.is_some() && list.is_empty() {
        message::draw(&empty(scene), placed.list, theme, buf);
    }
    let lines = trash.detail(&scene.around(), placed.detail.width.into());
    let placed = placed.with_detail(list.len().max(1), lines.len());
    let rows = usize::from(placed.list.height);
    let first = trash.first(rows);
    for (line, (at, one)) in list.iter().enumerate().skip(first).take(rows).enumerate() {
        draw_row(
            scene,
            (one, &trash.label(one)),
            at == trash.at,
            row(placed.list, line),
            buf,
        );
    }
    for (at, line) in lines.iter().take(placed.detail.height.into()).enumerate() {
        let failed = at == 0 && trash.problem.is_some();
        let style = if failed { theme.failed } else { theme.dim };
        put(buf, row(placed.detail, at), line, style);
    }
    let hidden = lines.len().saturating_sub(placed.detail.height.into());
    if hidden > 0 {
        let last = row(placed.detail, usize::from(placed.detail.height.saturating_sub(1)));
        let words = format!(" ↓ {} more: x shows all", hidden + 1);
        clear(buf, last, theme.background.patch(theme.text));
        put_right(buf, last, &words, theme.accent);
    }
}

fn empty(scene: &Scene) -> Placeholder {
    let delete = scene.state.keymap.key(ChatAction::Delete);
    Placeholder {
        headline: "The trash is empty".into(),
        words: format!("A chat that is deleted ({delete}, or `parlour rm`) stays here for 7 days and can be restored."),
        ..Placeholder::default()
    }
}

fn draw_row(scene: &Scene, (one, label): (&Deleted, &str), chosen: bool, line: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let style = |plain: Style| if chosen { theme.selection } else { plain };
    if chosen {
        clear(buf, line, theme.selection);
        put(buf, line, "▌", theme.accent);
    }
    let age = one.deleted.map(|at| at.age(scene.state.domain.now)).unwrap_or_default();
    let size = bytes::in_words(one.bytes);
    let rest = put_right(buf, inset(line, 1), &format!("{size:>7} {age:>4}"), style(theme.dim));
    let rest = but_last(rest, 2);
    let used = put(buf, rest, &one_line(label, 80), style(theme.text));
    let projects = one.projects.as_deref().unwrap_or_default().join(", ");
    put(buf, after(rest, used + 2), &one_line(&projects, 80), style(theme.dim));
}
