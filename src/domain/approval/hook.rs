//! A hook call of an agent, with the verdicts on what is called or asked about in it: heard, decided, answered.

use crate::domain::agent::hook::hear;
use crate::domain::agent::news::news;
use crate::domain::agent::{cwd, delivery, reorder, rule_decision, status};
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::JournalThen;
use crate::model::{CallId, ChatId, HookAnswer, HookEvent};
use crate::permission::{RuleName, Ruling};

/// A hook call of one chat's agent, understood, with the verdicts on what is called or asked about in it.
pub fn update(
    state: &mut Domain,
    call: CallId,
    chat: &ChatId,
    events: Vec<HookEvent>,
    rulings: Vec<Ruling>,
) -> Vec<Effect> {
    let mut rulings = rulings.into_iter();
    let mut happened = Vec::new();
    let mut effects = Vec::new();
    let mut answer = HookAnswer::NoOpinion;
    let mut held = false;
    let retold = reorder::retold(state, chat, &events);
    for event in &events {
        let holds = rule_decision::holds(state, chat, event);
        held |= holds;
        let ruling = rule_decision::is_judged(event).then(|| rulings.next().unwrap_or_else(unjudged));
        if matches!(event, HookEvent::Prompt { .. }) {
            state.live.reviews.holds(call, chat, state.now);
        }
        let before = happened.len();
        effects.extend(hear(state, chat, event.clone(), holds.then_some(call), &mut happened));
        happened.extend(cwd::hear(state, chat, event));
        let Some(ruling) = ruling else { continue };
        rule_decision::name_rules(state, chat, &mut happened[before..], &ruling);
        if let said @ (HookAnswer::Allow | HookAnswer::Deny(_) | HookAnswer::Ask(_)) =
            super::judge(state, chat, event, ruling, &mut happened)
        {
            answer = said;
        }
    }
    let happened = news(state, chat, happened);
    if let Some(agent) = state.live.agents.get_mut(chat) {
        happened.iter().for_each(|told| agent.quiescence.reads(told));
    }
    let arrival = cwd::due(state, chat, &events);
    match (happened.is_empty() || !state.disk.chats.contains_key(chat), arrival) {
        (true, _) if held => {}
        (true, None) => effects.push(Effect::Rule(call, answer)),
        (true, Some(arrival)) => effects.extend(cwd::instruct(state, chat, arrival, Requester::Call(call))),
        (false, arrival) => {
            // A person answers a question when they come to it.
            let (requester, then) = match (held, arrival) {
                (true, _) => (Requester::Nobody, JournalThen::Nothing),
                (false, Some(arrival)) => (Requester::Call(call), JournalThen::Instruct(arrival)),
                (false, None) => (Requester::Call(call), JournalThen::HookAnswered(answer)),
            };
            effects.extend(reorder::record(state, chat, happened, &retold, (requester, then)));
        }
    }
    effects.extend(status::reassess(state, chat));
    effects.extend(delivery::pump(state, chat));
    effects
}

/// In place of a verdict that did not come in time.
pub fn unjudged() -> Ruling {
    Ruling::Ask {
        rule: RuleName::built_in("calls that take long to judge"),
        why: "it took too long to see what it does".into(),
    }
}
