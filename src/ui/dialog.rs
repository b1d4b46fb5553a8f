//! A dialog that asks: its parts from top to bottom, in the middle of the screen.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Block, BorderType, Borders, Widget};

use crate::screen::dialog::place::PlacedButton;
use crate::screen::dialog::{Ask, Button, Form, Part, ReadQuestion, Stop, is_confirmation, place};
use crate::screen::wrap::width;
use crate::screen::wrap::wrap;

use super::field::{self, Typed};
use super::scene::{CursorAt, Scene};
use super::text::{after, below, but_last, clear, fit, put, put_right, row, shown, up_to};

pub fn draw(scene: &Scene, ask: &dyn Ask, buf: &mut Buffer) -> Option<CursorAt> {
    let placed = place::place(ask, &scene.around());
    draw_frame(scene, placed.area, &ask.title(), buf);
    let mut cursor = None;
    for (part, area) in &placed.parts {
        cursor = draw_part(scene, ask, part, *area, buf).or(cursor);
    }
    if let Some(area) = placed.hints {
        draw_hints(scene, ask, (placed.area, area), buf);
    }
    cursor
}

/// An empty box with a title, over whatever is there.
pub fn draw_frame(scene: &Scene, area: Rect, title: &str, buf: &mut Buffer) {
    let area = area.intersection(buf.area);
    clear(buf, area, scene.theme.background.patch(scene.theme.text));
    let title = fit(title, usize::from(area.width.saturating_sub(6))).into_owned();
    Block::new()
        .borders(Borders::ALL)
        .border_type(BorderType::Rounded)
        .border_style(scene.theme.focus)
        .title(format!(" {title} "))
        .title_style(scene.theme.header)
        .render(area, buf);
}

fn draw_part(scene: &Scene, ask: &dyn Ask, part: &Part, area: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let theme = scene.theme;
    let at = ask.form().at;
    match part {
        Part::Field {
            stop,
            label,
            placeholder,
            ..
        } => {
            draw_label(scene, label, at == *stop, area, buf);
            let typed = Typed {
                area: place::typed(area),
                placeholder,
                focused: at == *stop,
            };
            let typed_in = ask.field(*stop)?;
            if typed.focused {
                draw_note(scene, ask, &typed, buf);
            }
            return field::draw(typed_in, &typed, theme, buf);
        }
        Part::Choice {
            stop,
            label,
            value,
            at: which,
            note,
        } => {
            draw_label(scene, label, at == *stop, row(area, 0), buf);
            let inside = place::typed(area);
            let chosen = if at == *stop { theme.selection } else { theme.text };
            let used = put(buf, inside, &format!("‹ {value} ›"), chosen);
            put(buf, after(inside, used + 2), which, theme.dim);
            draw_lines(&shown(note), below(inside, 1), theme.dim, buf);
        }
        Part::Tick { stop, on, text } => {
            let style = if at == *stop { theme.selection } else { theme.text };
            put(buf, area, if *on { "[x]" } else { "[ ]" }, style);
            draw_lines(text, after(area, 4), theme.text, buf);
        }
        Part::Words(words) => draw_lines(words, area, theme.header, buf),
        Part::Note(words) => draw_lines(words, area, theme.dim, buf),
        Part::Warning(words) => draw_lines(&shown(words), area, theme.failed, buf),
        Part::Lines(lines) => {
            let most = lines.len().saturating_sub(area.height.into());
            draw_list(scene, lines, ask.form().scroll.min(most), area, buf);
        }
        Part::Gap => {}
        Part::Buttons(buttons) => {
            let live = !is_confirmation(ask) || !ask.form().is_unread(scene.state.domain.now);
            let look = match ask.is_destructive() {
                true => ButtonLook::Danger,
                false => ButtonLook::Plain,
            };
            draw_buttons(scene, (buttons, look), live.then_some(at), area, buf);
        }
    }
    None
}

/// A field's name, and the bar before what is typed: heavy where the focus is.
fn draw_label(scene: &Scene, label: &str, focused: bool, area: Rect, buf: &mut Buffer) {
    let (style, bar) = match focused {
        true => (scene.theme.accent, "┃"),
        false => (scene.theme.dim, "│"),
    };
    let typed = place::typed(area);
    let before = typed.x - area.x;
    put(buf, up_to(area, before.saturating_sub(2)), label, style);
    for line in 0..usize::from(area.height) {
        let at = after(row(area, line), before.saturating_sub(2));
        put(buf, up_to(at, 1), bar, style);
    }
}

