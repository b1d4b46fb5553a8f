//! The chats as the engine finds them at its start, and as others change them afterwards.
//!
//! Loading comes before serving. Watching takes some system calls a chat, and removing leftovers as long as they are
//! large, so both come after, on a thread of their own.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::Arc;

use anyhow::Context;

use crate::domain::Event;
use crate::domain::event::{DiskEvent, Observed, ScriptReport};
use crate::domain::schedule::work::Schedules;
use crate::model::chat::{ENGINE_STOPPED, Pending};
use crate::model::preferences::{Preferences, ended_beside};
use crate::model::{Chat, ChatId, Happened, Problem, Status};
use crate::store::{Changed, Home, Line};
use crate::{agents, config, sys};

use super::inbound::{Inbound, Sender};
use super::services::Services;
use super::settings::broken_settings;
use super::work;

/// Lines at a transcript's end among which a prompt that was delivered last is looked for.
const DELIVERED_WITHIN: usize = 200;

/// Finishes what a crash cut off, and returns what is to be removed of it.
pub fn settle(home: &Home) -> anyhow::Result<Vec<OsString>> {
    if let Err(newer) = home.writable() {
        tracing::warn!("{newer}");
        return Ok(Vec::new());
    }
    let settled = home.settle().context("tidying the home")?;
    settled.said.iter().for_each(|said| tracing::info!("{said}"));
    Ok(settled.leftovers)
}

pub fn load(services: &Services) -> BTreeMap<ChatId, Chat> {
    let chats = match services.home.list() {
        Ok(chats) => chats,
        Err(error) => {
            tracing::error!("the chats can't be listed: {error}");
            Vec::new()
        }
    };
    let shown = chats.into_iter().map(|chat| match chat {
        Ok(chat) => without_delivered(services, chat),
        Err(damaged) => {
            tracing::error!("chat {}: {}", damaged.id, damaged.why);
            services.home.stand_in(damaged)
        }
    });
    shown.map(|chat| (chat.id().clone(), chat)).collect()
}

pub fn schedules(home: &Home) -> Schedules {
    let read = home.schedules().unwrap_or_else(|error| {
        tracing::error!("the schedules can't be listed: {error}");
        Schedules::new()
    });
    for (id, why) in read.iter().filter_map(|(id, read)| Some((id, read.as_ref().err()?))) {
        tracing::warn!("schedule {id}: {why}");
    }
    read
}

/// Watches what was loaded, and removes what a crash left.
pub fn look_after(services: &Arc<Services>, loaded: Vec<Chat>, leftovers: Vec<OsString>, sender: &Sender) {
    services.history.notices.begin();
    let (services, sender) = (services.clone(), sender.clone());
    let started = std::thread::Builder::new().name("look-after".into()).spawn(move || {
        sys::give_way();
        if services.home.writable().is_ok() {
            close(&services, &loaded, &sender);
        }
        let chats: Vec<ChatId> = loaded.iter().map(|chat| chat.id().clone()).collect();
        watch(&services, loaded, &sender);
        if services.home.writable().is_err() {
            return;
        }
        let chats = chats.iter().filter_map(|chat| services.home.load(chat).ok());
        chats.for_each(|chat| work::ask_again(&services, &chat, &sender));
        let kept = services.home.sweep(&leftovers);
        kept.iter().for_each(|kept| tracing::warn!("{kept}"));
        sys::give_back();
    });
    if let Err(error) = started {
        tracing::error!("others' changes will not be noticed: {error}");
    }
}

/// Ends what a killed engine left open in the transcripts of chats whose agents it took along.
fn close(services: &Services, chats: &[Chat], sender: &Sender) {
    let killed = |chat: &&Chat| matches!(&chat.ended, Some(Status::Exited(why)) if why == ENGINE_STOPPED);
    for chat in chats.iter().filter(killed) {
        let left = match chat.is_shell() {
            true => services.home.left_in_shell(chat.id(), chat.seq),
            false => services.home.left_open(chat.id(), chat.seq),
        };
        match left {
            Ok(ends) if ends.is_empty() => {}
            Ok(ends) => {
                let closed = DiskEvent::LeftOpen(chat.id().clone(), ends);
                sender.send(Inbound::Event(Event::Disk(closed)));
            }
            Err(error) => tracing::warn!("what {} left open is not known: {error}", chat.record.handle),
        }
    }
}

