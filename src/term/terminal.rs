//! A terminal: the emulator, the guards around it, and the screen it last showed.
//!
//! Whatever a program writes, a [`Terminal`] neither panics nor hangs nor grows without bound. A failure of the
//! emulator costs the picture of this one pane and is told as [`TerminalSignal::ParserFailed`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::alacritty::Alacritty;
use super::emulator::{Copied, Effects, Emulator, Position, Setup, Span, TerminalSignal, TerminalSize, TextSpot};
use super::filter::TapFilter;
use super::palette::TerminalPalette;
use super::screen::{Modes, Screen};
use super::tap::{Return, Tap, TapStop};

const VERSION_REPLY: &str = concat!("\x1bP>|parlour ", env!("CARGO_PKG_VERSION"), "\x1b\\");

/// Programs nest two or three keyboard modes. The emulator panics at its own limit of 4096.
const KITTY_DEPTH: usize = 64;

/// Marks, cells of links and colours of underlines that may gather before cells are trimmed: at most this many are in
/// memory beyond what is shown and what the history may keep.
const MARKS: usize = 16 * 1024;

/// How long a frame may stay half drawn: what a program that draws ten times a second needs, and hardly noticed.
const HOLD: Duration = Duration::from_millis(150);

/// How long a program takes to end once it has left its alternate screen. One that goes on longer shows something else.
const ENDS: Duration = Duration::from_secs(2);

/// No line is longer. A program that asks for more repeats keeps its terminal busy for minutes with a few kilobytes.
const REPEATS: u16 = 1000;

/// Cancels a control sequence that has begun.
const CAN: &[u8] = &[0x18];

/// Leaves every mode that a program which is gone may have left on, keeping what is written.
const SETTLE: &[u8] = b"\x18\x1b[?2026l\x1b[?1049l\x1b[<64u\x1b[?1;6;1000;1002;1003;1004;1005;1006;2004l\
    \x1b[?7;25;1007h\x1b>\x1b[4l\x1b[r\x1b(B\x0f\x1b[0m\x1b[0 q";

pub struct Terminal {
    pub(super) setup: Setup,
    make: fn(&Setup) -> Box<dyn Emulator>,
    pub(super) emulator: Box<dyn Emulator>,
    filter: TapFilter,
    tap: Tap,
    /// Keyboard modes pushed, on the main and on the alternate screen: each has a stack of its own.
    pub(super) kitty: [usize; 2],
    /// While a synchronised update is half drawn: when it is shown all the same. Set and cleared by the program, and
    /// cleared by `tick`.
    pub(super) held: Option<Instant>,
    pub(super) latest: Arc<Screen>,
    /// The lines that scroll, the first and the last, where they are not all.
    pub(super) margins: Option<(u16, u16)>,
    /// Whether lines were counted from the margin when the cursor was saved, on the main and on the alternate screen.
    pub(super) saved_origin: [bool; 2],
    /// What was on the alternate screen as it was left, and when that was.
    left: Option<(Arc<Screen>, Instant)>,
}

impl Terminal {
    pub fn new(setup: Setup) -> Terminal {
        Terminal::with_emulator(setup, |setup| Box::new(Alacritty::new(setup)))
    }

    /// `make` is called again when the emulator has failed.
    pub fn with_emulator(setup: Setup, make: fn(&Setup) -> Box<dyn Emulator>) -> Terminal {
        Terminal {
            emulator: make(&setup),
            filter: TapFilter::default(),
            tap: Tap::default(),
            kitty: [0; 2],
            held: None,
            latest: Arc::new(Screen::blank(setup.size.cols(), setup.size.rows())),
            make,
            setup,
            margins: None,
            saved_origin: [false; 2],
            left: None,
        }
    }

    /// Takes what the program wrote. `now` dates a synchronised update that begins in it.
    pub fn advance(&mut self, mut bytes: &[u8], now: Instant, out: &mut Effects) {
        while !bytes.is_empty() {
            let taken = self.advance_frame(bytes, now, out);
            bytes = &bytes[taken..];
        }
    }