/// What is said of what is typed, at the right end of its row, where there is room.
fn draw_note(scene: &Scene, ask: &dyn Ask, typed: &Typed, buf: &mut Buffer) {
    let suggested = ask.suggested(ask.form().at);
    let Some(field) = suggested.filter(|field| !field.note().is_empty()) else {
        return;
    };
    let used = width(&field.typed().text()) + width(field.note()) + 3;
    if used <= usize::from(typed.area.width) {
        put_right(buf, typed.area, field.note(), scene.theme.dim);
    }
}

/// Suggestions lie over what is below their field, labels included: beside one of these they would read as its value.
fn draw_hints(scene: &Scene, ask: &dyn Ask, (frame, area): (Rect, Rect), buf: &mut Buffer) {
    let theme = scene.theme;
    let Some(suggested) = ask.suggested(ask.form().at) else {
        return;
    };
    let chosen = suggested.list().chosen;
    let labels = Rect {
        x: frame.x + 1,
        width: area.x.saturating_sub(frame.x + 1),
        ..area
    };
    clear(buf, labels, theme.background.patch(theme.text));
    clear(buf, area, theme.background.patch(theme.toast.info));
    let first = place::first_hint(chosen, area.height);
    let hints = suggested.hints();
    let seen = hints.iter().enumerate().skip(first).take(area.height.into());
    for (line, (at, hint)) in seen.enumerate() {
        let line = row(area, line);
        let is_chosen = chosen == Some(at);
        let style = if is_chosen {
            theme.mode.outside
        } else {
            theme.toast.info
        };
        if is_chosen {
            clear(buf, line, style);
        }
        let rest = put_right(buf, but_last(line, 1), &hint.what, style);
        put(buf, but_last(after(rest, 1), 2), &hint.text, style);
    }
}

/// As many as fit.
fn draw_list(scene: &Scene, lines: &[String], scroll: usize, area: Rect, buf: &mut Buffer) {
    let high = usize::from(area.height);
    for (at, line) in lines.iter().skip(scroll).take(high).enumerate() {
        put(buf, row(area, at), line, scene.theme.text);
    }
}

/// A text to be read, scrolled as its form says, and the buttons below it.
pub fn draw_question(
    scene: &Scene,
    (question, form): (&ReadQuestion, &Form),
    lines: &[String],
    look: ButtonLook,
    buf: &mut Buffer,
) {
    let placed = &question.placed;
    draw_list(scene, lines, form.scroll, placed.text, buf);
    let live = !form.is_unread(scene.state.domain.now);
    draw_buttons(
        scene,
        (question.buttons, look),
        live.then_some(form.at),
        placed.buttons,
        buf,
    );
}

/// What the button does that says yes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ButtonLook {
    Plain,
    /// It destroys something.
    Danger,
}

/// A row of buttons; none has the focus, and all are dim, while they do not count yet.
pub fn draw_buttons(
    scene: &Scene,
    (buttons, look): (&[Button], ButtonLook),
    at: Option<Stop>,
    row: Rect,
    buf: &mut Buffer,
) {
    let theme = scene.theme;
    for PlacedButton { stop, words, area } in place::buttons(buttons, row) {
        let is_danger = look == ButtonLook::Danger && stop == Stop::Yes;
        let (text, style) = match at {
            None => (format!("[ {words} ]"), theme.dim),
            Some(at) if at == stop => {
                let style = match is_danger {
                    true => theme.failed.add_modifier(Modifier::REVERSED),
                    false => theme.mode.outside,
                };
                (format!("‹ {words} ›"), style.add_modifier(Modifier::BOLD))
            }
            Some(_) if is_danger => (format!("  {words}  "), theme.toast.error),
            Some(_) => (format!("  {words}  "), theme.toast.info),
        };
        put(buf, area, &text, style);
    }
}

fn draw_lines(words: &str, area: Rect, style: Style, buf: &mut Buffer) {
    for (at, line) in wrap(words, area.width.into()).iter().enumerate() {
        put(buf, row(area, at), line, style);
    }
}
