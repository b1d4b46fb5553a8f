//! The seam behind which the emulator can be exchanged, and the plain values that cross it.

use std::mem::discriminant;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::palette::TerminalPalette;
use super::screen::{Modes, Row, Screen};

/// A terminal emulator. It may panic on hostile bytes: [`super::Terminal`] contains that.
pub trait Emulator: Send {
    /// Takes bytes from the program. They end where a synchronised update begins: it is not this one's to hold.
    fn advance(&mut self, bytes: &[u8], out: &mut Effects);
    fn resize(&mut self, size: TerminalSize);
    fn modes(&self) -> Modes;
    fn title(&self) -> Arc<str>;
    fn set_palette(&mut self, palette: &TerminalPalette);
    fn history_len(&self) -> usize;
    fn set_history_limit(&mut self, lines: usize);
    /// Drops combining marks beyond what a cell may show, from every cell; from the history also what is kept beside
    /// cells, links and colours of underlines, and marks where there are too many.
    fn trim_marks(&mut self);
    /// The screen now. Rows that did not change since `previous` are shared with it.
    fn screen(&mut self, previous: Option<&Screen>) -> Screen;
    /// The screen scrolled back by `offset` lines, at most to the oldest.
    fn view(&mut self, offset: usize) -> Screen;
    /// The number of the live screen's top line: see [`Screen::first`].
    fn first_line(&self) -> u64;
    /// Counts the live screen's top line as this one from now on.
    fn number_from(&mut self, first: u64);
    /// The line of the live screen that the cursor is in.
    fn cursor_row(&self) -> u16;
    /// Whether lines are counted from the upper margin (DECOM).
    fn is_origin(&self) -> bool;
    /// Clears the top line, as if the program had.
    fn clear_top(&mut self);
    /// One line: 0 is the top of the live screen, history is negative.
    fn row(&self, line: i32) -> Option<Row>;
}

/// Columns and rows. Below two of each, wide characters do not fit and one known emulator never returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalSize {
    cols: u16,
    rows: u16,
}

impl TerminalSize {
    /// Clamped: geometry comes from outside, and a grid is allocated by it.
    pub fn new(cols: u16, rows: u16) -> TerminalSize {
        TerminalSize {
            cols: cols.clamp(2, 1000),
            rows: rows.clamp(2, 1000),
        }
    }

    pub fn cols(self) -> u16 {
        self.cols
    }

    pub fn rows(self) -> u16 {
        self.rows
    }
}

/// How a terminal begins.
#[derive(Clone, Debug)]
pub struct Setup {
    pub size: TerminalSize,
    pub palette: TerminalPalette,
    pub history_lines: usize,
}

/// What bytes brought about besides cells.
#[derive(Debug, Default)]
pub struct Effects {
    /// To be written to the program, in the order in which it asked.
    pub reply: Vec<u8>,
    pub signals: Vec<TerminalSignal>,
}

/// Notifications and marks of one call beyond this many are a flood, and dropped.
const QUEUED: usize = 16;

impl Effects {
    /// Adds a signal. Of what merely replaces its predecessor only the newest is kept: a program may set a thousand
    /// titles in one breath.
    pub fn signal(&mut self, signal: TerminalSignal) {
        match signal {
            TerminalSignal::Mark(PromptMark::CommandEnd { .. }) => {
                let is_end = |old: &TerminalSignal| matches!(old, TerminalSignal::Mark(PromptMark::CommandEnd { .. }));
                self.signals.retain(|old| !is_end(old));
                self.signals.push(signal);
            }
            TerminalSignal::Notify { .. } | TerminalSignal::Mark(_) => {
                if self.signals.len() < QUEUED {
                    self.signals.push(signal);
                }
            }
            TerminalSignal::Title(_)
            | TerminalSignal::Bell
            | TerminalSignal::Cwd(_)
            | TerminalSignal::Progress(_)
            | TerminalSignal::Clipboard(_)
            | TerminalSignal::ParserFailed => {
                self.signals.retain(|old| discriminant(old) != discriminant(&signal));
                self.signals.push(signal);
            }
        }
    }
}

/// Something the program told its terminal. All text is bounded and holds printable characters only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TerminalSignal {
    Title(String),
    Bell,
    Notify {
        title: String,
        body: String,
    },
    /// The program's working directory, as it says.
    Cwd(String),
    Mark(PromptMark),
    Progress(Progress),
    /// The program wants to set the clipboard. Off by default: nothing acts on this unasked.
    Clipboard(String),
    /// The emulator failed on these bytes and was made again; what it showed is gone.
    ParserFailed,
}

/// Where a shell is with its prompt (OSC 133).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PromptMark {
    PromptStart,
    PromptEnd,
    /// A command line begins to run.
    OutputStart {
        is_ours: bool,
    },
    /// `is_ours`: the mark says that it is of a shell that parlour started ([`OWN_MARK`](super::OWN_MARK)).
    CommandEnd {
        code: Option<i32>,
        is_ours: bool,
    },
}

/// OSC 9;4, in percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    None,
    Running(u8),
    Failed(u8),
    Indeterminate,
    Paused(u8),
}

/// A place in the text of a terminal. Line 0 is the top of the live screen, history is negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    pub line: i32,
    pub col: u16,
}

/// From one place up to and including another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub from: Position,
    pub to: Position,
}

/// A place that stays with its text while that scrolls: the line's number (see [`Screen::first`]), and a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TextSpot {
    pub line: u64,
    pub col: u16,
}

/// Which cells between two places are meant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextShape {
    /// As one reads: to the end of the first line, and from the start of the last.
    #[default]
    Flow,
    /// Whole lines, with all of those that the terminal broke, in sight or not.
    Lines,
    /// The columns between them, of each line.
    Block,
}

/// What a person copied out of a terminal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Copied {
    pub text: String,
    /// There was more than may be copied at once.
    pub cut: bool,
}
