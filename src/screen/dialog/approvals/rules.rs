//! What is found out about a question as soon as it is shown: the rules that would allow it, none of which is offered where
//! there are none, and an edit in whole lines.

use super::typed::{AnswerSubject, TypedAnswer};
use crate::model::{ChatId, Problem, RequestId};
use crate::permission::{QuestionNotes, WholeLines};

/// What is known of the file that a call edits or writes.
#[derive(Clone, Copy, Default)]
pub struct NotesOfFile<'n> {
    /// With what the call is made, in whole lines of the file.
    pub whole: Option<&'n WholeLines>,
    /// It is written as a whole, and there already.
    pub overwrites: bool,
}

/// The search for rules about one question.
pub struct RuleSearch {
    of: (ChatId, String),
    request: Option<RequestId>,
    found: Option<Result<QuestionNotes, Problem>>,
}

impl RuleSearch {
    /// Begins the search about this question, which is to be asked for then; `None` if it has begun.
    pub fn begin(known: &mut Option<RuleSearch>, at: (ChatId, String)) -> Option<(ChatId, String)> {
        if known.as_ref().is_some_and(|known| known.of == at) {
            return None;
        }
        *known = Some(RuleSearch {
            of: at.clone(),
            request: None,
            found: None,
        });
        Some(at)
    }

    pub fn is(&self, request: RequestId) -> bool {
        self.request == Some(request)
    }

    pub fn begun(&mut self, request: RequestId) {
        self.request = Some(request);
    }

    pub fn ended(&mut self, found: Result<QuestionNotes, Problem>) {
        (self.request, self.found) = (None, Some(found));
    }

    /// Why no rule would allow this question, if that was found out.
    pub fn why_none(&self, at: &(ChatId, String)) -> Option<&str> {
        match &self.found {
            Some(Ok(found)) if found.rules.rules.is_empty() && self.of == *at => Some(&found.rules.why_none),
            Some(_) | None => None,
        }
    }

    /// What was found out about the file that this question's call edits or writes.
    pub fn in_file(&self, at: &(ChatId, String)) -> NotesOfFile<'_> {
        match &self.found {
            Some(Ok(found)) if self.of == *at => NotesOfFile {
                whole: found.in_whole_lines.as_ref(),
                overwrites: found.overwrites,
            },
            Some(_) | None => NotesOfFile::default(),
        }
    }

    /// To who is about to choose one.
    pub fn propose(&self, to: &mut Option<TypedAnswer>) {
        let waits = |typed: &&mut TypedAnswer| matches!(typed.what, AnswerSubject::Rule { rules: None, .. });
        let Some(typed) = to.as_mut().filter(waits) else {
            return;
        };
        match &self.found {
            Some(Ok(found)) if found.rules.rules.is_empty() => *to = None,
            Some(Ok(found)) => typed.propose(&found.rules.rules),
            Some(Err(problem)) => typed.fail(problem.clone()),
            None => {}
        }
    }
}
