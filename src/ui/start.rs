//! What stands where a chat would, while there is none.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::screen::start::{Found, StartRow, placed};

use super::scene::Scene;
use super::text::{after, put, put_right, up_to};

/// Columns of the keys, right-aligned.
const KEYS: u16 = 7;

pub fn draw(scene: &Scene, area: Rect, buf: &mut Buffer) {
    let theme = scene.theme;
    for line in placed(scene.state, scene.view, area) {
        let area = line.area;
        match &line.row {
            StartRow::Headline(words) => {
                put(buf, area, words, theme.header);
            }
            StartRow::Words(words) => {
                put(buf, area, words, theme.dim);
            }
            StartRow::Choice { key, words, .. } => draw_choice(scene, key, words, area, buf),
            StartRow::Recent { number, place } => draw_choice(scene, &number.to_string(), place, area, buf),
            StartRow::Agent { found, words } => {
                let (sign, style) = match found {
                    Found::Ready => ("•", theme.unseen),
                    Found::LoggedOut => ("✗", theme.waiting),
                    Found::Unusable => ("✗", theme.failed),
                };
                put_right(buf, up_to(area, KEYS), sign, style);
                put(buf, after(area, KEYS + 2), words, theme.text);
            }
            StartRow::Gap => {}
        }
    }
}

fn draw_choice(scene: &Scene, key: &str, words: &str, area: Rect, buf: &mut Buffer) {
    put_right(buf, up_to(area, KEYS), key, scene.theme.key);
    put(buf, after(area, KEYS + 2), words, scene.theme.text);
}
