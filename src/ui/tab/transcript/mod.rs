//! The Transcript tab: rows that the screen has laid out, put into cells.

mod composer;
mod moment;
mod rows;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::widgets::{Block, Borders, Widget};

use crate::screen::keymap::PaneSheet;
use crate::screen::layout;
use crate::screen::tab::search_line::Sought;
use crate::screen::tab::transcript::found::FoundEntries;
use crate::screen::tab::transcript::{bar, place, search};
use crate::ui::message::{self, Placeholder};
use crate::ui::scene::{CursorAt, Scene};
use crate::ui::scrollbar;
use crate::ui::tab::search_line;
use crate::ui::text::{after, but_last, clear, put, put_right, row};

/// Says where the cursor is, if a prompt is written.
pub fn draw(scene: &Scene, buf: &mut Buffer) -> Option<CursorAt> {
    let areas = place::areas(scene.view);
    clear(buf, areas.whole, scene.theme.background.patch(scene.theme.text));
    let transcript = &scene.view.transcript;
    if layout::arrange(scene.view).beside.is_some() {
        draw_border(scene, areas.whole, buf);
    }
    if let Some(moment) = &transcript.moment {
        moment::draw(scene, moment, areas.whole, buf);
        return None;
    }
    let cursor = composer::draw(scene, (areas.composer, areas.whole), buf);
    if transcript.items.list().is_empty() {
        message::draw(&nothing(scene), areas.list, scene.theme, buf);
        return cursor;
    }
    // What is shorter than the screen stands at its top.
    for (at, spot) in transcript.sight.iter().enumerate() {
        rows::draw(scene, *spot, row(areas.list, at), buf);
    }
    draw_links(scene, areas.list, buf);
    if let Some(bar) = bar(scene.view) {
        scrollbar::draw(scene, &bar, buf);
    }
    let told = |sought: &Sought<FoundEntries>| match transcript.is_seeking() {
        true => "searching…".into(),
        false => search::told(transcript, &sought.found),
    };
    search_line::draw(scene, &transcript.search, told, areas.search, buf);
    if transcript.top.is_some() && areas.list.height > 0 {
        let last = row(areas.list, usize::from(areas.list.height - 1));
        let words = match transcript.fresh() {
            0 => " ↓ newest ".to_string(),
            fresh => format!(" ↓ {fresh} new "),
        };
        put_right(buf, last, &words, scene.theme.accent);
    }
    cursor
}

/// Marks the links that may be meant, each with the letters that name it over its beginning, where it still is in sight.
fn draw_links(scene: &Scene, list: Rect, buf: &mut Buffer) {
    let (theme, sight) = (scene.theme, &scene.view.transcript.sight);
    let Some(marked) = &scene.view.reading.links else {
        return;
    };
    let rows = marked.rows.as_deref().unwrap_or_default();
    for (letters, link) in marked.meant() {
        let Some((from, to)) = link.spans.first() else {
            continue;
        };
        let spot = usize::try_from(from.line).ok().and_then(|line| rows.get(line));
        let Some(at) = sight.iter().position(|seen| Some(seen) == spot) else {
            continue;
        };
        let area = but_last(after(row(list, at), rows::BEFORE.saturating_add(from.col)), 1);
        let wide = (to.col + 1 - from.col).min(area.width);
        buf.set_style(Rect { width: wide, ..area }, theme.found);
        put(buf, area, letters, theme.selection);
    }
}

fn nothing(scene: &Scene) -> Placeholder {
    let transcript = &scene.view.transcript;
    let leave = || ("Esc".to_string(), "the terminal");
    match &transcript.problem {
        Some(problem) => Placeholder {
            sign: Some(("✗", scene.theme.failed)),
            headline: "The transcript cannot be shown".into(),
            words: problem.to_string(),
            keys: vec![("r".into(), "try again"), leave()],
        },
        None if transcript.is_here() => Placeholder {
            headline: "Nothing was said yet".into(),
            words: "What is asked, said and done in this chat will stand here, in order.".into(),
            keys: vec![("Enter".into(), "write a prompt"), leave()],
            ..Placeholder::default()
        },
        None => Placeholder {
            sign: Some(("◌", scene.theme.running)),
            headline: "Reading".into(),
            ..Placeholder::default()
        },
    }
}

/// The line between the terminal and what stands beside it.
fn draw_border(scene: &Scene, whole: Rect, buf: &mut Buffer) {
    let has_keys = scene.view.sheet_with_keys() == Some(PaneSheet::Transcript);
    let style = if has_keys {
        scene.theme.focus
    } else {
        scene.theme.border
    };
    let area = Rect {
        x: whole.x.saturating_sub(1),
        width: 1,
        ..whole
    };
    Block::new()
        .borders(Borders::LEFT)
        .border_style(style)
        .render(area, buf);
}
