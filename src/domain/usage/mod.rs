//! What agents use of their models, summed as it is told, and what it costs.
//!
//! The sums of a chat lie in `cache/usage`, up to an entry of its transcript; what lies behind that entry is read once, when
//! the engine begins. From then on each answer of a model is added where it is recorded, and nothing is summed again.

pub mod budget;
pub mod done;
pub mod known;
pub mod report;
pub mod state;
pub mod stop;
pub mod work;

use crate::model::usage::{ChatUsage, UsedOnce};
use crate::model::{ChatId, Entry, Status};

use super::chat;
use super::effect::Effect;
use super::state::{Domain, Requester};
use known::owner;
pub use known::{cost, of};
use state::root;
use work::{UsageThen, UsageWork};

/// The engine has begun: the sums of all chats are read.
pub fn begin(state: &mut Domain) -> Vec<Effect> {
    let chats: Vec<(ChatId, u64)> = state
        .disk
        .chats
        .values()
        .map(|chat| (chat.id().clone(), chat.seq))
        .collect();
    state
        .live
        .usage
        .reading
        .extend(chats.iter().map(|(chat, _)| (chat.clone(), Vec::new())));
    let zone = state.live.facts.zone;
    chat::work(
        state,
        Requester::Nobody,
        UsageThen::Read,
        UsageWork::Read { chats, zone, all: true },
    )
}

/// Entries were written. Those of a chat whose sums are being read wait for these.
pub fn take(state: &mut Domain, chat: &ChatId, entries: &[Entry]) -> Vec<Effect> {
    let (Some(first), zone) = (entries.first(), state.live.facts.zone) else {
        return Vec::new();
    };
    let usage = &mut state.live.usage;
    if let Some(waiting) = usage.reading.get_mut(chat) {
        waiting.extend(
            entries
                .iter()
                .filter(|entry| UsedOnce::of(&entry.what).is_some())
                .cloned(),
        );
        return Vec::new();
    }
    let told = entries.iter().any(|entry| UsedOnce::of(&entry.what).is_some());
    match usage.chats.get_mut(chat) {
        Some(known) if !told => {
            known.seq = known.seq.max(entries.last().map_or(0, |entry| entry.seq));
            Vec::new()
        }
        Some(_) => {
            add(state, chat, entries);
            budget::spent(state, chat)
        }
        None if !told || usage.unread.contains(chat) => Vec::new(),
        None if first.seq == 1 => {
            usage.chats.insert(chat.clone(), ChatUsage::new(zone));
            add(state, chat, entries);
            budget::spent(state, chat)
        }
        // It came from elsewhere, or nothing was used in it so far.
        None => {
            let seq = first.seq.saturating_sub(1);
            usage.reading.insert(chat.clone(), entries.to_vec());
            let work = UsageWork::Read {
                chats: vec![(chat.clone(), seq)],
                zone,
                all: false,
            };
            chat::work(state, Requester::Nobody, UsageThen::Read, work)
        }
    }
}

fn add(state: &mut Domain, chat: &ChatId, entries: &[Entry]) {
    let root = root(&state.disk.chats, chat);
    let usage = &mut state.live.usage;
    for entry in entries {
        let Some(known) = usage.chats.get_mut(chat) else {
            return;
        };
        if !known.take(entry) {
            continue;
        }
        let (Some(used), zone) = (UsedOnce::of(&entry.what), known.zone) else {
            continue;
        };
        usage.add_to_sums(&root, zone, entry.ts, &used);
        usage.dirty.insert(chat.clone());
    }
}

/// The sums of these chats were read, and what was told meanwhile is added. Nothing more is known of those that were asked
/// for and are not among them.
pub fn read(state: &mut Domain, asked: &[ChatId], found: Vec<(ChatId, ChatUsage)>) -> Vec<Effect> {
    let mut effects = Vec::new();
    for (id, kept) in found {
        let kept = kept.summed();
        let root = match state.disk.chats.contains_key(&id) {
            true => root(&state.disk.chats, &id),
            // A chat that is gone goes on to count in its tree, as long as that is known.
            false => ChatId::parse(&kept.of.root).unwrap_or_else(|| id.clone()),
        };
        let usage = &mut state.live.usage;
        usage.add_chat(&root, &kept);
        let is_old = state.disk.chats.get(&id).is_some_and(|chat| chat.seq > kept.seq);
        usage.chats.insert(id.clone(), kept);
        if let Some(waiting) = usage.reading.remove(&id) {
            if is_old || !waiting.is_empty() {
                usage.dirty.insert(id.clone());
            }
            add(state, &id, &waiting);
        }
    }
    for chat in asked {
        if state.live.usage.reading.remove(chat).is_some() {
            state.live.usage.unread.insert(chat.clone());
        }
    }
    effects.extend(budget::begin(state));
    effects.extend(report::answer_all(state));
    effects
}

/// It is about to be deleted: what it used goes on to count, under the name that it had.
pub fn goes(state: &mut Domain, chat: &ChatId) {
    let Some(owner) = state.disk.chats.get(chat).map(|known| owner(state, known)) else {
        return;
    };
    if let Some(usage) = state.live.usage.chats.get_mut(chat) {
        usage.of = owner;
        state.live.usage.dirty.insert(chat.clone());
    }
}

/// Has the sums kept of chats that rest: one that works would be written again and again.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    let mut effects = budget::settle(state);
    let usage = &state.live.usage;
    if usage.dirty.is_empty() || usage.keeping || state.disk.read_only.is_some() {
        return effects;
    }
    let rests = |chat: &&ChatId| !matches!(state.status(chat), Status::Running(_) | Status::Retrying(_));
    let due: Vec<ChatId> = usage.dirty.iter().filter(rests).cloned().collect();
    if due.is_empty() {
        return effects;
    }
    let kept = due.iter().filter_map(|id| {
        let owner = state.disk.chats.get(id).map(|chat| owner(state, chat));
        let usage = usage.chats.get(id)?;
        let of = owner.unwrap_or_else(|| usage.of.clone());
        Some((id.clone(), ChatUsage { of, ..usage.clone() }))
    });
    let kept: Vec<(ChatId, ChatUsage)> = kept.collect();
    state.live.usage.keeping = true;
    state.live.usage.dirty.retain(|chat| !due.contains(chat));
    effects.extend(chat::work(
        state,
        Requester::Nobody,
        UsageThen::Kept,
        UsageWork::Keep(kept),
    ));
    effects
}
