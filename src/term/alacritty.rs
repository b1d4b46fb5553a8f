//! The emulator of the product: `alacritty_terminal`.
//!
//! It reflows on resize, holds synchronised updates, keeps underline styles, knows the kitty keyboard protocol and
//! answers most queries. What it lacks or lets a hostile program do to it is made good in `tap`, `filter` and
//! [`super::Terminal`]. Its OSC 52 is off: the tap reports that one, bounded.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use alacritty_terminal::event::{Event, EventListener};
use alacritty_terminal::grid::{Dimensions, Scroll};
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::Cell as GridCell;
use alacritty_terminal::term::{Config, Osc52, Term, TermDamage, TermMode};
use alacritty_terminal::vte::ansi::{
    self, CursorShape as AnsiShape, Handler, LineClearMode, NamedColor, Processor, Timeout,
};
use parking_lot::Mutex;

use super::cells::{self, MARKS_A_CELL};
use super::emulator::{Effects, Emulator, Setup, TerminalSignal, TerminalSize};
use super::palette::{Rgb, TerminalPalette};
use super::screen::{Cursor, CursorShape, Kitty, Modes, MouseEncoding, MouseReports, Row, Screen};
use super::visible;

const TITLE_BYTES: usize = 512;

/// What one call may answer. No honest program asks this much at once; a dishonest one fills our queue otherwise.
const REPLY_BYTES: usize = 16 * 1024;

/// What one call may say. A slice of output can hold thousands of queries; they would all be strings at once.
const EVENTS: usize = 1024;

/// What is parsed between two counts of lines. The emulator follows a line for as long as it is in the history, so fewer
/// lines may begin in a piece than the smallest history holds.
const COUNTED: usize = 96;

/// Cells of the history that keep marks, for each line that it may have. Such a cell has some 110 bytes beside it, so
/// that is half of what a line of text takes itself, as the scrollback's budget has it.
const MARKED_CELLS_A_LINE: usize = 20;

pub(super) struct Alacritty {
    term: Term<PendingEvents>,
    parser: Processor<Hold>,
    outbox: PendingEvents,
    palette: TerminalPalette,
    title: Arc<str>,
    history_limit: usize,
    /// The beginning of a character whose end has not come yet.
    split: Vec<u8>,
    /// The number of the live screen's top line: how many lines have gone up into the history.
    first: u64,
    generation: u64,
}

/// Collects what the emulator says while it parses. The lock is never contended: both ends live in [`Alacritty`].
#[derive(Clone, Default)]
struct PendingEvents(Arc<Mutex<Vec<Event>>>);

/// Whether the parser has begun to hold back a synchronised update. It must not: what it gathers, up to 2 MiB, it parses
/// in one go, and that can take minutes of a hostile program's choosing. [`super::Terminal`] holds back screens instead.
#[derive(Default)]
struct Hold(bool);

/// What lines are counted from.
struct LineOrigin {
    history: usize,
    alt_screen: bool,
}

impl Timeout for Hold {
    fn set_timeout(&mut self, _: Duration) {
        self.0 = true;
    }

    fn clear_timeout(&mut self) {
        self.0 = false;
    }

    fn pending_timeout(&self) -> bool {
        self.0
    }
}

impl EventListener for PendingEvents {
    fn send_event(&self, event: Event) {
        let mut events = self.0.lock();
        if events.len() < EVENTS {
            events.push(event);
        }
    }
}

impl Dimensions for TerminalSize {
    fn total_lines(&self) -> usize {
        usize::from(self.rows())
    }

    fn screen_lines(&self) -> usize {
        usize::from(self.rows())
    }

    fn columns(&self) -> usize {
        usize::from(self.cols())
    }
}

impl Alacritty {
    pub(super) fn new(setup: &Setup) -> Alacritty {
        let outbox = PendingEvents::default();
        let config = Config {
            scrolling_history: setup.history_lines,
            kitty_keyboard: true,
            osc52: Osc52::Disabled,
            ..Config::default()
        };
        Alacritty {
            term: Term::new(config, &setup.size, outbox.clone()),
            parser: Processor::new(),
            outbox,
            palette: setup.palette,
            title: "".into(),
            history_limit: setup.history_lines,
            split: Vec::new(),
            first: 0,
            generation: 0,
        }
    }

