//! One action ends every agent of a tree, those that run and those that are being made, and what else runs of its chats:
//! scripts and checks.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::domain::agent::state::AtEnd;
use crate::domain::effect::Effect;
use crate::domain::notice::Upward;
use crate::domain::state::{Domain, Requester};
use crate::domain::{agent, chat, reply, script};
use crate::model::ChatId;

use super::state::{GRACE_MS, Stopping};
use super::{dispatch, tree};

pub fn begin(state: &mut Domain, root: &ChatId, requester: Requester) -> Vec<Effect> {
    let mut chats = tree::below(state, root);
    chats.push(root.clone());
    let (made, mut effects) = dispatch::stop_below(state, &chats);
    let mut left = BTreeSet::from_iter(made);
    for chat in &chats {
        effects.push(Effect::CancelFor(chat.clone()));
        effects.extend(script::stop_all(state, chat));
        state.upward.push(Upward::Stopped(chat.clone()));
        match agent::end_within(state, chat, AtEnd::Tell(Requester::Nobody), GRACE_MS) {
            Some(stop) => {
                left.insert(chat.clone());
                effects.extend(stop);
            }
            None => effects.extend(agent::stop_resting(state, chat)),
        }
    }
    let root = root.clone();
    let above = |chat: &&ChatId| left.contains(*chat);
    let (own, below) = (
        Some(&root).filter(above),
        chats.iter().filter(|chat| **chat != root).filter(above),
    );
    let stopped = own.into_iter().chain(below).cloned().collect();
    state.live.teams.stopping.push(Stopping {
        requester,
        root,
        left,
        stopped,
    });
    effects.extend(settle(state));
    effects
}

/// An agent has ended, or is not to be made.
pub fn ended(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    for tree in &mut state.live.teams.stopping {
        tree.left.remove(chat);
    }
    settle(state)
}

fn settle(state: &mut Domain) -> Vec<Effect> {
    let (still, open): (Vec<Stopping>, Vec<Stopping>) = std::mem::take(&mut state.live.teams.stopping)
        .into_iter()
        .partition(|tree| tree.left.is_empty());
    state.live.teams.stopping = open;
    let tell = |tree: Stopping| {
        // What was being made is gone.
        let stopped = tree.stopped.iter().filter(|chat| state.disk.chats.contains_key(*chat));
        let stopped: Vec<Value> = stopped.map(|chat| chat::json(state, chat)).collect();
        let mut answer = chat::json(state, &tree.root);
        answer["stopped"] = stopped.into();
        reply::answer(state, tree.requester, Ok(answer))
    };
    still.into_iter().flat_map(tell).collect()
}