    /// The same up to the end of a synchronised update, where the screen is whole; returns how many bytes that were.
    pub fn advance_frame(&mut self, bytes: &[u8], now: Instant, out: &mut Effects) -> usize {
        let mut taken = 0;
        while taken < bytes.len() {
            let (keep, skip) = self.filter.split(&bytes[taken..]);
            let kept = &bytes[taken..taken + keep];
            let fed = self.feed(kept, now, out);
            if fed < keep {
                // It has read ahead. Right after a sequence it has nothing to remember.
                self.filter = TapFilter::default();
                return taken + fed;
            }
            taken += keep + skip;
        }
        taken
    }

    /// Whether the screen is half drawn, as the program says.
    pub fn is_held(&self) -> bool {
        self.held.is_some()
    }

    /// Lets go of a frame that is overdue, and says when the present one will be. Without it a program that stalls
    /// inside a frame freezes its pane.
    pub fn tick(&mut self, now: Instant) -> Option<Instant> {
        self.held = self.held.filter(|due| *due > now);
        self.held
    }

    /// Shows a half-drawn screen: nobody is left to finish it.
    pub fn let_go(&mut self) {
        self.held = None;
    }

    pub fn resize(&mut self, size: TerminalSize, out: &mut Effects) {
        if self.setup.size != size {
            self.setup.size = size;
            self.set_margins(None);
        }
        self.guarded(out, |emulator, _| emulator.resize(size));
    }

    pub fn size(&self) -> TerminalSize {
        self.setup.size
    }

    pub fn modes(&self) -> Modes {
        self.emulator.modes()
    }

    pub fn title(&self) -> Arc<str> {
        self.emulator.title()
    }

    pub fn set_palette(&mut self, palette: TerminalPalette) {
        self.emulator.set_palette(&palette);
        self.setup.palette = palette;
    }

    pub fn history_len(&self) -> usize {
        self.emulator.history_len()
    }

    pub fn is_alternate(&self) -> bool {
        self.emulator.modes().alt_screen
    }

    pub fn history_limit(&self) -> usize {
        self.setup.history_lines
    }

    pub fn set_history_limit(&mut self, lines: usize, out: &mut Effects) {
        self.setup.history_lines = lines;
        self.guarded(out, |emulator, _| emulator.set_history_limit(lines));
    }

    /// The live screen. Rows that did not change are shared with the one returned before.
    pub fn screen(&mut self, out: &mut Effects) -> Arc<Screen> {
        let latest = self.latest.clone();
        if let Some(screen) = self.guarded(out, |emulator, _| emulator.screen(Some(&latest))) {
            self.latest = Arc::new(screen);
        }
        self.latest.clone()
    }

    /// The screen scrolled back by `offset` lines, at most to the oldest.
    pub fn view(&mut self, offset: usize, out: &mut Effects) -> Arc<Screen> {
        match self.guarded(out, |emulator, _| emulator.view(offset)) {
            Some(screen) => Arc::new(screen),
            None => self.latest.clone(),
        }
    }

    /// The screen with this line at its top, or the nearest there is.
    pub fn view_from(&mut self, line: u64, out: &mut Effects) -> Arc<Screen> {
        let back = self.emulator.first_line().saturating_sub(line);
        self.view(usize::try_from(back).unwrap_or(usize::MAX), out)
    }

    /// The text of a block, a line for each of its rows, no more than `most` bytes.
    pub fn copy_block(&self, from: TextSpot, to: TextSpot, most: usize) -> Copied {
        let (left, right) = (from.col.min(to.col), from.col.max(to.col));
        let mut all = Copied {
            text: String::new(),
            cut: false,
        };
        for line in from.line.min(to.line)..=from.line.max(to.line) {
            if line > from.line.min(to.line) {
                all.text.push('\n');
            }
            let at = |col| TextSpot { line, col };
            let row = self.copy(at(left), at(right), most.saturating_sub(all.text.len()));
            all.text.push_str(&row.text);
            if row.cut || all.text.len() >= most {
                all.cut = true;
                break;
            }
        }
        all
    }

