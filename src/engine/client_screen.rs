//! One attached terminal: what it was last sent, and the next frame for it.

use data_encoding::BASE64;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect, Size};

use crate::config::theme::Theme;
use crate::domain::effect::DrawnText;
use crate::domain::event::ColourDepth;
use crate::model::{ClientId, PaneId};
use crate::screen::State;
use crate::term::CursorShape;
use crate::ui::{self, BareScreen};

use super::ansi_writer::AnsiWriter;
use super::drawn_text;
use super::spoken_rows::{CursorStep, SpokenRows};

/// A frame of no more bytes than this is taken by a terminal in one read: framing it as one update gains nothing.
const SMALL: usize = 256;

/// Frames are differences to the one before, so the next waits until the client has taken the last.
pub struct ClientScreen {
    /// What the client's terminal shows once it has taken the last frame.
    shown: Buffer,
    next: Buffer,
    writer: AnsiWriter,
    spoken: SpokenRows,
    pub theme: Theme,
    number: u32,
    /// What the terminal shows is not known: it is drawn whole.
    unknown: bool,
    /// The frame that the client has not taken yet.
    unacked: Option<u32>,
    /// The agent's screen as it was last drawn, where nothing lay over it.
    bare: Option<(PaneId, BareScreen)>,
    cursor: Option<ui::CursorAt>,
    title: String,
    /// Goes ahead of the next frame: what a person copied, for their terminal's clipboard.
    clipboard: Option<String>,
    /// Goes ahead of the next frame too: what has the terminal call its person.
    calls: String,
}

impl ClientScreen {
    pub fn new(size: Size, theme: Theme, depth: ColourDepth) -> ClientScreen {
        ClientScreen {
            shown: Buffer::empty(area(size)),
            next: Buffer::empty(area(size)),
            writer: AnsiWriter::new(depth),
            spoken: SpokenRows::default(),
            theme,
            number: 0,
            unknown: true,
            unacked: None,
            bare: None,
            cursor: None,
            title: String::new(),
            clipboard: None,
            calls: String::new(),
        }
    }

    pub fn acked(&mut self, number: u32) {
        if self.unacked == Some(number) {
            self.unacked = None;
        }
    }

    /// Has the text put into the terminal's clipboard (OSC 52). The newest wins.
    pub fn set_clipboard(&mut self, text: &str) {
        self.clipboard = Some(format!("\x1b]52;c;{}\x1b\\", BASE64.encode(text.as_bytes())));
    }

    /// Has the terminal call its person. Several calls before the next frame are one: the newest.
    pub fn call(&mut self, sequence: String) {
        self.calls = sequence;
    }

    /// What the terminal shows is not known any more. If it had another size, if only for a moment, it cut off and moved what
    /// it showed as it likes.
    pub fn forget(&mut self) {
        self.unknown = true;
        self.bare = None;
    }

    /// The text that stands in these cells.
    pub fn drawn(&self, wanted: &DrawnText) -> String {
        drawn_text::read(&self.shown, wanted)
    }

    pub fn is_ready(&self) -> bool {
        self.unacked.is_none()
    }

    /// The bytes that bring the client's terminal up to date; `None` where it is.
    pub fn frame(&mut self, state: &State, client: ClientId) -> Option<(u32, Vec<u8>)> {
        let view = state.views.get(&client)?;
        let area = area(Size::new(view.size.cols, view.size.rows));
        if area != self.shown.area || std::mem::take(&mut self.unknown) {
            self.shown = Buffer::empty(area);
            self.next = Buffer::empty(area);
            self.writer.clear();
        }
        self.next.reset();
        let cursor = ui::render(state, client, &self.theme, area, &mut self.next);
        let title = ui::title(state, client);
        if view.over.reader.is_some() {
            let place = |at: Option<ui::CursorAt>| at.map(|at| Position { x: at.x, y: at.y });
            let step = CursorStep {
                before: place(self.cursor),
                after: place(cursor),
            };
            self.spoken.write(&self.shown, &mut self.next, step, &mut self.writer);
        } else {
            for (x, y, cell) in self.shown.diff_iter(&self.next) {
                self.writer.draw(x, y, cell, area.width);
            }
        }
        std::mem::swap(&mut self.shown, &mut self.next);
        self.bare = view.pane().zip(ui::bare_screen(state, client));
        let drawn = !self.writer.is_empty() || cursor != self.cursor || title != self.title;
        if !drawn && self.clipboard.is_none() && self.calls.is_empty() && self.number > 0 {
            return None;
        }
        Some(self.finish(cursor, title))
    }

