//! Chats on disk: made, renamed, deleted, brought back. Each job hands back the chat as it then is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::agents::{self, Adapter, demo};
use crate::domain::work::{AgentDone, ChatDone, Choice, NewRecord, TeamDone};
use crate::fs::SafeName;
use crate::model::atom::Who;
use crate::model::chat::{Kind, ListMark, Pending};
use crate::model::chat_change::ChatChange;
use crate::model::entry::From;
use crate::model::open_dir::is_bare;
use crate::model::preferences::{LeftScreen, ListLook};
use crate::model::query::Binding;
use crate::model::settings::Confinement;
use crate::model::text::visible;
use crate::model::todo::TodoChange;
use crate::model::{
    AreaMode, Chat, ChatId, Declared, Login, PermissionProfile, Problem, ProblemKind, Ready, ResultExt, Role,
    Timestamp, can_be_default,
};
use crate::store::{ChatCreation, Home};
use crate::term::paste;
use crate::{config, git};

use super::super::services::Services;
use super::context::WorkContext;
use super::loading::loading;
use super::{names, scripts};
use crate::engine::clock::now;

pub fn create(services: &Services, new: &NewRecord) -> Result<ChatDone, Problem> {
    let chat = make(services, new)?;
    Ok(ChatDone::Loaded(Box::new(chat)))
}

/// Its directory and its record, with its first prompt.
pub(super) fn make(services: &Services, new: &NewRecord) -> Result<Chat, Problem> {
    let role = role(services, new)?;
    let llm = llm(services, new, role.as_ref())?;
    if llm == "shell" && new.by == Who::Agent {
        let cause = "its role wants a shell, and a shell takes its commands from a person";
        return Err(Problem::new("making the chat", cause, "name an agent"));
    }
    if llm == "shell" && new.prompt.is_some() {
        let cause = "it runs a shell, which would run the prompt as a command";
        let hint = "leave the prompt out, or name an agent; `parlour send CHAT COMMAND` runs a command in a shell";
        return Err(Problem::new("making the chat", cause, hint));
    }
    is_there(services, &llm, new.env.get("PATH").map(String::as_str))?;
    if new.wants_answer {
        can_be_asked(services, &llm)?;
    }
    let creation = ChatCreation {
        id: new.id.clone(),
        name: new.name.clone(),
        handle: Some(new.handle.clone()),
        llm: llm.clone(),
        role,
        parent: new.parent.clone(),
        schedule: new.schedule.as_ref().map(ToString::to_string),
        disabled_servers: new.disabled_servers.clone(),
        to_open: new.to_open,
        created: now(),
        templates: templates(services, &llm),
        around: services.surroundings(&llm),
        skills: skills(services),
    };
    let chat = services.home.create(creation).doing_or(
        "making a chat",
        "is there room on the disk, and may parlour write its home?",
    )?;
    tracing::info!("{}: made as {}, for {}", new.id, chat.record.handle, llm);
    let furnished = furnish(services, new, chat);
    match &furnished {
        Ok(chat) => services.watch_chat(chat),
        // Who is told that it was not made finds none.
        Err(_) => {
            let gone = services.home.trash_chat(&new.id, now());
            gone.doing("taking a chat back that could not be made")?;
        }
    }
    furnished
}

/// What it has beyond its directory and its record.
fn furnish(services: &Services, new: &NewRecord, chat: Chat) -> Result<Chat, Problem> {
    let by_agent = new.by == Who::Agent;
    if new.prompt.is_none() && new.permissions.is_ask() && !by_agent {
        return Ok(chat);
    }
    // A person may put a chat below another one, and says its prompt all the same.
    let from = match (&new.schedule, &new.parent, new.by) {
        (Some(_), _, _) => From::Schedule,
        (None, Some(_), Who::Agent) => From::Parent,
        (None, Some(_), Who::Person) | (None, None, _) => From::Person,
    };
    let prompt = new.prompt.as_deref().map(|text| Pending {
        key: new.prompt_id.clone(),
        sender: new.parent.clone().filter(|_| from == From::Parent),
        ..Pending::new(paste::of_prompt(text), from, now())
    });
    let keep = services.home.change(&new.id, |record| {
        record.set.permissions = new.permissions;
        record.set.unnumbered = new.wants_answer;
        record.origin.by_agent = by_agent;
        record.prompts.extend(prompt);
    });
    keep.doing_or("keeping the first prompt", "send it again")
}

