//! A CLI that a person suspends by Ctrl+Z, as one does at a shell. Below an agent there is none that could bring it back,
//! so it is told to go on, and draws itself anew. One that waits for that without having been stopped hears it too: the
//! kernel stops no process for a key in a terminal that has no shell.

use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::state::Domain;
use crate::model::{ChatId, Timestamp};

use super::state::Agent;

/// Ctrl+Z, also as the kitty protocol and xterm's modifyOtherKeys report it.
const SUSPENDING: [&[u8]; 3] = [b"\x1a", b"\x1b[122;5u", b"\x1b[27;5;122~"];

/// By then it has suspended itself.
const GOES_ON_MS: u64 = 700;

/// A person presses this key. In a shell it is for what runs there.
pub(super) fn pressed(agent: &mut Agent, key: &[u8], now: Timestamp) -> Option<Effect> {
    if agent.is_shell() || !SUSPENDING.contains(&key) {
        return None;
    }
    agent.keys.suspended = Some(now);
    Some(Effect::WakeAt(now.plus_ms(GOES_ON_MS)))
}

/// Those that have suspended themselves go on.
pub fn clock(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let is_due = |at: &mut Timestamp| now.ms_since(*at) >= GOES_ON_MS;
    let go_on = |(chat, agent): (&ChatId, &mut Agent)| {
        agent.keys.suspended.take_if(is_due)?;
        Some(Effect::Pane(chat.clone().into(), PaneOrder::GoOn))
    };
    state.live.agents.awake_mut().filter_map(go_on).collect()
}
