//! The gate before a tool runs: what a person's rules say of the call, and the questions that wait for a person.
//!
//! A question is asked twice at once, in the agent's own dialog and here, and the first answer counts. An answer goes to
//! the hook that waits for it, and so to exactly the call that was asked about; where a CLI has no such hook, to its
//! dialog, as a key. A directory that is open read-only is kept so by `permission/fence.rs`.

pub mod always;
pub mod card;
pub mod clipboard;
mod dialog;
pub mod done;
mod hook;
pub mod judging;
pub mod listing;
pub mod local_call;
mod naming;
pub mod question;
pub mod queue;
mod seen_dialog;
pub mod setup;
pub mod shown_cards;
pub mod state;
mod sub_agents;
pub mod told;
pub mod trying;
pub mod work;

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::model::chat::Pending;
use crate::model::entry::{From, ToolStatus};
use crate::model::text::one_line;
use crate::model::{
    Asks, CallId, ChatId, Happened, HookAnswer, HookEvent, Problem, ProblemKind, ServerAnswer, Timestamp,
};
use crate::permission::{RuleName, Ruling};

use super::agent::state::Agent;
use super::agent::state::outbox::QueuedPrompt;
use super::agent::state::turn::{ANSWERED_MS, ToolEnd};
use super::agent::{delivery, reorder};
use super::chat;
use super::effect::{Effect, PaneOrder};
use super::notice::Notice;
use super::reply;
use super::state::{Domain, Requester};
use super::work::JournalThen;
use question::{AnswerKey, Decision, Question, refusal};
use queue::queue;

pub use naming::named;
pub use queue::abandoned;
pub use told::json;

/// From a question until its dialog takes keys, on a machine that is busy.
const DRAWN_MS: u64 = 1_500;

/// From a key until the composer is there again: OpenCode says that it waits while its dialog still takes what is typed.
const CLOSES_MS: u64 = 3_000;

/// Between two looks for a dialog.
const SEEK_AGAIN_MS: u64 = 200;

/// From a key until its dialog is gone, on a machine that is busy.
const HEARD_MS: u64 = 10_000;

/// What follows of what the rules say of a call that is about to run. What they leave open is the CLI's own to decide.
pub fn judge(
    state: &mut Domain,
    chat: &ChatId,
    event: &HookEvent,
    ruling: Ruling,
    happened: &mut Vec<Happened>,
) -> HookAnswer {
    let HookEvent::ToolStarted { id, name, input, .. } = event else {
        return HookAnswer::NoOpinion;
    };
    let (answer, word, rule) = match ruling {
        // What everybody may do is no news: a line for each file that is read would hide the others.
        Ruling::Allow {
            rule: RuleName::BuiltIn(_) | RuleName::Profile(_),
        } => return HookAnswer::Allow,
        Ruling::Allow { rule } => (HookAnswer::Allow, "allowed", rule),
        // The agent's terminal shows only what it is answered.
        Ruling::Deny { rule, why } => (HookAnswer::Deny(denial(&rule, why)), "denied", rule),
        Ruling::Ask { why, .. } => return HookAnswer::Ask(why),
        Ruling::NoOpinion => return HookAnswer::NoOpinion,
    };
    let agent = state.live.agents.get_mut(chat);
    let refused = matches!(answer, HookAnswer::Deny(_)) && id.is_empty();
    let about = match agent.filter(|_| refused) {
        Some(agent) => agent.turn.refuse(name),
        None => id.clone(),
    };
    happened.push(Happened::Permission {
        id: about,
        tool: name.clone(),
        input: input.clone(),
        rule: Some(rule.to_string()),
        answer: word.into(),
        by: "rule".into(),
        reason: None,
        given_once_written: answer == HookAnswer::Allow,
    });
    // Where a hook has no id, its transcript tells of the end.
    if let (HookAnswer::Deny(why), Some(agent), false) = (&answer, state.live.agents.get_mut(chat), refused) {
        let ended = ToolEnd {
            status: ToolStatus::Denied,
            output: why.clone(),
            ms: None,
        };
        happened.extend(agent.tool_ended(id, name, ended, state.now));
    }
    answer
}

/// Answers the question that a person names, and then them. A reason is for the agent.
pub fn decide_named(
    state: &mut Domain,
    name: &str,
    decision: Decision,
    reason: &str,
    asker: CallId,
) -> Result<Vec<Effect>, Problem> {
    let (chat, id) = named(state, name)?;
    if setup::is_asked(state, &chat, &id) {
        let (chats, mut effects) = setup::decided(state, &chat, &id, decision);
        let chats: Vec<_> = chats.iter().map(|chat| chat::handle(state, chat)).collect();
        let answer = json!({"given": true, "setup": true, "clipboard": false, "chats": chats});
        effects.push(Effect::Reply(asker, Ok(answer)));
        return Ok(effects);
    }
    let is_copy = clipboard::is_asked(state, &chat, &id);
    let asker = Requester::Call(asker);
    decide(
        state,
        &chat,
        &id,
        decision,
        reason,
        (
            asker,
            |given| json!({"given": given, "setup": false, "clipboard": is_copy}),
        ),
    )
}

