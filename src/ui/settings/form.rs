//! An entry of a map whose parts are typed into fields of their own, and what would be written of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use serde_json::Value;

use crate::screen::dialog::EntryForm;
use crate::screen::wrap::wrap;

use super::super::field::{self, Typed};
use super::super::scene::{CursorAt, Scene};
use super::super::text::{after, below, put, put_right, row, up_to};

/// Columns of the labels of a form.
const LABEL: u16 = 14;

/// The fields of an entry, a row each.
pub(super) fn draw(scene: &Scene, form: &EntryForm, area: Rect, buf: &mut Buffer) -> Option<CursorAt> {
    let theme = scene.theme;
    let wide = LABEL.min(area.width / 3);
    let mut cursor = None;
    for (at, line) in form.lines.iter().enumerate() {
        let place = row(area, at);
        let focused = at == form.at;
        let (style, bar) = if focused {
            (theme.accent, "┃")
        } else {
            (theme.dim, "│")
        };
        put(buf, up_to(place, wide), line.label, style);
        put(buf, after(place, wide), bar, style);
        let typed = Typed {
            area: after(place, wide + 2),
            placeholder: "",
            focused,
        };
        cursor = field::draw(&line.field, &typed, theme, buf).or(cursor);
    }
    draw_written(scene, form, below(area, form.lines.len() + 1), buf);
    cursor
}

/// All that would be written, line by line; `None` where there is nothing yet.
fn written(form: &EntryForm) -> Option<Value> {
    let (name, entry) = form.entry().ok()?;
    let entry = Value::Object([(name, entry)].into_iter().collect());
    let way = form.setting.path.split('.').rev();
    Some(way.fold(entry, |inner, key| {
        Value::Object([(key.to_owned(), inner)].into_iter().collect())
    }))
}

fn wrapped(text: &str, area: Rect) -> Vec<String> {
    let lines = text.lines();
    lines.flat_map(|line| wrap(line, area.width.into())).collect()
}

/// Below the fields: line by line where there is room, else one after the other.
fn draw_written(scene: &Scene, form: &EntryForm, area: Rect, buf: &mut Buffer) {
    let Some(written) = written(form) else {
        return;
    };
    let pretty = wrapped(&format!("config.json gets\n{written:#}"), area);
    let lines = match pretty.len() <= usize::from(area.height) {
        true => pretty,
        false => wrapped(&format!("config.json gets {written}"), area),
    };
    // Where there is no room for it, it stands among what is said of the form.
    let lines = lines.iter().filter(|_| has_room(form, area));
    for (at, line) in lines.enumerate() {
        put(buf, row(area, at), line, scene.theme.dim);
    }
}

fn has_room(form: &EntryForm, area: Rect) -> bool {
    let compact = written(form).map(|written| wrapped(&format!("config.json gets {written}"), area));
    compact.is_some_and(|lines| lines.len() <= usize::from(area.height))
}

/// What belongs into the field, and what came of trying it.
pub(super) fn draw_detail(scene: &Scene, form: &EntryForm, (area, list): (Rect, Rect), buf: &mut Buffer) {
    let theme = scene.theme;
    let mut lines: Vec<(String, Style)> = Vec::new();
    let wide = usize::from(area.width);
    let mut say = |words: &str, style: Style| {
        lines.extend(wrap(words, wide).into_iter().map(|line| (line, style)));
    };
    say(&form.title(), theme.header);
    if form.is_trying {
        say("starting it, 10 s at most…", theme.text);
    }
    match (&form.problem, &form.tried) {
        (Some(why), _) => say(why, theme.failed),
        (None, Some(tried)) => match &tried.outcome {
            Ok(said) => say(said, theme.unseen),
            Err(why) => say(why, theme.failed),
        },
        (None, None) => {}
    }
    let below = below(list, form.lines.len() + 1);
    if let Some(written) = written(form).filter(|_| !has_room(form, below)) {
        say(&format!("config.json gets {written}"), theme.dim);
    } else if let Some(line) = form.lines.get(form.at) {
        say(&format!("{}: {}", line.label, line.hint), theme.dim);
    }
    let high = usize::from(area.height);
    for (at, (line, style)) in lines.iter().take(high).enumerate() {
        put(buf, row(area, at), line, *style);
    }
    if lines.len() > high && high > 0 {
        put_right(buf, row(area, high - 1), "…", theme.accent);
    }
}
