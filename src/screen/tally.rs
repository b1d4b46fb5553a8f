//! What is below a chat, in one line: how many agents work, ask, or rest.

use crate::domain::state::Domain;
use crate::model::{ChatId, Status};

use super::need::{self, Need};

/// The states of these chats, such as `2 run · 1 asks`. What needs a person is never left out for want of room,
/// since it comes right behind what runs.
pub fn words<'c>(domain: &Domain, chats: impl IntoIterator<Item = &'c ChatId>) -> String {
    let (mut run, mut ask, mut failed, mut idle, mut ended) = (0, 0, 0, 0, 0);
    for chat in chats {
        match domain.status(chat) {
            _ if need::of(domain, chat) == Need::Waiting => ask += 1,
            Status::Exited(_) if need::of(domain, chat) == Need::Failed => failed += 1,
            Status::Starting | Status::Running(_) | Status::Retrying(_) => run += 1,
            Status::NeedsYou(_) => ask += 1,
            Status::Error(_) | Status::Limited(_) | Status::LoggedOut(_) => failed += 1,
            Status::Idle(_) | Status::Hibernated | Status::Unknown(_) => idle += 1,
            Status::Exited(_) => ended += 1,
        }
    }
    let counts = [
        (run, "run"),
        (ask, "asks"),
        (failed, "failed"),
        (idle, "idle"),
        (ended, "ended"),
    ];
    let words = counts.into_iter().filter(|(count, _)| *count > 0);
    words
        .map(|(count, word)| format!("{count} {word}"))
        .collect::<Vec<_>>()
        .join(" · ")
}
