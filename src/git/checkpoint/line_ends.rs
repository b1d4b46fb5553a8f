//! Ends of lines, converted as git converts them.

use std::borrow::Cow;

/// What git does to the ends of a file's lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LineRule {
    /// Whether it is text is judged by its content.
    pub is_guess: bool,
    /// It is checked out with a carriage return at the end of each line.
    pub has_returns: bool,
}

impl LineRule {
    /// The content as git stores it. `was` is what was stored of the file before: where text is a guess, a file that was
    /// stored with carriage returns stays so.
    pub fn stored<'c>(self, content: &'c [u8], was: impl FnOnce() -> Option<Vec<u8>>) -> Cow<'c, [u8]> {
        if memchr::memmem::find(content, b"\r\n").is_none() {
            return content.into();
        }
        if self.is_guess {
            let is_left = |content: &[u8]| {
                let found = LineEnds::count(content);
                found.is_binary() || found.both > 0
            };
            if LineEnds::count(content).is_binary() || was().is_some_and(|was| is_left(&was)) {
                return content.into();
            }
        }
        let mut stored = Vec::with_capacity(content.len());
        let mut rest = content;
        while let Some(at) = memchr::memmem::find(rest, b"\r\n") {
            stored.extend_from_slice(&rest[..at]);
            stored.push(b'\n');
            rest = &rest[at + 2..];
        }
        stored.extend_from_slice(rest);
        stored.into()
    }

    /// What was stored, as git checks it out.
    pub fn checked_out(self, stored: &[u8]) -> Cow<'_, [u8]> {
        let found = LineEnds::count(stored);
        let is_left = self.is_guess && (found.is_binary() || found.both > 0);
        if !self.has_returns || found.feeds == 0 || is_left {
            return stored.into();
        }
        let mut text = Vec::with_capacity(stored.len() + found.feeds);
        let mut last = 0;
        for byte in stored {
            if *byte == b'\n' && last != b'\r' {
                text.push(b'\r');
            }
            text.push(*byte);
            last = *byte;
        }
        text.into()
    }
}

/// What git counts to tell text from other content.
#[derive(Default)]
struct LineEnds {
    returns: usize,
    feeds: usize,
    both: usize,
    nul: usize,
    printable: usize,
    others: usize,
}

impl LineEnds {
    fn count(content: &[u8]) -> LineEnds {
        let mut found = LineEnds::default();
        let mut bytes = content.iter().peekable();
        while let Some(byte) = bytes.next() {
            match byte {
                b'\r' if bytes.next_if(|next| **next == b'\n').is_some() => found.both += 1,
                b'\r' => found.returns += 1,
                b'\n' => found.feeds += 1,
                0 => {
                    found.nul += 1;
                    found.others += 1;
                }
                0x08 | b'\t' | 0x1b | 0x0c => found.printable += 1,
                0x7f | 0x01..0x20 => found.others += 1,
                _ => found.printable += 1,
            }
        }
        // An end of file of old systems.
        if content.last() == Some(&0x1a) {
            found.others -= 1;
        }
        found
    }

    fn is_binary(&self) -> bool {
        self.returns > 0 || self.nul > 0 || self.printable >> 7 < self.others
    }
}
