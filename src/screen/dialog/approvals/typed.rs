//! What is typed below a question before it is answered: the rule that allows it from now on, or why it is refused.

use crossterm::event::{KeyCode, KeyEvent};

use crate::model::text::visible;
use crate::model::{Problem, RequestId};

use super::super::super::broken;
use super::super::super::hint::Hint;
use super::super::super::wrap::wrap;
use super::super::buttons::Button;
use super::super::tables::{ANSWER, AnswerKeys};
use super::super::{Field, Room, Stop};

pub struct TypedAnswer {
    pub what: AnswerSubject,
    pub field: Field,
    /// What it waits for.
    pub request: Option<RequestId>,
    pub problem: Option<Problem>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnswerSubject {
    /// Rules that are proposed, `None` until they are found, and the one that is shown.
    Rule {
        rules: Option<Vec<String>>,
        at: usize,
    },
    Reason,
}

/// What a letter means that stands in no rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlainAnswer {
    /// As before the question: whoever types on in haste writes no rule by that.
    Once,
    Back,
}

const RULE: [Button; 2] = [(Stop::No, "Back"), (Stop::Yes, "Write and allow")];
const REASON: [Button; 2] = [(Stop::No, "Back"), (Stop::Yes, "Refuse")];

impl TypedAnswer {
    fn new(what: AnswerSubject) -> TypedAnswer {
        TypedAnswer {
            what,
            field: Field::new("", Room::Line),
            request: None,
            problem: None,
        }
    }

    /// A rule, once some are found.
    pub fn rule() -> TypedAnswer {
        TypedAnswer::new(AnswerSubject::Rule { rules: None, at: 0 })
    }

    /// A reason that goes on with these words.
    pub fn reason(words: &str) -> TypedAnswer {
        let mut typed = TypedAnswer::new(AnswerSubject::Reason);
        typed.field.set(words);
        typed
    }

    /// The words of a reason.
    pub fn into_reason(self) -> Option<String> {
        (self.what == AnswerSubject::Reason).then(|| self.field.text())
    }

    pub fn buttons(&self) -> &'static [Button] {
        match self.what {
            AnswerSubject::Rule { .. } => &RULE,
            AnswerSubject::Reason => &REASON,
        }
    }

    /// What `y` and `n` mean while a rule stands as it was proposed: with a letter behind its end it would be none.
    pub fn plain_answer(&self, key: KeyEvent) -> Option<PlainAnswer> {
        match key.code {
            _ if !self.is_as_proposed() || !key.modifiers.is_empty() => None,
            KeyCode::Char('y') => Some(PlainAnswer::Once),
            KeyCode::Char('n') => Some(PlainAnswer::Back),
            _ => None,
        }
    }

    fn is_as_proposed(&self) -> bool {
        let AnswerSubject::Rule { rules: Some(rules), at } = &self.what else {
            return false;
        };
        let text = self.field.text();
        rules.get(*at) == Some(&text) && self.field.cursor() == (0, text.chars().count())
    }

    /// What stands above the field.
    pub fn label(&self) -> String {
        match &self.what {
            AnswerSubject::Reason => "Why not? The agent is told.".into(),
            AnswerSubject::Rule { rules: None, .. } => "Looking for rules that allow it…".into(),
            AnswerSubject::Rule { rules: Some(rules), at } if rules.len() > 1 => {
                format!("Rule {} of {}, written into config.json:", at + 1, rules.len())
            }
            AnswerSubject::Rule { .. } => "The rule that is written into config.json:".into(),
        }
    }

    /// What stands below it.
    pub fn note(&self) -> &'static str {
        let rule = self.field.text();
        match &self.what {
            AnswerSubject::Reason => "",
            AnswerSubject::Rule { .. } if !rule.starts_with("Bash(") => {
                "It holds in all chats, until you take it out of config.json."
            }
            AnswerSubject::Rule { .. } if rule.contains('*') => {
                "It allows all commands that begin so, in all chats, until you take it out of config.json."
            }
            // A clone lies below `chats/ID/projects` in parlour's home, which may be anywhere.
            AnswerSubject::Rule { .. } if rule.contains("/chats/") && rule.contains("/projects/") => {
                "It allows this line alone, and in this chat alone, whose directory it names."
            }
            AnswerSubject::Rule { .. } => {
                "It allows this line alone, in all chats, until you take it out of config.json."
            }
        }
    }

    /// What is said below it in a column this wide: why it failed, or what it means.
    pub fn below(&self, width: u16) -> Vec<String> {
        let words = match &self.problem {
            Some(problem) => visible(&problem.to_string()),
            None if self.is_as_proposed() => format!("{} `y` allows it once, without the rule.", self.note()),
            None => self.note().to_owned(),
        };
        match words.is_empty() {
            true => Vec::new(),
            false => wrap(&words, width.into()),
        }
    }

    /// Rows of all of it: what it is, the field, and what is said below.
    pub fn rows(&self, width: u16, before: u16) -> usize {
        let wide = width.saturating_sub(before);
        1 + broken::count(&self.field, wide.into(), usize::from(u16::MAX)) + self.below(width).len()
    }

    pub fn propose(&mut self, found: &[String]) {
        let AnswerSubject::Rule { rules, .. } = &mut self.what else {
            return;
        };
        *rules = Some(found.to_vec());
        if let Some(first) = found.first().filter(|_| self.field.is_empty()) {
            self.field.set(first);
        }
    }

    pub fn hints(&self) -> Vec<Hint> {
        let give = match self.what {
            AnswerSubject::Rule { .. } => "write and allow",
            AnswerSubject::Reason => "refuse",
        };
        let mut hints = vec![
            ANSWER.hint(&[AnswerKeys::Give], give),
            ANSWER.hint(&[AnswerKeys::Back], "back"),
        ];
        if let AnswerSubject::Rule { rules: Some(rules), .. } = &self.what
            && rules.len() > 1
        {
            hints.push(ANSWER.hint(&[AnswerKeys::Before, AnswerKeys::Next], "other rules"));
        }
        hints.push(ANSWER.hint(&[AnswerKeys::PageUp, AnswerKeys::PageDown], "page"));
        hints
    }

    /// Another of the rules that are proposed; behind the last one comes the first.
    pub fn turn(&mut self, by: isize) {
        if let AnswerSubject::Rule { rules: Some(rules), at } = &mut self.what
            && !rules.is_empty()
        {
            *at = (at.saturating_add(rules.len())).saturating_add_signed(by) % rules.len();
            self.field.set(&rules[*at]);
            self.problem = None;
        }
    }

    pub fn fail(&mut self, problem: Problem) {
        self.request = None;
        self.problem = Some(problem);
        if let AnswerSubject::Rule {
            rules: rules @ None, ..
        } = &mut self.what
        {
            *rules = Some(Vec::new());
        }
    }
}
