//! Lines that a terminal let go of while it might keep fewer: another that received the same bytes has them.

use super::screen::Screen;
use super::terminal::Terminal;

impl Terminal {
    /// One with nothing on it that may keep as many lines.
    pub fn anew(&self) -> Terminal {
        Terminal::new(self.setup.clone())
    }

    /// Whether this may take the place of `shorter`: it shows the same, what its program asked of it is the same, and it has
    /// more lines above. They get the numbers that they had there, so whoever reads there stays where they are.
    pub fn succeeds(&mut self, shorter: &mut Terminal) -> bool {
        let mut ignored = super::Effects::default();
        let was = shorter.screen(&mut ignored);
        // Equal rows are shared then.
        self.latest = was.clone();
        let is = self.screen(&mut ignored);
        let asked = |terminal: &Terminal| {
            let held = terminal.held.is_some();
            (terminal.kitty, terminal.margins, terminal.saved_origin, held)
        };
        let follows =
            self.history_len() > shorter.history_len() && looks_like(&is, &was) && asked(self) == asked(shorter);
        if follows {
            let first = shorter.emulator.first_line().max(self.history_len() as u64);
            self.emulator.number_from(first);
        }
        follows
    }
}

fn looks_like(one: &Screen, other: &Screen) -> bool {
    one.rows == other.rows && (one.cursor, one.modes, &one.title) == (other.cursor, other.modes, &other.title)
}
