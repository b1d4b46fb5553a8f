//! `parlour wait`, and those who follow a transcript.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::domain::agent::{delivery, quiescence};
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Awaited, Domain, Requester, TurnWait, Wait, Waiting};
use crate::domain::then::Then;
use crate::domain::work::{EntriesShown, Read, ReadThen};
use crate::model::request::Until;
use crate::model::{CallId, ChatId, Entry, Problem, Status, WorkId};

use super::{until, wait_for};

/// Between two looks at what is still being written.
const WRITTEN_MS: u64 = 50;

/// Waits for a chat to come to something; met at once where it already has, and what led to it is written.
pub fn begin(state: &mut Domain, call: CallId, chat: ChatId, until: Until) -> Vec<Effect> {
    let mut wait = Wait {
        call,
        chat,
        until: Awaited::State(until),
        written: None,
    };
    let mut effects = Vec::new();
    if let Some(answer) = answer(state, &mut wait, &mut effects) {
        return vec![Effect::Reply(call, answer)];
    }
    effects.extend(quiescence::until(state, &wait.chat).map(Effect::WakeAt));
    state.live.listeners.waits.push(wait);
    effects
}

/// Streams the transcript behind an entry, with what the agent asks and what its prompt waits for, and answers when the
/// turn of this prompt is over. The chat has it by now.
pub fn turn(state: &mut Domain, (call, chat): (CallId, ChatId), after: u64, prompt: String) -> Vec<Effect> {
    let turn = TurnWait {
        prompt,
        ..TurnWait::default()
    };
    state.live.listeners.waits.push(Wait {
        call,
        chat: chat.clone(),
        until: Awaited::Turn(turn),
        written: None,
    });
    let then = ReadThen::Follow(chat.clone(), 0);
    let all = EntriesShown::NotHidden;
    let read = Read::Entries { chat, after, all, call };
    chat::work(state, Requester::Call(call), then, read)
}

/// Answers every wait of a chat that is now met.
pub fn check(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut met = Vec::new();
    let mut open = Vec::new();
    for mut wait in std::mem::take(&mut state.live.listeners.waits) {
        let answer = match &wait.chat == chat {
            true => answer(state, &mut wait, &mut effects),
            false => None,
        };
        match answer {
            Some(answer) => met.push((wait.call, answer)),
            None => open.push(wait),
        }
    }
    let still_open = open.iter().any(|wait| &wait.chat == chat);
    state.live.listeners.waits = open;
    let is_over = |call: &CallId| met.iter().any(|(over, _)| over == call);
    state.live.listeners.follows.retain(|(call, ..)| !is_over(call));
    effects.extend(met.into_iter().map(|(call, answer)| Effect::Reply(call, answer)));
    if still_open {
        effects.extend(quiescence::until(state, chat).map(Effect::WakeAt));
    }
    effects.extend(wait_for::look(state));
    effects
}

/// Time has passed: an agent may have come to rest by it alone.
pub fn clock(state: &mut Domain) -> Vec<Effect> {
    let chats: BTreeSet<ChatId> = state
        .live
        .listeners
        .waits
        .iter()
        .map(|wait| wait.chat.clone())
        .collect();
    let mut effects: Vec<Effect> = chats.iter().flat_map(|chat| check(state, chat)).collect();
    effects.extend(wait_for::look(state));
    effects
}

fn answer(state: &Domain, wait: &mut Wait, effects: &mut Vec<Effect>) -> Option<Result<Value, Problem>> {
    match &mut wait.until {
        // What is told of the chat, as its last words, is what is in the transcript.
        Awaited::State(until) => match until::answer(state, &wait.chat, *until) {
            Some(answer) => await_writing(state, &mut wait.written, effects).then_some(answer),
            None => {
                wait.written = None;
                None
            }
        },
        Awaited::Turn(turn) => {
            // What stands in the transcript already is told first.
            let follows = state.live.listeners.follows.iter().any(|(call, ..)| *call == wait.call);
            let is_over = follows && see_end(state, (&wait.chat, wait.call), (turn, &mut wait.written), effects);
            is_over.then(|| Ok(chat::json(state, &wait.chat)))
        }
    }
}

