//! A text field: what is typed or pasted into it, and where its cursor is.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui_textarea::{CursorMove, DataCursor, TextArea, WrapMode};

use crate::model::text;

/// More than any name, path or prompt of a dialog needs; a paste by mistake stays harmless.
const LONGEST: usize = 64 << 10;
/// More than is sent. What is too long to be sent is told where it is, not cut off.
const UNSENT: usize = 8 << 20;

pub struct Field {
    area: TextArea<'static>,
    room: Room,
    longest: usize,
    /// What is there was not typed: it counts as it is, and goes with the first letter. Moving the cursor takes it over.
    is_proposed: bool,
}

/// How much a field holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    Line,
    Lines,
}

impl Field {
    pub fn new(text: &str, room: Room) -> Field {
        let mut field = Field {
            area: empty(),
            room,
            longest: LONGEST,
            is_proposed: false,
        };
        field.paste(text);
        field
    }

    /// One with words that a person may leave, take over, or type over.
    pub fn proposing(text: &str, room: Room) -> Field {
        let mut field = Field::new("", room);
        field.propose(text);
        field
    }

    /// One that takes a paste of any size.
    pub fn long() -> Field {
        Field {
            longest: UNSENT,
            ..Field::new("", Room::Lines)
        }
    }

    pub fn text(&self) -> String {
        self.area.lines().join("\n")
    }

    pub fn is_empty(&self) -> bool {
        self.area.is_empty()
    }

    /// Esc ends a search before it leaves the list that is searched: all is listed again. Says whether it did.
    pub fn ends_search(&mut self, key: KeyEvent) -> bool {
        let ends = key.code == KeyCode::Esc && !self.is_empty();
        if ends {
            self.clear();
        }
        ends
    }

    pub fn lines(&self) -> &[String] {
        self.area.lines()
    }

    pub fn room(&self) -> Room {
        self.room
    }

    /// Line, and characters left of the cursor in it.
    pub fn cursor(&self) -> (usize, usize) {
        let DataCursor(line, column) = self.area.cursor();
        (line, column)
    }

    pub fn is_proposed(&self) -> bool {
        self.is_proposed
    }

    /// Puts `text` in place of what is there, the cursor behind it.
    pub fn set(&mut self, text: &str) {
        self.clear();
        self.paste(text);
    }

    /// Puts `text` there as a proposal, the cursor before it.
    pub fn propose(&mut self, text: &str) {
        self.set(text);
        self.to_start();
        self.is_proposed = !self.is_empty();
    }

    fn clear(&mut self) {
        self.area = empty();
        self.is_proposed = false;
    }

    pub fn paste(&mut self, text: &str) {
        if self.is_proposed {
            self.clear();
        }
        let room = self
            .longest
            .saturating_sub(self.area.lines().iter().map(String::len).sum());
        let text = &text[..text.floor_char_boundary(text.len().min(room))];
        let text = text
            .replace("\r\n", "\n")
            .replace(['\r', '\u{2028}', '\u{2029}'], "\n")
            .replace('\t', "    ");
        let kept: String = match self.room {
            Room::Lines => text.chars().filter(|c| *c == '\n' || !c.is_control()).collect(),
            Room::Line => text
                .trim_end_matches('\n')
                .replace('\n', " ")
                .chars()
                .filter(|c| !c.is_control())
                .collect(),
        };
        self.area.insert_str(kept);
    }

    /// Takes a key, where it means something to a text field.
    pub fn press(&mut self, key: KeyEvent) -> bool {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        if self.is_proposed && self.is_for_text(key) {
            match moves_cursor(key) {
                true => self.is_proposed = false,
                false => self.clear(),
            }
        }
        match key.code {
            KeyCode::Char('u') if ctrl && self.room == Room::Lines => {
                match self.cursor().1 {
                    0 => self.area.delete_line_by_end(),
                    _ => self.area.delete_line_by_head(),
                };
                true
            }
            KeyCode::Char('u') if ctrl => {
                self.clear();
                true
            }
            // Alt+Enter where a terminal reports it, Ctrl+J in all of them.
            KeyCode::Enter | KeyCode::Char('j') if self.breaks_line(key) => {
                self.area.insert_newline();
                true
            }
            _ if !self.is_for_text(key) => false,
            KeyCode::Char(c) if text::is_hidden(c) => true,
            _ => {
                self.area.input(key);
                true
            }
        }
    }

