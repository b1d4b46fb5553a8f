//! Whether the engine still answers: after 5 quiet seconds it is asked, after 5 more it counts as frozen.

use std::future::pending;
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use crate::wire::Message;

const QUIET: Duration = Duration::from_secs(5);

/// Waits only while something is expected, so an idle screen wakes nobody.
#[derive(Debug, Default)]
pub(super) struct Liveness {
    /// Set by whoever expects something, cleared by whatever is heard.
    deadline: Option<Instant>,
    asked: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum LivenessDue {
    Ask,
    Frozen,
}

impl Liveness {
    /// Something was sent that the engine will react to.
    pub fn expect(&mut self) {
        self.deadline.get_or_insert_with(|| Instant::now() + QUIET);
    }

    /// The engine said something, so it lives.
    pub fn heard(&mut self) {
        *self = Liveness::default();
    }

    /// Returns when it is time to ask, or to give up. Nothing is lost when it is dropped before.
    pub async fn due(&mut self) -> LivenessDue {
        match self.deadline {
            Some(deadline) => sleep_until(deadline).await,
            None => pending().await,
        }
        if self.asked {
            return LivenessDue::Frozen;
        }
        self.asked = true;
        self.deadline = Some(Instant::now() + QUIET);
        LivenessDue::Ask
    }

    /// The id of the ping; no other request uses it.
    pub const ID: u32 = u32::MAX;

    /// The question. Its answer may say for what the engine waits.
    pub fn question() -> Message {
        Message::Request {
            id: Liveness::ID,
            body: serde_json::json!({"noun": "engine", "verb": "ping"}),
        }
    }
}
