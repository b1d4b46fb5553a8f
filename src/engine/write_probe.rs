//! What could not be written, and whether it can be by now: until a small file can, every screen says why.

use std::collections::BTreeSet;
use std::error::Error as _;
use std::time::{Duration, Instant};

use crate::model::ChatId;
use crate::store::{Error, Home};

/// Between two attempts.
const AGAIN: Duration = Duration::from_secs(1);

/// Below the home. It is there for a moment.
const FILE: &str = "run/write-probe";

/// As much as what waits may need at least.
const BYTES: usize = 4096;

#[derive(Default)]
pub(super) struct WriteProbe {
    failing: Option<Failing>,
}

struct Failing {
    chats: BTreeSet<ChatId>,
    cause: String,
    next: Instant,
}

impl WriteProbe {
    /// Something of this chat could not be written.
    pub fn failed(&mut self, chat: &ChatId, error: &Error) {
        let failing = self.failing.get_or_insert_with(|| Failing {
            chats: BTreeSet::new(),
            cause: String::new(),
            next: Instant::now() + AGAIN,
        });
        failing.chats.insert(chat.clone());
        failing.cause = innermost(error);
    }

    pub fn due(&self) -> Option<Instant> {
        self.failing.as_ref().map(|failing| failing.next)
    }

    /// Looks whether it is over, where that is due. What is still held back was tried a moment before.
    pub fn look(&mut self, home: &Home, is_held: bool) {
        let Some(failing) = self.failing.as_mut().filter(|failing| failing.next <= Instant::now()) else {
            return;
        };
        failing.next = Instant::now() + AGAIN;
        if is_held {
            return;
        }
        let tried = match home.writable() {
            Ok(()) => home.dir().write_atomic(FILE, [0; BYTES]).map_err(Error::from),
            // A home that is read-only or newer is never written to.
            Err(_) => Ok(()),
        };
        match tried {
            Ok(()) => {
                let _ = home.dir().remove_file(FILE);
                self.failing = None;
            }
            Err(error) => failing.cause = innermost(&error),
        }
    }

    pub fn told(&self) -> Option<(Vec<ChatId>, String)> {
        let failing = self.failing.as_ref()?;
        Some((failing.chats.iter().cloned().collect(), failing.cause.clone()))
    }
}

/// What the system says, without the file that it says it of.
fn innermost(error: &Error) -> String {
    let mut said = error.to_string();
    let mut below = error.source();
    while let Some(error) = below {
        said = error.to_string();
        below = error.source();
    }
    match said.split_once(" (os error") {
        Some((words, _)) => words.to_owned(),
        None => said,
    }
}
