//! The last question is answered, and the dialog stays for a moment: the next one of the same turn often follows at once, and
//! a key that is meant for that is not to reach what lies behind.

use crossterm::event::KeyEvent;

use crate::domain::approval::question::Decision;
use crate::domain::state::Domain;
use crate::model::text::one_line;
use crate::model::{ChatId, Timestamp};

use super::super::Reply;
use super::super::tables::{APPROVALS, ApprovalKey, QuestionKey};
use super::rows::{QuestionPageOf, name};

/// An agent whose call was allowed runs it and asks about the next one within this.
const STAYS_MS: u64 = 1_500;

/// What is said below the answer.
pub const NOTHING_MORE: &str = "Nothing more is asked.";

/// How a question was answered here.
#[derive(Clone, Copy)]
pub(super) enum GivenAnswer {
    Yes,
    No,
    Always,
}

impl From<Decision> for GivenAnswer {
    fn from(decision: Decision) -> GivenAnswer {
        match decision {
            Decision::Allow => GivenAnswer::Yes,
            Decision::Deny => GivenAnswer::No,
        }
    }
}

/// What was answered last, while nothing else is asked.
pub struct LastAnswer {
    chat: ChatId,
    line: String,
    answer: GivenAnswer,
    since: Timestamp,
}

impl LastAnswer {
    pub(super) fn new(answer: GivenAnswer, page: &QuestionPageOf, since: Timestamp) -> LastAnswer {
        LastAnswer {
            chat: page.at.0.clone(),
            line: page.line.clone(),
            answer,
            since,
        }
    }

    pub(super) fn until(&self) -> Timestamp {
        self.since.plus_ms(STAYS_MS)
    }

    /// The answer, and what it was given to.
    pub fn words(&self, domain: &Domain) -> String {
        let answer = match self.answer {
            GivenAnswer::Yes => "Allowed",
            GivenAnswer::No => "Refused",
            GivenAnswer::Always => "Always allowed",
        };
        let name = name(domain, &self.chat);
        format!("{answer}: {name}: {}", one_line(&self.line, 200))
    }

    pub(super) fn press(key: KeyEvent) -> Reply {
        match APPROVALS.command(key) {
            Some(ApprovalKey::Question(QuestionKey::Close | QuestionKey::Answer)) => Reply::Close,
            Some(_) | None => Reply::Stay,
        }
    }
}