    /// The text of whole lines, from where the terminal began to break the first to the end of the last.
    pub fn copy_lines(&self, from: TextSpot, to: TextSpot, most: usize) -> Copied {
        let is_broken = |line: u64| {
            let place = self.position(TextSpot { line, col: 0 });
            self.emulator.row(place.line).is_some_and(|row| row.wrapped)
        };
        let (mut first, mut last) = (from.line, to.line);
        while first > 0 && is_broken(first - 1) {
            first -= 1;
        }
        while is_broken(last) {
            last += 1;
        }
        let last = TextSpot {
            line: last,
            col: u16::MAX,
        };
        self.copy(TextSpot { line: first, col: 0 }, last, most)
    }

    fn position(&self, spot: TextSpot) -> Position {
        let first = i64::try_from(self.emulator.first_line()).unwrap_or(i64::MAX);
        let line = i64::try_from(spot.line).unwrap_or(i64::MAX).saturating_sub(first);
        Position {
            line: line.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
            col: spot.col,
        }
    }

    /// The text of a selection as a person pastes it, no more than `most` bytes.
    pub fn copy(&self, from: TextSpot, to: TextSpot, most: usize) -> Copied {
        let mut text = self.text(Span {
            from: self.position(from),
            to: self.position(to),
        });
        text.truncate(text.trim_end_matches(' ').len());
        let cut = text.len() > most;
        text.truncate(text.floor_char_boundary(most));
        Copied { text, cut }
    }

    /// The text of a span. Lines that the terminal broke are joined again.
    pub fn text(&self, span: Span) -> String {
        let mut out = String::new();
        let oldest = -(self.history_len() as i32);
        let newest = i32::from(self.setup.size.rows()) - 1;
        for line in span.from.line.max(oldest)..=span.to.line.min(newest) {
            let Some(row) = self.emulator.row(line) else {
                break;
            };
            let from = if line == span.from.line {
                usize::from(span.from.col)
            } else {
                0
            };
            let to = if line == span.to.line {
                usize::from(span.to.col) + 1
            } else {
                usize::MAX
            };
            row.push_text(from, to, &mut out);
            if !row.wrapped {
                out.truncate(out.trim_end_matches(' ').len());
            }
            if line != span.to.line && !row.wrapped {
                out.push('\n');
            }
        }
        out
    }

    /// Leaves the modes of a program that is gone, so that another can begin below what it wrote. What stood on its
    /// alternate screen is written down too.
    pub fn settle(&mut self, now: Instant) {
        let mut out = Effects::default();
        let is_alternate = self.is_alternate();
        let last = is_alternate.then(|| self.screen(&mut out));
        self.advance(SETTLE, now, &mut out);
        self.left = None;
        if let Some(frame) = last.and_then(|last| written(&last)) {
            self.advance(frame.as_bytes(), now, &mut out);
        }
        let screen = self.screen(&mut out);
        // Its cursor may have been anywhere; a line feed below the last line scrolls where there is no room.
        let below = match screen.rows.iter().rposition(|row| !row.is_blank()) {
            Some(last) => format!("\x1b[{};1H\r\n", last + 1),
            None => "\x1b[H".to_owned(),
        };
        self.advance(below.as_bytes(), now, &mut out);
    }

    /// A program that draws on the alternate screen leaves it as it ends, and all that it showed would be gone. Writes that
    /// down, and returns what was written, for a record.
    pub fn keep_last_frame(&mut self, now: Instant) -> Vec<u8> {
        let left = self.left.take().filter(|(_, at)| now.duration_since(*at) < ENDS);
        let Some(frame) = left.and_then(|(last, _)| written(&last)) else {
            return Vec::new();
        };
        let frame = [SETTLE, frame.as_bytes(), b"\r\n"].concat();
        self.advance(&frame, now, &mut Effects::default());
        frame
    }

