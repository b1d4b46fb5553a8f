//! The keys `1` to `9`: each leads to one chat, whatever place that has in the list.
//!
//! A chat gets its number when it is first listed, or when it starts, and keeps it until it is deleted or archived. While
//! this engine runs, its number stays free then, so that undoing it gives it back. Only a chat that starts where no other is
//! free takes such a number, and where there is none of these either, that of the chat that has rested longest; but those
//! that the engine's end stopped keep theirs, and so do pinned ones. One that was asked from a shell, and a run of a schedule,
//! have none unless they are pinned. One that an agent made takes none that a chat of a person has or had last.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::state::{Domain, Numbering};
use crate::model::chat::ENGINE_STOPPED;
use crate::model::{ChatId, Status};
use crate::screen::State;

const NUMBERS: std::ops::RangeInclusive<u8> = 1..=9;

/// The chat to which this key leads.
pub fn chat(state: &State, number: u8) -> Option<&ChatId> {
    let mut given = state.domain.live.looked_at.numbers.iter();
    given.find(|(_, other)| **other == number).map(|(chat, _)| chat)
}

/// The key that leads to a chat, if there is one.
pub fn of(state: &State, chat: &ChatId) -> Option<u8> {
    state.domain.live.looked_at.numbers.get(chat).copied()
}

/// The chat to which the former key of this one leads by now.
pub fn successor<'s>(state: &'s State, former: &ChatId) -> Option<(u8, &'s ChatId)> {
    let gone = &state.domain.live.looked_at.numbering.former;
    let (_, number) = gone.iter().rfind(|(chat, _)| chat == former)?;
    Some((*number, chat(state, *number).filter(|chat| *chat != former)?))
}

/// Takes numbers from chats that are gone, and gives those that are free. Says whether any has changed.
pub fn settle(state: &mut State) -> bool {
    let looked_at = &mut state.domain.live.looked_at;
    let mut numbers = std::mem::take(&mut looked_at.numbers);
    let mut numbering = std::mem::take(&mut looked_at.numbering);
    let has_moved = follow(&state.domain, &mut numbers, &mut numbering);
    let is_given = give(state, &mut numbers, &mut numbering);
    let looked_at = &mut state.domain.live.looked_at;
    (looked_at.numbers, looked_at.numbering) = (numbers, numbering);
    has_moved || is_given
}

/// Chats that are gone have none, and those that are back have theirs again if no other has it.
fn follow(domain: &Domain, numbers: &mut BTreeMap<ChatId, u8>, numbering: &mut Numbering) -> bool {
    let mut has_moved = false;
    for chat in numbers.keys().filter(|chat| is_of_agent(domain, chat)) {
        if !numbering.of_agents.contains(chat) {
            numbering.of_agents.insert(chat.clone());
        }
    }
    numbers.retain(|chat, number| {
        let is_key = NUMBERS.contains(number);
        let stays = is_key && is_numbered(domain, chat);
        if is_key && !stays {
            numbering.former.push((chat.clone(), *number));
        }
        has_moved |= !stays;
        stays
    });
    numbering.former.retain(|(chat, number)| {
        let is_back = is_numbered(domain, chat);
        if is_back && !numbers.contains_key(chat) && !is_given(numbers, *number) {
            numbers.insert(chat.clone(), *number);
            has_moved = true;
        }
        !is_back
    });
    has_moved
}

fn is_given(numbers: &BTreeMap<ChatId, u8>, number: u8) -> bool {
    numbers.values().any(|given| *given == number)
}

