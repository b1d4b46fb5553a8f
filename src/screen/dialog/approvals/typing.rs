//! What is typed for an answer: a rule, or the reason of a no.

use crossterm::event::KeyEvent;

use crate::domain::approval::question::Decision;
use crate::model::Problem;

use super::super::tables::{ANSWER, AnswerKeys};
use super::super::{Around, Reply, Stop, UNREAD_MS, Wish};
use super::Approvals;
use super::typed::{AnswerSubject, PlainAnswer, TypedAnswer};

impl Approvals {
    pub(super) fn type_in(&mut self, typed: TypedAnswer, around: &Around) -> Reply {
        (self.typed, self.asked_for) = (Some(typed), around.domain.now);
        if let Some(rules) = &self.rules {
            rules.propose(&mut self.typed);
        }
        Reply::Stay
    }

    /// What was typed as a reason for this question and given up.
    pub(super) fn reason_left(&self) -> &str {
        let left = self.reason.as_ref().filter(|(_, at)| self.at.as_ref() == Some(at));
        left.map_or("", |(words, _)| words)
    }

    /// What was typed is given up; of a reason the words are kept while its question is open.
    pub(super) fn back_from_typing(&mut self) {
        let typed = self.typed.take().and_then(TypedAnswer::into_reason);
        self.reason = typed.zip(self.at.clone()).or(self.reason.take());
    }

    /// A key while something is typed for an answer.
    pub(super) fn press_typed(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let (page, most) = self.extent(around);
        let Some(typed) = &mut self.typed else {
            return Reply::Stay;
        };
        let plain = typed.plain_answer(key);
        if plain.is_some() && around.domain.now.ms_since(self.asked_for) < UNREAD_MS {
            return Reply::TooSoon;
        }
        if let Some(plain) = plain {
            self.back_from_typing();
            return match plain {
                PlainAnswer::Once => self.choose(around, Stop::Yes),
                PlainAnswer::Back => Reply::Stay,
            };
        }
        match ANSWER.command(key) {
            Some(AnswerKeys::Give) => return self.give(),
            Some(AnswerKeys::Back) => self.back_from_typing(),
            Some(key @ (AnswerKeys::Before | AnswerKeys::Next)) => {
                typed.turn(if key == AnswerKeys::Next { 1 } else { -1 });
                self.asked_for = around.domain.now;
            }
            Some(AnswerKeys::PageUp) => self.scroll = self.scroll.saturating_sub(page),
            Some(AnswerKeys::PageDown) => self.scroll = (self.scroll + page).min(most),
            None if typed.field.press(key) => typed.problem = None,
            None => {}
        }
        Reply::Stay
    }

    /// What is typed is the answer.
    pub(super) fn give(&mut self) -> Reply {
        let (Some((chat, id)), Some(typed)) = (self.at.clone(), &mut self.typed) else {
            return Reply::Stay;
        };
        let text = typed.field.text().trim().to_string();
        match &typed.what {
            _ if typed.request.is_some() => Reply::Stay,
            AnswerSubject::Reason => {
                self.typed = None;
                self.decide(chat, id, Decision::Deny, text)
            }
            AnswerSubject::Rule { .. } if text.is_empty() => {
                let hint = "type one like Bash(cargo test:*), or go back and allow it once";
                typed.problem = Some(Problem::new("allowing it always", "there is no rule", hint));
                Reply::Stay
            }
            AnswerSubject::Rule { .. } => Reply::Submit(Wish::AllowAlways(chat, id, text)),
        }
    }
}
