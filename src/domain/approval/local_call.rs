//! What agents whose CLI has no tools of its own have parlour do. Each call is judged by the rules that hooks are judged
//! by; in one directory they are done in order, in several at once.
//!
//! A CLI with tools asks its person itself about what no rule names. There is none here: a command is then asked about in
//! parlour's queue, and a file that a directory open for writing holds is written.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::domain::agent::open_tool::OpenTool;
use crate::domain::agent::state::Agent;
use crate::domain::agent::state::turn::ToolEnd;
use crate::domain::agent::{cwd, news, rule_decision, status};
use crate::domain::agents::Agents;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester, Waiting};
use crate::domain::work::{ApprovalThen, ApprovalWork, ScriptThen, ScriptWork};
use crate::model::entry::ToolStatus;
use crate::model::local_call::{Done, LocalJob, LocalRoots, Root, Spot};
use crate::model::{
    Activity, AreaMode, CallId, ChatId, Happened, LocalCall, Problem, ProblemKind, Source, Timestamp, WorkId,
};
use crate::permission::{RuleName, Ruling};

use super::question::{Decision, refusal};
use super::state::{Hears, LocalCallStage, PendingCall};

/// Of one chat, waiting or at work.
const MOST: usize = 32;

/// And so many bytes of what they are to write or run: each is held for its question and its transcript, too.
const MOST_BYTES: usize = 8 << 20;

/// Answers of one chat that its caller has yet to fetch.
const KEPT: usize = 8;

/// What of a call the rules are to judge; nothing where it is refused anyhow, or shares one that takes longer.
pub fn to_judge(state: &Domain, chat: &ChatId, local_call: &LocalCall) -> Option<Value> {
    let shares = |doing: &PendingCall| doing.is_shared_by(chat, local_call) && !doing.is_stale(state.now);
    if state.live.approvals.local_calls.iter().any(shares) || may_begin(state, chat, local_call).is_err() {
        return None;
    }
    routed(state, chat, local_call)
        .ok()
        .map(|spots| local_call.input(&spots))
}

fn routed(state: &Domain, chat: &ChatId, local_call: &LocalCall) -> Result<Vec<Spot>, Problem> {
    let dir = state.disk.home.join("chats").join(chat.as_str());
    let dirs = state.disk.chats.get(chat).map_or(&[][..], |chat| &chat.record.dirs);
    LocalRoots { chat: &dir, dirs }.route(local_call)
}

/// An agent calls, and the rules say this of it. The same call as one that takes longer shares it.
pub fn begin(state: &mut Domain, chat: &ChatId, local_call: LocalCall, call: CallId, ruling: Ruling) -> Vec<Effect> {
    if let Some(effects) = take_up(state, chat, &local_call, call) {
        return effects;
    }
    if let Err(problem) = may_begin(state, chat, &local_call) {
        return vec![Effect::Reply(call, Err(problem))];
    }
    let spots = match routed(state, chat, &local_call) {
        Ok(spots) => spots,
        Err(problem) => return refuse_unrouted(state, chat, &local_call, problem, call),
    };
    let input = local_call.input(&spots);
    let id = new_id(state);
    let mut happened = told(state, chat, &local_call, &id, &input, spots[0].root.label());
    let (mode, root) = (spots[0].mode, spots[0].root.clone());
    let local_job = LocalJob {
        below: spots.into_iter().map(|spot: Spot| spot.below).collect(),
        local_call,
        root,
        mode,
    };
    let (stage, refused) = match (&ruling, &local_job.local_call) {
        (Ruling::Deny { rule, why }, _) => {
            happened.push(ruled(&id, &local_job.local_call, &input, &rule.to_string(), "denied"));
            (LocalCallStage::Queued, Some(why.clone()))
        }
        // The gate knows commands; whatever else would change it stays out of a read-only directory in any case.
        (_, LocalCall::Write(_) | LocalCall::Patch { .. }) if local_job.mode == AreaMode::Ro => {
            let name = local_job.root.label().unwrap_or_default();
            (
                LocalCallStage::Queued,
                Some(format!("read-only directory {name} (ro): it would be written")),
            )
        }
        (Ruling::Ask { .. }, _) | (Ruling::NoOpinion, LocalCall::Shell(_)) => (LocalCallStage::Asked, None),
        // What everybody may do is no news.
        (Ruling::NoOpinion, _)
        | (
            Ruling::Allow {
                rule: RuleName::BuiltIn(_) | RuleName::Profile(_),
            },
            _,
        ) => (LocalCallStage::Queued, None),
        (Ruling::Allow { rule }, _) => {
            happened.push(ruled(&id, &local_job.local_call, &input, &rule.to_string(), "allowed"));
            (LocalCallStage::Queued, None)
        }
    };
    if !matches!(local_job.local_call, LocalCall::Read(_)) {
        // What was read and kept is about how things were before this. What was done stays done, and is told to who
        // calls again.
        let is_old = |doing: &PendingCall| doing.is_over() && matches!(doing.local_job.local_call, LocalCall::Read(_));
        let calls = &mut state.live.approvals.local_calls;
        calls.retain(|doing| doing.chat != *chat || !is_old(doing));
    }
    let number = state.ids.work();
    let doing = PendingCall {
        number,
        chat: chat.clone(),
        id,
        local_job,
        stage,
        hears: Hears::Call(call),
        since: state.now,
    };
    on_with(state, doing, happened, (&input, &ruling), refused)
}

