//! The keys `1` to `9`: each leads to one chat, whatever place that has in the list.
//!
//! A chat gets its number when it is first listed and keeps it until it is deleted or archived; if that is undone, it has
//! the number again where it is free. Where all nine are given, a chat that runs takes the number of the one that has rested
//! longest. One that was asked from a shell has none unless it is pinned.

use std::collections::BTreeMap;

use crate::domain::state::Domain;
use crate::model::ChatId;
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
    let number = *state.domain.live.looked_at.former_numbers.get(former)?;
    Some((number, chat(state, number).filter(|chat| *chat != former)?))
}

/// Takes numbers from chats that are gone, and gives those that are free.
pub fn settle(state: &mut State) {
    let looked_at = &mut state.domain.live.looked_at;
    let mut numbers = std::mem::take(&mut looked_at.numbers);
    let mut former = std::mem::take(&mut looked_at.former_numbers);
    numbers.retain(|chat, number| {
        let stays = is_numbered(&state.domain, chat) && NUMBERS.contains(number);
        if !stays {
            former.insert(chat.clone(), *number);
        }
        stays
    });
    former.retain(|chat, number| {
        let is_back = is_numbered(&state.domain, chat);
        if is_back && !numbers.contains_key(chat) && !is_given(&numbers, *number) {
            numbers.insert(chat.clone(), *number);
        }
        !is_back
    });
    give(state, &mut numbers);
    let looked_at = &mut state.domain.live.looked_at;
    (looked_at.numbers, looked_at.former_numbers) = (numbers, former);
}

fn is_given(numbers: &BTreeMap<ChatId, u8>, number: u8) -> bool {
    numbers.values().any(|given| *given == number)
}

fn give(state: &State, numbers: &mut BTreeMap<ChatId, u8>) {
    let domain = &state.domain;
    let Some(view) = state.views.values().find(|view| view.sidebar.filter.is_none()) else {
        return;
    };
    let free: Vec<u8> = NUMBERS.filter(|number| !is_given(numbers, *number)).collect();
    for number in free {
        let mut listed = view.sidebar.chats();
        let Some(chat) = listed.find(|chat| !numbers.contains_key(*chat) && is_numbered(domain, chat)) else {
            return;
        };
        numbers.insert(chat.clone(), number);
    }
    for (chat, _) in domain.live.live_agents() {
        if !numbers.contains_key(chat)
            && is_numbered(domain, chat)
            && let Some(rests) = rests_longest(domain, numbers)
            && let Some(number) = numbers.remove(&rests)
        {
            numbers.insert(chat.clone(), number);
        }
    }
}

/// Whether a key may lead to it.
fn is_numbered(domain: &Domain, chat: &ChatId) -> bool {
    let set = domain.disk.chats.get(chat).map(|chat| &chat.record.set);
    set.is_some_and(|set| !set.archived && (!set.unnumbered || set.pinned))
}

fn rests_longest(domain: &Domain, numbers: &BTreeMap<ChatId, u8>) -> Option<ChatId> {
    let rest = numbers.keys().filter(|chat| !domain.status(chat).is_live());
    let updated = |chat: &&ChatId| domain.disk.chats.get(*chat).map(|chat| chat.updated);
    rest.min_by_key(updated).cloned()
}