    /// Only the rows in which the agent's screen differs from how it was last drawn. `None` where something lay or
    /// lies over it, where it is another, or where nothing in it changed: then [`ClientScreen::frame`] has to tell.
    pub fn echo(&mut self, state: &State, client: ClientId) -> Option<(u32, Vec<u8>)> {
        let pane = state.views.get(&client)?.pane()?;
        let now = ui::bare_screen(state, client)?;
        let (_, before) = self.bare.take().filter(|(was, _)| *was == pane)?;
        let changed = now.rows_changed_since(&before)?;
        for y in changed {
            self.redraw_row(&now, y);
        }
        let cursor = now.cursor();
        self.bare = Some((pane, now));
        if self.writer.is_empty() && cursor == self.cursor {
            return None;
        }
        let title = self.title.clone();
        Some(self.finish(cursor, title))
    }

    fn redraw_row(&mut self, screen: &BareScreen, y: u16) {
        let row = screen.row_area(y);
        let (from, to) = (self.shown.index_of(row.x, row.y), usize::from(row.width));
        let cells = from..from + to;
        let mut before = Buffer::empty(row);
        before.content.clone_from_slice(&self.shown.content[cells.clone()]);
        let mut after = before.clone();
        screen.draw_row(y, &mut after);
        for (x, y, cell) in before.diff_iter(&after) {
            self.writer.draw(x, y, cell, self.shown.area.width);
        }
        self.shown.content[cells].clone_from_slice(&after.content);
    }

    /// The drawn cells, the cursor and the title as one piece.
    fn finish(&mut self, cursor: Option<ui::CursorAt>, title: String) -> (u32, Vec<u8>) {
        let before = std::mem::replace(&mut self.cursor, cursor);
        if let Some(at) = cursor {
            self.writer.move_to(Position { x: at.x, y: at.y });
        }
        let drawn = self.writer.take();
        let large = drawn.len() > SMALL;
        let mut bytes = self.clipboard.take().unwrap_or_default();
        bytes.push_str(&std::mem::take(&mut self.calls));
        bytes.reserve(drawn.len() + 64);
        if large {
            bytes.push_str("\x1b[?2026h");
        }
        bytes.push_str(&drawn);
        match (before, cursor) {
            (Some(_), None) => bytes.push_str("\x1b[?25l"),
            (None, Some(_)) => bytes.push_str("\x1b[?25h"),
            (Some(_), Some(_)) | (None, None) => {}
        }
        let shape = |cursor: ui::CursorAt| (cursor.shape, cursor.blinking);
        if let Some((form, blinking)) = cursor.map(shape).filter(|form| before.map(shape) != Some(*form)) {
            bytes.push_str(shape_code(form, blinking));
        }
        if title != self.title {
            bytes.push_str(&format!("\x1b]2;{title}\x1b\\"));
            self.title = title;
        }
        if large {
            bytes.push_str("\x1b[?2026l");
        }
        self.number = self.number.wrapping_add(1).max(1);
        self.unacked = Some(self.number);
        (self.number, bytes.into_bytes())
    }
}

fn area(size: Size) -> Rect {
    Rect::new(0, 0, size.width, size.height)
}

/// DECSCUSR.
fn shape_code(shape: CursorShape, blinking: bool) -> &'static str {
    match (shape, blinking) {
        (CursorShape::Block, true) => "\x1b[1 q",
        (CursorShape::Block, false) => "\x1b[2 q",
        (CursorShape::Underline, true) => "\x1b[3 q",
        (CursorShape::Underline, false) => "\x1b[4 q",
        (CursorShape::Bar, true) => "\x1b[5 q",
        (CursorShape::Bar, false) => "\x1b[6 q",
    }
}
