//! Chats made, renamed, deleted and brought back; and what the disk says of them.

pub mod preview;
mod shown;
mod unmade;
pub mod work;

use std::collections::BTreeSet;
use std::path::PathBuf;

use serde_json::{Value, json};

use crate::domain::work::{ChatWork, Choice, JournalWork, NewRecord, TrashWork, Work};
use crate::model::atom::{Change, Who};
use crate::model::request::NewChat;
use crate::model::role::WORKER;
use crate::model::text::{one_line, visible};
use crate::model::{BUILT_IN, Chat, ChatId, Happened, Mark, Place, Problem, ScheduleId, Status, Told};

use super::agent::state::{Agent, AtEnd, Process};
use super::agent::{COULD_NOT_START, reorder, restart, status};
use super::effect::{Effect, PaneOrder};
use super::event::DiskEvent;
use super::gate::setup;
use super::notice::{Done, Notice};
use super::schedule::{agenda, run};
use super::state::{Asker, Domain, Then, Waiting};
use super::team::{atom, inbox, tree, unreported};
use super::{agent, opening, project, reply, schedule, upkeep};

pub use shown::{label, near};
pub use unmade::{discard, give_up, unfurnish};

/// How many lines of the engine's log are kept for its screen.
const LOG_LINES: usize = 500;

/// What is said of a chat whose directory has vanished.
pub const GONE: &str = "directory gone";

/// The longest name of a chat, in characters.
pub const LONGEST_NAME: usize = 80;

/// Makes a chat, opens its directories, starts its agent and sends its first prompt, in that order.
pub fn create(state: &mut Domain, new: NewChat, asker: Asker) -> Vec<Effect> {
    let identity = Identity {
        id: ChatId::from_bits(state.ids.bits()),
        schedule: None,
    };
    if let Some(problem) = agent::no_room(state, &identity.id, "making a chat".into()) {
        return reply::answer(state, asker, Err(problem));
    }
    create_as(state, new, identity, asker)
}

/// Which chat it is to be, and whose run.
pub struct Identity {
    pub id: ChatId,
    pub schedule: Option<ScheduleId>,
}

/// As [`create`], under an id that was chosen before.
pub fn create_as(state: &mut Domain, mut new: NewChat, identity: Identity, asker: Asker) -> Vec<Effect> {
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
        return reply::answer(state, asker, Err(problem));
    }
    if let Some(problem) = unknown_server(state, &new.without_mcp) {
        return reply::answer(state, asker, Err(problem));
    }
    if let Some(problem) = label_twice(&new) {
        return reply::answer(state, asker, Err(problem));
    }
    let Identity { id, schedule } = identity;
    let named = new.name.is_some();
    let name = match new.name.as_deref().map(|name| one_line(name, LONGEST_NAME)) {
        Some(name) if !name.is_empty() => name,
        Some(_) | None => name_from_prompt(new.prompt.as_deref()),
    };
    let handle = state.free_handle(&name, &id);
    let parent = new
        .handed
        .as_ref()
        .map(|handed| handed.parent.clone())
        .or(new.parent.clone());
    if parent.is_some() && new.role.as_deref() == Some(WORKER) {
        let after = if named { &name } else { handle.as_str() };
        new.dirs.iter_mut().for_each(|open| project::call_branch(open, after));
    }
    let record = NewRecord {
        handle,
        id,
        name,
        llm,
        role: new.role.clone(),
        search_path: new.env.get("PATH").cloned(),
        around: around(&new),
        schedule,
        parent,
        to_open: new.dirs.len(),
        bind: new.bind.clone(),
        disabled_servers: new.without_mcp.clone(),
        prompt: new.prompt.clone(),
    };
    work(state, asker, Then::Furnish(Box::new(new)), ChatWork::Create(record))
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
pub fn demo(state: &mut Domain, new: NewChat, asker: Asker) -> Vec<Effect> {
    demo_with(state, "Demo", "Count sentences in", new, asker)
}

/// As [`demo`], with an agent that dispatches others. The demo agent knows the words.
pub fn demo_team(state: &mut Domain, new: NewChat, asker: Asker) -> Vec<Effect> {
    demo_with(state, "Demo team", "Lead a team of demo agents on", new, asker)
}

