//! A chat is made: its directories are opened, its agent is started, its first prompt is sent, in that order.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::model::atom::{AtomChange, Who};
use crate::model::query::Binding;
use crate::model::request::NewChat;
use crate::model::role::ORCHESTRATOR;
use crate::model::settings::Confinement;
use crate::model::text::{one_line, visible};
use crate::model::{ChatId, PermissionProfile, Problem, ScheduleId};

use super::chat::{LONGEST_NAME, naming, not_set_up, unknown_llm, usual_llm, work};
use super::effect::Effect;
use super::notice::{Done, Upward};
use super::state::{Domain, Requester};
use super::team::atom;
use super::usage::stop;
use super::work::{ChatThen, ChatWork, Choice, NewRecord, ProjectThen, TeamThen};
use super::{agent, opening, project, reply};

/// Makes a chat, opens its directories, starts its agent and sends its first prompt, in that order.
pub fn create(state: &mut Domain, new: NewChat, requester: Requester) -> Vec<Effect> {
    let identity = Identity {
        id: ChatId::from_bits(state.ids.bits()),
        schedule: None,
    };
    if let Some(problem) = agent::no_room(state, &identity.id, "making a chat".into()) {
        return reply::answer(state, requester, Err(problem));
    }
    create_as(state, new, identity, requester)
}

/// Which chat it is to be, and whose run.
pub struct Identity {
    pub id: ChatId,
    pub schedule: Option<ScheduleId>,
}

/// As [`create`], under an id that was chosen before.
pub fn create_as(state: &mut Domain, mut new: NewChat, identity: Identity, requester: Requester) -> Vec<Effect> {
    let llm = match &new.llm {
        Some(llm) => Choice::Named(llm.clone()),
        None => usual_llm(state, new.parent.as_ref()),
    };
    if let Choice::Named(named) | Choice::Usual(named) = &llm
        && let Some(mut problem) = unknown_llm(state, named)
    {
        if new.llm.is_none() && state.disk.settings.default_llm.is_some() {
            problem.cause = format!("defaultLlm of config.json: {}", problem.cause);
        }
        return reply::answer(state, requester, Err(problem));
    }
    if let Some(problem) = unknown_server(state, &new.without_mcp) {
        return reply::answer(state, requester, Err(problem));
    }
    if let Some(problem) = label_twice(&new) {
        return reply::answer(state, requester, Err(problem));
    }
    let parent = new
        .handed
        .as_ref()
        .map(|handed| handed.parent.clone())
        .or(new.parent.clone());
    // As an agent that dispatches hands on what it has.
    if let Some(handed) = &new.handed {
        let cloned = new.dirs.iter_mut().filter(|open| !open.in_place);
        cloned.for_each(|open| open.from = Some(handed.parent.clone()));
    }
    let begins_work = new.handed.is_some() || new.prompt.as_ref().is_some_and(|prompt| !prompt.trim().is_empty());
    if begins_work && let Some(problem) = stop::refusal_below(state, parent.as_ref(), "making a chat") {
        return reply::answer(state, requester, Err(problem));
    }
    let permissions = match permissions(state, &new, parent.as_ref()) {
        Ok(permissions) => permissions,
        Err(problem) => return reply::answer(state, requester, Err(problem)),
    };
    let Identity { id, schedule } = identity;
    let named = new.name.is_some();
    let name = match new.name.as_deref().map(|name| one_line(name, LONGEST_NAME)) {
        Some(name) if !name.is_empty() => name,
        Some(_) | None => naming::from_prompt(new.prompt.as_deref()),
    };
    let handle = state.free_handle(&name, &id);
    if parent.is_some() && new.role.is_some() {
        let after = if named { &name } else { handle.as_str() };
        new.dirs.iter_mut().for_each(|open| project::call_branch(open, after));
    }
    let record = NewRecord {
        handle,
        id,
        by: if new.sender.is_some() { Who::Agent } else { Who::Person },
        name,
        llm,
        role: new.role.clone(),
        env: new.env.clone(),
        around: around(&new),
        schedule,
        parent,
        to_open: new.dirs.len(),
        disabled_servers: new.without_mcp.clone(),
        permissions,
        prompt: new.prompt.clone(),
        prompt_id: new.prompt_id.clone(),
        wants_answer: new.wants_answer,
    };
    work(
        state,
        requester,
        ChatThen::SetUp(Box::new(new)),
        ChatWork::Create(record),
    )
}

/// What its agent does unasked: as it was said, else as for the chat above it, else as `config.json` has it.
fn permissions(state: &Domain, new: &NewChat, parent: Option<&ChatId>) -> Result<PermissionProfile, Problem> {
    let settings = &state.disk.settings;
    let above = parent.and_then(|parent| state.disk.chats.get(parent));
    let above = above.map(|chat| chat.record.set.permissions);
    let set = new.permissions.or(above).or(settings.permissions.profile);
    let profile = set.unwrap_or_default();
    if profile == PermissionProfile::All && settings.sandbox != Confinement::Strict {
        let cause = "the permission profile `all` needs the sandbox, which is off";
        let hint = "set \"sandbox\": \"strict\" in config.json, or take the profile `clones`";
        return Err(Problem::new("making a chat", cause, hint));
    }
    Ok(profile)
}