/// It is denied, asked about, or done as soon as its directory is free.
fn on_with(
    state: &mut Domain,
    doing: PendingCall,
    mut happened: Vec<Happened>,
    (input, ruling): (&Value, &Ruling),
    refused: Option<String>,
) -> Vec<Effect> {
    let (chat, now) = (doing.chat.clone(), state.now);
    let mut effects = Vec::new();
    let asks = doing.stage == LocalCallStage::Asked;
    if let (true, Some(agent)) = (asks, state.live.agents.get_mut(&chat)) {
        let tool = doing.local_job.local_call.tool().to_string();
        happened.extend(agent.asked(tool, input.clone(), doing.id.clone(), None, now));
        rule_decision::name_rules(state, &chat, &mut happened, ruling);
        if let Hears::Call(call) = doing.hears {
            effects.push(Effect::Progress(call, "a person is asked about it".into()));
        }
    }
    let (number, root, doing_what) = (
        doing.number,
        doing.local_job.root.clone(),
        doing.local_job.local_call.tool(),
    );
    state.live.approvals.local_calls.push(doing);
    effects.extend(chat::append(state, &chat, happened));
    match refused {
        Some(why) => {
            let problem = Problem::new(format!("calling {doing_what}"), &why, "ask a person to allow it");
            effects.extend(end(state, number, ToolStatus::Denied, why, Err(problem)));
        }
        None => {
            effects.extend(pump(state, &chat, &root));
            effects.extend(cwd::by_file(state, &chat));
            effects.extend(status::reassess(state, &chat));
        }
    }
    effects
}

fn may_begin(state: &Domain, chat: &ChatId, local_call: &LocalCall) -> Result<(), Problem> {
    let doing = || format!("calling {}", local_call.tool());
    if !state.live.is_live(chat) {
        let cause = "the agent of this chat does not run";
        return Err(Problem::busy(doing(), cause, "resume the chat"));
    }
    let calls = state.live.approvals.local_calls.iter();
    let open = calls.filter(|doing| doing.chat == *chat);
    let refuse = |cause: String| Err(Problem::busy(doing(), cause, "wait for one to end"));
    if open.clone().count() >= MOST {
        return refuse(format!("{MOST} calls of this chat wait"));
    }
    if local_call.bytes() > MOST_BYTES {
        let cause = format!("it is larger than {} MiB", MOST_BYTES >> 20);
        return Err(Problem::new(doing(), cause, "make it in parts").of_kind(ProblemKind::Limit));
    }
    let waits = open.filter(|doing| !doing.is_over());
    let bytes: usize = waits.map(|doing| doing.local_job.local_call.bytes()).sum();
    if bytes + local_call.bytes() > MOST_BYTES {
        return refuse(format!("calls of this chat that wait hold {} MiB", MOST_BYTES >> 20));
    }
    Ok(())
}

/// A call that takes longer than its caller waits is made again, and goes on where it is.
fn take_up(state: &mut Domain, chat: &ChatId, local_call: &LocalCall, call: CallId) -> Option<Vec<Effect>> {
    let now = state.now;
    let calls = &mut state.live.approvals.local_calls;
    calls.retain(|doing| !doing.is_stale(now));
    let is_it = |doing: &PendingCall| doing.is_shared_by(chat, local_call);
    let at = calls.iter().position(is_it)?;
    let doing = &mut calls[at];
    doing.hears = Hears::Call(call);
    let LocalCallStage::Over(answer) = &doing.stage else {
        return Some(Vec::new());
    };
    let answer = answer.clone();
    calls.remove(at);
    Some(vec![Effect::Reply(call, answer)])
}

fn new_id(state: &mut Domain) -> String {
    format!("parlour-{:016x}", state.ids.bits())
}

