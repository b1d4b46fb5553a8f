//! What is below a chat in the sidebar, in one line: how many agents work, ask, or rest; and whether it is folded away.

use std::collections::BTreeSet;

use crate::app::effect::Effect;
use crate::app::state::State;
use crate::app::team::tree;
use crate::model::{ChatId, ClientId, Status};

use super::command;

/// The states of all chats below one, such as `2 run · 1 asks`. What needs a person is never left out for want of room,
/// since it comes right behind what runs.
pub fn words(state: &State, chat: &ChatId) -> String {
    let (mut run, mut ask, mut failed, mut idle, mut ended) = (0, 0, 0, 0, 0);
    for below in tree::below(state, chat) {
        match state.status(&below) {
            Status::Starting | Status::Running(_) | Status::Retrying(_) => run += 1,
            Status::NeedsYou(_) => ask += 1,
            Status::Error(_) => failed += 1,
            Status::Idle | Status::Hibernated | Status::Unknown(_) => idle += 1,
            Status::Exited(_) => ended += 1,
        }
    }
    let counts = [
        (run, "run"),
        (ask, "asks"),
        (failed, "failed"),
        (idle, "idle"),
        (ended, "ended"),
    ];
    let words = counts.into_iter().filter(|(count, _)| *count > 0);
    words
        .map(|(count, word)| format!("{count} {word}"))
        .collect::<Vec<_>>()
        .join(" · ")
}

/// Folds away what is below a chat, or shows it again. On a chat with nothing below, it is its parent that folds.
pub fn toggle(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let has_children = tree::children(state, &chat).next().is_some();
    let folding = match has_children {
        true => Some(chat),
        false => tree::parent(state, &chat, "folding").ok(),
    };
    let (Some(folding), Some(view)) = (folding, state.views.get_mut(&client)) else {
        return Vec::new();
    };
    let folded = &mut view.sidebar.folded;
    if !folded.remove(&folding) {
        folded.insert(folding.clone());
    }
    command::select(state, client, Some(folding))
}

/// What is shown is never folded away: a chat that is gone to opens what hides it.
pub fn uncover(state: &State, chat: &ChatId, folded: &mut BTreeSet<ChatId>) {
    let mut above = chat.clone();
    for _ in 0..state.disk.chats.len() {
        match tree::parent(state, &above, "unfolding") {
            Ok(parent) => above = parent,
            Err(_) => return,
        }
        folded.remove(&above);
    }
}
