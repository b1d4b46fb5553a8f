//! The terminal emulator: bytes in, grid out.
//!
//! This room turns what a program writes into an immutable [`Screen`], into replies to that program and into a few
//! bounded [`TerminalSignal`]s (title, bell, notification). It does no IO and has no clock: whoever reads the bytes passes the
//! time along. Start at [`Terminal`]; [`key`] is
//! how people write one, and [`keys`], [`mouse`] and [`paste`] go the other way, from a person's input to bytes.

mod alacritty;
pub mod ansi;
mod cells;
mod emulator;
mod filter;
mod find;
pub mod key;
pub mod keys;
pub mod mouse;
mod osc;
mod packed;
mod palette;
pub mod paste;
mod read_back;
mod screen;
mod tap;
mod terminal;
mod text;
mod visible;

#[cfg(test)]
mod tests;

pub use emulator::{
    Copied, Effects, Emulator, Position, Progress, PromptMark, Setup, Span, TerminalSignal, TerminalSize, TextShape,
    TextSpot,
};
pub use find::FoundText;
pub use osc::OWN_MARK;
pub use palette::{Rgb, TerminalPalette};
pub use screen::{
    Cell, Colour, Cursor, CursorShape, Kitty, Modes, MouseEncoding, MouseReports, PastScreen, Row, Screen, Style,
    Underline,
};
pub use terminal::Terminal;