/// Two directories of one label could not be told apart.
fn label_twice(new: &NewChat) -> Option<Problem> {
    let mut seen = BTreeSet::new();
    let labels = new.dirs.iter().filter_map(|open| open.label.as_deref());
    let twice = labels.into_iter().find(|label| !seen.insert(*label))?;
    let cause = format!("two directories have the label {}", visible(twice));
    Some(Problem::new("making a chat", cause, "give each a label of its own"))
}

/// Where a new chat is to work: the directories it opens, else where its person is.
fn around(new: &NewChat) -> Vec<PathBuf> {
    let local = new.dirs.iter().map(|open| new.cwd.join(&open.path_or_url));
    local.chain([new.cwd.clone()]).collect()
}

/// Makes a chat with the demo agent, at work on a sample repository.
pub fn demo(state: &mut Domain, new: NewChat, requester: Requester) -> Vec<Effect> {
    demo_with(state, "Demo", "Count sentences in", new, requester)
}

/// As [`demo`], with an agent that dispatches others. The demo agent knows the words.
pub fn demo_team(state: &mut Domain, new: NewChat, requester: Requester) -> Vec<Effect> {
    demo_with(state, "Demo team", "Lead a team of demo agents on", new, requester)
}

/// The prompt's last word will be the sample repository.
fn demo_with(state: &mut Domain, name: &str, prompt: &str, mut new: NewChat, requester: Requester) -> Vec<Effect> {
    new.name = Some(name.into());
    new.llm = Some("demo".into());
    new.prompt = Some(prompt.into());
    work(state, requester, ChatThen::Demo(Box::new(new)), ChatWork::Sample)
}

/// The sample repository is at `path`.
pub fn demo_on(state: &mut Domain, path: &str, mut new: NewChat, requester: Requester) -> Vec<Effect> {
    new.prompt = new.prompt.map(|begun| format!("{begun} {path}"));
    create(state, new, requester)
}

/// A slip in the name would leave the server on that a person wants off.
fn unknown_server(state: &Domain, left_out: &[String]) -> Option<Problem> {
    let servers = &state.disk.settings.global_mcp_servers;
    let unknown = left_out.iter().find(|name| !servers.contains_key(*name))?;
    let names: Vec<&str> = servers.keys().map(String::as_str).collect();
    let hint = match names.is_empty() {
        true => "globalMcpServers in config.json names none, and parlour's own is always there".to_string(),
        false => format!("there are {}; parlour's own is always there", names.join(", ")),
    };
    let cause = format!("there is no MCP server {} to leave out", visible(unknown));
    Some(Problem::missing("making a chat", cause, hint))
}

/// The chat is on disk: on with its directories, then the directory that is bound to it, then its agent.
pub fn set_up(state: &mut Domain, chat: &ChatId, mut new: Box<NewChat>, requester: Requester) -> Vec<Effect> {
    if let Some(problem) = opening::given_up(state, chat) {
        return not_set_up(state, chat, problem, requester);
    }
    if let Some(handed) = new.handed.take() {
        // Its atom is its own before its agent reads of it.
        let then = TeamThen::Continue(chat.clone(), new);
        return atom::change(
            state,
            chat,
            Who::Person,
            AtomChange::Claim(handed.atom),
            requester,
            then,
        );
    }
    if !new.dirs.is_empty() {
        let mut open = new.dirs.remove(0);
        open.cwd = open.cwd.or_else(|| Some(new.cwd.clone()));
        let job = project::open_job(state, chat, open, requester);
        return work(state, requester, ProjectThen::Continue(chat.clone(), new), job);
    }
    if let Some(dir) = new.bind.take() {
        // As of a query: a shell is no conversation that a screen comes back to, unless it is what orchestrates there.
        let made = state.disk.chats.get(chat);
        let is_shell = made.is_some_and(|made| made.is_shell() && made.record.role.as_deref() != Some(ORCHESTRATOR));
        let binding = match is_shell {
            true => Binding::Asked(chat.clone(), dir),
            false => Binding::To(chat.clone(), dir),
        };
        let then = ChatThen::BindNew(chat.clone(), new);
        return work(state, requester, then, ChatWork::Bind(binding));
    }
    let env = std::mem::take(&mut new.env);
    if let Requester::Launch(number) = requester {
        state.upward.push(Upward::Made(number));
    }
    let notes = new.notes.take().map_or_else(Vec::new, |notes| notes.0);
    let effects = agent::start_first(state, chat, (env, notes), requester);
    reply::show(state, requester, Done::ChatMade(chat.clone()));
    effects
}
