//! Chats that an agent makes below its own: within the limits, with a clone of its project, and with their prompt in
//! place before their agent starts.
//!
//! A clone can take longer than the caller's own patience. It is then told so and calls again, and the same call shares
//! what is under way.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::domain::agent::state::Process;
use crate::domain::agent::{acknowledgement, delivery};
use crate::domain::chat::naming;
use crate::domain::effect::Effect;
use crate::domain::notice::Upward;
use crate::domain::state::{Domain, Requester, Then};
use crate::domain::usage::stop;
use crate::domain::work::{AgentThen, ChatThen, ChatWork, Choice, NewRecord, ProjectThen, ProjectWork, TeamThen};
use crate::domain::{agent, chat, opening, project, reply};
use crate::model::atom::{AtomChange, Who};
use crate::model::open_dir::OpenDir;
use crate::model::role::WORKER;
use crate::model::text::{one_line, visible};
use crate::model::tool::{Dispatch, OpenDirAnswer};
use crate::model::{CallId, Chat, ChatId, Happened, Kind, PermissionProfile, Problem};

use super::state::Dispatching;
use super::{atom, limits, tree};

/// How long an answer that nobody waited for is kept for the same call.
const KEPT_MS: u64 = 600_000;

/// An agent wants a chat below its own.
pub fn begin(state: &mut Domain, parent: &ChatId, asked: Dispatch, call: CallId) -> Vec<Effect> {
    if let Some(effects) = again(state, parent, &asked, call) {
        return effects;
    }
    match make(state, parent, asked, call) {
        Ok(effects) => effects,
        Err(problem) => {
            let mut effects = limits::tell(state, parent, &problem);
            effects.push(Effect::Reply(call, Err(problem)));
            effects
        }
    }
}

/// The same call once more, by a caller that was told to make it.
fn again(state: &mut Domain, parent: &ChatId, asked: &Dispatch, call: CallId) -> Option<Vec<Effect>> {
    let now = state.now;
    let kept = |d: &Dispatching| d.ended.as_ref().is_none_or(|(at, _)| now.ms_since(*at) < KEPT_MS);
    state.live.teams.dispatches.retain(kept);
    let same = |d: &Dispatching| d.unheard && &d.parent == parent && &d.asked == asked;
    let at = state.live.teams.dispatches.iter().position(same)?;
    if let Some((_, how)) = state.live.teams.dispatches[at].ended.clone() {
        state.live.teams.dispatches.remove(at);
        return Some(vec![Effect::Reply(call, how)]);
    }
    let known = &mut state.live.teams.dispatches[at];
    known.unheard = false;
    let before = std::mem::replace(&mut known.call, call);
    // What is under way goes on for the new call alone: who gives that one up gives up the work.
    for waiting in state
        .live
        .waiting
        .values_mut()
        .filter(|w| w.requester == Requester::Call(before))
    {
        waiting.requester = Requester::Call(call);
    }
    let moved = Problem::new(
        "dispatching",
        "the same call was made again",
        "the first call goes on and gives its answer",
    );
    Some(vec![Effect::Reply(before, Err(moved))])
}

/// Where its role is looked for: in the project that it is to work on, and in those of the chat that dispatches it.
fn around(state: &Domain, parent: &ChatId, open: Option<&OpenDir>) -> Vec<PathBuf> {
    let named = open.map(|open| PathBuf::from(&open.path_or_url));
    named.into_iter().chain(project::places(state, parent)).collect()
}