/// Answers one question of one chat, once, when that is recorded. The reason of a no reaches the agent with it where its
/// CLI takes one, and as a prompt where it does not. Who asked for it is told as well, with whether the answer is given or
/// waits for the dialog.
pub fn decide(
    state: &mut Domain,
    chat: &ChatId,
    id: &str,
    decision: Decision,
    reason: &str,
    (asker, told): (Requester, impl FnOnce(bool) -> Value),
) -> Result<Vec<Effect>, Problem> {
    let aside = decide_aside(state, chat, id, decision, reason);
    if let Some(mut effects) = aside {
        effects.extend(reply::answer(state, asker, Ok(told(true))));
        return Ok(effects);
    }
    let handle = chat::handle(state, chat);
    let problem = |cause: &str| {
        let hint = format!("`parlour {handle}` shows its terminal");
        Problem::new("answering an agent", cause, hint)
    };
    if clipboard::is_named(chat, id) {
        return Err(problem(
            "it was answered already, or another text is to be copied by now",
        ));
    }
    let now = state.now;
    let agent = state.live.agents.get_mut(chat);
    let Some(agent) = agent.filter(|agent| agent.is_live()) else {
        return Err(problem("it does not run any more").of_kind(ProblemKind::Missing));
    };
    let keys = match agent.capabilities.as_ref().map(|capabilities| &capabilities.asks) {
        Some(Asks::Keys { yes, no, .. }) => Some(match decision {
            Decision::Allow => yes.clone(),
            Decision::Deny => no.clone(),
        }),
        Some(Asks::Hook | Asks::Terminal) | None => None,
    };
    let by_server = (agent.turn.questions()).any(|question| question.id == id && agent.takes_by_server(question));
    let Some(question) = agent.turn.question_mut(id) else {
        return Err(problem("it was answered already"));
    };
    let mut effects = Vec::new();
    let hook = match (question.call.take(), keys) {
        (Some(call), _) => Some((call, words(decision, reason))),
        (None, Some(keys)) if by_server => {
            question.key = AnswerKey::Due(keys, now);
            None
        }
        (None, Some(_)) if question.touched => {
            return Err(problem("somebody typed in its terminal while it asks: answer it there"));
        }
        // Dialogs come one after another, in an order of the CLI's own: a key answers the one that is shown.
        (None, Some(keys)) => {
            question.key = AnswerKey::Due(keys, now.max(question.at.plus_ms(DRAWN_MS)));
            effects.push(Effect::WakeAt(question.at.plus_ms(DRAWN_MS)));
            None
        }
        (None, None) => return Err(problem("this question can only be answered in the agent's own dialog")),
    };
    effects.push(Effect::WakeAt(now.plus_ms(ANSWERED_MS)));
    let record: Vec<Happened> = question.decide(decision, reason, now).into_iter().collect();
    let given = JournalThen::Decided(chat.clone(), id.into(), hook.clone());
    let answer = JournalThen::Told(told(hook.is_some() || by_server));
    let then = JournalThen::Each(vec![(Requester::Nobody, given), (asker, answer)]);
    effects.extend(reorder::record(
        state,
        chat,
        record,
        &BTreeSet::new(),
        (Requester::Nobody, then),
    ));
    effects.extend(press(state));
    effects.extend(super::agent::status::reassess(state, chat));
    Ok(effects)
}

/// What no agent's CLI asks.
fn decide_aside(state: &mut Domain, chat: &ChatId, id: &str, decision: Decision, reason: &str) -> Option<Vec<Effect>> {
    if setup::is_asked(state, chat, id) {
        return Some(setup::decided(state, chat, id, decision).1);
    }
    if clipboard::is_asked(state, chat, id) {
        return Some(clipboard::decided(state, chat, decision));
    }
    local_call::is_asked(state, chat, id).then(|| local_call::decided(state, chat, id, decision, reason))
}

fn asked<'s>(state: &'s mut Domain, chat: &ChatId, id: &str) -> Option<&'s mut Question> {
    let mut asking = state.live.agents.get_mut(chat)?.turn.asking_mut();
    asking.find(|question| question.id == id)
}

/// A decision is on disk: the hook that waits for it is answered, or the key may be typed.
pub fn recorded(state: &mut Domain, chat: &ChatId, id: &str, hook: Option<(CallId, HookAnswer)>) -> Vec<Effect> {
    if let Some(question) = asked(state, chat, id) {
        question.is_safe = true;
    }
    let answered = hook.map(|(call, answer)| Effect::Rule(call, answer));
    let mut effects: Vec<Effect> = answered.into_iter().collect();
    effects.extend(answer_by_server(state, chat, id));
    effects.extend(press(state));
    effects
}

