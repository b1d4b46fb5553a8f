//! Turns that parlour broke off and of which the CLI tells nothing: Claude Code writes no line where a prompt is taken back
//! before it was answered.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::model::{ChatId, Happened, Timestamp};

use super::state::Agent;
use super::status;

/// How long the CLI's own word of it is waited for.
const TOLD_MS: u64 = 1_500;

/// Where it works on by then, the key did nothing.
const HEARD_MS: u64 = 6_000;

impl Agent {
    /// Its turn, where one goes on, is being broken off.
    pub(super) fn breaks_turn_off(&mut self, now: Timestamp) -> Vec<Effect> {
        if !self.is_working() && !self.shows_dialog() {
            return Vec::new();
        }
        self.turn.broken_off = Some(now);
        [TOLD_MS, HEARD_MS].map(|ms| Effect::WakeAt(now.plus_ms(ms))).into()
    }

    /// Its turn was broken off, it rests, and nothing tells why.
    fn notices_break(&mut self, now: Timestamp) -> bool {
        let Some(since) = self.turn.broken_off.map(|since| now.ms_since(since)) else {
            return false;
        };
        let rests = since >= TOLD_MS && self.verdict.status.is_idle();
        if rests || since >= HEARD_MS {
            self.turn.broken_off = None;
        }
        rests
    }
}

/// Time has passed.
pub fn clock(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let agents = state.live.agents.iter_mut();
    let silent: Vec<ChatId> = agents
        .filter_map(|(chat, agent)| agent.notices_break(now).then(|| chat.clone()))
        .collect();
    let mut effects = Vec::new();
    for chat in silent {
        let Some(agent) = state.live.agents.get_mut(&chat) else {
            continue;
        };
        let cause = "a person broke the turn off".to_string();
        let told = agent.told_interrupted(Happened::Interrupt { cause }, now);
        effects.extend(chat::append(state, &chat, told));
        effects.extend(status::reassess(state, &chat));
    }
    effects
}