    /// Feeds the emulator; returns early after the end of a frame, with how many bytes it took.
    fn feed(&mut self, bytes: &[u8], now: Instant, out: &mut Effects) -> usize {
        let mut taken = 0;
        while taken < bytes.len() {
            let (read, stop) = self.tap.advance(&bytes[taken..], out);
            let piece = &bytes[taken..taken + read];
            taken += read;
            let ended = stop == Some(TapStop::FrameEnds);
            match stop {
                Some(stop) => self.act(stop, piece, now, out),
                None => self.emulate(piece, out),
            }
            if ended {
                break;
            }
        }
        // A shell goes on below what a program in it has left.
        if out
            .signals
            .iter()
            .any(|signal| matches!(signal, TerminalSignal::Mark(_)))
        {
            self.left = None;
        }
        if *self.tap.marks() > MARKS {
            *self.tap.marks() = 0;
            self.guarded(out, |emulator, _| emulator.trim_marks());
        }
        taken
    }

    /// Does what the sequence at the end of `piece` needs besides, or instead of, the emulator's seeing it.
    fn act(&mut self, stop: TapStop, piece: &[u8], now: Instant, out: &mut Effects) {
        // What comes before it, and all of it but its last byte.
        let (before, last) = piece.split_at(piece.len() - 1);
        self.emulate(before, out);
        let screen = usize::from(self.emulator.modes().alt_screen);
        let mut void = false;
        match stop {
            TapStop::KittyPush if self.kitty[screen] == KITTY_DEPTH => void = true,
            TapStop::KittyPush => self.kitty[screen] += 1,
            TapStop::KittyPop(count) => self.kitty[screen] = self.kitty[screen].saturating_sub(usize::from(count)),
            TapStop::Repeat(count) => void = count > REPEATS,
            TapStop::FrameBegins => self.held = self.held.or(Some(now + HOLD)),
            TapStop::FrameEnds => self.held = None,
            TapStop::Reset => self.forget(),
            TapStop::Margins(top, bottom) => self.marginate(top, bottom),
            TapStop::SaveCursor => self.saved_origin[screen] = self.emulator.is_origin(),
            TapStop::RestoreCursor => void = self.emulator.is_origin() != self.saved_origin[screen],
            TapStop::Up(..) | TapStop::Down(..) => void = true,
            TapStop::LeavesAlternate if self.emulator.modes().alt_screen => {
                self.left = Some((self.screen(out), now));
            }
            TapStop::ClearAbove if self.emulator.cursor_row() == 1 => {
                // The emulator leaves the line above the cursor as it is where that is the first.
                self.guarded(out, |emulator, _| emulator.clear_top());
            }
            TapStop::LeavesAlternate
            | TapStop::ClearAbove
            | TapStop::Adjust
            | TapStop::Version
            | TapStop::CutLink { .. } => {}
        }
        self.emulate(if void { CAN } else { last }, out);
        match stop {
            TapStop::Version => out.reply.extend_from_slice(VERSION_REPLY.as_bytes()),
            // The emulator leaves the cursor and the margins where they are.
            TapStop::Adjust => {
                self.set_margins(None);
                self.emulate(b"\x1b[r", out);
            }
            // The emulator goes on counting as it does, and the new way of counting moves the cursor.
            TapStop::RestoreCursor if void => {
                let origin = if self.saved_origin[screen] { "h" } else { "l" };
                self.emulate(format!("\x1b[?6{origin}\x1b8").as_bytes(), out);
            }
            TapStop::CutLink { by_bell: true } => self.emulate(b"\x1b]8;;\x07", out),
            // The rest of the ST follows, and ends this one.
            TapStop::CutLink { by_bell: false } => self.emulate(b"\x1b]8;;\x07\x1b", out),
            TapStop::Up(count, then) => self.move_to_line(|margins, row| above(margins, row, count), then, out),
            TapStop::Down(count, then) => {
                let rows = self.setup.size.rows();
                self.move_to_line(|margins, row| below(margins, row, count, rows), then, out);
            }
            TapStop::KittyPush
            | TapStop::KittyPop(_)
            | TapStop::Repeat(_)
            | TapStop::FrameBegins
            | TapStop::FrameEnds
            | TapStop::Reset
            | TapStop::Margins(..)
            | TapStop::SaveCursor
            | TapStop::RestoreCursor
            | TapStop::LeavesAlternate
            | TapStop::ClearAbove => {}
        }
    }

