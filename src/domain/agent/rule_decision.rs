//! What the rules say of a call, and the question that they made of it.

use crate::domain::notice::Upward;
use crate::domain::state::Domain;
use crate::model::{Asks, ChatId, Happened, HookEvent};
use crate::permission::{RuleName, Ruling};

/// Says of questions that were just asked by which rule, where one asks about such a call. What a person's rule allows, and
/// what any denies, is answered by it, where the CLI has no words of its own for that rule.
pub fn name_rules(state: &mut Domain, chat: &ChatId, happened: &mut [Happened], ruling: &Ruling) {
    let by = match ruling {
        Ruling::Ask { rule, .. } => rule,
        Ruling::Allow {
            rule: rule @ (RuleName::Persons(_) | RuleName::Profile(_)),
        } => {
            let allowed = |chat, id| Upward::AllowedByRule(chat, id, rule.clone());
            return answer_by_rule(state, chat, happened, allowed);
        }
        // If its dialog does not take that answer, a person reads the rule.
        Ruling::Deny { rule, why } => {
            let denied = |chat, id| Upward::DeniedByRule(chat, id, rule.clone(), why.clone());
            answer_by_rule(state, chat, happened, denied);
            rule
        }
        Ruling::Allow { .. } | Ruling::NoOpinion => return,
    };
    for told in happened {
        let Happened::Permission {
            id, rule: rule @ None, ..
        } = told
        else {
            continue;
        };
        let agent = state.live.agents.get_mut(chat);
        if let Some(question) = agent.and_then(|agent| agent.turn.question_mut(id)) {
            *rule = Some(by.to_string());
            question.rule = Some(by.clone());
        }
    }
}

fn answer_by_rule(
    state: &mut Domain,
    chat: &ChatId,
    happened: &[Happened],
    to_tell: impl Fn(ChatId, String) -> Upward,
) {
    let agent = state.live.agents.get(chat);
    let capabilities = agent.and_then(|agent| agent.capabilities.as_ref());
    let asks = capabilities.map(|capabilities| &capabilities.asks);
    if !matches!(asks, Some(Asks::Keys { by_rule: true, .. })) {
        return;
    }
    for told in happened {
        if let Happened::Permission { id, answer, .. } = told
            && answer == "asked"
        {
            let agent = state.live.agents.get_mut(chat);
            let Some(question) = agent.and_then(|agent| agent.turn.question_mut(id)) else {
                continue;
            };
            // Nobody is told that it asks.
            question.by_rule = true;
            state.upward.push(to_tell(chat.clone(), id.clone()));
        }
    }
}

/// Whether rules may be about what is told.
pub fn is_judged(event: &HookEvent) -> bool {
    matches!(event, HookEvent::ToolStarted { .. } | HookEvent::PermissionAsked { .. })
}

/// Whether the hook that told this is answered later, by a person.
pub fn holds(state: &Domain, chat: &ChatId, event: &HookEvent) -> bool {
    let agent = state.live.agents.get(chat);
    let asks = agent
        .and_then(|agent| agent.capabilities.as_ref())
        .map(|capabilities| &capabilities.asks);
    matches!(event, HookEvent::PermissionAsked { .. }) && matches!(asks, Some(Asks::Hook))
}