    fn collect(&mut self, out: &mut Effects) {
        let events = std::mem::take(&mut *self.outbox.0.lock());
        for event in events {
            match event {
                Event::PtyWrite(text) => reply(&text, out),
                Event::ColorRequest(index, answer) => reply(&answer(self.colour(index)), out),
                Event::Title(title) => self.retitle(&title, out),
                Event::ResetTitle => self.retitle("", out),
                Event::Bell => out.signal(TerminalSignal::Bell),
                // Clipboard is off; sizes in pixels are unknown here; the rest is for a program with a window.
                Event::ClipboardStore(..)
                | Event::ClipboardLoad(..)
                | Event::TextAreaSizeRequest(_)
                | Event::MouseCursorDirty
                | Event::CursorBlinkingChange
                | Event::Wakeup
                | Event::Exit
                | Event::ChildExit(_) => {}
            }
        }
    }

    fn retitle(&mut self, title: &str, out: &mut Effects) {
        let title = visible::line(title.as_bytes(), TITLE_BYTES);
        if *title != *self.title {
            self.title = title.as_str().into();
            out.signal(TerminalSignal::Title(title));
        }
    }

    fn colour(&self, index: usize) -> ansi::Rgb {
        if let Some(changed) = self.term.colors()[index] {
            return changed;
        }
        let Rgb(r, g, b) = match u8::try_from(index) {
            Ok(index) => self.palette.indexed(index),
            Err(_) if index == NamedColor::Background as usize => self.palette.background,
            Err(_) if index == NamedColor::Cursor as usize => self.palette.cursor,
            Err(_) => self.palette.foreground,
        };
        ansi::Rgb { r, g, b }
    }

    fn cursor(&self, offset: usize) -> Cursor {
        let point = self.term.grid().cursor.point;
        let style = self.term.cursor_style();
        let shape = match style.shape {
            AnsiShape::Block | AnsiShape::HollowBlock | AnsiShape::Hidden => CursorShape::Block,
            AnsiShape::Underline => CursorShape::Underline,
            AnsiShape::Beam => CursorShape::Bar,
        };
        let shown = self.term.mode().contains(TermMode::SHOW_CURSOR) && style.shape != AnsiShape::Hidden;
        Cursor {
            row: u16::try_from(point.line.0 + offset as i32).unwrap_or(u16::MAX),
            col: point.column.0 as u16,
            shape,
            visible: shown,
            blinking: style.blinking,
        }
    }

    /// The emulator counts no lines, but while it is scrolled back it follows the line it is scrolled to. So it is, by
    /// one, while it parses.
    fn stand(&mut self) -> LineOrigin {
        let grid = self.term.grid_mut();
        grid.scroll_display(Scroll::Bottom);
        grid.scroll_display(Scroll::Delta(1));
        LineOrigin {
            history: self.term.history_size(),
            alt_screen: self.term.mode().contains(TermMode::ALT_SCREEN),
        }
    }

    fn count_lines(&mut self, before: LineOrigin) {
        let (history, offset) = (self.term.history_size(), self.term.grid().display_offset());
        self.term.grid_mut().scroll_display(Scroll::Bottom);
        if before.alt_screen != self.term.mode().contains(TermMode::ALT_SCREEN) {
            return;
        }
        let gone = match before.history {
            0 => history,
            // It was cleared: no line has the number that it had.
            _ if offset == 0 => history + self.term.screen_lines(),
            // Exact; once the history is full, what scrolls below a fixed top counts as well.
            before if history < self.history_limit => history.saturating_sub(before),
            _ => offset - 1,
        };
        self.first += gone as u64;
    }

    fn line(&self, line: i32) -> Arc<Row> {
        let grid = self.term.grid();
        Arc::new(cells::row(&grid[Line(line)], grid.columns(), self.term.colors()))
    }

    /// Everything of a screen but its rows.
    fn frame(&mut self, offset: usize, rows: Vec<Arc<Row>>) -> Screen {
        self.generation += 1;
        Screen {
            rows,
            cols: self.term.columns() as u16,
            cursor: self.cursor(offset),
            modes: self.modes(),
            history: self.history_len(),
            offset,
            first: self.first.saturating_sub(offset as u64),
            title: self.title.clone(),
            generation: self.generation,
        }
    }

    /// Which lines of the live screen have to be converted again.
    fn damaged(&mut self) -> Vec<bool> {
        let lines = self.term.screen_lines();
        let damaged = match self.term.damage() {
            TermDamage::Full => vec![true; lines],
            TermDamage::Partial(bounds) => {
                let mut damaged = vec![false; lines];
                bounds.for_each(|line| damaged[line.line] = true);
                damaged
            }
        };
        self.term.reset_damage();
        damaged
    }
}

