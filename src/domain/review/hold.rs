//! A CLI that asks a hook about a prompt does not begin before the answer: the answer waits until the clones are saved, so
//! that the checkpoint holds what was there before the agent worked.

use crate::domain::effect::Effect;
use crate::domain::review::state::HeldHook;
use crate::domain::state::Domain;

/// As long as an answer waits at most. CLIs wait 30 s for this hook, and `parlour hook` 4 s for the engine.
pub const MOST_MS: u64 = 2_000;

/// After every event: keeps back the answers of hooks whose turn has no checkpoint yet, and gives those that waited.
pub fn settle(state: &mut Domain, effects: &mut Vec<Effect>) {
    let now = state.now;
    let reviews = &mut state.live.reviews;
    if reviews.held.is_empty() {
        return;
    }
    let mut others = Vec::with_capacity(effects.len());
    for effect in effects.drain(..) {
        match effect {
            Effect::Rule(call, answer) => match reviews.held.iter_mut().find(|held| held.call == call) {
                Some(held) => held.answer = Some(answer),
                None => others.push(Effect::Rule(call, answer)),
            },
            other => others.push(other),
        }
    }
    let taking = &reviews.taking;
    let waits = |held: &HeldHook| taking.contains_key(&held.chat) && now.ms_since(held.since) < MOST_MS;
    for held in std::mem::take(&mut reviews.held) {
        match held.answer {
            Some(_) if waits(&held) => {
                others.push(Effect::WakeAt(held.since.plus_ms(MOST_MS)));
                reviews.held.push(held);
            }
            Some(answer) => others.push(Effect::Rule(held.call, answer)),
            // What the hook told is being written down.
            None if now.ms_since(held.since) < 2 * MOST_MS => reviews.held.push(held),
            None => {}
        }
    }
    *effects = others;
}