/// What its role says from now on: a repository of its own may change it later, and mean another chat.
fn role(services: &Services, new: &NewRecord) -> Result<Option<Role>, Problem> {
    let Some(name) = &new.role else {
        return Ok(None);
    };
    let place = |dir: &PathBuf| match dir.to_str().filter(|name| is_bare(name)) {
        Some(name) => names::resolve(services, &new.id, new.parent.as_ref(), name).map(PathBuf::from),
        None => Ok(dir.clone()),
    };
    let places = new.around.iter().filter_map(|dir| place(dir).ok());
    let roots: Vec<PathBuf> = places.filter_map(|dir| git::root(&dir)).collect();
    let roots: Vec<&Path> = roots.iter().map(PathBuf::as_path).collect();
    config::role(name, &roots, services.home.dir()).map(Some)
}

/// The agent CLI that somebody named, else that of the role, else the usual one.
fn llm(services: &Services, new: &NewRecord, role: Option<&Role>) -> Result<String, Problem> {
    let of_role = || role.and_then(|role| role.llm.clone());
    let wanted = match (&new.llm, of_role()) {
        (Choice::Named(llm), _) | (Choice::Usual(llm), None) => return Ok(llm.clone()),
        (Choice::Installed, None) => {
            return match first_usable(services, &new.env) {
                Some(llm) => Ok(llm),
                None if new.wants_answer => Err(none_installed()),
                None => Ok("demo".into()),
            };
        }
        (Choice::Usual(_) | Choice::Installed, Some(wanted)) => wanted,
    };
    match agents::find(&wanted, &services.settings()) {
        Some(_) => Ok(wanted),
        None => {
            let cause = format!("its role wants the agent {}, which is none", visible(&wanted));
            Err(Problem::new(
                "making a chat",
                cause,
                "correct the role, or name an agent",
            ))
        }
    }
}

/// Whoever wants a chat does not wait for a program to tell its version that told it before.
fn is_usable(services: &Services, adapter: &dyn Adapter, path: &str) -> bool {
    let program = adapter.program(path.as_ref()).ok().flatten();
    let home = services.home.dir();
    if program.is_some_and(|program| services.programs.has(home, &program)) {
        return true;
    }
    let found = adapter.detect(path.as_ref());
    if let Ok(found) = &found
        && found.version.is_some()
    {
        services.programs.note(home, &found.program);
    }
    found.is_ok()
}

fn none_installed() -> Problem {
    let hint = "`parlour doctor` says which are looked for; `--llm demo` has the demo's script answer";
    Problem::missing("making a chat", "no agent CLI is on your PATH", hint)
}

/// As [`crate::model::agent::first_usable`] chooses, and no program is run of which nothing is wanted.
fn first_usable(services: &Services, env: &BTreeMap<String, String>) -> Option<String> {
    let path = env.get("PATH").map(String::as_str).unwrap_or_default();
    let mut all = agents::all(&services.settings());
    all.retain(|adapter| can_be_default(adapter.name()));
    all.sort_by_key(|adapter| adapter.login(env) == Login::Missing);
    let mut found = all.iter().filter(|adapter| is_usable(services, adapter.as_ref(), path));
    found.next().map(|adapter| adapter.name().into())
}

/// Whether the program of an agent CLI is there to be started: else a chat would be left that never was.
fn is_there(services: &Services, llm: &str, search_path: Option<&str>) -> Result<(), Problem> {
    let adapter = agents::find(llm, &services.settings());
    match (adapter, search_path) {
        (Some(adapter), Some(path)) => adapter.program(path.as_ref()).map(drop),
        (None, _) | (_, None) => Ok(()),
    }
}

