//! Whether what is below a chat in the sidebar is folded away.

use std::collections::BTreeSet;

use crate::domain::effect::Effect;
use crate::model::{Chat, ChatId, ClientId, ScheduleId};
use crate::screen::State;

use super::{forest, going};

/// Folds away what is below a chat, or shows it again. On a chat with nothing below, the runs that it stands among fold, else
/// its parent.
pub fn toggle(state: &mut State, client: ClientId, chat: ChatId) -> Vec<Effect> {
    let chats = &state.domain.disk.chats;
    let has_children = forest::has_below(chats, &chat);
    if !has_children && let Some((schedule, runs)) = forest::runs_with(chats, &chat) {
        return toggle_runs(state, client, &schedule, runs.into_iter().next());
    }
    let folding = match has_children {
        true => Some(chat),
        false => forest::above(chats, &chat).cloned(),
    };
    let (Some(folding), Some(view)) = (folding, state.views.get_mut(&client)) else {
        return Vec::new();
    };
    let folded = &mut view.sidebar.folded;
    if !folded.remove(&folding) {
        folded.insert(folding.clone());
    }
    going::select(state, client, Some(folding))
}

/// Shows the newest run of a schedule alone, or all of them again.
fn toggle_runs(state: &mut State, client: ClientId, schedule: &ScheduleId, newest: Option<ChatId>) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let shut = &mut view.sidebar.shut;
    if shut.remove(schedule) {
        return Vec::new();
    }
    shut.insert(schedule.clone());
    going::select(state, client, newest)
}

/// As [`toggle`], by the heading of a schedule.
pub fn toggle_schedule(state: &mut State, client: ClientId, schedule: &ScheduleId) -> Vec<Effect> {
    let is_run = |chat: &&Chat| chat.record.schedule.as_deref() == Some(schedule.as_str());
    let newest = state
        .domain
        .disk
        .chats
        .values()
        .filter(is_run)
        .max_by_key(|chat| chat.record.created);
    let newest = newest.map(|chat| chat.id().clone());
    toggle_runs(state, client, schedule, newest)
}

/// Whether a chat can be folded, or something that it stands in.
pub fn is_foldable(state: &State, chat: &ChatId) -> bool {
    let chats = &state.domain.disk.chats;
    forest::has_below(chats, chat) || forest::above(chats, chat).is_some() || forest::runs_with(chats, chat).is_some()
}

/// What is shown is never folded away: a chat that is gone to opens what hides it.
pub fn uncover(state: &State, chat: &ChatId, folded: &mut BTreeSet<ChatId>, shut: &mut BTreeSet<ScheduleId>) {
    let mut above = chat.clone();
    let chats = &state.domain.disk.chats;
    for _ in 0..chats.len() {
        if let Some((schedule, runs)) = forest::runs_with(chats, &above).filter(|_| !shut.is_empty())
            && runs.first() != Some(&above)
        {
            shut.remove(&schedule);
        }
        match forest::above(chats, &above) {
            Some(parent) => above = parent.clone(),
            None => return,
        }
        folded.remove(&above);
    }
}
