//! Bytes of a terminal as what a person did: text, pastes and a few keys.

/// What a person did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    Text(String),
    Paste(String),
    Enter,
    Escape,
    Backspace,
    /// Ctrl-U.
    Clear,
    /// Ctrl-C.
    Cancel,
    /// Ctrl-D, or no terminal any more.
    End,
}

const PASTE_BEGINS: &[u8] = b"200~";
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// The bytes that do not make a whole key yet.
#[derive(Default)]
pub struct DemoKeys {
    pending: Vec<u8>,
    in_paste: bool,
}

/// What stands at the front of the pending bytes.
enum Front {
    Is(Input, usize),
    Means(usize),
    PasteBegins(usize),
    Unfinished,
}

impl DemoKeys {
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Input> {
        self.pending.extend_from_slice(bytes);
        let mut inputs = Vec::new();
        while !self.pending.is_empty() {
            let front = match self.in_paste {
                true => pasted(&self.pending),
                false => key(&self.pending),
            };
            let used = match front {
                Front::Is(input, used) => {
                    self.in_paste = false;
                    inputs.push(input);
                    used
                }
                Front::Means(used) => used,
                Front::PasteBegins(used) => {
                    self.in_paste = true;
                    used
                }
                Front::Unfinished => break,
            };
            self.pending.drain(..used);
        }
        inputs
    }

    /// Escape alone looks like the beginning of a longer key until nothing follows.
    pub fn waits_behind_escape(&self) -> bool {
        !self.in_paste && self.pending.first() == Some(&0x1b)
    }

    /// Nothing followed: what looked like a beginning was a key, and its rest is lost.
    pub fn settle(&mut self) -> Option<Input> {
        let settled = self.waits_behind_escape().then_some(Input::Escape);
        if settled.is_some() {
            self.pending.clear();
        }
        settled
    }
}

fn pasted(bytes: &[u8]) -> Front {
    let end = bytes.windows(PASTE_ENDS.len()).position(|window| window == PASTE_ENDS);
    match end {
        Some(end) => {
            let text = String::from_utf8_lossy(&bytes[..end])
                .replace("\r\n", "\n")
                .replace('\r', "\n");
            Front::Is(Input::Paste(text), end + PASTE_ENDS.len())
        }
        None => Front::Unfinished,
    }
}

fn key(bytes: &[u8]) -> Front {
    match bytes[0] {
        0x1b => escape(bytes),
        b'\r' => Front::Is(Input::Enter, 1),
        // Ctrl+J: a new line, as in other agents.
        b'\n' => Front::Is(Input::Text("\n".into()), 1),
        0x7f | 0x08 => Front::Is(Input::Backspace, 1),
        0x03 => Front::Is(Input::Cancel, 1),
        0x04 => Front::Is(Input::End, 1),
        0x15 => Front::Is(Input::Clear, 1),
        0x00..=0x1f => Front::Means(1),
        _ => text(bytes),
    }
}

/// Keys that begin with Escape are of no use here, but must not be taken for text.
fn escape(bytes: &[u8]) -> Front {
    match bytes.get(1) {
        None => Front::Unfinished,
        Some(b'[') => {
            let last = bytes[2..].iter().position(|byte| (0x40..=0x7e).contains(byte));
            match last {
                Some(last) if bytes[2..].starts_with(PASTE_BEGINS) => Front::PasteBegins(last + 3),
                Some(last) => Front::Means(last + 3),
                None => Front::Unfinished,
            }
        }
        Some(b'O') if bytes.len() < 3 => Front::Unfinished,
        Some(b'O') => Front::Means(3),
        Some(_) => Front::Is(Input::Escape, 1),
    }
}

fn text(bytes: &[u8]) -> Front {
    let end = bytes
        .iter()
        .position(|byte| *byte < 0x20 || *byte == 0x7f)
        .unwrap_or(bytes.len());
    match std::str::from_utf8(&bytes[..end]) {
        Ok(text) => Front::Is(Input::Text(text.into()), end),
        Err(e) if e.valid_up_to() > 0 => {
            let text = String::from_utf8_lossy(&bytes[..e.valid_up_to()]).into_owned();
            Front::Is(Input::Text(text), e.valid_up_to())
        }
        Err(e) => match e.error_len() {
            Some(broken) => Front::Means(broken),
            // The rest of a character may follow, unless a key came in between.
            None if end < bytes.len() => Front::Means(end),
            None => Front::Unfinished,
        },
    }
}
