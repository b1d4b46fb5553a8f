//! How much a chat needs a person, and when it last moved: by this chats are listed.

use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::{Chat, ChatId, Status, Timestamp};

/// The neediest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Need {
    /// Its agent asks something, or said that it is blocked and nobody has looked since.
    Waiting,
    /// Its last turn failed, for a limit say; or its process did, and nobody has looked since.
    Failed,
    /// It came to rest, and nobody has looked at it since.
    Unseen,
    Running,
    Idle,
    Ended,
}

impl Need {
    pub fn title(self) -> &'static str {
        match self {
            Need::Waiting => "Needs you",
            Need::Failed => "Failed",
            Need::Unseen => "Done, unseen",
            Need::Running => "Running",
            Need::Idle => "Idle",
            Need::Ended => "Ended",
        }
    }
}

pub fn of(domain: &Domain, chat: &ChatId) -> Need {
    match domain.status(chat) {
        Status::NeedsYou(_) => Need::Waiting,
        Status::Error(_) | Status::Limited(_) | Status::LoggedOut(_) => Need::Failed,
        exited @ Status::Exited(_) if exited.has_failed() && domain.live.unseen.contains(chat) => Need::Failed,
        // What runs in a shell rang its bell.
        Status::Running(_) if domain.live.unseen.contains(chat) && is_shell(domain, chat) => Need::Unseen,
        Status::Starting | Status::Running(_) | Status::Retrying(_) => Need::Running,
        Status::Idle(_) | Status::Hibernated if is_blocked_unseen(domain, chat) => Need::Waiting,
        Status::Idle(_) | Status::Hibernated | Status::Unknown(_) | Status::Exited(_)
            if domain.live.unseen.contains(chat) =>
        {
            Need::Unseen
        }
        Status::Idle(_) | Status::Hibernated | Status::Unknown(_) => Need::Idle,
        Status::Exited(_) => Need::Ended,
    }
}

/// Once a person has read that it is blocked, it is theirs to go on, and no call any more.
fn is_blocked_unseen(domain: &Domain, chat: &ChatId) -> bool {
    let known = domain
        .disk
        .chats
        .get(chat)
        .filter(|_| domain.live.unseen.contains(chat));
    known.is_some_and(|known| chat::blocked(domain, known).is_some())
}

fn is_shell(domain: &Domain, chat: &ChatId) -> bool {
    domain.disk.chats.get(chat).is_some_and(Chat::is_shell)
}

/// When something was last said or done in it. Of an agent at work it is when it began: else those at work would change
/// places all the time.
pub fn activity(domain: &Domain, chat: &Chat, need: Need) -> Timestamp {
    let agent = domain.live.agents.get(chat.id()).filter(|_| need == Need::Running);
    match agent.map(|agent| (agent.turn.began, agent.since)) {
        Some((Timestamp(0), since)) => since,
        Some((began, _)) => began,
        None => chat.updated,
    }
}
