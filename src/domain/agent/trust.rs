//! Consent to trust the directories of parlour's chats. It acts when an agent starts, so one that waits with its CLI's
//! question about that is started again.

use std::collections::BTreeMap;

use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::model::agent::ASKS_FOR_TRUST;
use crate::model::{ChatId, Status};

use super::restart;
use super::state::Agent;

/// Other settings are in force; there was this consent before.
pub fn settled(state: &mut Domain, before: &BTreeMap<String, bool>) -> Vec<Effect> {
    let is_given = |trust: &BTreeMap<String, bool>, llm: &str| trust.get(llm) == Some(&true);
    let trust = &state.disk.settings.trust;
    let is_new = |chat: &ChatId| {
        let known = state.disk.chats.get(chat);
        known.is_some_and(|known| is_given(trust, &known.record.llm) && !is_given(before, &known.record.llm))
    };
    let waiting = state.live.agents.awake().filter(|(_, agent)| asks(agent));
    let waiting = waiting.filter(|(chat, _)| is_new(chat));
    let waiting: Vec<_> = waiting.map(|(chat, agent)| (chat.clone(), agent.env.clone())).collect();
    let again = |(chat, env)| restart::begin(state, &chat, env, Requester::Nobody);
    waiting.into_iter().flat_map(again).collect()
}

fn asks(agent: &Agent) -> bool {
    let is_asked = matches!(&agent.verdict.status, Status::NeedsYou(what) if what == ASKS_FOR_TRUST);
    is_asked && agent.is_live() && !agent.session_began
}
