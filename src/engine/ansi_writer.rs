//! Turns cells into bytes for a client's terminal.
//!
//! The engine has no terminal that a ratatui backend could ask: sizes come from the client, bytes go into a frame. And
//! crossterm's backend would lose underline styles, which the terminal pane carries in spare modifier bits (see
//! [`crate::ui::ink`]).

use std::fmt::Write;

use ratatui::buffer::Cell;
use ratatui::layout::Position;
use ratatui::style::{Color, Modifier, Style};

use crate::domain::event::ColourDepth;
use crate::term::Underline;
use crate::ui::ink;

use super::colour_depth::nearest;

/// Collects the bytes of one frame.
pub struct AnsiWriter {
    out: String,
    ink: Ink,
    at: Option<Position>,
    depth: ColourDepth,
}

/// What the terminal was last told to draw with.
#[derive(Clone, Copy, PartialEq)]
struct Ink {
    foreground: Color,
    background: Color,
    underline: Color,
    modifier: Modifier,
}

const PLAIN: Ink = Ink {
    foreground: Color::Reset,
    background: Color::Reset,
    underline: Color::Reset,
    modifier: Modifier::empty(),
};

impl AnsiWriter {
    /// For a terminal of so many colours.
    pub fn new(depth: ColourDepth) -> AnsiWriter {
        AnsiWriter {
            out: String::new(),
            ink: PLAIN,
            at: None,
            depth,
        }
    }

    /// The bytes since the last call.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Begins on an empty screen: what the client's terminal did on its own, at a resize say, is not known.
    pub fn clear(&mut self) {
        self.at = None;
        self.out.push_str("\x1b[0m\x1b[2J");
        self.ink = PLAIN;
    }

    /// Draws one cell on a screen that is `width` wide.
    pub fn draw(&mut self, x: u16, y: u16, cell: &Cell, width: u16) {
        self.move_to(Position { x, y });
        self.dip(Ink {
            foreground: cell.fg,
            background: cell.bg,
            underline: cell.underline_color,
            modifier: cell.modifier,
        });
        self.out.push_str(cell.symbol());
        // Only after one plain character is it certain where the cursor stands.
        self.at = match cell.symbol().len() {
            1 if x + 1 < width => Some(Position { x: x + 1, y }),
            _ => None,
        };
    }

    /// Blanks from there to the end of the row, as this cell is one.
    pub fn erase_after(&mut self, from: Position, blank: &Cell) {
        self.move_to(from);
        self.dip(Ink {
            foreground: blank.fg,
            background: blank.bg,
            underline: Color::Reset,
            modifier: Modifier::empty(),
        });
        self.out.push_str("\x1b[K");
    }

    /// Text where the cursor stands.
    pub fn text(&mut self, style: Style, text: &str) {
        self.dip(Ink {
            foreground: style.fg.unwrap_or_default(),
            background: style.bg.unwrap_or_default(),
            underline: Color::Reset,
            modifier: style.add_modifier,
        });
        self.out.push_str(text);
        self.at = None;
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

    fn dip(&mut self, ink: Ink) {
        if self.ink == ink {
            return;
        }
        // Attributes can only be taken away reliably by a reset, so a change among them starts from nothing.
        if self.ink.modifier != ink.modifier {
            self.out.push_str("\x1b[0");
            for (flag, code) in ATTRIBUTES {
                if ink.modifier.contains(flag) {
                    self.out.push_str(code);
                }
            }
            if let Some(style) = underline_code(ink.modifier) {
                self.out.push_str(style);
            }
            self.out.push('m');
            self.ink = Ink {
                modifier: ink.modifier,
                ..PLAIN
            };
        }
        if self.ink.foreground != ink.foreground {
            self.colour(ink.foreground, Layer::Foreground);
        }
        if self.ink.background != ink.background {
            self.colour(ink.background, Layer::Background);
        }
        if self.ink.underline != ink.underline {
            self.colour(ink.underline, Layer::Underline);
        }
        self.ink = ink;
    }

    fn colour(&mut self, colour: Color, layer: Layer) {
        let colour = nearest(colour, self.depth);
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