/// Gives an answer that is on disk to the CLI's own server, which needs no dialog that is seen, and reaches no other one.
fn answer_by_server(state: &mut Domain, chat: &ChatId, id: &str) -> Vec<Effect> {
    let now = state.now;
    let Some(agent) = state.live.agents.get_mut(chat) else {
        return Vec::new();
    };
    let is_it = |question: &Question| question.id == id && question.is_safe && question.is_due();
    if !agent
        .turn
        .unsettled()
        .any(|question| is_it(question) && agent.takes_by_server(question))
    {
        return Vec::new();
    }
    let Some(question) = agent.turn.asking_mut().find(|question| is_it(question)) else {
        return Vec::new();
    };
    // The reason goes with a refusal, and no prompt follows.
    let answer = match question.decided {
        Some(Decision::Allow) => HookAnswer::Allow,
        Some(Decision::Deny) | None => HookAnswer::Deny(question.reason.clone()),
    };
    question.goes_to_server(now);
    agent.composes_from = now.plus_ms(CLOSES_MS);
    let answer = ServerAnswer {
        about: question.tool_id().into(),
        is_of_reach: !question.reach.is_empty(),
        answer,
    };
    let answer = Effect::Answer(chat.clone(), answer);
    vec![answer, Effect::WakeAt(now.plus_ms(HEARD_MS))]
}

/// A decision cannot be written down: it is not given, and the question waits as before.
pub fn not_recorded(state: &mut Domain, chat: &ChatId, id: &str, hook: Option<(CallId, HookAnswer)>) -> Vec<Effect> {
    if let Some(question) = asked(state, chat, id) {
        question.opens_again();
        question.recorded = None;
        question.call = hook.map(|(call, _)| call);
    }
    super::agent::status::reassess(state, chat)
}

/// A person's rule allows what is asked. If it cannot be answered, a person still can.
pub fn allowed_by_rule(state: &mut Domain, chat: &ChatId, id: &str, rule: RuleName) -> Vec<Effect> {
    answered_by_rule(state, chat, id, rule, (Decision::Allow, ""))
}

fn answered_by_rule(
    state: &mut Domain,
    chat: &ChatId,
    id: &str,
    rule: RuleName,
    (decision, why): (Decision, &str),
) -> Vec<Effect> {
    let agent = state.live.agents.get_mut(chat);
    let Some(question) = agent.and_then(|agent| agent.turn.question_mut(id)) else {
        return Vec::new();
    };
    question.rule = Some(rule);
    let nobody = (Requester::Nobody, |_| Value::Null);
    decide(state, chat, id, decision, why, nobody).unwrap_or_else(|_| {
        let agent = state.live.agents.get_mut(chat);
        if let Some(question) = agent.and_then(|agent| agent.turn.question_mut(id)) {
            question.opens_again();
        }
        super::agent::status::reassess(state, chat)
    })
}

/// A rule denies what is asked, and its dialog is answered by that. If it cannot be, a person is asked, who reads the rule.
pub fn denied_by_rule(state: &mut Domain, chat: &ChatId, id: &str, rule: RuleName, why: &str) -> Vec<Effect> {
    let why = denial(&rule, why.into());
    answered_by_rule(state, chat, id, rule, (Decision::Deny, &why))
}

/// Why it is denied, for an agent whose terminal shows nothing else.
fn denial(rule: &RuleName, why: String) -> String {
    match rule {
        RuleName::BuiltIn(name) if !why.starts_with(name.as_ref()) => {
            format!("parlour's built-in rule ({name}) denies it: {why}")
        }
        RuleName::BuiltIn(_) | RuleName::Persons(_) | RuleName::Profile(_) => why,
    }
}

/// Looks for the dialogs of the questions that were answered here: a key before they are drawn is lost, and one behind
/// them answers another. What a key did not answer is asked again.
pub fn press(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let mut effects = Vec::new();
    let (mut unheard, mut reasons) = (Vec::new(), Vec::new());
    for (chat, agent) in state.live.agents.awake_mut() {
        let waits = agent.turn.questions().next().is_some();
        for question in agent.turn.asking_mut() {
            if waits {
                question.wait_on(now);
            }
            if let Some(why) = question.reopen_unheard(now, HEARD_MS) {
                unheard.push((chat.clone(), why, question.asks_anew()));
            }
        }
        effects.extend(seek(chat, agent, now, &mut reasons));
    }
    for (chat, why, asked) in unheard {
        let words = format!("{}: {why}; answer it in its terminal", chat::handle(state, &chat));
        state.notices.push(Notice::ChatTrouble(chat.clone(), words));
        let error = Happened::Error {
            place: "approval".into(),
            message: why.into(),
            hint: "answer it in its terminal".into(),
            trouble: None,
        };
        let told = [error].into_iter().chain(asked).collect();
        effects.extend(chat::append(state, &chat, told));
        effects.extend(super::agent::status::reassess(state, &chat));
    }
    effects.extend(tell(state, reasons));
    effects
}

