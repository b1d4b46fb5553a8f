//! A call that is allowed from now on: by a rule that a person reads, may change, and has written into `config.json`.

use crate::domain::agent::cwd;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ApprovalThen, ApprovalWork};
use crate::model::{Asks, ChatId, Problem};
use crate::permission::{AskedCall, Case, RuleName, Ruling};

use super::allowed_by_rule;
use super::judging::case;
use super::{clipboard, local_call, setup};

/// Which rules would allow what is asked, the one to propose first.
pub fn suggest(state: &mut Domain, chat: &ChatId, id: &str, requester: Requester) -> Result<Vec<Effect>, Problem> {
    let case = Box::new(asked(state, chat, id)?);
    let then = ApprovalThen::Suggested;
    Ok(chat::work(state, requester, then, ApprovalWork::Suggest(case)))
}

/// Has a rule written that allows what is asked, and then answers it; without a rule, the one that is proposed first.
pub fn allow(
    state: &mut Domain,
    chat: &ChatId,
    id: &str,
    rule: Option<String>,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    let case = Box::new(asked(state, chat, id)?);
    let then = ApprovalThen::AllowedAlways(chat.clone(), id.into());
    Ok(chat::work(
        state,
        requester,
        then,
        ApprovalWork::AllowAlways(case, rule),
    ))
}

/// Other rules of a person are in force: what is asked already is judged by them too.
pub fn judge_open(state: &mut Domain) -> Vec<Effect> {
    let agents = state.live.agents.iter();
    let open = agents.flat_map(|(chat, agent)| {
        let questions = agent.turn.questions();
        questions.map(|question| (chat.clone(), question.id.clone()))
    });
    let open: Vec<(ChatId, String)> = open.collect();
    let mut effects = Vec::new();
    for (chat, id) in open {
        // Of what no rule answers there is no case.
        if let Ok(case) = asked(state, &chat, &id) {
            let then = ApprovalThen::JudgedAnew(chat, id);
            let job = ApprovalWork::Judge(Box::new(case));
            effects.extend(chat::work(state, Requester::Nobody, then, job));
        }
    }
    effects
}

/// A person's rule allows what is asked by now.
pub fn judged_anew(state: &mut Domain, chat: &ChatId, id: &str, ruling: &Ruling) -> Vec<Effect> {
    let Ruling::Allow {
        rule: rule @ RuleName::Persons(_),
    } = ruling
    else {
        return Vec::new();
    };
    // It may have been answered meanwhile.
    let agent = state.live.agents.get_mut(chat);
    let Some(question) = agent.and_then(|agent| agent.turn.question_mut(id)) else {
        return Vec::new();
    };
    question.by_rule = true;
    allowed_by_rule(state, chat, id, rule.clone())
}

/// Whether a rule would answer what the agent of this chat asks. One whose CLI asks about what its sandbox forbids asks
/// on, whatever the rules allow.
pub fn is_answered_by_rules(state: &Domain, chat: &ChatId) -> bool {
    let agent = state.live.agents.get(chat);
    let asks = agent
        .and_then(|agent| agent.capabilities.as_ref())
        .map(|known| &known.asks);
    !matches!(asks, Some(Asks::Keys { by_rule: false, .. }))
}

/// The call that is asked about, as the rules judge it.
fn asked(state: &Domain, chat: &ChatId, id: &str) -> Result<Case, Problem> {
    let problem = |cause: &str, hint: &str| Problem::new("allowing it always", cause, hint);
    if setup::is_asked(state, chat, id) {
        let cause = "a setup is no call that a rule is about";
        return Err(problem(cause, "approve it: that holds until the setup changes"));
    }
    if clipboard::is_asked(state, chat, id) {
        let cause = "the clipboard is no call that a rule is about";
        return Err(problem(cause, "allow it: that holds for this chat"));
    }
    let agent = state.live.agents.get(chat);
    let mut questions = agent.into_iter().flat_map(|agent| agent.turn.questions());
    let Some(question) = questions.find(|question| question.id == id) else {
        return Err(problem(
            "it was answered already",
            "`parlour approvals` lists what waits",
        ));
    };
    if !is_answered_by_rules(state, chat) {
        let llm = state.disk.chats.get(chat).map_or("", |chat| &chat.record.llm);
        let cause = format!(
            "{} asks about what its sandbox forbids, whatever the rules allow",
            state.disk.title_of(llm)
        );
        return Err(problem(&cause, "allow it once"));
    }
    let at = match local_call::is_asked(state, chat, id) {
        true => None,
        false => cwd::of_calls(state, chat).map(Into::into),
    };
    let call = AskedCall {
        tool: question.tool.clone(),
        input: question.input.clone(),
        at,
        by_cli: true,
    };
    Ok(case(state, chat, vec![call]))
}