    fn breaks_line(&self, key: KeyEvent) -> bool {
        let is_break = matches!(key.code, KeyCode::Enter | KeyCode::Char('j')) && !key.modifiers.is_empty();
        is_break && self.room == Room::Lines
    }

    fn is_for_text(&self, key: KeyEvent) -> bool {
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            _ if self.breaks_line(key) => true,
            KeyCode::Enter | KeyCode::Tab | KeyCode::BackTab | KeyCode::Esc => false,
            KeyCode::Up | KeyCode::Down if self.room == Room::Line => false,
            // Its undo and yank would shadow nothing of ours, but Ctrl+M and Ctrl+J would break a line in two.
            KeyCode::Char('m' | 'j') if ctrl => false,
            KeyCode::Up => self.cursor().0 > 0,
            KeyCode::Down => self.cursor().0 + 1 < self.area.lines().len(),
            _ => true,
        }
    }

    /// So that a text that is to be read is seen from its beginning.
    pub fn to_first_line(&mut self) {
        self.area.move_cursor(CursorMove::Top);
        self.area.move_cursor(CursorMove::End);
    }

    /// A line up; not from the first.
    pub fn up(&mut self) -> bool {
        let can = self.cursor().0 > 0;
        if can {
            self.area.move_cursor(CursorMove::Up);
        }
        can
    }

    /// A line down; not from the last.
    pub fn down(&mut self) -> bool {
        let can = self.cursor().0 + 1 < self.area.lines().len();
        if can {
            self.area.move_cursor(CursorMove::Down);
        }
        can
    }

    /// Puts this in place of so many characters before the cursor.
    pub fn replace_before(&mut self, characters: usize, text: &str) {
        for _ in 0..characters {
            self.area.delete_char();
        }
        self.paste(text);
    }

    pub fn to_start(&mut self) {
        self.area.move_cursor(CursorMove::Top);
        self.area.move_cursor(CursorMove::Head);
    }

    pub fn to_end(&mut self) {
        self.area.move_cursor(CursorMove::Bottom);
        self.area.move_cursor(CursorMove::End);
    }
}

/// Arrows, and the letters that shells use for them.
fn moves_cursor(key: KeyEvent) -> bool {
    match key.code {
        KeyCode::Left | KeyCode::Right | KeyCode::Up | KeyCode::Down | KeyCode::Home | KeyCode::End => true,
        KeyCode::Char('a' | 'e' | 'b' | 'f') => key.modifiers.contains(KeyModifiers::CONTROL),
        _ => false,
    }
}

fn empty() -> TextArea<'static> {
    let mut area = TextArea::default();
    area.set_wrap_mode(WrapMode::None);
    area.set_max_histories(50);
    area
}

/// What was typed, if anything.
pub fn filled(field: &Field) -> Option<String> {
    let text = field.text().trim().to_string();
    (!text.is_empty()).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn press(field: &mut Field, code: KeyCode) -> bool {
        field.press(KeyEvent::from(code))
    }

    #[test]
    fn a_proposal_goes_with_the_first_letter_and_stays_where_it_is_left_or_moved_in() {
        let proposing = || Field::proposing("fix it please", Room::Lines);
        let mut field = proposing();
        assert!(field.is_proposed() && field.cursor() == (0, 0));
        press(&mut field, KeyCode::Char('F'));
        press(&mut field, KeyCode::Char('i'));
        assert_eq!((field.text().as_str(), field.is_proposed()), ("Fi", false));

        let mut field = proposing();
        assert!(!press(&mut field, KeyCode::Tab) && !press(&mut field, KeyCode::Up));
        assert_eq!((field.text().as_str(), field.is_proposed()), ("fix it please", true));
        press(&mut field, KeyCode::End);
        press(&mut field, KeyCode::Char('!'));
        assert_eq!((field.text().as_str(), field.is_proposed()), ("fix it please!", false));

        let mut field = proposing();
        field.paste("another");
        assert_eq!(field.text(), "another");
        let mut field = proposing();
        press(&mut field, KeyCode::Backspace);
        assert!(field.is_empty() && !field.is_proposed());
    }
}