fn make(state: &mut Domain, parent: &ChatId, asked: Dispatch, call: CallId) -> Result<Vec<Effect>, Problem> {
    delivery::fits(&asked.prompt)?;
    if acknowledgement::is_blank(&asked.prompt) {
        let hint = "say in it what the new agent is to do, and what it is to report";
        return Err(Problem::new("dispatching", "the prompt is empty", hint));
    }
    if stops(state, parent) {
        return Err(Problem::busy(
            "dispatching",
            "this chat is being stopped",
            "dispatch when it runs again",
        ));
    }
    if let Some(problem) = limits::refusal(state, parent) {
        return Err(problem);
    }
    if let Some(problem) = stop::refusal_below(state, Some(parent), "dispatching") {
        return Err(problem);
    }
    let llm = llm(state, parent, asked.llm.as_deref())?;
    let (mut open, notes) = wanted(state, parent, &asked)?;
    let id = ChatId::from_bits(state.ids.bits());
    let name = asked.name.as_deref().map(|name| one_line(name, chat::LONGEST_NAME));
    let name = name.filter(|name| !name.is_empty());
    if let (Some(WORKER), Some(name), Some(open)) = (asked.role.as_deref(), &name, &mut open) {
        project::call_branch(open, name);
    }
    let name = name.unwrap_or_else(|| naming::from_prompt(Some(&asked.prompt)));
    let record = NewRecord {
        handle: state.free_handle(&name, &id),
        id: id.clone(),
        by: Who::Agent,
        name,
        llm,
        role: asked.role.clone(),
        env: tree::environment(state, parent),
        around: around(state, parent, open.as_ref()),
        parent: Some(parent.clone()),
        to_open: usize::from(open.is_some()),
        schedule: None,
        disabled_servers: disabled(state, parent),
        permissions: state
            .disk
            .chats
            .get(parent)
            .map_or(PermissionProfile::Ask, |above| above.record.set.permissions),
        prompt: Some(asked.prompt.clone()),
        prompt_id: String::new(),
        wants_answer: false,
    };
    limits::granted(state, parent);
    limits::spawned(state, parent);
    state.live.teams.dispatches.push(Dispatching {
        atom: asked.atom.clone(),
        chat: id.clone(),
        parent: parent.clone(),
        asked,
        call,
        unheard: false,
        stopped: false,
        open,
        notes,
        branch: None,
        ended: None,
    });
    let then = ChatThen::Dispatch(id);
    Ok(chat::work(state, Requester::Call(call), then, ChatWork::Create(record)))
}

fn stops(state: &Domain, chat: &ChatId) -> bool {
    let agent = state.live.agents.get(chat);
    agent.is_some_and(|agent| !matches!(agent.process, Process::Preparing | Process::Running { .. }))
}

/// What a person has switched off for a chat is off below it too.
fn disabled(state: &Domain, parent: &ChatId) -> Vec<String> {
    let known = state.disk.chats.get(parent);
    known
        .map(|known| known.record.disabled_servers.clone())
        .unwrap_or_default()
}

/// The caller's own agent CLI unless another one is named.
fn llm(state: &Domain, parent: &ChatId, asked: Option<&str>) -> Result<Choice, Problem> {
    let own = state.disk.chats.get(parent).map(|known| known.record.llm.clone());
    let choice = match (asked, own.filter(|own| own != "shell")) {
        (Some(asked), _) => Choice::Named(asked.into()),
        (None, Some(own)) => Choice::Usual(own),
        (None, None) => chat::usual_llm(state, None),
    };
    let (Choice::Named(llm) | Choice::Usual(llm)) = &choice else {
        return Ok(choice);
    };
    if let Some(problem) = chat::unknown_llm(state, llm) {
        return Err(problem);
    }
    if llm == "shell" {
        return Err(tree::no_shell("dispatching"));
    }
    Ok(choice)
}

