//! The keys `1` to `9`: each leads to one chat, whatever place that has in the list.
//!
//! A chat gets its number when it is first listed and keeps it until it is deleted or archived. Where all nine are given,
//! a chat that runs takes the number of the one that has rested longest.

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

/// Takes numbers from chats that are gone, and gives those that are free.
pub fn settle(state: &mut State) {
    let mut numbers = std::mem::take(&mut state.domain.live.looked_at.numbers);
    numbers.retain(|chat, number| is_listed(&state.domain, chat) && NUMBERS.contains(number));
    give(state, &mut numbers);
    state.domain.live.looked_at.numbers = numbers;
}

fn give(state: &State, numbers: &mut BTreeMap<ChatId, u8>) {
    let domain = &state.domain;
    let Some(view) = state.views.values().find(|view| view.sidebar.filter.is_none()) else {
        return;
    };
    let free: Vec<u8> = NUMBERS
        .filter(|number| !numbers.values().any(|given| given == number))
        .collect();
    for number in free {
        let mut listed = view.sidebar.chats();
        let Some(chat) = listed.find(|chat| !numbers.contains_key(*chat) && is_listed(domain, chat)) else {
            return;
        };
        numbers.insert(chat.clone(), number);
    }
    for (chat, _) in domain.live.live_agents() {
        if !numbers.contains_key(chat)
            && is_listed(domain, chat)
            && let Some(rests) = rests_longest(domain, numbers)
            && let Some(number) = numbers.remove(&rests)
        {
            numbers.insert(chat.clone(), number);
        }
    }
}

fn is_listed(domain: &Domain, chat: &ChatId) -> bool {
    let known = domain.disk.chats.get(chat);
    known.is_some_and(|chat| !chat.record.set.archived)
}

fn rests_longest(domain: &Domain, numbers: &BTreeMap<ChatId, u8>) -> Option<ChatId> {
    let rest = numbers.keys().filter(|chat| !domain.status(chat).is_live());
    let updated = |chat: &&ChatId| domain.disk.chats.get(*chat).map(|chat| chat.updated);
    rest.min_by_key(updated).cloned()
}