/// The call begins, for the transcript.
fn told(
    state: &mut Domain,
    chat: &ChatId,
    local_call: &LocalCall,
    id: &str,
    input: &Value,
    dir: Option<&str>,
) -> Vec<Happened> {
    let begun = Happened::ToolStart {
        id: id.into(),
        name: local_call.tool().into(),
        input: input.clone(),
        dir: dir.map(str::to_string),
        parent: None,
    };
    let now = state.now;
    if let Some(agent) = state.live.agents.get_mut(chat) {
        OpenTool::begun(&begun, now)
            .into_iter()
            .for_each(|tool| agent.turn.opens(tool));
    }
    news::news(state, chat, vec![begun])
}

fn ruled(id: &str, local_call: &LocalCall, input: &Value, rule: &str, answer: &str) -> Happened {
    Happened::Permission {
        id: id.into(),
        tool: local_call.tool().into(),
        input: input.clone(),
        rule: Some(rule.into()),
        answer: answer.into(),
        by: "rule".into(),
        reason: None,
        given_once_written: false,
    }
}

/// It leads nowhere that this chat has open.
fn refuse_unrouted(
    state: &mut Domain,
    chat: &ChatId,
    local_call: &LocalCall,
    problem: Problem,
    call: CallId,
) -> Vec<Effect> {
    let (id, now) = (new_id(state), state.now);
    let mut happened = told(state, chat, local_call, &id, &local_call.input(&[]), None);
    let ended = ToolEnd {
        status: ToolStatus::Denied,
        output: problem.to_string(),
        ms: None,
    };
    if let Some(agent) = state.live.agents.get_mut(chat) {
        happened.extend(agent.end_tool(&id, local_call.tool(), ended, now));
    }
    let mut effects = chat::append(state, chat, happened);
    effects.push(Effect::Reply(call, Err(problem)));
    effects
}

/// The next of a directory is done, where it does nothing.
fn pump(state: &mut Domain, chat: &ChatId, root: &Root) -> Vec<Effect> {
    let now = state.now;
    let calls = state.live.approvals.local_calls.iter_mut();
    let mut of_root = calls.filter(|doing| doing.is_in(chat, root));
    if of_root.any(|doing| doing.stage == LocalCallStage::Running) {
        return Vec::new();
    }
    let calls = state.live.approvals.local_calls.iter_mut();
    let mut of_root = calls.filter(|doing| doing.is_in(chat, root));
    let Some(next) = of_root.find(|doing| doing.stage == LocalCallStage::Queued) else {
        return Vec::new();
    };
    (next.stage, next.since) = (LocalCallStage::Running, now);
    let job = ApprovalWork::LocalCall {
        number: next.number,
        chat: chat.clone(),
        local_job: next.local_job.clone(),
        env: environment(&state.live.agents, chat),
    };
    let waiting = Waiting {
        requester: Requester::Nobody,
        then: ApprovalThen::LocalCall.into(),
    };
    let number = next.number;
    state.live.waiting.insert(number, waiting);
    vec![Effect::Work(number, job.into())]
}

fn environment(agents: &Agents, chat: &ChatId) -> BTreeMap<String, String> {
    agents.get(chat).map(|agent| agent.env.clone()).unwrap_or_default()
}

/// Whether this question is about a local call, and so is answered here.
pub fn is_asked(state: &Domain, chat: &ChatId, question: &str) -> bool {
    let asked =
        |doing: &PendingCall| doing.stage == LocalCallStage::Asked && doing.chat == *chat && doing.id == question;
    state.live.approvals.local_calls.iter().any(asked)
}

/// A person decided.
pub fn decided(state: &mut Domain, chat: &ChatId, question: &str, decision: Decision, reason: &str) -> Vec<Effect> {
    let asked =
        |doing: &&mut PendingCall| doing.stage == LocalCallStage::Asked && doing.chat == *chat && doing.id == question;
    let Some(doing) = state.live.approvals.local_calls.iter_mut().find(asked) else {
        return Vec::new();
    };
    doing.stage = LocalCallStage::Queued;
    let (number, root, tool) = (
        doing.number,
        doing.local_job.root.clone(),
        doing.local_job.local_call.tool(),
    );
    if let Some(agent) = state.live.agents.get_mut(chat) {
        if let Some(question) = agent.turn.question_mut(question) {
            (question.decided, question.answered) = (Some(decision), true);
            question.reason = reason.trim().into();
        }
        calm(agent, state.now);
    }
    match decision {
        Decision::Allow => {
            let mut effects = pump(state, chat, &root);
            effects.extend(status::reassess(state, chat));
            effects
        }
        Decision::Deny => {
            let why = refusal(reason);
            let problem = Problem::new(format!("calling {tool}"), &why, "do without it");
            end(state, number, ToolStatus::Denied, why, Err(problem))
        }
    }
}

