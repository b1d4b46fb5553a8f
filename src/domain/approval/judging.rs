//! What agents do waits here for its verdict. To take a command apart may take long, so a worker does it, and the loop goes on.
//!
//! What one agent does is judged and heard in the order in which it came, and all that comes behind waits with it; what
//! other agents do does not wait. What has no verdict in time is asked about.

use std::collections::VecDeque;
use std::path::PathBuf;

use serde_json::Value;

use crate::domain::agent::{cwd, reported_lines};
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::event::Caller;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ApprovalThen, ApprovalWork};
use crate::model::settings::PermissionSettings;
use crate::model::{CallId, ChatId, HookEvent, LocalCall, Mark, PermissionProfile, Sandbox, Streamed, WorkId};
use crate::permission::{AskedCall, Case, Ruling};

use super::hook::unjudged;
use super::state::{Held, JudgedCall};
use super::{hook, local_call, queue};

/// What may be read of a command is bounded by counts; this is for a machine that is busy. CLIs wait longer for a hook.
pub const DEADLINE_MS: u64 = 2_000;

impl JudgedCall {
    fn call(&self) -> Option<CallId> {
        match self {
            JudgedCall::Hook(call, _) | JudgedCall::LocalCall(call, _) => Some(*call),
            JudgedCall::Stream(..) => None,
        }
    }
}

/// A hook call of one chat's agent, understood.
pub fn hook(state: &mut Domain, call: CallId, chat: &ChatId, events: Vec<HookEvent>) -> Vec<Effect> {
    take(state, chat, JudgedCall::Hook(call, events))
}

/// What the CLI's own server says, with questions of it that rules may answer.
pub fn stream(state: &mut Domain, chat: &ChatId, said: Vec<Streamed>, mark: Option<Mark>) -> Vec<Effect> {
    match state.live.agents.contains_key(chat) {
        true => take(state, chat, JudgedCall::Stream(said, mark)),
        false => Vec::new(),
    }
}

/// An agent without tools of its own has parlour do something.
pub fn local_call(state: &mut Domain, chat: &ChatId, local_call: LocalCall, call: CallId) -> Vec<Effect> {
    take(state, chat, JudgedCall::LocalCall(call, local_call))
}

fn take(state: &mut Domain, chat: &ChatId, what: JudgedCall) -> Vec<Effect> {
    let is_first = !state.live.approvals.judging.0.contains_key(chat);
    let calls = match is_first {
        true => calls(state, chat, &what),
        false => Vec::new(),
    };
    let mut held = Held {
        what,
        since: state.now,
        work: None,
        caller: None,
    };
    if is_first && calls.is_empty() {
        return go_on_with(state, chat, held, Vec::new());
    }
    let mut effects = vec![Effect::WakeAt(state.now.plus_ms(DEADLINE_MS))];
    if is_first {
        effects.extend(begin(state, chat, &mut held, calls));
    }
    state
        .live
        .approvals
        .judging
        .0
        .entry(chat.clone())
        .or_default()
        .push_back(held);
    effects
}

/// The calls in it that rules may be about.
fn calls(state: &Domain, chat: &ChatId, what: &JudgedCall) -> Vec<AskedCall> {
    match what {
        JudgedCall::Hook(_, events) => events.iter().filter_map(|event| hooked(state, chat, event)).collect(),
        JudgedCall::Stream(said, _) => {
            let events = said.iter().filter_map(|said| match said {
                Streamed::Event(event) => Some(event),
                Streamed::Reported(_) | Streamed::Awaits(_) | Streamed::WentBack(_) => None,
            });
            events.filter_map(|event| hooked(state, chat, event)).collect()
        }
        JudgedCall::LocalCall(_, local_call) => {
            let asked = |input| asked(local_call.tool(), input, None, false);
            local_call::to_judge(state, chat, local_call)
                .map(asked)
                .into_iter()
                .collect()
        }
    }
}

fn asked(tool: &str, input: Value, at: Option<PathBuf>, by_cli: bool) -> AskedCall {
    AskedCall {
        tool: tool.into(),
        input,
        at,
        by_cli,
    }
}

fn hooked(state: &Domain, chat: &ChatId, event: &HookEvent) -> Option<AskedCall> {
    match event {
        HookEvent::ToolStarted { name, input, cwd, .. } => Some(asked(name, input.clone(), cwd.clone(), true)),
        HookEvent::PermissionAsked { tool, input, .. } => {
            let agent = state.live.agents.get(chat);
            let newest = agent.and_then(|agent| agent.turn.tools.last());
            let tool = match (tool.as_str(), newest) {
                ("", Some(open)) => open.name.as_str(),
                (tool, _) => tool,
            };
            let at = cwd::of_calls(state, chat).map(PathBuf::from);
            Some(asked(tool, input.clone(), at, false))
        }
        HookEvent::ToolEnded { .. }
        | HookEvent::SessionStarted { .. }
        | HookEvent::SessionEnded { .. }
        | HookEvent::CwdChanged { .. }
        | HookEvent::Prompt { .. }
        | HookEvent::Said { .. }
        | HookEvent::RefusedAlong { .. }
        | HookEvent::WorksOn { .. }
        | HookEvent::Waiting { .. }
        | HookEvent::TurnEnded { .. }
        | HookEvent::OwnTurnEnded
        | HookEvent::Background { .. }
        | HookEvent::TurnFailed { .. }
        | HookEvent::Interrupted
        | HookEvent::SubagentStarted { .. }
        | HookEvent::SubagentEnded { .. }
        | HookEvent::Compacting { .. }
        | HookEvent::Ignored
        | HookEvent::Odd { .. } => None,
    }
}

