//! What workers do about the calls of agents.

use crate::model::local_call::Done;
use crate::permission::Ruling;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use crate::model::local_call::LocalJob;
use crate::model::{ChatId, Settings, WorkId};
use crate::permission::{Case, QuestionNotes};

/// Work on the calls of agents.
#[derive(Clone, Debug, PartialEq)]
pub enum ApprovalWork {
    /// Judges what an agent is about to do.
    Judge(Box<Case>),
    /// Looks for rules that would allow the call.
    Suggest(Box<Case>),
    /// Looks into the files that these calls write as a whole.
    InFiles(Vec<Case>),
    /// Writes a rule that allows the call, or the first that is found.
    AllowAlways(Box<Case>, Option<String>),
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
            ApprovalWork::LocalCall { .. } | ApprovalWork::AllowAlways(..) => true,
            ApprovalWork::Judge(_) | ApprovalWork::Suggest(_) | ApprovalWork::InFiles(_) => false,
        }
    }
}

/// Which questions somebody wants to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedQuestions {
    /// Of these chats, or of all.
    All(Option<Vec<ChatId>>),
    /// The one that a person means by this name.
    Meant(Option<String>),
}

/// What became of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum ApprovalDone {
    /// One for each call, in their order.
    Judged(Vec<Ruling>),
    LocalCall(Done),
    Suggested(QuestionNotes),
    /// One for each call, without rules.
    InFiles(Vec<QuestionNotes>),
    /// This rule stands in `config.json` now, which says this.
    AllowedAlways(String, Box<Settings>),
}

/// What follows then.
#[derive(Clone, Debug, PartialEq)]
pub enum ApprovalThen {
    /// What the agent of this chat does was judged.
    Judged(ChatId),
    /// A file or command of an agent was worked on.
    LocalCall,
    /// They are shown to who asked.
    Suggested,
    /// Who asked for these questions gets them; those whose files were looked into.
    Told(WantedQuestions, Vec<(ChatId, String)>),
    /// The verdict on a call that nobody has made is shown to who asked.
    Tried,
    /// The question with this id of this chat is answered, if other rules that a person has written allow it.
    JudgedAnew(ChatId, String),
    /// The question with this id of this chat is answered.
    AllowedAlways(ChatId, String),
}
