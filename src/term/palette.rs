//! The colours a program is told when it asks its terminal for them (OSC 4, 10, 11, 12).
//!
//! They are the outer terminal's own where a client reported them, so that a program picks a theme that fits.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TerminalPalette {
    pub foreground: Rgb,
    pub background: Rgb,
    pub cursor: Rgb,
    pub ansi: [Rgb; 16],
}

impl Default for TerminalPalette {
    /// A dark terminal with xterm's colours: the commonest answer, so the safest guess.
    fn default() -> TerminalPalette {
        const HALF: u8 = 0xcd;
        TerminalPalette {
            foreground: Rgb(0xd0, 0xd0, 0xd0),
            background: Rgb(0x12, 0x12, 0x12),
            cursor: Rgb(0xd0, 0xd0, 0xd0),
            ansi: [
                Rgb(0, 0, 0),
                Rgb(HALF, 0, 0),
                Rgb(0, HALF, 0),
                Rgb(HALF, HALF, 0),
                Rgb(0, 0, 0xee),
                Rgb(HALF, 0, HALF),
                Rgb(0, HALF, HALF),
                Rgb(0xe5, 0xe5, 0xe5),
                Rgb(0x7f, 0x7f, 0x7f),
                Rgb(0xff, 0, 0),
                Rgb(0, 0xff, 0),
                Rgb(0xff, 0xff, 0),
                Rgb(0x5c, 0x5c, 0xff),
                Rgb(0xff, 0, 0xff),
                Rgb(0, 0xff, 0xff),
                Rgb(0xff, 0xff, 0xff),
            ],
        }
    }
}

impl TerminalPalette {
    /// The colour of one of the 256 indices: 16 of the theme, a 6×6×6 cube, 24 greys.
    pub fn indexed(&self, index: u8) -> Rgb {
        match index {
            0..16 => self.ansi[usize::from(index)],
            16..232 => {
                let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
                let at = index - 16;
                Rgb(level(at / 36), level(at / 6 % 6), level(at % 6))
            }
            232..=255 => {
                let grey = 8 + 10 * (index - 232);
                Rgb(grey, grey, grey)
            }
        }
    }
}
