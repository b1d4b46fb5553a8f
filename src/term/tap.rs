//! A second parser over the same bytes, for what the emulator does not tell or must not see.
//!
//! It reads notifications, directories, marks and progress, and it stops right after those sequences at which
//! [`super::Terminal`] has to act before the emulator goes on.

use unicode_width::UnicodeWidthChar;
use vte::{Params, Parser, Perform};

use super::emulator::Effects;
use super::filter::LINK_LIMIT;
use super::osc::Commands;

#[derive(Default)]
pub(super) struct Tap {
    parser: Parser,
    ear: Ear,
}

/// Why the tap stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TapStop {
    /// The program asks what terminal this is (XTVERSION).
    Version,
    KittyPush,
    KittyPop(u16),
    /// A synchronised update (mode 2026): what is on the screen is half drawn, until the end.
    FrameBegins,
    FrameEnds,
    /// The last character again, this often.
    Repeat(u16),
    Reset,
    /// Lines outside of these do not scroll (DECSTBM), counted from 1; 0 is the screen's own edge.
    Margins(u16, u16),
    /// The cursor moves by lines; with a carriage return where that is said.
    Up(u16, Return),
    Down(u16, Return),
    SaveCursor,
    RestoreCursor,
    /// The alternate screen is left, with all that is on it.
    LeavesAlternate,
    /// The screen up to the cursor is cleared (ED 1).
    ClearAbove,
    /// The screen is filled for adjustment (DECALN).
    Adjust,
    /// A link that was cut, ended by BEL or by the ESC of ST: it leads to nowhere.
    CutLink {
        by_bell: bool,
    },
}

/// Whether a movement ends in the first column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Return {
    Stay,
    ToFirst,
}

/// So many bytes of a link count as one that is kept beside a cell.
const LINK_UNIT: usize = 8;

#[derive(Default)]
struct Ear {
    /// Movements by lines are told only where they could run into a margin.
    margins: bool,
    stop: Option<TapStop>,
    commands: Commands,
    effects: Effects,
    marks: usize,
    /// What is printed now is a link (OSC 8), and kept beside its cell as marks are.
    links: bool,
    /// Underlines may have a colour of their own now (SGR 58), and after the cursor is restored. Cells share it, but a
    /// wide character that is overwritten leaves a copy behind.
    coloured: bool,
    saved_coloured: bool,
}

impl Tap {
    /// Reads up to the end of `bytes` or of the first sequence to act on; returns how far it came.
    pub(super) fn advance(&mut self, bytes: &[u8], out: &mut Effects) -> (usize, Option<TapStop>) {
        let read = self.parser.advance_until_terminated(&mut self.ear, bytes);
        self.ear.effects.signals.drain(..).for_each(|signal| out.signal(signal));
        (read, self.ear.stop.take())
    }

    /// Whether there are margins now.
    pub(super) fn set_margins(&mut self, margins: bool) {
        self.ear.margins = margins;
    }

    /// How many combining marks, cells of links and colours of underlines were seen so far; the caller sets it back.
    pub(super) fn marks(&mut self) -> &mut usize {
        &mut self.ear.marks
    }
}

impl Perform for Ear {
    fn print(&mut self, c: char) {
        // Nothing below U+0300 combines or is wide, and nearly all text is below it.
        let is_kept = self.links
            || (c >= '\u{300}'
                && match c.width() {
                    Some(0) => true,
                    Some(2) => self.coloured,
                    Some(_) | None => false,
                });
        if is_kept {
            self.marks += 1;
        }
    }

    fn osc_dispatch(&mut self, params: &[&[u8]], by_bell: bool) {
        if let [b"8", _, to, ..] = params {
            let length: usize = params.iter().map(|param| param.len() + 1).sum();
            let is_cut = length > LINK_LIMIT;
            self.links = !to.is_empty() && !is_cut;
            self.marks += to.len() / LINK_UNIT;
            self.stop = is_cut.then_some(TapStop::CutLink { by_bell });
        }
        if let Some(signal) = self.commands.read(params) {
            self.effects.signal(signal);
        }
    }

    fn csi_dispatch(&mut self, params: &Params, intermediates: &[u8], ignore: bool, action: char) {
        let mut numbers = params.iter().map(|param| param.first().copied().unwrap_or(0));
        let (first, second) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
        self.stop = match (intermediates, action) {
            _ if ignore => None,
            (b">", 'q') if first == 0 => Some(TapStop::Version),
            (b">", 'u') => Some(TapStop::KittyPush),
            (b"<", 'u') => Some(TapStop::KittyPop(first.max(1))),
            (b"", 'b') => Some(TapStop::Repeat(first)),
            (b"", 'r') => Some(TapStop::Margins(first, second)),
            (b"", 's') => Some(TapStop::SaveCursor),
            (b"", 'u') => Some(TapStop::RestoreCursor),
            (b"", 'J') if first == 1 => Some(TapStop::ClearAbove),
            (b"", 'A') if self.margins => Some(TapStop::Up(first.max(1), Return::Stay)),
            (b"", 'F') if self.margins => Some(TapStop::Up(first.max(1), Return::ToFirst)),
            (b"", 'B' | 'e') if self.margins => Some(TapStop::Down(first.max(1), Return::Stay)),
            (b"", 'E') if self.margins => Some(TapStop::Down(first.max(1), Return::ToFirst)),
            (b"", 'm') => {
                self.colour(params);
                None
            }
            (b"?", 'h') if sets_frame(params) => Some(TapStop::FrameBegins),
            (b"?", 'l') if sets_frame(params) => Some(TapStop::FrameEnds),
            (b"?", 'l') if sets_alternate(params) => Some(TapStop::LeavesAlternate),
            _ => None,
        };
        match (intermediates, action) {
            // Modes beside that of the alternate screen save and restore the cursor as well.
            (b"", 's') | (b"?", 'h') => self.saved_coloured |= self.coloured,
            (b"", 'u') | (b"?", 'l') => self.coloured |= self.saved_coloured,
            _ => {}
        }
    }

    fn esc_dispatch(&mut self, intermediates: &[u8], ignore: bool, byte: u8) {
        self.stop = match (intermediates, byte) {
            _ if ignore => None,
            (b"", b'c') => Some(TapStop::Reset),
            (b"", b'7') => Some(TapStop::SaveCursor),
            (b"", b'8') => Some(TapStop::RestoreCursor),
            (b"#", b'8') => Some(TapStop::Adjust),
            _ => None,
        };
        match (intermediates, byte) {
            (b"", b'c') => (self.coloured, self.saved_coloured) = (false, false),
            (b"", b'7') => self.saved_coloured |= self.coloured,
            (b"", b'8') => self.coloured |= self.saved_coloured,
            _ => {}
        }
    }

    fn terminated(&self) -> bool {
        self.stop.is_some()
    }
}

impl Ear {
    /// A number of SGR may also be part of another colour. So 58 counts wherever it stands, and what ends it only where
    /// it can be nothing else.
    fn colour(&mut self, params: &Params) {
        let mut numbers = params.iter().map(|param| param.first().copied().unwrap_or(0));
        let first = numbers.next().unwrap_or(0);
        if first == 0 || (first == 59 && params.len() == 1) {
            self.coloured = false;
        }
        if first == 58 || numbers.any(|number| number == 58) {
            self.coloured = true;
            self.marks += 1;
        }
    }
}

fn sets_frame(params: &Params) -> bool {
    params.iter().any(|param| param == [2026])
}

fn sets_alternate(params: &Params) -> bool {
    params.iter().any(|param| matches!(param, [47 | 1047 | 1049]))
}
