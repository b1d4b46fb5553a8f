//! A drawn screen as text: what a person sees, and where their cursor is.

use std::fmt;

use parlour::config::theme::Theme;
use parlour::model::ClientId;
use parlour::screen::State;
use parlour::ui::{self, CursorAt};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr;

pub struct Paper {
    pub buffer: Buffer,
    pub cursor: Option<CursorAt>,
}

/// Draws what a client sees.
pub fn draw(state: &State, client: ClientId, theme: &Theme) -> Paper {
    let size = state.views[&client].size;
    let area = Rect::new(0, 0, size.cols, size.rows);
    let mut buffer = Buffer::empty(area);
    let cursor = ui::render(state, client, theme, area, &mut buffer);
    Paper { buffer, cursor }
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let area = self.buffer.area;
        for y in area.top()..area.bottom() {
            let mut line = String::new();
            let mut hidden = 0;
            for x in area.left()..area.right() {
                let symbol = self.buffer[(x, y)].symbol();
                if hidden == 0 {
                    line.push_str(symbol);
                    hidden = symbol.width().max(1);
                }
                hidden -= 1;
            }
            writeln!(f, "{}", line.trim_end())?;
        }
        match self.cursor {
            Some(at) => writeln!(f, "cursor at column {}, row {}", at.x, at.y),
            None => writeln!(f, "no cursor"),
        }
    }
}
