//! What an agent that counts as idle is waited for nevertheless: its status comes ahead of the turn that its last prompt
//! begins, where a screen alone tells of that, and of the last words of a turn, which a CLI writes behind
//! the hook that tells of its end.

use crate::model::{Happened, Timestamp};

/// An idle screen this long after the agent has a prompt is no longer that of before: what takes a prompt shows that at
/// once.
pub(in crate::domain::agent) const SHOWS_MS: u64 = 250;

/// How long a turn is waited for of which nothing shows: it may be over between two looks at a screen.
pub(in crate::domain::agent) const TURN_MS: u64 = 1_500;

/// How long last words are waited for. Claude Code writes them a tenth of a second behind its hook, and a transcript
/// that grows is read five times a second.
pub(in crate::domain::agent) const WORDS_MS: u64 = 500;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quiescence {
    /// When the agent, which counted as idle, was found to have a prompt. Until its turn shows.
    pub(in crate::domain::agent) prompted: Option<Timestamp>,
    /// When its turn ended, as far as its status tells.
    pub(in crate::domain::agent) ended: Option<Timestamp>,
    /// Words are the last that was heard of its turn: no more of it is waited for.
    pub(in crate::domain::agent) spoke: bool,
    /// Since its start it has been given a prompt, or a person pressed Enter.
    pub(in crate::domain::agent) asked: bool,
}

impl Quiescence {
    /// It has a prompt, by other evidence than that it works on it.
    pub fn await_turn(&mut self, now: Timestamp) {
        self.prompted = Some(now);
    }

    /// A source says that it is idle.
    pub fn rests(&mut self, at: Timestamp) {
        self.prompted.take_if(|prompted| at >= prompted.plus_ms(SHOWS_MS));
    }

    /// A shell says that the command line has ended which it was given.
    pub fn answers(&mut self) {
        self.prompted = None;
    }

    /// It has a prompt, and its turn does not show yet.
    pub(in crate::domain::agent) fn awaits_turn(self, now: Timestamp) -> bool {
        self.prompted.is_some_and(|at| at.plus_ms(TURN_MS) > now)
    }

    /// A turn begins, or does something that words may follow.
    pub fn works(&mut self) {
        self.spoke = false;
    }

    /// The next that its transcript tells.
    pub fn reads(&mut self, told: &Happened) {
        let words = matches!(told, Happened::Text { .. });
        let work = matches!(
            told,
            Happened::Prompt { .. } | Happened::ToolStart { .. } | Happened::ToolEnd { .. }
        );
        self.spoke = words || self.spoke && !work;
    }

    /// Until when more is waited for; `None` where nothing is to come.
    pub(in crate::domain::agent) fn until(self, now: Timestamp) -> Option<Timestamp> {
        let turn = self.prompted.map(|at| at.plus_ms(TURN_MS));
        let words = self.ended.filter(|_| !self.spoke).map(|at| at.plus_ms(WORDS_MS));
        turn.max(words).filter(|until| *until > now)
    }
}
