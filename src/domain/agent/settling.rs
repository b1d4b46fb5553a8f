//! What an agent that counts as idle is waited for nevertheless: its status comes ahead of the turn that its last prompt
//! begins, where a screen alone tells of that, and of the last words of a turn, which a CLI writes behind
//! the hook that tells of its end.

use crate::domain::state::Domain;
use crate::model::{ChatId, Happened, Status, Timestamp};

use super::state::Agent;

/// An idle screen this long after the agent has a prompt is no longer that of before: what takes a prompt shows that at
/// once.
const SHOWS_MS: u64 = 250;

/// How long a turn is waited for of which nothing shows: it may be over between two looks at a screen.
const TURN_MS: u64 = 1_500;

/// How long last words are waited for. Claude Code writes them a tenth of a second behind its hook, and a transcript
/// that grows is read five times a second.
const WORDS_MS: u64 = 500;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Settling {
    /// When the agent, which counted as idle, was found to have a prompt. Until its turn shows.
    prompted: Option<Timestamp>,
    /// When its turn ended, as far as its status tells.
    ended: Option<Timestamp>,
    /// Words are the last that was heard of its turn: no more of it is waited for.
    spoke: bool,
}

impl Settling {
    /// It has a prompt, by other evidence than that it works on it.
    pub fn has_prompt(&mut self, now: Timestamp) {
        self.prompted = Some(now);
    }

    /// A source says that it is idle.
    pub fn rests(&mut self, at: Timestamp) {
        self.prompted.take_if(|prompted| at >= prompted.plus_ms(SHOWS_MS));
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
    fn until(self, now: Timestamp) -> Option<Timestamp> {
        let turn = self.prompted.map(|at| at.plus_ms(TURN_MS));
        let words = self.ended.filter(|_| !self.spoke).map(|at| at.plus_ms(WORDS_MS));
        turn.max(words).filter(|until| *until > now)
    }
}

impl Agent {
    /// Its status was another before. Its last words are waited for where its CLI tells of a turn at all.
    pub fn settles(&mut self, before: &Status, now: Timestamp) {
        let after = &self.verdict.status;
        let tells = self.manners.as_ref().is_some_and(|manners| manners.confirms);
        let ends = matches!((before, after), (Status::Running(_), Status::Idle(_)));
        self.settling.prompted.take_if(|_| !after.is_idle());
        self.settling.ended = (ends && tells).then_some(now);
    }
}

/// Until when a live agent that counts as idle is waited for.
pub fn until(state: &Domain, chat: &ChatId) -> Option<Timestamp> {
    let agent = state.live.agents.get(chat).filter(|agent| agent.is_live())?;
    let recorded = agent.reorder.until().filter(|until| *until > state.now);
    agent.settling.until(state.now).max(recorded)
}
