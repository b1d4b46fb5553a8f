//! A ratatui backend that turns cells into bytes for a client's terminal.
//!
//! The engine has no terminal: sizes come from the client, bytes go into a frame. Crossterm's own backend would lose
//! underline styles, which the terminal pane carries in spare modifier bits (see [`crate::ui::ink`]).

use std::convert::Infallible;
use std::fmt::Write;

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

use crate::term::Underline;
use crate::ui::ink;

/// Collects the bytes of one frame.
pub struct FrameBackend {
    pub size: Size,
    out: String,
    pen: Pen,
    at: Option<Position>,
}

/// What the terminal was last told to draw with.
#[derive(Clone, Copy, PartialEq)]
struct Pen {
    foreground: Color,
    background: Color,
    underline: Color,
    modifier: Modifier,
}

const PLAIN: Pen = Pen {
    foreground: Color::Reset,
    background: Color::Reset,
    underline: Color::Reset,
    modifier: Modifier::empty(),
};

impl FrameBackend {
    pub fn new(size: Size) -> FrameBackend {
        FrameBackend {
            size,
            out: String::new(),
            pen: PLAIN,
            at: None,
        }
    }

    /// The bytes since the last call.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// What the client's terminal may do between frames is not known: say everything anew.
    pub fn forget_pen(&mut self) {
        self.at = None;
        self.out.push_str("\x1b[0m");
        self.pen = PLAIN;
    }

    pub fn move_to(&mut self, to: Position) {
        let written = match self.at {
            Some(at) if at == to => Ok(()),
            Some(at) if at.y == to.y && to.x > at.x => write!(self.out, "\x1b[{}C", to.x - at.x),
            Some(_) | None => write!(self.out, "\x1b[{};{}H", to.y + 1, to.x + 1),
        };
        debug_assert!(written.is_ok(), "writing to a string can't fail");
        self.at = Some(to);
    }

    fn set_pen(&mut self, pen: Pen) {
        if self.pen == pen {
            return;
        }
        // Attributes can only be taken away reliably by a reset, so a change among them starts from nothing.
        if self.pen.modifier != pen.modifier {
            self.out.push_str("\x1b[0");
            for (flag, code) in ATTRIBUTES {
                if pen.modifier.contains(flag) {
                    self.out.push_str(code);
                }
            }
            if let Some(style) = underline_code(pen.modifier) {
                self.out.push_str(style);
            }
            self.out.push('m');
            self.pen = Pen {
                modifier: pen.modifier,
                ..PLAIN
            };
        }
        if self.pen.foreground != pen.foreground {
            self.colour(pen.foreground, Layer::Foreground);
        }
        if self.pen.background != pen.background {
            self.colour(pen.background, Layer::Background);
        }
        if self.pen.underline != pen.underline {
            self.colour(pen.underline, Layer::Underline);
        }
        self.pen = pen;
    }

    fn colour(&mut self, colour: Color, layer: Layer) {
        let out = &mut self.out;
        let (base, bright, extended, reset) = match layer {
            Layer::Foreground => (30, 90, 38, 39),
            Layer::Background => (40, 100, 48, 49),
            Layer::Underline => (0, 0, 58, 59),
        };
        let written = match (colour, ansi_number(colour)) {
            (Color::Reset, _) => write!(out, "\x1b[{reset}m"),
            (Color::Rgb(r, g, b), _) => write!(out, "\x1b[{extended};2;{r};{g};{b}m"),
            (_, Some(n @ 0..8)) if base > 0 => write!(out, "\x1b[{}m", base + u16::from(n)),
            (_, Some(n @ 8..16)) if base > 0 => write!(out, "\x1b[{}m", bright + u16::from(n) - 8),
            (_, Some(n)) => write!(out, "\x1b[{extended};5;{n}m"),
            (_, None) => Ok(()),
        };
        debug_assert!(written.is_ok(), "writing to a string can't fail");
    }
}

#[derive(Clone, Copy)]
enum Layer {
    Foreground,
    Background,
    Underline,
}

const ATTRIBUTES: [(Modifier, &str); 8] = [
    (Modifier::BOLD, ";1"),
    (Modifier::DIM, ";2"),
    (Modifier::ITALIC, ";3"),
    (Modifier::SLOW_BLINK, ";5"),
    (Modifier::RAPID_BLINK, ";6"),
    (Modifier::REVERSED, ";7"),
    (Modifier::HIDDEN, ";8"),
    (Modifier::CROSSED_OUT, ";9"),
];

fn underline_code(modifier: Modifier) -> Option<&'static str> {
    match ink::unpack(modifier) {
        Underline::None if modifier.contains(Modifier::UNDERLINED) => Some(";4"),
        Underline::None => None,
        Underline::Single => Some(";4"),
        Underline::Double => Some(";4:2"),
        Underline::Curly => Some(";4:3"),
        Underline::Dotted => Some(";4:4"),
        Underline::Dashed => Some(";4:5"),
    }
}

/// The place of a named or indexed colour in the terminal's palette.
fn ansi_number(colour: Color) -> Option<u8> {
    Some(match colour {
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        Color::DarkGray => 8,
        Color::LightRed => 9,
        Color::LightGreen => 10,
        Color::LightYellow => 11,
        Color::LightBlue => 12,
        Color::LightMagenta => 13,
        Color::LightCyan => 14,
        Color::White => 15,
        Color::Indexed(n) => n,
        Color::Reset | Color::Rgb(..) => return None,
    })
}

impl Backend for FrameBackend {
    type Error = Infallible;

    fn draw<'a, I>(&mut self, content: I) -> Result<(), Infallible>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        for (x, y, cell) in content {
            let here = Position { x, y };
            self.move_to(here);
            self.set_pen(Pen {
                foreground: cell.fg,
                background: cell.bg,
                underline: cell.underline_color,
                modifier: cell.modifier,
            });
            self.out.push_str(cell.symbol());
            // Only after one plain character is it certain where the cursor stands.
            self.at = match cell.symbol().len() {
                1 if x + 1 < self.size.width => Some(Position { x: x + 1, y }),
                _ => None,
            };
        }
        Ok(())
    }

    /// The cursor is [`super::picture`]'s: it says so only where something about it changed.
    fn hide_cursor(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn show_cursor(&mut self) -> Result<(), Infallible> {
        Ok(())
    }

    fn get_cursor_position(&mut self) -> Result<Position, Infallible> {
        Ok(self.at.unwrap_or_default())
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, _position: P) -> Result<(), Infallible> {
        Ok(())
    }

    fn clear(&mut self) -> Result<(), Infallible> {
        self.set_pen(PLAIN);
        self.out.push_str("\x1b[2J");
        Ok(())
    }

    fn clear_region(&mut self, clear_type: ClearType) -> Result<(), Infallible> {
        self.set_pen(PLAIN);
        self.out.push_str(match clear_type {
            ClearType::All => "\x1b[2J",
            ClearType::AfterCursor => "\x1b[0J",
            ClearType::BeforeCursor => "\x1b[1J",
            ClearType::CurrentLine => "\x1b[2K",
            ClearType::UntilNewLine => "\x1b[0K",
        });
        Ok(())
    }

    fn size(&self) -> Result<Size, Infallible> {
        Ok(self.size)
    }

    fn window_size(&mut self) -> Result<WindowSize, Infallible> {
        Ok(WindowSize {
            columns_rows: self.size,
            pixels: Size::default(),
        })
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}