/// Why a person refused, for agents whose CLI takes no reason with the key that refuses.
type Reasons = Vec<(ChatId, String)>;

fn tell(state: &mut Domain, reasons: Reasons) -> Vec<Effect> {
    let mut effects = Vec::new();
    for (chat, text) in reasons {
        let prompt = Pending::new(text, From::Person, state.now);
        let queued_prompt = QueuedPrompt::new(prompt, None).unnoted().first();
        effects.extend(delivery::send(state, &chat, queued_prompt));
    }
    effects
}

/// Looks for the dialog of an answer that waits, time and again. A screen that does not come then is as it was.
fn seek(chat: &ChatId, agent: &mut Agent, now: Timestamp, reasons: &mut Reasons) -> Vec<Effect> {
    if !agent.turn.asking_mut().any(|question| question.is_due()) {
        agent.sought = None;
        return Vec::new();
    }
    let mut effects = Vec::new();
    match agent.sought.map(|at| (at, at.plus_ms(SEEK_AGAIN_MS))) {
        Some((_, next)) if now < next => return vec![Effect::WakeAt(next)],
        Some((at, _)) if agent.shown < at => effects.extend(answer_shown(chat, agent, now, reasons)),
        Some(_) | None => {}
    }
    agent.sought = Some(now);
    effects.push(Effect::Pane(chat.clone().into(), PaneOrder::Look));
    effects.push(Effect::WakeAt(now.plus_ms(SEEK_AGAIN_MS)));
    effects
}

/// The agent's terminal has just shown something: an answer may wait for just that.
pub fn answer_on_screen(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let now = state.now;
    let mut reasons = Vec::new();
    let mut effects = match state.live.agents.get_mut(chat) {
        Some(agent) => {
            seen_dialog::look(agent, now);
            answer_shown(chat, agent, now, &mut reasons)
        }
        None => Vec::new(),
    };
    effects.extend(tell(state, reasons));
    effects
}

/// Types the answer to the question whose dialog its terminal shows.
fn answer_shown(chat: &ChatId, agent: &mut Agent, now: Timestamp, reasons: &mut Reasons) -> Vec<Effect> {
    // Behind a key the old dialog may still be there.
    let may_type = |key: &AnswerKey| match key {
        AnswerKey::Typed(at) | AnswerKey::Sent(at) => now.ms_since(*at) >= DRAWN_MS,
        AnswerKey::Due(..) | AnswerKey::None => true,
    };
    let is_due = agent.turn.asking_mut().any(|question| question.is_due());
    if !is_due || !agent.turn.asking_mut().all(|question| may_type(&question.key)) {
        return Vec::new();
    }
    let asks = agent.capabilities.as_ref().map(|capabilities| &capabilities.asks);
    let (Some(screen), Some(Asks::Keys { begins, shows, .. })) = (&agent.screen, asks) else {
        return Vec::new();
    };
    let asked = dialog::asked(&screen.text(), (begins, *shows), agent.turn.unsettled());
    let id = asked.map(|question| question.id.clone());
    let mut asked = agent
        .turn
        .asking_mut()
        .filter(|question| Some(&question.id) == id.as_ref());
    let ripe = |question: &&mut Question| question.is_safe && now.ms_since(question.at) >= DRAWN_MS;
    let Some((keys, reason)) = asked.find(ripe).and_then(|question| {
        let keys = question.answer(now)?;
        Some((keys, in_a_prompt(question)))
    }) else {
        return Vec::new();
    };
    reasons.extend(reason.map(|reason| (chat.clone(), reason)));
    agent.composes_from = now.plus_ms(CLOSES_MS);
    vec![
        Effect::Pane(chat.clone().into(), PaneOrder::Input(keys)),
        Effect::WakeAt(now.plus_ms(HEARD_MS)),
    ]
}

/// Why it was refused, as a prompt that tells it.
fn in_a_prompt(question: &Question) -> Option<String> {
    let told = !question.reason.is_empty();
    told.then(|| {
        // Its beginning tells which one it was.
        let asked = one_line(&question.words, 120);
        let refused = if question.by_rule {
            "This call was refused"
        } else {
            "I refused this call"
        };
        format!("{refused}: {}\n\n{asked}", question.reason)
    })
}

fn words(decision: Decision, reason: &str) -> HookAnswer {
    match decision {
        Decision::Allow => HookAnswer::Allow,
        Decision::Deny => HookAnswer::Deny(refusal(reason)),
    }
}