/// Whether all is in the transcripts that was being written when this was asked first.
fn await_writing(state: &Domain, written: &mut Option<WorkId>, effects: &mut Vec<Effect>) -> bool {
    let journal = |waiting: &Waiting| matches!(waiting.then, Then::Journal(_));
    let mut writing = state.live.waiting.iter().filter(|(_, waiting)| journal(waiting));
    let last = *written.get_or_insert_with(|| {
        let newest = writing.clone().next_back();
        newest.map_or(WorkId(0), |(work, _)| *work)
    });
    let is_written = writing.next().is_none_or(|(oldest, _)| *oldest > last);
    if !is_written {
        effects.push(Effect::WakeAt(state.now.plus_ms(WRITTEN_MS)));
    }
    is_written
}

/// Its last words are told before its end is, or before what it asks: they are in the transcript once all is that was being
/// written then.
fn see_end(
    state: &Domain,
    (chat, call): (&ChatId, CallId),
    (turn, written): (&mut TurnWait, &mut Option<WorkId>),
    effects: &mut Vec<Effect>,
) -> bool {
    let asks = if let Status::NeedsYou(what) = state.status(chat) {
        Some(what)
    } else {
        None
    };
    if asks.is_none() && turn.asks.take().is_some() {
        effects.push(Effect::Stream(call, json!({"asks": null})));
    }
    let is_over = until::turn_is_over(state, chat, &turn.prompt);
    if !is_over && (asks.is_none() || asks == turn.asks) {
        *written = None;
        effects.extend(tell_why(state, chat, turn, call));
        return false;
    }
    if !await_writing(state, written, effects) {
        return false;
    }
    if let Some(what) = asks {
        effects.push(Effect::Stream(call, json!({"asks": what})));
        (turn.asks, *written) = (Some(what), None);
    }
    is_over
}

/// Why its prompt waits, each time that it is another reason.
fn tell_why(state: &Domain, chat: &ChatId, turn: &mut TurnWait, call: CallId) -> Option<Effect> {
    let why = delivery::waiting(state, chat)?;
    if turn.told.as_ref() == Some(&why) {
        return None;
    }
    turn.told = Some(why.clone());
    Some(Effect::Stream(call, json!({"waiting": why})))
}

/// The chat is no more: nothing more will come of it.
pub fn gone(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let doing = format!("waiting for {chat}");
    let problem = Problem::missing(doing, "the chat was deleted", "`parlour undo-rm` brings it back");
    let mut effects = Vec::new();
    state.live.listeners.waits.retain(|wait| {
        let stays = &wait.chat != chat;
        if !stays {
            effects.push(Effect::Reply(wait.call, Err(problem.clone())));
        }
        stays
    });
    let answered: Vec<CallId> = effects.iter().filter_map(replied).collect();
    state.live.listeners.follows.retain(|(call, followed, _)| {
        let stays = followed != chat;
        if !stays && !answered.contains(call) {
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
    state.live.listeners.follows.push((call, chat.clone(), last));
    check(state, &chat)
}

fn replied(effect: &Effect) -> Option<CallId> {
    if let Effect::Reply(call, _) = effect {
        Some(*call)
    } else {
        None
    }
}

/// More of a chat is in its transcript: whoever waits may have waited for that.
pub fn written(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    match state.live.listeners.waits.iter().any(|wait| &wait.chat == chat) {
        true => check(state, chat),
        false => Vec::new(),
    }
}

/// New entries go to everybody who follows the chat, but for those that were read in the file before this was told.
pub fn follow(state: &Domain, chat: &ChatId, entries: &[Entry]) -> Vec<Effect> {
    let of_chat = state
        .live
        .listeners
        .follows
        .iter()
        .filter(|(_, followed, _)| followed == chat);
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
    state.live.listeners.waits.retain(|wait| wait.call != call);
    state.live.teams.gatherings.retain(|gathering| gathering.call != call);
    state.live.listeners.follows.retain(|(follower, ..)| *follower != call);
}
