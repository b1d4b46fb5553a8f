//! One action ends every agent of a tree, those that run and those that are being made, and what else runs of its chats:
//! scripts and checks.

use std::collections::BTreeSet;

use crate::domain::agent::state::AtEnd;
use crate::domain::effect::Effect;
use crate::domain::schedule::run;
use crate::domain::state::{Asker, Domain};
use crate::domain::{agent, chat, reply, script};
use crate::model::ChatId;

use super::state::Stopping;
use super::{dispatch, tree};

/// How long an agent of a tree may take to end after TERM: the whole tree is to be still within two seconds.
const GRACE_MS: u64 = 1_200;

pub fn begin(state: &mut Domain, root: &ChatId, asker: Asker) -> Vec<Effect> {
    let mut chats = tree::below(state, root);
    chats.push(root.clone());
    let (made, mut effects) = dispatch::stop_below(state, &chats);
    let mut left = BTreeSet::from_iter(made);
    for chat in &chats {
        effects.push(Effect::CancelFor(chat.clone()));
        effects.extend(script::stop_all(state, chat));
        effects.extend(run::stop_check(state, chat));
        match agent::end_within(state, chat, AtEnd::Tell(Asker::Nobody), GRACE_MS) {
            Some(stop) => {
                left.insert(chat.clone());
                effects.extend(stop);
            }
            None => effects.extend(agent::stop_resting(state, chat)),
        }
    }
    let root = root.clone();
    state.live.stopping.push(Stopping { asker, root, left });
    effects.extend(settle(state));
    effects
}

/// So long an agent of a tree that is being stopped may take to end.
pub fn grace_ms(state: &Domain, chat: &ChatId) -> Option<u64> {
    let stopping = state.live.stopping.iter();
    stopping
        .into_iter()
        .any(|tree| tree.left.contains(chat))
        .then_some(GRACE_MS)
}

/// An agent has ended, or is not to be made.
pub fn ended(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    for tree in &mut state.live.stopping {
        tree.left.remove(chat);
    }
    settle(state)
}

fn settle(state: &mut Domain) -> Vec<Effect> {
    let (still, open): (Vec<Stopping>, Vec<Stopping>) = std::mem::take(&mut state.live.stopping)
        .into_iter()
        .partition(|tree| tree.left.is_empty());
    state.live.stopping = open;
    let tell = |tree: Stopping| {
        let answer = chat::json(state, &tree.root);
        reply::answer(state, tree.asker, Ok(answer))
    };
    still.into_iter().flat_map(tell).collect()
}