/// Calls of the agent of one chat: its role may have rules of its own.
pub fn case(state: &Domain, chat: &ChatId, calls: Vec<AskedCall>) -> Case {
    let disk = &state.disk;
    let role = disk.chats.get(chat).and_then(|chat| chat.role.as_ref());
    let own = role.map(|role| &role.permissions);
    Case {
        rules: disk.rules.clone(),
        role: own.filter(|own| **own != PermissionSettings::default()).cloned(),
        cwd: disk.home.join("chats").join(chat.as_str()),
        dirs: disk.areas_of(chat),
        calls,
        profile: profile(state, chat),
    }
}

/// What a person lets its agent do. Commands run unasked only while the kernel keeps it in.
fn profile(state: &Domain, chat: &ChatId) -> PermissionProfile {
    let known = state.disk.chats.get(chat);
    let profile = known.map_or(PermissionProfile::Ask, |chat| chat.record.set.permissions);
    let agent = state.live.agents.get(chat);
    match agent.map(|agent| &agent.sandbox) {
        Some(Sandbox::InForce) => profile,
        Some(Sandbox::NotAsked | Sandbox::Missing { .. }) | None => profile.min(PermissionProfile::Clones),
    }
}

fn begin(state: &mut Domain, chat: &ChatId, held: &mut Held, calls: Vec<AskedCall>) -> Vec<Effect> {
    let case = Box::new(case(state, chat, calls));
    let then = ApprovalThen::Judged(chat.clone());
    let effects = chat::work(state, Requester::Nobody, then, ApprovalWork::Judge(case));
    held.work = effects.iter().find_map(Effect::work);
    effects
}

/// A worker has judged, or could not. What was given up meanwhile is over.
pub fn judged(state: &mut Domain, chat: &ChatId, work: WorkId, rulings: Vec<Ruling>) -> Vec<Effect> {
    match pop_if(state, chat, |held| held.work == Some(work)) {
        Some(held) => {
            let mut effects = go_on_with(state, chat, held, rulings);
            effects.extend(next(state, chat));
            effects
        }
        None => Vec::new(),
    }
}

/// The first that waits, where it is so. It leaves a line behind, even an empty one, so that what comes while it is heard
/// comes behind it.
fn pop_if(state: &mut Domain, chat: &ChatId, is: impl FnOnce(&Held) -> bool) -> Option<Held> {
    let line = state.live.approvals.judging.0.get_mut(chat)?;
    line.front().is_some_and(is).then(|| line.pop_front()).flatten()
}

/// On with what waited behind.
fn next(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let mut effects = Vec::new();
    while let Some(mut held) = pop_if(state, chat, |held| held.work.is_none()) {
        let calls = calls(state, chat, &held.what);
        if calls.is_empty() {
            effects.extend(go_on_with(state, chat, held, Vec::new()));
            continue;
        }
        effects.extend(begin(state, chat, &mut held, calls));
        if let Some(line) = state.live.approvals.judging.0.get_mut(chat) {
            line.push_front(held);
        }
        return effects;
    }
    let lines = &mut state.live.approvals.judging.0;
    if lines.get(chat).is_some_and(VecDeque::is_empty) {
        lines.remove(chat);
    }
    effects
}

fn go_on_with(state: &mut Domain, chat: &ChatId, held: Held, rulings: Vec<Ruling>) -> Vec<Effect> {
    match (held.what, held.caller) {
        (JudgedCall::Stream(said, mark), _) => reported_lines::stream(state, chat, said, mark, rulings),
        (JudgedCall::Hook(call, events), caller) => {
            let effects = hook::update(state, call, chat, events, rulings);
            if caller == Some(Caller::Gone) {
                queue::abandoned(state, call);
            }
            effects
        }
        // It was taken back before it began.
        (JudgedCall::LocalCall(..), Some(Caller::Gone)) => Vec::new(),
        (JudgedCall::LocalCall(call, asked), caller) => {
            let ruling = rulings.into_iter().next().unwrap_or_else(unjudged);
            let effects = local_call::begin(state, chat, asked, call, ruling);
            if caller == Some(Caller::CallsAgain) {
                local_call::unheard(state, call);
            }
            effects
        }
    }
}

/// Time has passed: what waited long enough is asked about.
pub fn clock(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let chats: Vec<ChatId> = state.live.approvals.judging.0.keys().cloned().collect();
    let mut effects = Vec::new();
    for chat in chats {
        while let Some(held) = pop_if(state, &chat, |held| now.ms_since(held.since) >= DEADLINE_MS) {
            effects.extend(go_on_with(state, &chat, held, Vec::new()));
        }
        effects.extend(next(state, &chat));
    }
    effects
}

/// The agent has ended: nobody waits for a verdict, and what it did is told before its end.
fn flush(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let line = state.live.approvals.judging.0.remove(chat).unwrap_or_default();
    line.into_iter()
        .flat_map(|held| go_on_with(state, chat, held, Vec::new()))
        .collect()
}

/// What became of who waits for an answer.
pub fn caller(state: &mut Domain, call: CallId, caller: Caller) {
    let mut all = state.live.approvals.judging.0.values_mut().flatten();
    if let Some(held) = all.find(|held| held.what.call() == Some(call)) {
        held.caller = Some(caller);
    }
}

/// The agent's process is gone: what it did and waits here is heard as it is, and what it had begun ends with it.
pub fn agent_ends(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    if !state.live.is_live(chat) {
        return Vec::new();
    }
    let mut effects = flush(state, chat);
    effects.extend(local_call::agent_ended(state, chat));
    effects
}
