//! The last question is answered, and the dialog stays for a moment: the next one of the same turn often follows at once, and
//! a key that is meant for that is not to reach what lies behind.

use crossterm::event::KeyEvent;

use crate::domain::approval::question::Decision;
use crate::domain::chat;
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

/// What was answered last, while nothing else is asked; none where what stood there last was answered elsewhere.
pub(super) struct LastAnswer {
    given: Option<(ChatId, String, GivenAnswer)>,
    since: Timestamp,
}

impl LastAnswer {
    pub(super) fn new(given: Option<(GivenAnswer, &QuestionPageOf)>, since: Timestamp) -> LastAnswer {
        let given = given.map(|(answer, page)| (page.at.0.clone(), page.line.clone(), answer));
        LastAnswer { given, since }
    }

    pub(super) fn until(&self) -> Timestamp {
        self.since.plus_ms(STAYS_MS)
    }

    /// The answer, and what it was given to.
    pub(super) fn words(&self, domain: &Domain) -> Option<String> {
        let (chat, line, answer) = self.given.as_ref()?;
        let answer = match answer {
            GivenAnswer::Yes => "Allowed",
            GivenAnswer::No => "Refused",
            GivenAnswer::Always => "Always allowed",
        };
        let line = chat::near(domain, chat, line);
        Some(format!("{answer}: {}: {}", name(domain, chat), one_line(&line, 200)))
    }

    pub(super) fn press(key: KeyEvent) -> Reply {
        match APPROVALS.command(key) {
            Some(ApprovalKey::Question(QuestionKey::Close | QuestionKey::Answer)) => Reply::Close,
            Some(_) | None => Reply::Stay,
        }
    }
}
