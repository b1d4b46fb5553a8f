//! What moves on the screen while something runs: one sign after another, and one timer for all of it.

use crate::model::{Chat, ChatId, Status, Timestamp};

use super::layout;
use super::state::State;
use super::view::View;

/// How long one sign stands. A terminal far away need not carry more of them.
const SIGN_MS: i64 = 250;
const SIGNS: [&str; 8] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧"];

/// The sign of now for what runs; `None` where nothing moves.
pub fn sign(state: &State, view: &View) -> Option<&'static str> {
    let count = i64::try_from(SIGNS.len()).unwrap_or(1);
    let at = state.domain.now.0.div_euclid(SIGN_MS).rem_euclid(count);
    let sign = usize::try_from(at).ok().and_then(|at| SIGNS.get(at));
    sign.copied().filter(|_| moves(state, view))
}

/// When the next sign is due.
pub fn wakes(state: &State, view: &View) -> Option<Timestamp> {
    let next = state.domain.now.0.div_euclid(SIGN_MS).saturating_add(1);
    moves(state, view).then(|| Timestamp(next.saturating_mul(SIGN_MS)))
}

/// Something runs in sight of a person who lets things move.
fn moves(state: &State, view: &View) -> bool {
    let runs = |status: &Status| matches!(status, Status::Starting | Status::Running(_));
    let shown = view.chat.as_ref().filter(|_| view.over.automations.is_none());
    let is_still = view.client.no_color || view.over.reader.is_some();
    // A program in a shell, an editor say, may run all day.
    let is_agents = |chat: &ChatId| !state.domain.disk.chats.get(chat).is_some_and(Chat::is_shell);
    let shown = shown.filter(|chat| is_agents(chat));
    let may_move = !is_still && !state.domain.disk.settings.reduced_motion;
    may_move && layout::arrange(view).header.height > 0 && shown.is_some_and(|chat| runs(&state.domain.status(chat)))
}