/// The prompt's last word will be the sample repository.
fn demo_with(state: &mut Domain, name: &str, prompt: &str, mut new: NewChat, asker: Asker) -> Vec<Effect> {
    new.name = Some(name.into());
    new.llm = Some("demo".into());
    new.prompt = Some(prompt.into());
    work(state, asker, Then::Demo(Box::new(new)), ChatWork::Sample)
}

/// The sample repository is at `path`.
pub fn demo_on(state: &mut Domain, path: &str, mut new: NewChat, asker: Asker) -> Vec<Effect> {
    new.prompt = new.prompt.map(|begun| format!("{begun} {path}"));
    create(state, new, asker)
}

/// What a chat runs where nobody says: what is set, else what its parent runs, else what there is in the environment.
pub fn usual_llm(state: &Domain, parent: Option<&ChatId>) -> Choice {
    let parent = parent.and_then(|parent| state.disk.chats.get(parent));
    let of_parent = || parent.map(|chat| chat.record.llm.clone()).filter(|llm| llm != "shell");
    match state.disk.settings.default_llm.clone().or_else(of_parent) {
        Some(llm) => Choice::Usual(llm),
        None => Choice::Installed,
    }
}

/// Whether an agent of that name can be started is found out at its start; that nobody has heard of it, at once.
pub fn unknown_llm(state: &Domain, llm: &str) -> Option<Problem> {
    let custom = &state.disk.settings.custom_llms;
    let known = BUILT_IN.contains(&llm) || custom.contains_key(llm);
    if known {
        return None;
    }
    let names: Vec<&str> = BUILT_IN
        .iter()
        .copied()
        .chain(custom.keys().map(String::as_str))
        .collect();
    Some(Problem::missing(
        "making a chat",
        format!("there is no agent called {}", visible(llm)),
        format!(
            "choose one of {}, or add it to customLlms in config.json",
            names.join(", ")
        ),
    ))
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
    Some(Problem::new("making a chat", cause, hint))
}

pub fn name_from_prompt(prompt: Option<&str>) -> String {
    match prompt.map(|text| one_line(text, 40)) {
        Some(line) if !line.is_empty() => line,
        Some(_) | None => "New chat".into(),
    }
}

/// The chat is on disk: on with its directories, then its agent.
pub fn furnish(state: &mut Domain, chat: &ChatId, mut new: Box<NewChat>, asker: Asker) -> Vec<Effect> {
    if let Some(problem) = opening::given_up(state, chat) {
        return unfurnish(state, chat, problem, asker);
    }
    if let Some(handed) = new.handed.take() {
        // Its atom is its own before its agent reads of it.
        let then = Then::Continue(chat.clone(), new);
        return atom::change(state, chat, Who::Person, Change::Claim(handed.atom), asker, then);
    }
    if !new.dirs.is_empty() {
        let mut open = new.dirs.remove(0);
        open.cwd = open.cwd.or_else(|| Some(new.cwd.clone()));
        let job = project::open_job(state, chat, open, asker);
        return work(state, asker, Then::Continue(chat.clone(), new), job);
    }
    let env = std::mem::take(&mut new.env);
    let mut effects = match asker {
        Asker::Launch(number) => run::made(state, number),
        Asker::Call(_) | Asker::Screen(_) | Asker::Nobody => Vec::new(),
    };
    effects.extend(agent::start_first(state, chat, env, asker));
    if let Asker::Screen(client) = asker {
        state.notices.push(Notice::Done(client, Done::ChatMade(chat.clone())));
    }
    effects
}

pub fn rename(state: &mut Domain, chat: &ChatId, name: String, asker: Asker) -> Vec<Effect> {
    let name = one_line(&name, LONGEST_NAME);
    if name.is_empty() {
        let hint = "give it at least one visible character";
        return reply::answer(
            state,
            asker,
            Err(Problem::new("renaming the chat", "the name is empty", hint)),
        );
    }
    let job = ChatWork::Rename {
        chat: chat.clone(),
        name,
    };
    work(state, asker, Then::Renamed, job)
}

/// Deletes a chat. A live agent is ended only once the trash has a place for it: on a full disk nothing is lost.
pub fn delete(state: &mut Domain, chat: &ChatId, asker: Asker) -> Vec<Effect> {
    match state.live.agents.get(chat).is_some_and(Agent::is_live) {
        true => {
            let job = ChatWork::ReadyTrash(chat.clone());
            work(state, asker, Then::Delete(chat.clone()), job)
        }
        false => trash(state, chat, asker),
    }
}

