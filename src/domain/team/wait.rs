//! `parlour wait`, and those who follow a transcript.

use std::collections::BTreeSet;

use serde_json::json;

use crate::domain::agent::quiescence;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester, Wait};
use crate::domain::work::{EntriesShown, Read, ReadThen};
use crate::model::request::Until;
use crate::model::{CallId, ChatId, Entry, Problem};

use super::{until, wait_for};

/// Waits for a chat to come to something; met at once where it already has.
pub fn begin(state: &mut Domain, call: CallId, chat: ChatId, until: Until) -> Vec<Effect> {
    let wait = Wait {
        call,
        chat: chat.clone(),
        until,
    };
    state.live.waits.push(wait);
    check(state, &chat)
}

/// Answers every wait of a chat that is now met.
pub fn check(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let (met, open): (Vec<Wait>, Vec<Wait>) = std::mem::take(&mut state.live.waits)
        .into_iter()
        .partition(|wait| &wait.chat == chat && is_met(state, wait));
    let still_open = open.iter().any(|wait| &wait.chat == chat);
    state.live.waits = open;
    let mut effects = Vec::new();
    if !met.is_empty() {
        let answer = chat::json(state, chat);
        effects.extend(met.into_iter().map(|wait| Effect::Reply(wait.call, Ok(answer.clone()))));
    }
    if still_open {
        effects.extend(quiescence::until(state, chat).map(Effect::WakeAt));
    }
    effects.extend(wait_for::look(state));
    effects
}

/// Time has passed: an agent may have come to rest by it alone.
pub fn clock(state: &mut Domain) -> Vec<Effect> {
    let chats: BTreeSet<ChatId> = state.live.waits.iter().map(|wait| wait.chat.clone()).collect();
    let mut effects: Vec<Effect> = chats.iter().flat_map(|chat| check(state, chat)).collect();
    effects.extend(wait_for::look(state));
    effects
}

fn is_met(state: &Domain, wait: &Wait) -> bool {
    until::has_come(state, &wait.chat, wait.until)
}

/// The chat is no more: nothing more will come of it.
pub fn gone(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let doing = format!("waiting for {chat}");
    let problem = Problem::missing(doing, "the chat was deleted", "`parlour undo-rm` brings it back");
    let mut effects = Vec::new();
    state.live.waits.retain(|wait| {
        let stays = &wait.chat != chat;
        if !stays {
            effects.push(Effect::Reply(wait.call, Err(problem.clone())));
        }
        stays
    });
    state.live.follows.retain(|(call, followed, _)| {
        let stays = followed != chat;
        if !stays {
            effects.push(Effect::Reply(*call, Ok(json!({}))));
        }
        stays
    });
    effects.extend(wait_for::look(state));
    effects
}

/// The transcript was streamed up to the entry `last`: from here on entries come as they are told of. Those that were told
/// of while it was read are read now, once: the file may have lost what was sought already.
pub fn go_on(state: &mut Domain, (call, chat): (CallId, ChatId), last: u64, sought: u64) -> Vec<Effect> {
    let known = state.disk.chats.get(&chat).map_or(0, |known| known.seq);
    if known > last.max(sought) {
        let then = ReadThen::Follow(chat.clone(), known);
        let after = last;
        // What comes now is not hidden.
        let all = EntriesShown::All;
        let read = Read::Entries { chat, after, all, call };
        return chat::work(state, Requester::Call(call), then, read);
    }
    state.live.follows.push((call, chat, last));
    Vec::new()
}

/// New entries go to everybody who follows the chat, but for those that were read in the file before this was told.
pub fn follow(state: &Domain, chat: &ChatId, entries: &[Entry]) -> Vec<Effect> {
    let of_chat = state.live.follows.iter().filter(|(_, followed, _)| followed == chat);
    let followers: Vec<(CallId, u64)> = of_chat.map(|(call, _, last)| (*call, *last)).collect();
    // Mostly nobody does, and much may be read at once.
    if followers.is_empty() {
        return Vec::new();
    }
    let line = |entry: &Entry| Some((entry.seq, serde_json::to_value(entry).ok()?));
    let lines: Vec<_> = entries.iter().filter_map(line).collect();
    let stream = |(call, last): (CallId, u64)| {
        let behind = lines.iter().filter(move |(seq, _)| *seq > last);
        behind.map(move |(_, line)| Effect::Stream(call, line.clone()))
    };
    followers.into_iter().flat_map(stream).collect()
}

/// Whoever asked has gone away.
pub fn abandoned(state: &mut Domain, call: CallId) {
    state.live.waits.retain(|wait| wait.call != call);
    state.live.gatherings.retain(|gathering| gathering.call != call);
    state.live.follows.retain(|(follower, ..)| *follower != call);
}