    /// As the emulator takes them: what is no region changes nothing.
    fn marginate(&mut self, top: u16, bottom: u16) {
        let rows = self.setup.size.rows();
        let (top, bottom) = (top.max(1), if bottom == 0 { rows } else { bottom });
        if top < bottom {
            let region = (top.min(rows) - 1, bottom.min(rows) - 1);
            self.set_margins(Some(region).filter(|region| *region != (0, rows - 1)));
        }
    }

    fn set_margins(&mut self, margins: Option<(u16, u16)>) {
        self.margins = margins;
        self.tap.set_margins(margins.is_some());
    }

    /// In place of the emulator, whose cursor runs over margins. Lines may be counted from the upper one.
    fn move_to_line(&mut self, line: impl Fn((u16, u16), u16) -> u16, then: Return, out: &mut Effects) {
        let margins = self.margins.unwrap_or((0, self.setup.size.rows() - 1));
        let line = line(margins, self.emulator.cursor_row());
        let offset = if self.emulator.is_origin() { margins.0 } else { 0 };
        let end = if then == Return::ToFirst { "\r" } else { "" };
        self.emulate(
            format!("\x1b[{}d{end}", line.saturating_sub(offset) + 1).as_bytes(),
            out,
        );
    }

    /// What is known of the program's modes beside the emulator.
    fn forget(&mut self) {
        (self.kitty, self.held, self.saved_origin) = ([0; 2], None, [false; 2]);
        self.set_margins(None);
    }

    fn emulate(&mut self, bytes: &[u8], out: &mut Effects) {
        self.guarded(out, |emulator, out| emulator.advance(bytes, out));
    }

    /// The border that no panic of the emulator crosses. What it was in the middle of is dropped with it.
    fn guarded<T>(&mut self, out: &mut Effects, act: impl FnOnce(&mut dyn Emulator, &mut Effects) -> T) -> Option<T> {
        let emulator = &mut self.emulator;
        match catch_unwind(AssertUnwindSafe(|| act(emulator.as_mut(), &mut *out))) {
            Ok(value) => Some(value),
            Err(_) => {
                self.emulator = (self.make)(&self.setup);
                self.filter = TapFilter::default();
                self.tap = Tap::default();
                self.forget();
                out.signal(TerminalSignal::ParserFailed);
                None
            }
        }
    }
}

/// A screen as text on an empty one, what was there before above it in the history; none where nothing is on it.
fn written(screen: &Screen) -> Option<String> {
    let last = screen.rows.iter().rposition(|row| !row.is_blank())?;
    let mut frame = "\x1b[0m\x1b[2J\x1b[H".to_owned();
    for (at, row) in screen.rows[..=last].iter().enumerate() {
        frame.push_str(if at > 0 { "\r\n" } else { "" });
        row.push_ansi(&mut frame);
    }
    Some(frame)
}

/// So many lines up, and no further than the margin where the cursor is below that.
fn above((top, _): (u16, u16), row: u16, count: u16) -> u16 {
    let edge = if row >= top { top } else { 0 };
    row.saturating_sub(count).max(edge)
}

/// So many lines down, and no further than the margin where the cursor is above that.
fn below((_, bottom): (u16, u16), row: u16, count: u16, rows: u16) -> u16 {
    let edge = if row <= bottom { bottom } else { rows - 1 };
    row.saturating_add(count).min(edge)
}