/// The project that the new chat works on, and what is to be said of the choice: the one named, else the caller's only
/// one.
fn wanted(state: &Domain, parent: &ChatId, asked: &Dispatch) -> Result<(Option<OpenDir>, Vec<String>), Problem> {
    let known = state.disk.chats.get(parent);
    let clones = known.into_iter().flat_map(|known| &known.projects);
    let clones: Vec<&str> = clones
        .filter(|p| p.kind == Kind::Git || p.branch.is_some())
        .map(|p| p.name.as_str())
        .collect();
    let open = |name: &str| OpenDir {
        path_or_url: name.to_string(),
        branch: asked.branch.clone(),
        base: asked.base.clone(),
        by: Who::Agent,
        ..OpenDir::default()
    };
    let on_a_branch = asked.branch.is_some() || asked.base.is_some();
    let list = visible(&clones.join(", "));
    match (&asked.project, clones.as_slice()) {
        (Some(name), _) => Ok((Some(open(name)), Vec::new())),
        (None, [only]) => Ok((Some(open(only)), Vec::new())),
        (None, []) if on_a_branch => {
            let hint = "name a project: a URL, a path, or one that parlour knows";
            Err(Problem::new("dispatching", "a branch was named, but no project", hint))
        }
        (None, _) if on_a_branch => {
            let cause = "a branch was named, but not of which project";
            Err(Problem::missing("dispatching", cause, format!("name one of {list}")))
        }
        (None, []) => Ok((None, Vec::new())),
        (None, _) => Ok((
            None,
            vec![format!("no project was named, so none of {list} is open there")],
        )),
    }
}

/// The chat is there, or its atom is claimed; on with the next step. What was loaded is the chat or the tree's root.
pub fn made(state: &mut Domain, id: &ChatId, loaded: Chat) -> Vec<Effect> {
    let mut effects = chat::loaded(state, loaded);
    if let Some(problem) = opening::given_up(state, id) {
        effects.extend(give_up(state, id, problem));
        return effects;
    }
    let Some(known) = under_way(state, id) else {
        return effects;
    };
    let (from, call) = (known.parent.clone(), known.call);
    let atom = known.atom.take();
    let open = known.open.take_if(|_| atom.is_none());
    match (atom, open) {
        _ if known.stopped => effects.extend(give_up(state, id, stopped())),
        (Some(key), _) => {
            let then = TeamThen::Dispatch(id.clone());
            let claim = AtomChange::Claim(key);
            effects.extend(atom::change(state, id, Who::Agent, claim, Requester::Call(call), then));
        }
        (None, Some(open)) => {
            let job = ProjectWork::OpenFrom {
                chat: id.clone(),
                from,
                open,
                call: Some(call),
            };
            let then = ProjectThen::Dispatch(id.clone());
            effects.extend(chat::work(state, Requester::Call(call), then, job));
        }
        (None, None) => effects.extend(start(state, id)),
    }
    effects
}

/// Its project is there.
pub fn opened(state: &mut Domain, loaded: Chat, opened: OpenDirAnswer) -> Vec<Effect> {
    let id = loaded.id().clone();
    let (_, mut effects) = project::opened(state, loaded, &opened);
    if let Some(known) = under_way(state, &id) {
        known.notes.extend(opened.notes);
        known.branch = opened.branch;
    }
    effects.extend(start(state, &id));
    effects
}

fn start(state: &mut Domain, id: &ChatId) -> Vec<Effect> {
    let Some(known) = under_way(state, id) else {
        return Vec::new();
    };
    let (parent, call, stopped_now) = (known.parent.clone(), known.call, known.stopped);
    if let Some(problem) = opening::given_up(state, id) {
        return give_up(state, id, problem);
    }
    if stopped_now || stops(state, &parent) {
        return give_up(state, id, stopped());
    }
    if let Some(problem) = agent::refusal(state, id) {
        return give_up(state, id, problem);
    }
    let env = tree::environment(state, &parent);
    let then = AgentThen::Dispatch(id.clone());
    agent::start(state, id, env, Requester::Call(call), then)
}

