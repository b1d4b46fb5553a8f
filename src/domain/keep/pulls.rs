//! Pull requests of the branches that chats are on: when a forge is asked, and what it told.
//!
//! It is asked after a push, when a branch changes, and about a chat that somebody looks at, once a minute at most. While
//! checks run of a chat that is looked at, that is a timer; else it follows other events, and nothing polls.

use std::collections::BTreeMap;

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::model::keep::{PullRequest, SeenPulls};
use crate::model::{ChatId, Kind};

use super::work::{KeepThen, KeepWork};

/// While somebody looks at a chat, it is asked about once in this time.
const LOOK_MS: u64 = 60_000;

/// The engine has begun: the branches are as they were, and whoever looks at a chat asks.
pub fn begin(state: &mut Domain) {
    let chats: Vec<ChatId> = state.disk.chats.keys().cloned().collect();
    for chat in chats {
        let branches = branches(state, &chat);
        state.live.branches.pulls.branches.insert(chat, branches);
    }
}

/// A chat was loaded: a clone may be on another branch. One that is on none for a while, as in a rebase, comes back.
pub fn learned(state: &mut Domain, chat: &ChatId) {
    let branches = branches(state, chat);
    if branches.is_empty() {
        return;
    }
    let pulls = &mut state.live.branches.pulls;
    let before = pulls.branches.entry(chat.clone()).or_default();
    for (project, branch) in branches {
        if before.insert(project, branch.clone()).as_ref() != Some(&branch) {
            pulls.due.insert(chat.clone());
        }
    }
}

/// A chat is deleted.
pub fn gone(state: &mut Domain, chat: &ChatId) {
    let pulls = &mut state.live.branches.pulls;
    pulls.known.remove(chat);
    pulls.branches.remove(chat);
    pulls.asked.remove(chat);
    pulls.due.remove(chat);
}

/// Its branches were pushed: a forge may know more of them now.
pub fn pushed(state: &mut Domain, chat: &ChatId) {
    state.live.branches.pulls.due.insert(chat.clone());
}

/// A person asked about these.
pub fn told(state: &mut Domain, chat: &ChatId, told: &[PullRequest]) {
    let now = state.now;
    let pulls = &mut state.live.branches.pulls;
    pulls.has_no_forge = false;
    pulls.asked.insert(chat.clone(), now);
    let known = pulls.known.entry(chat.clone()).or_default();
    known.extend(told.iter().map(|pull| (pull.project.clone(), pull.clone())));
}

/// Has a forge asked about what is due, chats that somebody looks at first.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    let mut effects = ask(state);
    effects.extend(look_again(state));
    effects
}

/// Wakes once the next question about running checks is due.
fn look_again(state: &mut Domain) -> Option<Effect> {
    let pulls = &state.live.branches.pulls;
    if pulls.is_asking || pulls.has_no_forge || state.disk.read_only.is_some() {
        return None;
    }
    let runs = |chat: &&ChatId| {
        let known = state
            .disk
            .chats
            .get(*chat)
            .into_iter()
            .flat_map(|known| &known.projects);
        let mut known = known.filter_map(|project| pulls.of(chat, project));
        known.any(|pull| pull.runs())
    };
    let shown = state.live.attention.shown.iter().filter(runs);
    let due = shown.filter_map(|chat| pulls.asked.get(chat)).min()?.plus_ms(LOOK_MS);
    let pulls = &mut state.live.branches.pulls;
    (pulls.wakes.replace(due) != Some(due)).then_some(Effect::WakeAt(due))
}

fn ask(state: &mut Domain) -> Vec<Effect> {
    let (pulls, now) = (&state.live.branches.pulls, state.now);
    if pulls.is_asking || state.disk.read_only.is_some() {
        return Vec::new();
    }
    let is_stale = |chat: &&ChatId| {
        let asked = pulls.asked.get(*chat);
        asked.is_none_or(|asked| asked.plus_ms(LOOK_MS) <= now) && !pulls.has_no_forge
    };
    let shown = &state.live.attention.shown;
    let looked_at = shown
        .iter()
        .find(|chat| pulls.due.contains(*chat) || is_stale(chat) && has_branch(state, chat));
    let Some(chat) = looked_at.or(pulls.due.first()).cloned() else {
        return Vec::new();
    };
    let is_there = has_branch(state, &chat);
    let pulls = &mut state.live.branches.pulls;
    pulls.due.remove(&chat);
    if !is_there {
        return Vec::new();
    }
    pulls.asked.insert(chat.clone(), now);
    pulls.is_asking = true;
    let then = KeepThen::SeenPulls(chat.clone());
    chat::work(state, Requester::Nobody, then, KeepWork::SeePulls(chat))
}

/// The forge was asked. What could not be learned stays as it was.
pub fn seen(state: &mut Domain, chat: &ChatId, seen: SeenPulls) {
    let pulls = &mut state.live.branches.pulls;
    pulls.is_asking = false;
    let told = match seen {
        SeenPulls::NoForge => {
            pulls.has_no_forge = true;
            pulls.known.clear();
            return;
        }
        SeenPulls::Of(told) => told,
    };
    pulls.has_no_forge = false;
    if !state.disk.chats.contains_key(chat) {
        return;
    }
    let known = pulls.known.entry(chat.clone()).or_default();
    for (project, pull) in told {
        match pull {
            Some(pull) => known.insert(project, pull),
            None => known.remove(&project),
        };
    }
}

pub fn not_seen(state: &mut Domain) {
    state.live.branches.pulls.is_asking = false;
}

fn has_branch(state: &Domain, chat: &ChatId) -> bool {
    !branches(state, chat).is_empty()
}

/// The branch of each clone that has a commit: of others no forge knows anything.
fn branches(state: &Domain, chat: &ChatId) -> BTreeMap<String, String> {
    let projects = state.disk.chats.get(chat).into_iter().flat_map(|known| &known.projects);
    let clones = projects.filter(|project| project.kind == Kind::Git && project.commit.is_some());
    clones
        .filter_map(|project| Some((project.name.clone(), project.branch.clone()?)))
        .collect()
}
