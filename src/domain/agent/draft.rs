//! What a person has half written in an agent's composer, as far as the keys tell.
//!
//! A guess, since the composer is the agent's own. It errs towards a draft that is not there: that only delays a prompt
//! until the next Enter, while typing behind a draft would send a sentence that nobody meant.

/// A key that empties a composer: Enter, Ctrl+C, Ctrl+U.
const EMPTYING: [u8; 3] = [b'\r', 0x03, 0x15];

/// The same two with Ctrl, as they are reported to a program that asks for the kitty protocol.
const EMPTYING_REPORTED: [&[u8]; 2] = [b"\x1b[99;5u", b"\x1b[117;5u"];

/// The arrow up, as terminals send it.
const RECALLING: [&[u8]; 2] = [b"\x1b[A", b"\x1bOA"];

/// Backspace, as terminals send it.
const BACKSPACE: [u8; 2] = [0x7f, 0x08];

/// How long a person's keys have rested before anything is typed: a key that is held down comes again in less.
pub(super) const RESTS_MS: u64 = 600;

/// What a terminal reports when it is focused, and when it is not any more.
pub(super) const FOCUS: [&[u8]; 2] = [b"\x1b[I", b"\x1b[O"];

const PASTE: &[u8] = b"\x1b[200~";
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
            (None, keys) if EMPTYING_REPORTED.contains(&keys) => self.characters = 0,
            // What was sent before stands in the composer again.
            (None, keys) if RECALLING.contains(&keys) => self.characters = self.characters.max(1),
            // Other arrows, functions, the mouse, the focus: nothing is written by them.
            (None, [0x1b, ..]) => {}
            (None, [key]) if EMPTYING.contains(key) => self.characters = 0,
            (None, [key]) if BACKSPACE.contains(key) => self.characters = self.characters.saturating_sub(1),
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