/// Nothing but a local call's question has it wait: where the next one is not there, its other sources count again.
fn calm(agent: &mut Agent, now: Timestamp) {
    let next = agent.turn.questions().next().map(|question| question.words.clone());
    match next {
        Some(words) => agent.signal(Activity::Waiting(words), "it asks to use a tool", now),
        None => {
            agent
                .signals
                .retain(|source, signal| *source != Source::Hook || !signal.waits());
        }
    }
}

/// A worker is through with one.
pub fn done(state: &mut Domain, number: WorkId, done: Done) -> Vec<Effect> {
    let status = match (&done.answer, done.failed) {
        (Ok(_), false) => ToolStatus::Ok,
        (Ok(_), true) | (Err(_), _) => ToolStatus::Error,
    };
    end(state, number, status, done.output, done.answer)
}

fn end(
    state: &mut Domain,
    number: WorkId,
    status: ToolStatus,
    output: String,
    answer: Result<Value, Problem>,
) -> Vec<Effect> {
    let mut calls = state.live.approvals.local_calls.iter();
    let Some(at) = calls.position(|doing| doing.number == number) else {
        return Vec::new();
    };
    let mut doing = state.live.approvals.local_calls.remove(at);
    let (chat, now) = (doing.chat.clone(), state.now);
    let mut effects = Vec::new();
    if let Some(agent) = state.live.agents.get_mut(&chat) {
        let ran = doing.stage == LocalCallStage::Running;
        let ended = ToolEnd {
            status,
            output,
            ms: ran.then(|| now.ms_since(doing.since)),
        };
        let happened = agent.end_tool(&doing.id, doing.local_job.local_call.tool(), ended, now);
        calm(agent, now);
        effects.extend(chat::append(state, &chat, happened));
    }
    let root = doing.local_job.root.clone();
    match doing.hears {
        Hears::Call(call) => effects.push(Effect::Reply(call, answer)),
        Hears::Later => {
            (doing.stage, doing.since) = (LocalCallStage::Over(answer), now);
            state.live.approvals.local_calls.push(doing);
            forget_oldest(state, &chat);
        }
        Hears::Nobody => {}
    }
    effects.extend(pump(state, &chat, &root));
    effects.extend(status::reassess(state, &chat));
    effects
}

fn forget_oldest(state: &mut Domain, chat: &ChatId) {
    let is_over = |doing: &PendingCall| doing.chat == *chat && doing.is_over();
    let local_calls = &mut state.live.approvals.local_calls;
    if local_calls.iter().filter(|doing| is_over(doing)).count() > KEPT
        && let Some(oldest) = local_calls.iter().position(is_over)
    {
        local_calls.remove(oldest);
    }
}

/// Its caller was told that it takes longer.
pub fn unheard(state: &mut Domain, call: CallId) {
    let calls = state.live.approvals.local_calls.iter_mut();
    let of_call = calls.filter(|doing| doing.hears == Hears::Call(call));
    of_call.for_each(|doing| doing.hears = Hears::Later);
}

/// Its caller is gone, or took it back.
pub fn abandoned(state: &mut Domain, call: CallId) -> Vec<Effect> {
    let mut calls = state.live.approvals.local_calls.iter_mut();
    let Some(doing) = calls.find(|doing| doing.hears == Hears::Call(call)) else {
        return Vec::new();
    };
    doing.hears = Hears::Nobody;
    let number = doing.number;
    match doing.stage {
        LocalCallStage::Running => stop(state, number),
        LocalCallStage::Asked | LocalCallStage::Queued | LocalCallStage::Over(_) => {
            let problem = Problem::new("calling a tool", "the call was taken back", "call it again");
            end(state, number, ToolStatus::Interrupted, String::new(), Err(problem))
        }
    }
}

fn stop(state: &mut Domain, number: WorkId) -> Vec<Effect> {
    chat::work(state, Requester::Nobody, ScriptThen::Nothing, ScriptWork::Stop(number))
}

/// With the agent ends what it had begun.
pub fn agent_ended(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let calls = &mut state.live.approvals.local_calls;
    let of_chat = calls.extract_if(.., |doing| doing.chat == *chat);
    let ending: Vec<PendingCall> = of_chat.collect();
    let mut effects = Vec::new();
    for doing in ending {
        if let Hears::Call(call) = doing.hears {
            let problem = Problem::busy("calling a tool", "the agent has ended", "resume the chat");
            effects.push(Effect::Reply(call, Err(problem)));
        }
        if doing.stage == LocalCallStage::Running {
            effects.extend(stop(state, doing.number));
        }
    }
    effects
}

/// For a worker that could not begin.
pub fn failed(state: &mut Domain, number: WorkId, problem: Problem) -> Vec<Effect> {
    let output = problem.to_string();
    let answer = Err(problem);
    done(
        state,
        number,
        Done {
            answer,
            output,
            failed: true,
        },
    )
}