/// Into a CLI of which nothing tells when it waits for a prompt none is ever typed.
fn can_be_asked(services: &Services, llm: &str) -> Result<(), Problem> {
    let adapter = agents::find(llm, &services.settings());
    let is_heard =
        adapter.is_none_or(|adapter| adapter.capabilities().ready != Ready::Nothing || adapter.takes_first_prompt());
    if is_heard {
        return Ok(());
    }
    let cause = format!(
        "nothing tells when {} waits for a prompt, so parlour types none into it",
        visible(llm)
    );
    let hint = "name another agent; one of your own needs `ready` or `promptArg` in customLlms of config.json";
    Err(Problem::new("making a chat", cause, hint))
}

pub(super) fn skills(services: &Services) -> Vec<(String, Vec<u8>)> {
    let skills = config::skills(services.home.dir()).into_iter();
    skills.map(|skill| (skill.name, skill.text)).collect()
}

/// A template that cannot be read holds up no chat; `doctor` says which.
pub(super) fn templates(services: &Services, llm: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let Ok(cli) = SafeName::parse(llm) else {
        return Vec::new();
    };
    config::templates(&cli, services.home.dir()).unwrap_or_else(|error| {
        tracing::warn!("a new chat of {llm} goes without its llm-defaults: {error}");
        Vec::new()
    })
}

/// In the home, so that a home that is deleted leaves nothing behind.
pub fn sample(services: &Services) -> Result<ChatDone, Problem> {
    let made = demo::sample_repository(&services.home.cache().join("demo"));
    let path = made.map_err(|error| Problem::of("making the sample repository", &error).of_kind(ProblemKind::Fault))?;
    Ok(ChatDone::Sampled(path.to_string_lossy().into_owned()))
}

pub fn session(services: &Services, chat: &ChatId, session: String) -> Result<AgentDone, Problem> {
    let chat = services
        .home
        .set_session(chat, &session)
        .map_err(|error| loading(chat, error))?;
    Ok(AgentDone::Session(Box::new(chat)))
}

pub fn todos(
    services: &Services,
    chat: &ChatId,
    changes: &[TodoChange],
    first: Option<bool>,
) -> Result<ChatDone, Problem> {
    let hint = "is the directory of the chat there, and does it take files?";
    let mut changed = services
        .home
        .change_todos(chat, changes)
        .doing_or("changing todos", hint)??;
    if let Some(first) = first {
        let set = services.home.change(chat, |record| record.set.todos_first = first);
        changed = set.doing("setting whether todos come first")?;
    }
    Ok(ChatDone::Loaded(Box::new(changed)))
}

pub fn bind(services: &Services, binding: Binding) -> Result<ChatDone, Problem> {
    let home = &services.home;
    match binding {
        Binding::To(chat, dir) => {
            home.bind(&dir, &chat, now())
                .doing("binding the chat to the directory")?;
            Ok(ChatDone::Bound(Some(chat)))
        }
        Binding::Asked(chat, dir) => {
            home.bind_asked(&dir, &chat, now())
                .doing("binding the chat to the directory")?;
            Ok(ChatDone::Bound(Some(chat)))
        }
        Binding::None(dir) => {
            home.unbind(&dir, now()).doing("unbinding the directory")?;
            Ok(ChatDone::Bound(None))
        }
        Binding::LastQuery(chat) => {
            home.note_query(&chat, now()).doing("noting the last query")?;
            Ok(ChatDone::Bound(Some(chat)))
        }
    }
}

pub fn draft(services: &Services, chat: &ChatId, text: String, instead_of: Option<&str>) -> Result<ChatDone, Problem> {
    let changed = services.home.draft(chat, text, instead_of);
    let chat = changed.doing_or("keeping what you write", "it is lost if parlour ends now")?;
    Ok(ChatDone::Loaded(Box::new(chat)))
}

