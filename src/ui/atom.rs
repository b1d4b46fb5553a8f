//! All that is known of an atom.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::dialog::place::{self, PlacedPage};
use crate::screen::dialog::{AtomLine, AtomPage};

use super::dialog::draw_frame;
use super::scene::Scene;
use super::text::{put, row};

pub fn draw(scene: &Scene, page: &AtomPage, whole: Rect, buf: &mut Buffer) {
    let lines = page.lines(&scene.around(), place::read_width(whole));
    let PlacedPage { area, inside } = place::page(whole, lines.len());
    draw_frame(scene, area, "Task", buf);
    let high = usize::from(inside.height);
    for (at, line) in lines.iter().skip(page.scroll).take(high).enumerate() {
        let (words, style) = match line {
            AtomLine::Title(words) => (words.as_str(), scene.theme.header),
            AtomLine::Fact(words) => (words.as_str(), scene.theme.dim),
            AtomLine::Heading(words) => (*words, scene.theme.accent),
            AtomLine::Text(words) => (words.as_str(), scene.theme.text),
            AtomLine::Gap => continue,
        };
        put(buf, row(inside, at), words, style);
    }
}
