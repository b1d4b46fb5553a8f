//! What workers do about the calls of agents.

use crate::model::local_call::Done;
use crate::permission::Ruling;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::model::local_call::Errand;
use crate::model::{ChatId, WorkId};
use crate::permission::Case;

/// Work on the calls of agents.
#[derive(Clone, Debug, PartialEq)]
pub enum GateWork {
    /// Judges what an agent is about to do.
    Judge(Box<Case>),
    /// Does for an agent what it has no tools for, under this number.
    Deed {
        number: WorkId,
        chat: ChatId,
        errand: Errand,
        env: BTreeMap<String, String>,
    },
}

impl GateWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            GateWork::Deed { .. } => true,
            GateWork::Judge(_) => false,
        }
    }
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum GateDone {
    /// One for each call, in their order.
    Judged(Vec<Ruling>),
    Deed(Done),
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum GateThen {
    /// What the agent of this chat does was judged.
    Judged(ChatId),
    /// A file or command of an agent was worked on.
    Deed,
}
