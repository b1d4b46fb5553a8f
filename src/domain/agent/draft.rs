//! What a person has half written in an agent's composer, as far as the keys tell.
//!
//! A guess, since the composer is the agent's own. It errs towards a draft that is not there: that only delays a prompt
//! until the next Enter, while typing behind a draft would send a sentence that nobody meant.

/// Ctrl+C and Ctrl+U, which empty a line, also as they are reported to a program that asks for the kitty protocol.
pub(super) const GIVING_UP: [&[u8]; 2] = [b"\x03", b"\x1b[99;5u"];
pub(super) const CUTTING: [&[u8]; 2] = [b"\x15", b"\x1b[117;5u"];

/// The arrow up, as terminals send it.
const RECALLING: [&[u8]; 2] = [b"\x1b[A", b"\x1bOA"];

/// Backspace, as terminals send it.
pub(super) const BACKSPACE: [&[u8]; 2] = [b"\x7f", b"\x08"];

/// How long a person's keys have rested before anything is typed: a key that is held down comes again in less.
pub(super) const RESTS_MS: u64 = 600;

/// What a terminal reports when it is focused, and when it is not any more.
pub(super) const FOCUS: [&[u8]; 2] = [b"\x1b[I", b"\x1b[O"];

pub(super) const PASTE: &[u8] = b"\x1b[200~";
const PASTE_END: &[u8] = b"\x1b[201~";

/// How many characters stand in the composer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draft {
    characters: usize,
    is_unknown: bool,
}

impl Draft {
    pub fn is_empty(self) -> bool {
        self.characters == 0 && !self.is_unknown
    }

    /// Something may stand there of which nothing more is known: no key takes it away letter by letter.
    pub fn note_unknown(&mut self) {
        self.is_unknown = true;
    }

    /// Takes in the bytes of one key, one paste or one report of the mouse or the focus.
    pub fn typed(&mut self, bytes: &[u8]) {
        let pasted = bytes.strip_prefix(PASTE).and_then(|rest| rest.strip_suffix(PASTE_END));
        match (pasted, bytes) {
            (Some(text), _) => self.characters += characters(text),
            (None, keys) if GIVING_UP.contains(&keys) || CUTTING.contains(&keys) => self.characters = 0,
            // What was sent before stands in the composer again.
            (None, keys) if RECALLING.contains(&keys) => self.characters = self.characters.max(1),
            // Other arrows, functions, the mouse, the focus: nothing is written by them.
            (None, [0x1b, ..]) => {}
            (None, keys) if BACKSPACE.contains(&keys) => self.characters = self.characters.saturating_sub(1),
            (None, b"\r") => self.characters = 0,
            (None, [key]) if *key < b' ' => {}
            // A paste into a program that knows none is typed, line by line.
            (None, text) => match text.iter().rposition(|byte| *byte == b'\r') {
                Some(enter) => self.characters = characters(&text[enter + 1..]),
                None => self.characters += characters(text),
            },
        }
    }
}

fn characters(text: &[u8]) -> usize {
    String::from_utf8_lossy(text).chars().count()
}
