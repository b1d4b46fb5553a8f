//! An agent's rest, and what a person types while it wakes.

use crate::model::Timestamp;

/// An agent's rest, from the first quiet moment to its waking.
#[derive(Default)]
pub struct Rest {
    /// Its session can be gone on with after a stop; told at its start.
    pub resumes: bool,
    /// The number of the last entry before it came to rest last.
    pub(in crate::domain) behind: u64,
    /// Since when nobody needs it.
    pub(in crate::domain::agent) since: Option<Timestamp>,
    /// When the clock was asked to look again, so that it is asked once.
    pub(in crate::domain::agent) asked: Option<Timestamp>,
    /// It slept and does not wait for a prompt yet: what is typed is kept.
    pub wakes: bool,
    pub ahead: TypedAhead,
    /// Lines of that were sent: what is not entered yet follows them.
    pub(in crate::domain::agent) hands_over: bool,
}

/// What a person types while the agent wakes. Only words, corrections and Enter are understood: any other key was meant
/// for what the screen no longer shows.
#[derive(Default)]
pub struct TypedAhead {
    pub(in crate::domain::agent) lines: Vec<String>,
    pub(in crate::domain::agent) line: String,
}

impl TypedAhead {
    /// Takes in the bytes of one key or one paste.
    pub fn typed(&mut self, bytes: &[u8]) {
        let pasted = bytes
            .strip_prefix(b"\x1b[200~".as_slice())
            .and_then(|rest| rest.strip_suffix(b"\x1b[201~".as_slice()));
        match (pasted, bytes) {
            (Some(text), _) => self.line.push_str(&String::from_utf8_lossy(text).replace('\r', "\n")),
            (None, b"\r") if self.line.trim().is_empty() => self.line.clear(),
            (None, b"\r") => self.lines.push(std::mem::take(&mut self.line)),
            (None, [0x7f] | [0x08]) => drop(self.line.pop()),
            (None, [0x15]) => self.line.clear(),
            (None, [0x1b, ..]) => {}
            (None, text) => {
                let text = String::from_utf8_lossy(text);
                self.line.extend(text.chars().filter(|c| !c.is_control()));
            }
        }
    }
}