pub fn declare(services: &Services, chat: &ChatId, declared: &Declared) -> Result<TeamDone, Problem> {
    let chat = services.home.declare(chat, declared).doing("setting the status")?;
    Ok(TeamDone::Declared(Box::new(chat)))
}

pub fn rename(services: &Services, chat: &ChatId, name: &str) -> Result<ChatDone, Problem> {
    let chat = services.home.rename(chat, name).doing("renaming the chat")?;
    Ok(ChatDone::Loaded(Box::new(chat)))
}

pub fn name(home: &Home, chat: &ChatId, name: &str) -> Result<ChatDone, Problem> {
    // A person may have named it since that was judged, and their name stays.
    let named = home.name(chat, name);
    Ok(ChatDone::Loaded(Box::new(named.doing("naming the chat")?)))
}

pub fn mark(
    services: &Services,
    chat: &ChatId,
    (mark, on): (ListMark, bool),
    at: Timestamp,
) -> Result<ChatDone, Problem> {
    let marked = services.home.change(chat, |record| record.set.mark(mark, on, at));
    Ok(ChatDone::Loaded(Box::new(marked.doing("marking the chat")?)))
}

/// A clone's files get or lose the right to be written to; the rules and the agent hear of it by the record.
pub fn set(services: &Services, id: &ChatId, changes: &[ChatChange]) -> Result<ChatDone, Problem> {
    let doing = "changing what is set for the chat";
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    for change in changes {
        match change {
            ChatChange::Permissions(PermissionProfile::All) if services.settings().sandbox != Confinement::Strict => {
                let cause = "without a sandbox, not everything can be allowed";
                let hint = "set \"sandbox\": \"strict\" in config.json, or allow less";
                return Err(Problem::new(doing, cause, hint));
            }
            ChatChange::Mode(name, mode) => {
                let Some(dir) = chat.record.dirs.iter().find(|dir| dir.name == *name) else {
                    let cause = format!("the chat has no directory {}", visible(name));
                    return Err(Problem::missing(doing, cause, "look again: it may be gone"));
                };
                if dir.kind == Kind::Git {
                    let projects = services.projects_dir(id).doing(doing)?;
                    let changed = match mode {
                        AreaMode::Rw => projects.allow_writing(name, ".git"),
                        AreaMode::Ro => projects.forbid_writing(name, ".git"),
                    };
                    changed.doing(doing)?;
                }
            }
            ChatChange::Permissions(_) | ChatChange::Model(_) => {}
        }
    }
    let set = services.home.change(id, |record| {
        changes.iter().for_each(|change| change.apply(record));
    });
    let chat = set.doing(doing)?;
    let around = services.surroundings(&chat.record.llm);
    if let Err(error) = services.home.write_agents_md(id, &around) {
        tracing::warn!("{id}: AGENTS.md still tells of its directories as they were: {error}");
    }
    Ok(ChatDone::Loaded(Box::new(chat)))
}

pub fn keep_look(services: &Services, look: ListLook) -> Result<ChatDone, Problem> {
    let hint = "the list is in this order until parlour ends; correct the file, or remove it";
    let kept = services.home.prefer(|preferences| preferences.chats = look);
    kept.doing_or("remembering the order of chats", hint)?;
    Ok(ChatDone::LookKept(look))
}

pub fn keep_left(services: &Services, left: LeftScreen) -> Result<ChatDone, Problem> {
    let hint = "the next screen begins with the list; correct the file, or remove it";
    let kept = services.home.prefer(|preferences| preferences.left = left);
    kept.doing_or("remembering what was on the screen", hint)?;
    Ok(ChatDone::LeftKept)
}

pub fn keep_tour_seen(services: &Services) -> Result<ChatDone, Problem> {
    let hint = "it is offered again; correct the file, or remove it";
    let kept = services.home.prefer(|preferences| preferences.tour_seen = true);
    kept.doing_or("remembering that the tour was seen", hint)?;
    Ok(ChatDone::TourSeen)
}