/// Stops the agent, then moves the chat to the trash.
pub fn end_and_trash(state: &mut Domain, chat: &ChatId, asker: Asker) -> Vec<Effect> {
    match agent::end(state, chat, AtEnd::Delete(asker)) {
        Some(mut effects) => {
            effects.push(Effect::CancelFor(chat.clone()));
            effects
        }
        None => trash(state, chat, asker),
    }
}

/// Moves a chat without a process to the trash, from where it can come back for seven days.
pub fn trash(state: &mut Domain, chat: &ChatId, asker: Asker) -> Vec<Effect> {
    let mut effects = vec![
        Effect::CancelFor(chat.clone()),
        Effect::Pane(chat.clone().into(), PaneOrder::Drop),
    ];
    effects.extend(work(state, asker, Then::Answer, ChatWork::Trash(chat.clone())));
    effects
}

pub fn restore(state: &mut Domain, name: Option<String>, asker: Asker) -> Vec<Effect> {
    work(state, asker, Then::Restored, TrashWork::Restore(name))
}

pub fn recreate(state: &mut Domain, chat: &ChatId, asker: Asker) -> Vec<Effect> {
    work(state, asker, Then::Answer, ChatWork::Recreate(chat.clone()))
}

/// Finds out what deleting would lose.
pub fn losses(state: &mut Domain, chat: &ChatId, then: Then, asker: Asker) -> Vec<Effect> {
    work(state, asker, then, ChatWork::Losses(chat.clone()))
}

/// Writes lines into a chat's transcript. A chat that is gone has none.
pub fn append(state: &mut Domain, chat: &ChatId, happened: Vec<Happened>) -> Vec<Effect> {
    let happened = reorder::behind(state, chat, happened);
    append_told(state, chat, happened.into_iter().map(Told::from).collect(), None)
}

/// As [`append`], of what is in order already, up to a mark where it was read in a CLI's own transcript.
pub fn append_told(state: &mut Domain, chat: &ChatId, told: Vec<Told>, read: Option<Mark>) -> Vec<Effect> {
    if told.is_empty() || !state.disk.chats.contains_key(chat) {
        return Vec::new();
    }
    append_then(state, chat, told, read, (Asker::Nobody, Then::Nothing))
}

/// As [`append_told`], with what follows once it is safe.
pub fn append_then(
    state: &mut Domain,
    chat: &ChatId,
    told: Vec<Told>,
    read: Option<Mark>,
    (asker, then): (Asker, Then),
) -> Vec<Effect> {
    unreported::notes(state, chat, &told);
    work(state, asker, then, JournalWork::Append(chat.clone(), told, read))
}

/// Hands a job out and remembers what follows it.
pub fn work(state: &mut Domain, asker: Asker, then: Then, job: impl Into<Work>) -> Vec<Effect> {
    let job = job.into();
    let id = state.ids.work();
    state.live.waiting.insert(id, Waiting { asker, then });
    opening::begin(state, id, &job);
    vec![Effect::Work(id, job)]
}

/// The folders changed, by us or by others.
pub fn disk(state: &mut Domain, event: DiskEvent) -> Vec<Effect> {
    match event {
        DiskEvent::Chat(chat) => {
            let id = chat.id().clone();
            let mut effects = atom::appeared(state, &chat);
            effects.extend(loaded(state, *chat));
            effects.extend(inbox::noticed(state, &id));
            effects
        }
        DiskEvent::Began(env) => {
            let mut effects = restart::after_the_engine(state, &env);
            agenda::began(state, &env);
            effects.extend(upkeep::begin(state));
            effects
        }
        DiskEvent::Schedules(all) => {
            schedule::all_loaded(state, all);
            Vec::new()
        }
        DiskEvent::ChatGone(chat) => removed(state, &chat),
        DiskEvent::LeftOpen(chat, ends) => append(state, &chat, ends),
        DiskEvent::Settings(read) => {
            match *read {
                Ok(settings) => state.disk.follow(settings),
                Err(problem) => state.disk.settings_problem = Some(problem),
            }
            Vec::new()
        }
        DiskEvent::Log(line) => {
            if state.live.log.len() == LOG_LINES {
                state.live.log.pop_front();
            }
            state.live.log.push_back(line);
            Vec::new()
        }
    }
}

