//! What an agent that counts as idle is waited for nevertheless: its status comes ahead of the turn that its last prompt
//! begins, where a screen alone tells of that, and of the last words of a turn, which a CLI writes behind the hook that
//! tells of its end. One that failed may be about to try again.

use crate::domain::state::Domain;
use crate::model::{Activity, ChatId, Source, Status, Timestamp};

use super::state::Agent;

impl Agent {
    /// Its status was another before. Its last words are waited for where its CLI tells of a turn at all.
    pub fn settles(&mut self, before: &Status, now: Timestamp) {
        let after = &self.verdict.status;
        let tells = self
            .capabilities
            .as_ref()
            .is_some_and(|capabilities| capabilities.confirms);
        // Where no hook says that a turn failed, its CLI may try again of its own accord.
        let by_hook = self.signals.get(&Source::Hook).map(|signal| &signal.activity);
        let fails = after.has_failed() && !matches!(by_hook, Some(Activity::Failed(_)));
        let ends = matches!(before, Status::Running(_)) && (after.is_idle() || fails);
        self.quiescence.prompted.take_if(|_| !after.is_idle());
        self.quiescence.ended = (ends && tells).then_some(now);
    }
}

/// Until when a live agent that counts as idle, or as failed, is waited for.
pub fn until(state: &Domain, chat: &ChatId) -> Option<Timestamp> {
    let agent = state.live.live_agent(chat)?;
    let recorded = agent.reorder.until().filter(|until| *until > state.now);
    agent.quiescence.until(state.now).max(recorded)
}
