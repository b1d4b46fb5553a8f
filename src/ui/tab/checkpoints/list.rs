//! The checkpoints of a chat, newest first.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use crate::model::review::Checkpoint;
use crate::screen::tab::checkpoints::words::{amount, cause};
use crate::screen::view::{Focus, Mode};
use crate::ui::scene::Scene;
use crate::ui::text::{after, clear, inset, put, put_right, row};

/// From this width of a row on, it names the clones that had changed.
const ROOM_FOR_CLONES: u16 = 90;
/// From this width of a row on, it says how much had changed.
const ROOM_FOR_AMOUNT: u16 = 56;

pub fn draw(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let points = &scene.view.checkpoints;
    let height = usize::from(area.height);
    let newest = points.newest_first().next().map_or(0, |newest| newest.number);
    let digits = newest.to_string().len().max(2);
    for (at, checkpoint) in points.newest_first().skip(points.top).take(height).enumerate() {
        let forks = points.forks.at.get(&checkpoint.number).map_or(&[][..], Vec::as_slice);
        draw_row(scene, (checkpoint, forks), digits, row(area, at), buf);
    }
}

fn draw_row(scene: &Scene, (checkpoint, forks): (&Checkpoint, &[String]), digits: usize, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    let points = &scene.view.checkpoints;
    let number = checkpoint.number;
    let is_selected = points.selected == Some(number);
    let has_keys = scene.view.focus == Focus::Pane && scene.view.mode == Mode::Outside;
    let is_lit = is_selected && has_keys;
    let over = |style: Style| if is_lit { theme.selection } else { style };
    if is_lit {
        clear(buf, area, theme.selection);
    }
    let line = inset(area, 1);
    let (sign, style) = match () {
        () if points.marked == Some(number) => ("◆", theme.found),
        () if points.base == Some(number) => ("●", theme.accent),
        () => (" ", theme.dim),
    };
    put(buf, line, sign, over(style));
    let line = after(line, 2);
    let style = if is_selected { theme.accent } else { theme.dim };
    let used = put(buf, line, &format!("{number:>digits$}  "), over(style));
    let mut rest = after(line, used);
    let age = checkpoint.at.age(scene.state.domain.now);
    rest = put_right(buf, rest, &format!("  {age:>3}"), over(theme.dim));
    if area.width >= ROOM_FOR_AMOUNT {
        let words = format!("  {:>16}", amount(checkpoint.amount));
        rest = put_right(buf, rest, &words, over(theme.dim));
    }
    let forked = match forks {
        [] => String::new(),
        [one] if area.width >= ROOM_FOR_AMOUNT => format!("  ⑂ {one}"),
        many => format!("  ⑂ {}", many.len()),
    };
    rest = put_right(buf, rest, &forked, over(theme.accent));
    if area.width >= ROOM_FOR_CLONES {
        let left_out = match checkpoint.left_out.len() {
            0 => String::new(),
            many => format!("  {many} left out"),
        };
        rest = put_right(buf, rest, &left_out, over(theme.waiting));
        rest = put_right(
            buf,
            rest,
            &format!("  {}", checkpoint.changed.join(" ")),
            over(theme.dim),
        );
    }
    let (what, words) = cause(checkpoint);
    let (mut first, mut second) = (over(theme.dim), over(theme.text));
    if checkpoint.turn.is_some() {
        first = over(theme.header);
    }
    if points.gone_back.contains(&number) {
        first = first.add_modifier(Modifier::CROSSED_OUT);
        second = second.add_modifier(Modifier::CROSSED_OUT);
    }
    let used = put(buf, rest, &what, first);
    put(buf, after(rest, used + 2), &words, second);
}
