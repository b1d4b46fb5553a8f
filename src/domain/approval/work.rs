//! What workers do about the calls of agents.

use crate::model::local_call::Done;
use crate::permission::Ruling;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::model::local_call::LocalJob;
use crate::model::{ChatId, WorkId};
use crate::permission::Case;

/// Work on the calls of agents.
#[derive(Clone, Debug, PartialEq)]
pub enum ApprovalWork {
    /// Judges what an agent is about to do.
    Judge(Box<Case>),
    /// Does for an agent what it has no tools for, under this number.
    LocalCall {
        number: WorkId,
        chat: ChatId,
        local_job: LocalJob,
        env: BTreeMap<String, String>,
    },
}

impl ApprovalWork {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            ApprovalWork::LocalCall { .. } => true,
            ApprovalWork::Judge(_) => false,
        }
    }
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ApprovalDone {
    /// One for each call, in their order.
    Judged(Vec<Ruling>),
    LocalCall(Done),
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum ApprovalThen {
    /// What the agent of this chat does was judged.
    Judged(ChatId),
    /// A file or command of an agent was worked on.
    LocalCall,
}
