//! The gate before a tool runs: what a person's rules say of the call, and the questions that wait for a person.
//!
//! A question is asked twice at once, in the agent's own dialog and here, and the first answer counts. An answer goes to
//! the hook that waits for it, and so to exactly the call that was asked about; where a CLI has no such hook, to its
//! dialog, as a key.

use serde_json::{Value, json};

use crate::model::entry::ToolStatus;
use crate::model::permission::{BUILT_IN, Call, Ruling};
use crate::model::{Answer, Asks, CallId, ChatId, Happened, HookEvent, Problem};

use super::card::inputs;
use super::chat;
use super::effect::{Effect, PaneOrder};
use super::question::{Decision, Question};
use super::state::State;
use super::turn::Ended;

/// From a question until its dialog takes keys, on a machine that is busy.
const DRAWN_MS: u64 = 1_500;

/// Shown to the agent when a person said no.
const REFUSED: &str = "The person refused this call. Do not try it in another way; ask what to do instead.";

/// What the rules say of a call that is about to run. What they leave open is the CLI's own to decide.
pub fn judge(state: &mut State, chat: &ChatId, event: &HookEvent, happened: &mut Vec<Happened>) -> Answer {
    let HookEvent::ToolStarted { id, name, input, .. } = event else {
        return Answer::NoOpinion;
    };
    let cwd = state.disk.home.join("chats").join(chat.as_str());
    let call = Call {
        tool: name,
        input,
        cwd: &cwd,
    };
    let (answer, word, rule) = match state.disk.rules.judge(&call) {
        // What everybody may do is no news: a line for each file that is read would hide the others.
        Ruling::Allow { rule } if rule.starts_with(BUILT_IN) => return Answer::Allow,
        Ruling::Allow { rule } => (Answer::Allow, "allowed", rule),
        Ruling::Deny { rule, why } => (Answer::Deny(why), "denied", rule),
        Ruling::Ask { why, .. } => return Answer::Ask(why),
        Ruling::NoOpinion => return Answer::NoOpinion,
    };
    happened.push(Happened::Permission {
        id: id.clone(),
        tool: name.clone(),
        input: input.clone(),
        rule: Some(rule),
        answer: word.into(),
        by: "rule".into(),
    });
    if let (Answer::Deny(why), Some(agent)) = (&answer, state.live.agents.get_mut(chat)) {
        let ended = Ended {
            status: ToolStatus::Denied,
            output: why.clone(),
            ms: None,
        };
        happened.extend(agent.tool_ended(id, name, ended, state.now));
    }
    answer
}

/// Whether the hook that told this is answered later, by a person.
pub fn holds(state: &State, chat: &ChatId, event: &HookEvent) -> bool {
    let agent = state.live.agents.get(chat);
    let asks = agent
        .and_then(|agent| agent.manners.as_ref())
        .map(|manners| &manners.asks);
    matches!(event, HookEvent::PermissionAsked { .. }) && matches!(asks, Some(Asks::Hook))
}

/// All that waits for a person, the oldest first.
pub fn open(state: &State) -> Vec<(ChatId, &Question)> {
    let agents = state.live.agents.iter().filter(|(_, agent)| agent.is_live());
    let mut open: Vec<_> = agents
        .flat_map(|(chat, agent)| agent.turn.questions().map(|question| (chat.clone(), question)))
        .collect();
    open.sort_by_key(|(_, question)| question.at);
    open
}

/// For `parlour approvals`.
pub fn json(state: &State) -> Value {
    let one = |(chat, question): &(ChatId, &Question)| {
        json!({
            "id": question.id,
            "chat": chat::handle(state, chat),
            "tool": question.tool,
            "input": question.input,
            "rule": question.rule,
            "since": question.at,
        })
    };
    json!({ "approvals": open(state).iter().map(one).collect::<Vec<_>>() })
}

/// Answers the question that a person names by its id or the unique beginning of one.
pub fn decide_named(state: &mut State, name: &str, decision: Decision) -> Result<Vec<Effect>, Problem> {
    let open = open(state);
    let exact = open.iter().position(|(_, question)| question.id == name);
    let mut begins = (0..open.len()).filter(|at| name.len() >= 4 && open[*at].1.id.starts_with(name));
    let at = exact.or_else(|| begins.next().filter(|_| begins.next().is_none()));
    let Some((chat, question)) = at.map(|at| &open[at]) else {
        let cause = format!("no question named {name} is open; it may have been answered in the agent's own dialog");
        let hint = "`parlour approvals` lists what waits";
        return Err(Problem::new("answering an agent", cause, hint));
    };
    let (chat, id) = (chat.clone(), question.id.clone());
    decide(state, &chat, &id, decision)
}

/// Answers one question of one chat, once.
pub fn decide(state: &mut State, chat: &ChatId, id: &str, decision: Decision) -> Result<Vec<Effect>, Problem> {
    let handle = chat::handle(state, chat);
    let problem = |cause: &str| {
        let hint = format!("`parlour {handle}` shows its terminal");
        Problem::new("answering an agent", cause, hint)
    };
    let agent = state.live.agents.get_mut(chat);
    let Some(agent) = agent.filter(|agent| agent.is_live()) else {
        return Err(problem("it does not run any more"));
    };
    let keys = match agent.manners.as_ref().map(|manners| &manners.asks) {
        Some(Asks::Keys { yes, no }) => Some(match decision {
            Decision::Allow => yes.clone(),
            Decision::Deny => no.clone(),
        }),
        Some(Asks::Hook | Asks::Terminal) | None => None,
    };
    let first = agent.turn.questions().next().map(|question| question.id.clone());
    let Some(question) = agent.turn.question_mut(id) else {
        return Err(problem("it was answered already"));
    };
    let effect = match (question.call.take(), keys) {
        (Some(call), _) => Effect::Rule(call, words(decision)),
        // Its dialogs come one after another, and a key answers the one that is shown.
        (None, Some(keys)) if first.as_deref() == Some(id) => {
            question.key = Some(keys);
            Effect::WakeAt(question.at.plus_ms(DRAWN_MS))
        }
        (None, _) => return Err(problem("this question can only be answered in the agent's own dialog")),
    };
    question.decided = Some(decision);
    question.answered = true;
    let mut effects = vec![effect];
    effects.extend(press(state));
    effects.extend(super::status::reassess(state, chat));
    Ok(effects)
}

/// Types the answers whose dialogs have had the time to be drawn: a key before that is lost.
pub fn press(state: &mut State) -> Vec<Effect> {
    let now = state.now;
    let mut effects = Vec::new();
    for (chat, agent) in &mut state.live.agents {
        for keys in agent.turn.keys_due(now, DRAWN_MS) {
            effects.push(Effect::Pane(chat.clone(), PaneOrder::Input(keys)));
        }
    }
    effects
}

fn words(decision: Decision) -> Answer {
    match decision {
        Decision::Allow => Answer::Allow,
        Decision::Deny => Answer::Deny(REFUSED.into()),
    }
}

/// The hook that waited is gone: its dialog was answered, or its agent has ended.
pub fn abandoned(state: &mut State, call: CallId) {
    for agent in state.live.agents.values_mut() {
        agent.turn.lets_go(call);
    }
}

/// A question as a person reads it, whole.
pub fn text(question: &Question) -> String {
    let lines: Vec<String> = inputs(&question.input)
        .into_iter()
        .map(|(name, text)| format!("{name}: {text}"))
        .collect();
    match lines.is_empty() {
        true => question.words.clone(),
        false => lines.join("\n"),
    }
}