pub fn ready_trash(services: &Services, chat: &ChatId) -> Result<ChatDone, Problem> {
    let hint = "its agent runs on and nothing was lost: try again";
    services
        .home
        .ready_trash(chat, now())
        .doing_or("deleting the chat", hint)?;
    Ok(ChatDone::ReadyToTrash)
}

/// Lets go of its files, and of what its agent may be known by.
pub fn forget(context: &WorkContext, chat: &ChatId) {
    let services = &context.services;
    context.journals.forget(chat);
    services.tokens.revoke(chat);
    services.hook_tokens.revoke(chat);
    services.forget_chat(chat);
}

/// A chat that was not made whole. One that was started has perhaps work in it, and can be brought back.
pub fn discard(context: &WorkContext, chat: &ChatId) -> Result<ChatDone, Problem> {
    let home = &context.services.home;
    if home.load(chat).is_ok_and(|chat| chat.record.port.is_some()) {
        return trash(context, chat);
    }
    forget(context, chat);
    // In one step out of sight; what cannot be removed is in the trash.
    let left = match home
        .trash_chat(chat, now())
        .doing_or("giving up a new chat", "`parlour rm` deletes it")?
    {
        None => home.purge(chat).err().map(|error| error.to_string()),
        why => why,
    };
    match left {
        None => tracing::info!("{chat}: it was not made whole, and is removed"),
        Some(why) => tracing::warn!("{chat}: it was not made whole, and is in the trash: {why}"),
    }
    Ok(ChatDone::Removed(chat.clone(), Vec::new()))
}

pub fn trash(context: &WorkContext, chat: &ChatId) -> Result<ChatDone, Problem> {
    let services = &context.services;
    let notes = scripts::archive(context, chat);
    forget(context, chat);
    if let Some(why) = services
        .home
        .trash_chat(chat, now())
        .doing_or("deleting the chat", "nothing was lost: try again")?
    {
        tracing::warn!("the directory of {chat} follows into the trash at the next start: {why}");
    }
    tracing::info!("{chat}: deleted");
    Ok(ChatDone::Removed(chat.clone(), notes))
}

pub fn recreate(services: &Services, chat: &ChatId) -> Result<ChatDone, Problem> {
    let llm = services
        .home
        .load(chat)
        .doing("making the chat's directory again")?
        .record
        .llm;
    let made = services
        .home
        .recreate(chat, &services.surroundings(&llm), &templates(services, &llm));
    let chat = made.doing("making the chat's directory again")?;
    services.watch_chat(&chat);
    Ok(ChatDone::Loaded(Box::new(chat)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Timestamp;
    use crate::model::chat::UNNAMED;

    #[test]
    fn a_prompt_names_a_chat_that_nobody_has_named_meanwhile() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open(&folder.path().join("home")).unwrap();
        let creation = ChatCreation::bare(ChatId::from_bits(1), UNNAMED, "demo", Timestamp(0));
        let id = home.create(creation).unwrap().record.id;
        let called = || {
            let record = home.load(&id).unwrap().record;
            let handles: Vec<String> = record.handles().map(ToString::to_string).collect();
            (record.name, handles.join(" "))
        };
        name(&home, &id, "count the gulls").unwrap();
        let counting = ("count the gulls".into(), "count-the-gulls new-chat".into());
        assert_eq!(called(), counting);
        home.rename(&id, "Gulls").unwrap();
        name(&home, &id, "count the gulls").unwrap();
        assert_eq!(called(), ("Gulls".into(), "gulls count-the-gulls new-chat".into()));
        // The handle that it still answers to is no other chat's.
        let creation = ChatCreation::bare(ChatId::from_bits(2), UNNAMED, "demo", Timestamp(0));
        let next = home.create(creation).unwrap();
        assert_eq!(
            home.rename(next.id(), UNNAMED).unwrap().record.handle.as_str(),
            "new-chat-2"
        );
    }
}