/// Says in the chats what ran there beside the agent as the last engine ended, and runs setups again: without its setup a
/// clone is of no use.
pub fn tell_beside(beside: &[(ChatId, String)], setups: &[(ChatId, String)], sender: &Sender) {
    let tell = |chat: &ChatId, text: String| {
        let told = DiskEvent::LeftOpen(chat.clone(), vec![Happened::Note { text }]);
        sender.send(Inbound::Event(Event::Disk(told)));
    };
    for (chat, program) in beside {
        tell(chat, ended_beside(program));
    }
    for (chat, project) in setups {
        tell(
            chat,
            format!("the setup of {project} ended with the engine, and runs again"),
        );
        let again = ScriptReport::Wanted {
            project: project.clone(),
        };
        let again = Observed::Script(again);
        sender.send(Inbound::Event(Event::Observed(chat.clone(), again)));
    }
}

/// The chats that moved last come first: where the system's limit of watches is reached, they are worth them most.
fn watch(services: &Services, mut chats: Vec<Chat>, sender: &Sender) {
    chats.sort_by_key(|chat| Reverse(chat.updated));
    let (mut unwatched, mut first) = (0, None);
    for chat in chats {
        let mut watched = services.try_watch_chat(&chat);
        // What was changed before the watch stood, nobody has told.
        let then = services.home.shown(chat.id());
        if then.as_ref() != Some(&chat) {
            watched = then.map_or(watched, |chat| services.try_watch_chat(&chat));
            let inbound = reload(&services.home, Changed::Chat(chat.id().clone()));
            inbound.into_iter().for_each(|inbound| sender.send(inbound));
        }
        if let Err(error) = watched {
            unwatched += 1;
            first.get_or_insert(error);
        }
    }
    if let Some(error) = first {
        tracing::warn!("changes in {unwatched} chats will not be noticed: {error}");
    }
}

/// Somebody else changed a file: what it belongs to is loaded by the same functions that load it after our own
/// changes.
pub fn reload(home: &Home, changed: Changed) -> Option<Inbound> {
    let event = match changed {
        Changed::Custom(path) => return Some(Inbound::Touched(path)),
        // Its own place is no concern of the loop.
        Changed::Engine => return None,
        Changed::Chat(id) => match home.shown(&id) {
            Some(chat) => {
                let why = chat.unreadable.iter();
                why.for_each(|why| tracing::warn!("chat {id}: {why}"));
                DiskEvent::Chat(Box::new(chat))
            }
            None => DiskEvent::ChatGone(id),
        },
        Changed::Schedules => DiskEvent::Schedules(schedules(home)),
        Changed::Config => {
            let read = config::load(&home.config());
            read.iter().for_each(tell_strays);
            let read = read
                .map(|loaded| loaded.settings)
                .map_err(|broken| broken_settings(&broken));
            if let Err(problem) = &read {
                tracing::warn!("{problem}");
            }
            DiskEvent::Settings(Box::new(read))
        }
    };
    Some(Inbound::Event(Event::Disk(event)))
}

/// What is set at the screen; why that is not what was set, where it cannot be read.
pub fn preferences(home: &Home) -> (Preferences, Option<Problem>) {
    match home.preferences() {
        Ok(preferences) => (preferences, None),
        Err(error) => {
            tracing::warn!("{error}");
            let hint = "correct it, or remove it";
            (
                Preferences::default(),
                Some(Problem::new("reading preferences", error.to_string(), hint)),
            )
        }
    }
}

/// Rules, servers and keys in `config.json` that are none.
pub fn tell_strays(loaded: &config::Loaded) {
    loaded.misfits.iter().for_each(|stray| tracing::warn!("{stray}"));
    loaded.unknown.iter().for_each(|unknown| tracing::warn!("{unknown}"));
}

/// What an earlier engine told of prompts that it typed. Where a CLI keeps a transcript, that decides whether it has one;
/// elsewhere ours is all there is, and the prompt is delivered.
fn without_delivered(services: &Services, chat: Chat) -> Chat {
    if !chat.record.prompts.iter().any(|prompt| prompt.begun) {
        return chat;
    }
    let tail = services.home.all_tail(chat.id(), DELIVERED_WITHIN).unwrap_or_default();
    let is_there = |prompt: &Pending| {
        tail.iter().any(|line| match line {
            Line::Entry(entry) => {
                matches!(&entry.what, Happened::Prompt { text, .. } if *text == prompt.text && entry.ts >= prompt.at)
            }
            Line::Gap { .. } => false,
        })
    };
    let adapter = agents::find(&chat.record.llm, &services.settings());
    let decides = adapter.is_some_and(|adapter| adapter.capabilities().transcribes);
    let changed = services.home.change(chat.id(), |record| {
        let mut prompts = record.prompts.clone();
        for prompt in prompts.iter_mut().filter(|prompt| prompt.begun) {
            prompt.told = is_there(prompt);
        }
        prompts.retain(|prompt| decides || !prompt.told);
        record.keep(prompts, &[]);
    });
    match changed {
        Ok(changed) => changed,
        Err(error) => {
            tracing::warn!("a prompt of {} may be sent twice: {error}", chat.record.handle);
            chat
        }
    }
}