impl Emulator for Alacritty {
    fn advance(&mut self, bytes: &[u8], out: &mut Effects) {
        // The parser loses a character now and then where another is split between two calls.
        let joined = match self.split.is_empty() {
            true => Cow::Borrowed(bytes),
            false => Cow::Owned([&std::mem::take(&mut self.split), bytes].concat()),
        };
        let (mut bytes, split) = joined.split_at(joined.len() - unfinished(&joined));
        self.split = split.to_vec();
        while !bytes.is_empty() {
            let (mut piece, mut rest) = bytes.split_at(bytes.len().min(COUNTED));
            let cut = unfinished(piece);
            if cut < piece.len() {
                (piece, rest) = bytes.split_at(piece.len() - cut);
            }
            bytes = rest;
            let before = self.stand();
            self.parser.advance(&mut self.term, piece);
            if self.parser.sync_timeout().pending_timeout() {
                self.parser.stop_sync(&mut self.term);
            }
            self.count_lines(before);
        }
        self.collect(out);
    }

    fn resize(&mut self, size: TerminalSize) {
        let before = self.history_len() as u64;
        self.term.resize(size);
        // Lines that move between screen and history, or are broken again, keep their distance from the oldest.
        self.first = (self.first + self.history_len() as u64).saturating_sub(before);
    }

    fn first_line(&self) -> u64 {
        self.first
    }

    fn number_from(&mut self, first: u64) {
        self.first = first;
    }

    fn modes(&self) -> Modes {
        let mode = *self.term.mode();
        let on = |flag| mode.contains(flag);
        let mouse = if on(TermMode::MOUSE_MOTION) {
            MouseReports::Motion
        } else if on(TermMode::MOUSE_DRAG) {
            MouseReports::Drags
        } else if on(TermMode::MOUSE_REPORT_CLICK) {
            MouseReports::Clicks
        } else {
            MouseReports::Off
        };
        let mouse_encoding = if on(TermMode::SGR_MOUSE) {
            MouseEncoding::Sgr
        } else if on(TermMode::UTF8_MOUSE) {
            MouseEncoding::Utf8
        } else {
            MouseEncoding::X10
        };
        Modes {
            alt_screen: on(TermMode::ALT_SCREEN),
            app_cursor: on(TermMode::APP_CURSOR),
            app_keypad: on(TermMode::APP_KEYPAD),
            bracketed_paste: on(TermMode::BRACKETED_PASTE),
            focus: on(TermMode::FOCUS_IN_OUT),
            alternate_scroll: on(TermMode::ALTERNATE_SCROLL),
            mouse,
            mouse_encoding,
            kitty: kitty(mode),
        }
    }

    fn title(&self) -> Arc<str> {
        self.title.clone()
    }

    fn set_palette(&mut self, palette: &TerminalPalette) {
        self.palette = *palette;
    }

    fn history_len(&self) -> usize {
        self.term.history_size()
    }

    fn set_history_limit(&mut self, lines: usize) {
        if lines != self.history_limit {
            self.history_limit = lines;
            self.term.set_options(Config {
                scrolling_history: lines,
                kitty_keyboard: true,
                osc52: Osc52::Disabled,
                ..Config::default()
            });
            // It repeats the title it has, which is news to nobody.
            self.outbox.0.lock().clear();
        }
    }

    fn trim_marks(&mut self) {
        let (top, bottom) = (self.term.topmost_line().0, self.term.bottommost_line().0);
        let cols = self.term.columns();
        let mut marked = self.history_limit * MARKED_CELLS_A_LINE;
        let grid = self.term.grid_mut();
        for line in (top..=bottom).rev() {
            for col in 0..cols {
                // A cell that is lent to be changed makes its line count as written to its end.
                if grid[Line(line)][Column(col)].extra.is_none() {
                    continue;
                }
                let cell = &mut grid[Line(line)][Column(col)];
                match line < 0 {
                    true => shelve(cell, &mut marked),
                    false => trim(cell),
                }
            }
        }
    }