/// Its agent is on its way: both transcripts say so, and the caller has its answer.
pub fn started(state: &mut Domain, id: &ChatId) -> Vec<Effect> {
    let Some(known) = under_way(state, id) else {
        return Vec::new();
    };
    let (parent, stopped_now) = (known.parent.clone(), known.stopped);
    let answer = json!({
        "chatId": id,
        "sessionId": session(id),
        "handle": chat::handle(state, id),
        "branch": under_way(state, id).and_then(|known| known.branch.clone()),
        "notes": under_way(state, id).map(|known| known.notes.clone()).unwrap_or_default(),
    });
    let note = |text: String| vec![Happened::Note { text }];
    let below = format!("dispatched by {}", visible(&chat::handle(state, &parent)));
    let above = format!("dispatched {}", visible(&chat::handle(state, id)));
    let mut effects = chat::append(state, id, note(below));
    effects.extend(chat::append(state, &parent, note(above)));
    effects.extend(finish(state, id, Ok(answer)));
    if stopped_now {
        effects.extend(agent::stop(state, id, Requester::Nobody));
    }
    effects
}

/// parlour's own id of the chat's first run.
fn session(chat: &ChatId) -> String {
    format!("{chat}.1")
}

/// It could not be made.
pub fn not_created(state: &mut Domain, id: &ChatId, problem: Problem) -> Vec<Effect> {
    finish(state, id, Err(problem))
}

/// A chat whose agent could not start stays, and shows why.
pub fn not_started(state: &mut Domain, id: &ChatId, problem: Problem) -> Vec<Effect> {
    let mut effects = agent::could_not_start(state, id, &problem.to_string());
    effects.extend(finish(state, id, Err(problem)));
    effects
}

/// A chat without what it was made for is not made.
pub fn give_up(state: &mut Domain, id: &ChatId, problem: Problem) -> Vec<Effect> {
    let mut effects = chat::discard(state, id);
    effects.extend(finish(state, id, Err(problem)));
    effects
}

fn finish(state: &mut Domain, id: &ChatId, how: Result<Value, Problem>) -> Vec<Effect> {
    let now = state.now;
    let dispatches = &mut state.live.teams.dispatches;
    let Some(at) = dispatches.iter().position(|d| &d.chat == id && d.is_under_way()) else {
        return Vec::new();
    };
    let call = dispatches[at].call;
    match dispatches[at].unheard {
        true => dispatches[at].ended = Some((now, how.clone())),
        false => drop(dispatches.remove(at)),
    }
    if !state.live.is_live(id) {
        state.upward.push(Upward::Gone(id.clone()));
    }
    reply::answer(state, Requester::Call(call), how)
}

/// The caller was told that it takes longer: it is expected to call again.
pub fn unheard(state: &mut Domain, call: CallId) {
    let mut dispatches = state.live.teams.dispatches.iter_mut();
    if let Some(known) = dispatches.find(|d| d.call == call && d.is_under_way()) {
        known.unheard = true;
    }
}

/// What is being made below these chats is made no further: which chats these are.
pub fn stop_below(state: &mut Domain, chats: &[ChatId]) -> (Vec<ChatId>, Vec<Effect>) {
    let mut stopped = Vec::new();
    for known in &mut state.live.teams.dispatches {
        if known.is_under_way() && (chats.contains(&known.parent) || chats.contains(&known.chat)) {
            known.stopped = true;
            stopped.push(known.chat.clone());
        }
    }
    let waiting = state.live.waiting.iter();
    let cloning = waiting.filter(
        |(_, waiting)| matches!(&waiting.then, Then::Project(ProjectThen::Dispatch(chat)) if stopped.contains(chat)),
    );
    let cancelled = cloning.map(|(work, _)| Effect::Cancel(*work)).collect();
    (stopped, cancelled)
}

fn under_way<'s>(state: &'s mut Domain, id: &ChatId) -> Option<&'s mut Dispatching> {
    let mut dispatches = state.live.teams.dispatches.iter_mut();
    dispatches.find(|d| &d.chat == id && d.is_under_way())
}

fn stopped() -> Problem {
    Problem::new(
        "dispatching",
        "a person stopped this tree of chats",
        "ask a person to start it again",
    )
}
