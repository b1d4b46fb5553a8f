//! What could not be written into transcripts, as on a full disk: kept in order until it can.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::model::{ChatId, Mark, Problem, Reported, WorkId};

/// Between two attempts.
const AGAIN: Duration = Duration::from_secs(1);

/// Of one chat. A CLI's transcript is not read on meanwhile, so this is hooks and parlour's own words; and the stream of a
/// CLI that is a server, of which what comes beyond it is lost.
const MOST: usize = 1024;

/// What is appended at once, and the work that it was asked as.
pub(super) struct PendingWrite {
    pub work: WorkId,
    pub what: Vec<Reported>,
    pub read: Option<Mark>,
}

impl PendingWrite {
    /// Takes out what is given only once it is written.
    pub fn take_decisions_back(&mut self) -> DecisionsIn {
        let all = self.what.len();
        self.what.retain(|told| !told.what.is_given_once_written());
        match self.what.len() < all {
            true => DecisionsIn::TakenBack,
            false => DecisionsIn::None,
        }
    }
}

/// What was decided in what cannot be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DecisionsIn {
    None,
    TakenBack,
}

impl DecisionsIn {
    /// As whoever decided is told.
    pub fn told(self, problem: Problem) -> Problem {
        match self {
            DecisionsIn::None => problem,
            DecisionsIn::TakenBack => {
                problem.hinted("nothing was decided: decide again once that works; `parlour doctor` says more")
            }
        }
    }
}

#[derive(Default)]
pub(super) struct RetryQueue {
    chats: HashMap<ChatId, Stuck>,
    /// When it is tried again; `None` where nothing is held.
    due: Option<Instant>,
}

struct Stuck {
    pieces: Vec<PendingWrite>,
    why: Problem,
}

impl RetryQueue {
    pub fn due(&self) -> Option<Instant> {
        self.due
    }

    pub fn has(&self, chat: &ChatId) -> bool {
        self.chats.contains_key(chat)
    }

    pub fn chats(&self) -> impl Iterator<Item = ChatId> {
        self.chats.keys().cloned()
    }

    /// Keeps a piece behind those that are held, and says why they are.
    pub fn hold(&mut self, chat: &ChatId, piece: PendingWrite, why: Option<Problem>) -> Problem {
        self.due.get_or_insert_with(|| Instant::now() + AGAIN);
        let stuck = self.chats.entry(chat.clone()).or_insert_with(|| Stuck {
            pieces: Vec::new(),
            why: Problem::fault(format!("writing the transcript of {chat}"), "it could not be written"),
        });
        if let Some(why) = why {
            stuck.why = why;
        }
        match stuck.pieces.len() < MOST {
            true => stuck.pieces.push(piece),
            false => tracing::error!("{}: what happened is lost, for too much waits already", stuck.why),
        }
        stuck.why.clone()
    }

    /// The next attempt is now, if anything is held.
    pub fn now(&mut self) {
        self.due = self.due.map(|_| Instant::now());
    }

    /// All that is held, when its time has come.
    pub fn take_due(&mut self) -> Vec<(ChatId, Vec<PendingWrite>)> {
        if self.due.take_if(|due| *due <= Instant::now()).is_none() {
            return Vec::new();
        }
        let chats = std::mem::take(&mut self.chats).into_iter();
        chats.map(|(chat, stuck)| (chat, stuck.pieces)).collect()
    }

    pub fn put_back(&mut self, chat: &ChatId, pieces: Vec<PendingWrite>, why: Problem) {
        self.due.get_or_insert_with(|| Instant::now() + AGAIN);
        self.chats.insert(chat.clone(), Stuck { pieces, why });
    }

    pub fn forget(&mut self, chat: &ChatId) {
        self.chats.remove(chat);
        if self.chats.is_empty() {
            self.due = None;
        }
    }
}
