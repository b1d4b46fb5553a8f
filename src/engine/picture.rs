//! One attached terminal: what it was last sent, and the next frame for it.

use ratatui::Terminal;
use ratatui::layout::{Position, Rect, Size};
use ratatui::{TerminalOptions, Viewport};

use crate::app::State;
use crate::config::theme::Theme;
use crate::model::ClientId;
use crate::term::CursorShape;
use crate::ui;

use super::backend::FrameBackend;

/// A frame of no more bytes than this is taken by a terminal in one read: framing it as one update gains nothing.
const SMALL: usize = 256;

/// Frames are differences to the one before, so the next waits until the client has taken the last.
pub struct Picture {
    terminal: Terminal<FrameBackend>,
    size: Size,
    pub theme: Theme,
    number: u32,
    /// The frame that the client has not taken yet.
    unacked: Option<u32>,
    cursor: Option<ui::CursorAt>,
    title: String,
}

impl Picture {
    pub fn new(size: Size, theme: Theme) -> Picture {
        let options = TerminalOptions {
            viewport: Viewport::Fixed(area(size)),
        };
        let Ok(terminal) = Terminal::with_options(FrameBackend::new(size), options);
        Picture {
            terminal,
            size,
            theme,
            number: 0,
            unacked: None,
            cursor: None,
            title: String::new(),
        }
    }

    pub fn acked(&mut self, number: u32) {
        if self.unacked == Some(number) {
            self.unacked = None;
        }
    }

    pub fn is_ready(&self) -> bool {
        self.unacked.is_none()
    }

    /// The bytes that bring the client's terminal up to date; `None` where it is.
    pub fn frame(&mut self, state: &State, client: ClientId) -> Option<(u32, Vec<u8>)> {
        let view = state.views.get(&client)?;
        let size = Size::new(view.size.cols, view.size.rows);
        if size != self.size || self.number == 0 {
            self.size = size;
            self.terminal.backend_mut().size = size;
            self.terminal.backend_mut().forget_pen();
            let Ok(()) = self.terminal.resize(area(size));
        }
        let mut cursor = None;
        let theme = &self.theme;
        let Ok(_) = self.terminal.draw(|frame| {
            let area = frame.area();
            cursor = ui::render(state, client, theme, area, frame.buffer_mut());
        });
        let title = ui::title(state, client);
        if self.terminal.backend().is_empty() && cursor == self.cursor && title == self.title && self.number > 0 {
            return None;
        }
        let bytes = self.finish(cursor, title);
        self.number = self.number.wrapping_add(1).max(1);
        self.unacked = Some(self.number);
        Some((self.number, bytes.into_bytes()))
    }

    /// The drawn cells, the cursor and the title as one piece.
    fn finish(&mut self, cursor: Option<ui::CursorAt>, title: String) -> String {
        let before = std::mem::replace(&mut self.cursor, cursor);
        let backend = self.terminal.backend_mut();
        if let Some(at) = cursor {
            backend.move_to(Position { x: at.x, y: at.y });
        }
        let drawn = backend.take();
        let large = drawn.len() > SMALL;
        let mut bytes = String::with_capacity(drawn.len() + 64);
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
        bytes
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