/// To chats that are new in the list, and to those that start.
fn give(state: &State, numbers: &mut BTreeMap<ChatId, u8>, numbering: &mut Numbering) -> bool {
    let domain = &state.domain;
    let mut sidebars = state.views.values().map(|view| &view.sidebar);
    let Some(sidebar) = sidebars.find(|sidebar| sidebar.filter.is_none()) else {
        return false;
    };
    // No chat has come or started without that.
    if numbering.seen.is_some() && numbering.seen == sidebar.made_from() {
        return false;
    }
    numbering.seen = sidebar.made_from();
    numbering.listed.retain(|chat| is_numbered(domain, chat));
    let mut has_given = false;
    for chat in sidebar.chats() {
        if numbering.listed.contains(chat) || !is_numbered(domain, chat) {
            continue;
        }
        numbering.listed.insert(chat.clone());
        if !numbers.contains_key(chat)
            && let Some((number, None)) = free(numbers, numbering)
        {
            numbers.insert(chat.clone(), number);
            has_given = true;
        }
    }
    let live: BTreeSet<ChatId> = domain.live.live_agents().map(|(chat, _)| chat.clone()).collect();
    for chat in live.difference(&numbering.ran) {
        if numbers.contains_key(chat) || !is_numbered(domain, chat) {
            continue;
        }
        let number = match is_of_agent(domain, chat) {
            true => free_of_persons(numbers, numbering),
            false => {
                let number = free(numbers, numbering).map(|(number, _)| number);
                number.or_else(|| numbers.remove(&rests_longest(domain, numbers)?))
            }
        };
        if let Some(number) = number {
            numbers.insert(chat.clone(), number);
            has_given = true;
        }
    }
    numbering.ran = live;
    has_given
}

/// The lowest number that no chat has or had; without one, that of the chat that went longest ago, with its place among
/// those that went.
fn free(numbers: &BTreeMap<ChatId, u8>, numbering: &Numbering) -> Option<(u8, Option<usize>)> {
    let left = NUMBERS.filter(|number| !is_given(numbers, *number));
    let left = left.map(|number| {
        (
            number,
            numbering.former.iter().rposition(|(_, former)| *former == number),
        )
    });
    left.min_by_key(|(_, went)| *went)
}

/// The lowest number that no chat has, and that no chat of a person had last.
fn free_of_persons(numbers: &BTreeMap<ChatId, u8>, numbering: &Numbering) -> Option<u8> {
    let was_of_agent = |number: u8| {
        let had = numbering.former.iter().rfind(|(_, former)| *former == number);
        had.is_none_or(|(chat, _)| numbering.of_agents.contains(chat))
    };
    NUMBERS
        .filter(|number| !is_given(numbers, *number))
        .find(|number| was_of_agent(*number))
}

/// Whether an agent made it. What a person pins is as good as their own.
fn is_of_agent(domain: &Domain, chat: &ChatId) -> bool {
    let record = domain.disk.chats.get(chat).map(|chat| &chat.record);
    record.is_some_and(|record| record.origin.by_agent && !record.set.pinned)
}

/// Whether a key may lead to it.
fn is_numbered(domain: &Domain, chat: &ChatId) -> bool {
    let record = domain.disk.chats.get(chat).map(|chat| &chat.record);
    record.is_some_and(|record| {
        let is_aside = record.set.unnumbered || record.schedule.is_some();
        !record.set.archived && (!is_aside || record.set.pinned)
    })
}

/// Those that ran as the engine ended are likely to run again: they keep theirs. Those that agents made give theirs first.
fn rests_longest(domain: &Domain, numbers: &BTreeMap<ChatId, u8>) -> Option<ChatId> {
    let ran = |chat: &&ChatId| matches!(domain.status(chat), Status::Exited(why) if why == ENGINE_STOPPED);
    let is_pinned = |chat: &&ChatId| {
        let known = domain.disk.chats.get(*chat);
        known.is_some_and(|known| known.record.set.pinned)
    };
    let rest = numbers
        .keys()
        .filter(|chat| !domain.status(chat).is_live() && !ran(chat) && !is_pinned(chat));
    let updated = |chat: &ChatId| domain.disk.chats.get(chat).map(|chat| chat.updated);
    rest.min_by_key(|chat| (!is_of_agent(domain, chat), updated(chat)))
        .cloned()
}
