//! A terminal: the emulator, the guards around it, and the screen it last showed.
//!
//! Whatever a program writes, a [`Terminal`] neither panics nor hangs nor grows without bound. A failure of the
//! emulator costs the picture of this one pane and is told as [`Signal::ParserFailed`].

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::alacritty::Alacritty;
use super::emulator::{Copied, Effects, Emulator, Position, Setup, Signal, Size, Span, Spot};
use super::filter::Filter;
use super::palette::Palette;
use super::screen::{Modes, Screen};
use super::tap::{Stop, Tap};

const VERSION_REPLY: &str = concat!("\x1bP>|parlour ", env!("CARGO_PKG_VERSION"), "\x1b\\");

/// Programs nest two or three keyboard modes. The emulator panics at its own limit of 4096.
const KITTY_DEPTH: usize = 64;

/// Marks that may gather before cells are trimmed: at most this many are in memory beyond what is shown.
const MARKS: usize = 16 * 1024;

/// How long a frame may stay half drawn: what a program that draws ten times a second needs, and hardly noticed.
const HOLD: Duration = Duration::from_millis(150);

/// No line is longer. A program that asks for more repeats keeps its terminal busy for minutes with a few kilobytes.
const REPEATS: u16 = 1000;

/// Cancels a control sequence that has begun.
const CAN: &[u8] = &[0x18];

/// Leaves every mode that a program which is gone may have left on, keeping what is written.
const SETTLE: &[u8] = b"\x18\x1b[?2026l\x1b[?1049l\x1b[<64u\x1b[?1;6;1000;1002;1003;1004;1005;1006;2004l\
    \x1b[?7;25;1007h\x1b>\x1b[4l\x1b[r\x1b(B\x0f\x1b[0m\x1b[0 q";

pub struct Terminal {
    setup: Setup,
    make: fn(&Setup) -> Box<dyn Emulator>,
    emulator: Box<dyn Emulator>,
    filter: Filter,
    tap: Tap,
    /// Keyboard modes pushed, on the main and on the alternate screen: each has a stack of its own.
    kitty: [usize; 2],
    /// While a synchronised update is half drawn: when it is shown all the same. Set and cleared by the program, and
    /// cleared by `tick`.
    held: Option<Instant>,
    latest: Arc<Screen>,
}

impl Terminal {
    pub fn new(setup: Setup) -> Terminal {
        Terminal::with_emulator(setup, |setup| Box::new(Alacritty::new(setup)))
    }

    /// `make` is called again when the emulator has failed.
    pub fn with_emulator(setup: Setup, make: fn(&Setup) -> Box<dyn Emulator>) -> Terminal {
        Terminal {
            emulator: make(&setup),
            filter: Filter::default(),
            tap: Tap::default(),
            kitty: [0; 2],
            held: None,
            latest: Arc::new(Screen::blank(setup.size.cols(), setup.size.rows())),
            make,
            setup,
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
                self.filter = Filter::default();
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

    pub fn resize(&mut self, size: Size, out: &mut Effects) {
        self.setup.size = size;
        self.guarded(out, |emulator, _| emulator.resize(size));
    }

    pub fn size(&self) -> Size {
        self.setup.size
    }

    pub fn modes(&self) -> Modes {
        self.emulator.modes()
    }

    pub fn title(&self) -> Arc<str> {
        self.emulator.title()
    }

    pub fn set_palette(&mut self, palette: Palette) {
        self.emulator.set_palette(&palette);
        self.setup.palette = palette;
    }

    pub fn history_len(&self) -> usize {
        self.emulator.history_len()
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

    /// The text of a selection as a person pastes it, no more than `most` bytes.
    pub fn copy(&self, from: Spot, to: Spot, most: usize) -> Copied {
        let first = i64::try_from(self.emulator.first_line()).unwrap_or(i64::MAX);
        let place = |spot: Spot| {
            let line = i64::try_from(spot.line).unwrap_or(i64::MAX).saturating_sub(first);
            Position {
                line: line.clamp(i32::MIN.into(), i32::MAX.into()) as i32,
                col: spot.col,
            }
        };
        let mut text = self.text(Span {
            from: place(from),
            to: place(to),
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

    /// Leaves the modes of a program that is gone, so that another can begin below what it wrote.
    pub fn settle(&mut self, now: Instant) {
        let mut out = Effects::default();
        self.advance(SETTLE, now, &mut out);
        let screen = self.screen(&mut out);
        // Its cursor may have been anywhere; a line feed below the last line scrolls where there is no room.
        let below = match screen.rows.iter().rposition(|row| !row.is_blank()) {
            Some(last) => format!("\x1b[{};1H\r\n", last + 1),
            None => "\x1b[H".to_owned(),
        };
        self.advance(below.as_bytes(), now, &mut out);
    }

    /// Feeds the emulator; returns early after the end of a frame, with how many bytes it took.
    fn feed(&mut self, bytes: &[u8], now: Instant, out: &mut Effects) -> usize {
        let mut taken = 0;
        while taken < bytes.len() {
            let (read, stop) = self.tap.advance(&bytes[taken..], out);
            let piece = &bytes[taken..taken + read];
            taken += read;
            let ended = stop == Some(Stop::FrameEnds);
            match stop {
                Some(stop) => self.act(stop, piece, now, out),
                None => self.emulate(piece, out),
            }
            if ended {
                break;
            }
        }
        if *self.tap.marks() > MARKS {
            *self.tap.marks() = 0;
            self.guarded(out, |emulator, _| emulator.trim_marks());
        }
        taken
    }

    /// Does what the sequence at the end of `piece` needs besides, or instead of, the emulator's seeing it.
    fn act(&mut self, stop: Stop, piece: &[u8], now: Instant, out: &mut Effects) {
        let screen = usize::from(self.emulator.modes().alt_screen);
        let mut void = false;
        match stop {
            Stop::KittyPush if self.kitty[screen] == KITTY_DEPTH => void = true,
            Stop::KittyPush => self.kitty[screen] += 1,
            Stop::KittyPop(count) => self.kitty[screen] = self.kitty[screen].saturating_sub(usize::from(count)),
            Stop::Repeat(count) => void = count > REPEATS,
            Stop::FrameBegins => self.held = self.held.or(Some(now + HOLD)),
            Stop::FrameEnds => self.held = None,
            Stop::Reset => (self.kitty, self.held) = ([0; 2], None),
            Stop::Version => {}
        }
        if void {
            // All of the sequence but its last byte, and that it does not count.
            self.emulate(&piece[..piece.len() - 1], out);
            self.emulate(CAN, out);
        } else {
            self.emulate(piece, out);
        }
        if stop == Stop::Version {
            out.reply.extend_from_slice(VERSION_REPLY.as_bytes());
        }
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
                self.filter = Filter::default();
                self.tap = Tap::default();
                (self.kitty, self.held) = ([0; 2], None);
                out.signal(Signal::ParserFailed);
                None
            }
        }
    }
}
