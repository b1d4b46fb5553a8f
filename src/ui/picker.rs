//! The frame of a list that is narrowed by typing, with what is typed.

use ratatui::buffer::Buffer;

use crate::screen::dialog::picker::Picker;
use crate::screen::dialog::place::PlacedList;

use super::dialog::draw_frame;
use super::field::{self, Typed};
use super::scene::{CursorAt, Scene};
use super::text::{after, put};

/// What stands in it before anything is typed.
pub(super) struct PickerWords {
    pub title: &'static str,
    pub sign: &'static str,
    pub placeholder: &'static str,
}

pub(super) fn draw_typed(
    scene: &Scene,
    picker: &Picker,
    words: &PickerWords,
    placed: &PlacedList,
    buf: &mut Buffer,
) -> Option<CursorAt> {
    draw_frame(scene, placed.area, words.title, buf);
    put(buf, placed.typed, words.sign, scene.theme.accent);
    let typed = Typed {
        area: after(placed.typed, 2),
        placeholder: words.placeholder,
        focused: true,
    };
    field::draw(&picker.field, &typed, scene.theme, buf)
}