/// A chat as it now is on disk. Appends hand back entries, not chats, so what they said last is kept.
pub fn loaded(state: &mut Domain, chat: Chat) -> Vec<Effect> {
    let id = chat.id().clone();
    let was_gone = state
        .disk
        .chats
        .get(&id)
        .is_some_and(|known| known.place == Place::Gone);
    let is_back = was_gone && chat.place == Place::Here;
    let newer = state.disk.chats.get(&id).filter(|known| known.seq > chat.seq);
    let mut chat = chat;
    if let Some(known) = state.disk.chats.get(&id).filter(|_| chat.unreadable.is_some()) {
        // What was read while it could be is more than what stands in for it.
        chat.record.clone_from(&known.record);
    }
    if let Some(known) = newer {
        chat.seq = known.seq;
        chat.updated = known.updated;
        chat.preview.clone_from(&known.preview);
    }
    let before = state.disk.chats.insert(id.clone(), chat);
    state.live.trashed += u64::from(before.is_none());
    let mut effects = match is_back {
        true => directory_is_back(state, &id),
        false => Vec::new(),
    };
    effects.extend(super::team::wait::check(state, &id));
    effects
}

/// That its agent could not start without its directory is over. It is written down, so it is over for the next engine
/// too.
fn directory_is_back(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    if !matches!(state.status(chat), Status::Exited(why) if why.starts_with(COULD_NOT_START)) {
        return Vec::new();
    }
    let why = "its directory is back".to_string();
    if let Some(agent) = state.live.agents.get_mut(chat) {
        agent.process = Process::Ended { why };
        return status::reassess(state, chat);
    }
    let status = Status::Exited(why.clone());
    let happened = Happened::Status {
        status: status.word().into(),
        detail: status.detail().into(),
        cause: why,
    };
    if let Some(known) = state.disk.chats.get_mut(chat) {
        known.ended = Some(status);
    }
    append(state, chat, vec![happened])
}

pub fn removed(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    // With a root its graph is gone too.
    let mut effects = match tree::root(state, chat) == chat {
        true => Vec::new(),
        false => atom::owner_ended(state, chat, "deleted"),
    };
    let gone = state.disk.chats.remove(chat);
    state.live.trashed += u64::from(gone.is_some());
    state.live.agents.remove(chat);
    state.live.left.remove(chat);
    state.live.unseen.remove(chat);
    state.live.stamps.remove(chat);
    state.live.broken.remove(chat);
    setup::forget(state, chat, None);
    effects.extend(super::side::close_all(state, chat));
    effects.extend(super::team::wait::gone(state, chat));
    effects
}

/// What a chat is called on the shell; its id where it is not known.
pub fn handle(state: &Domain, chat: &ChatId) -> String {
    let known = state.disk.chats.get(chat);
    known.map_or_else(|| chat.to_string(), |c| c.record.handle.to_string())
}

/// An agent may live on though its directory vanished: the status says what it does, and this what is wrong.
fn detail(state: &Domain, chat: &Chat) -> String {
    let what = state.detail(chat.id());
    match chat.place {
        Place::Gone if what.is_empty() => GONE.into(),
        Place::Gone if state.status(chat.id()).is_live() => format!("{GONE}; {what}"),
        Place::Gone | Place::Here => what,
    }
}

/// A chat in the shape of the shell page.
pub fn json(state: &Domain, chat: &ChatId) -> Value {
    let Some(known) = state.disk.chats.get(chat) else {
        return json!({"id": chat});
    };
    let record = &known.record;
    let status = state.status(chat);
    json!({
        "id": record.id,
        "handle": record.handle,
        "name": record.name,
        "llm": record.llm,
        "role": record.role,
        "status": status.word(),
        "detail": near(state, chat, &detail(state, known)),
        "declared": known.declared,
        "damage": known.damage,
        "parent": record.parent,
        "schedule": record.schedule,
        "created": record.created,
        "updated": known.updated,
        "unseen": state.live.unseen.contains(chat),
        "preview": known.preview,
        "opening": opening::words(state, chat),
        "projects": known.projects,
        "dir": state.disk.home.join("chats").join(chat.as_str()),
    })
}
