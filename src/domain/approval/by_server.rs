//! Answers that a CLI's own server takes, by the call that is asked about: they need no dialog that is seen, and reach
//! no other one.

use crate::domain::agent::state::Agent;
use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::model::{Asks, ChatId};

use super::question::{Decision, Question};
use super::{CLOSES_MS, HEARD_MS, in_a_prompt, tell, words};

/// Whether the answer to this question goes to the server of its agent: it is about a call that the server told of.
pub(super) fn takes(agent: &Agent, id: &str) -> bool {
    let asks = agent.capabilities.as_ref().map(|capabilities| &capabilities.asks);
    matches!(asks, Some(Asks::Keys { by_server: true, .. })) && agent.turn.is_open(id)
}

/// Gives an answer that is on disk.
pub(super) fn answer(state: &mut Domain, chat: &ChatId, id: &str) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat).filter(|agent| takes(agent, id)) else {
        return Vec::new();
    };
    let is_it = |question: &&mut Question| question.id == id && question.is_safe && question.is_due();
    let Some(question) = agent.turn.asking_mut().find(is_it) else {
        return Vec::new();
    };
    let decision = question.decided.unwrap_or(Decision::Deny);
    let reason = in_a_prompt(question).map(|text| (chat.clone(), text));
    // From here on it counts as one whose key is typed.
    question.answer(now);
    agent.composes_from = now.plus_ms(CLOSES_MS);
    let answer = Effect::Answer(chat.clone(), id.into(), words(decision, ""));
    let mut effects = vec![answer, Effect::WakeAt(now.plus_ms(HEARD_MS))];
    effects.extend(tell(state, reason.into_iter().collect()));
    effects
}
