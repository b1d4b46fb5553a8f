//! Terminals fed with bytes: what they show, what they answer, and what cannot be done to them.

mod conformance;
mod find;
mod input;
mod lines;
mod oracle;
mod signals;
mod storm;
mod traps;

use std::time::Instant;

use super::{Effects, Position, Screen, Setup, Span, Terminal, TerminalPalette, TerminalSize};

fn setup(cols: u16, rows: u16) -> Setup {
    Setup {
        size: TerminalSize::new(cols, rows),
        palette: TerminalPalette::default(),
        history_lines: 100,
    }
}

/// A terminal on a desk: fed with text, asked for its screen.
struct Desk {
    terminal: Terminal,
    effects: Effects,
    now: Instant,
}

impl Desk {
    fn new(cols: u16, rows: u16) -> Desk {
        Desk {
            terminal: Terminal::new(setup(cols, rows)),
            effects: Effects::default(),
            now: Instant::now(),
        }
    }

    fn feed(&mut self, bytes: impl AsRef<[u8]>) -> &mut Desk {
        self.terminal.advance(bytes.as_ref(), self.now, &mut self.effects);
        self
    }

    fn resize(&mut self, cols: u16, rows: u16) -> &mut Desk {
        self.terminal.resize(TerminalSize::new(cols, rows), &mut self.effects);
        self
    }

    fn screen(&mut self) -> std::sync::Arc<Screen> {
        self.terminal.screen(&mut self.effects)
    }

    /// The lines that are not empty.
    fn lines(&mut self) -> Vec<String> {
        self.screen()
            .text()
            .lines()
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect()
    }

    /// The same with all that has gone up.
    fn all_lines(&self) -> Vec<String> {
        let all = Span {
            from: Position { line: i32::MIN, col: 0 },
            to: Position { line: i32::MAX, col: 0 },
        };
        let text = self.terminal.text(all);
        text.lines()
            .filter(|line| !line.is_empty())
            .map(str::to_owned)
            .collect()
    }

    fn reply(&mut self) -> String {
        String::from_utf8(std::mem::take(&mut self.effects.reply)).unwrap()
    }
}

/// What is shown after `bytes`, at 20 by 4.
fn shown(bytes: impl AsRef<[u8]>) -> Vec<String> {
    Desk::new(20, 4).feed(bytes).lines()
}

fn asked(bytes: impl AsRef<[u8]>) -> String {
    Desk::new(20, 4).feed(bytes).reply()
}