    fn screen(&mut self, previous: Option<&Screen>) -> Screen {
        let damaged = self.damaged();
        let cols = self.term.columns();
        let old = previous.filter(|old| usize::from(old.cols) == cols && old.rows.len() == damaged.len());
        let mut rows = Vec::with_capacity(damaged.len());
        for (at, damaged) in damaged.into_iter().enumerate() {
            let row = match old {
                Some(old) if !damaged => old.rows[at].clone(),
                // The emulator calls everything damaged when it scrolls; equal rows are still worth sharing.
                Some(old) => Some(self.line(at as i32))
                    .filter(|new| *new != old.rows[at])
                    .unwrap_or_else(|| old.rows[at].clone()),
                None => self.line(at as i32),
            };
            rows.push(row);
        }
        self.frame(0, rows)
    }

    fn view(&mut self, offset: usize) -> Screen {
        self.term.grid_mut().scroll_display(Scroll::Bottom);
        let offset = offset.min(self.history_len());
        let top = -(offset as i32);
        let rows = (top..top + self.term.screen_lines() as i32)
            .map(|line| self.line(line))
            .collect();
        self.frame(offset, rows)
    }

    fn cursor_row(&self) -> u16 {
        u16::try_from(self.term.grid().cursor.point.line.0).unwrap_or_default()
    }

    fn is_origin(&self) -> bool {
        self.term.mode().contains(TermMode::ORIGIN)
    }

    fn clear_top(&mut self) {
        let point = self.term.grid().cursor.point;
        self.term.grid_mut().cursor.point.line = Line(0);
        self.term.clear_line(LineClearMode::All);
        self.term.grid_mut().cursor.point = point;
    }

    fn row(&self, line: i32) -> Option<Row> {
        let inside = (self.term.topmost_line().0..=self.term.bottommost_line().0).contains(&line);
        let grid = self.term.grid();
        inside.then(|| cells::row(&grid[Line(line)], grid.columns(), self.term.colors()))
    }
}

/// How many bytes at the end begin a character (UTF-8) without ending it.
fn unfinished(bytes: &[u8]) -> usize {
    let last = &bytes[bytes.len().saturating_sub(3)..];
    let begins = last.iter().rposition(|byte| byte & 0xc0 != 0x80);
    let Some((&lead, had)) = begins.map(|at| (&last[at], last.len() - at)) else {
        return 0;
    };
    let whole = match lead {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    };
    if had < whole { had } else { 0 }
}

fn reply(text: &str, out: &mut Effects) {
    if out.reply.len() + text.len() <= REPLY_BYTES {
        out.reply.extend_from_slice(text.as_bytes());
    }
}

fn kitty(mode: TermMode) -> Kitty {
    let flags = [
        (TermMode::DISAMBIGUATE_ESC_CODES, Kitty::DISAMBIGUATE),
        (TermMode::REPORT_EVENT_TYPES, Kitty::EVENT_TYPES),
        (TermMode::REPORT_ALTERNATE_KEYS, Kitty::ALTERNATES),
        (TermMode::REPORT_ALL_KEYS_AS_ESC, Kitty::ALL_KEYS),
        (TermMode::REPORT_ASSOCIATED_TEXT, Kitty::TEXT),
    ];
    Kitty(
        flags
            .iter()
            .filter(|(flag, _)| mode.contains(*flag))
            .fold(0, |all, (_, bit)| all | bit.0),
    )
}

/// What has scrolled away leads nowhere any more, and its underlines are as bright as its text. It keeps its marks, as
/// long as there are no more than `left` such cells.
fn shelve(cell: &mut GridCell, left: &mut usize) {
    let marks = cell.zerowidth().unwrap_or_default();
    if marks.is_empty() || *left == 0 {
        cell.extra = None;
        return;
    }
    *left -= 1;
    if marks.len() > MARKS_A_CELL || cell.underline_color().is_some() || cell.hyperlink().is_some() {
        let kept: Vec<char> = marks[..marks.len().min(MARKS_A_CELL)].to_vec();
        cell.extra = None;
        kept.into_iter().for_each(|mark| cell.push_zerowidth(mark));
    }
}

/// The emulator's marks can only be pushed, so the cell is made again with the first few.
fn trim(cell: &mut GridCell) {
    let Some(kept) = cell.zerowidth().filter(|marks| marks.len() > MARKS_A_CELL) else {
        return;
    };
    let kept: Vec<char> = kept[..MARKS_A_CELL].to_vec();
    let (underline, link) = (cell.underline_color(), cell.hyperlink());
    cell.extra = None;
    kept.into_iter().for_each(|mark| cell.push_zerowidth(mark));
    cell.set_underline_color(underline);
    cell.set_hyperlink(link);
}
