//! Toasts: tell something in a corner, and go away by themselves.

use crate::model::ClientId;
use crate::screen::State;

use super::view::{Toast, Tone, View};

/// Long enough to read a line and a half; what failed stays longer, because it has to be understood.
const TOLD_MS: u64 = 5_000;
const FAILED_MS: u64 = 12_000;

/// Long enough to take in what somebody sees who looks for it, in milliseconds: at least, and a character.
const READ_MS: u64 = 2_000;
const LETTER_MS: u64 = 30;

const MINUTE_MS: u64 = 60_000;

/// More would cover the work; the oldest make room.
const AT_ONCE: usize = 3;

/// Tells it at every screen. What went wrong while there is none is told at the next one.
pub fn tell_all(state: &mut State, text: &str, tone: Tone) {
    let clients: Vec<_> = state.views.keys().copied().collect();
    if clients.is_empty() && tone == Tone::Failed {
        state.missed.retain(|(_, missed)| missed != text);
        state.missed.push((state.domain.now, text.into()));
        let surplus = state.missed.len().saturating_sub(AT_ONCE);
        state.missed.drain(..surplus);
    }
    for client in clients {
        tell(state, client, text, tone);
    }
}

/// At the first screen after a time without any.
pub fn tell_missed(state: &mut State, client: ClientId) {
    let now = state.domain.now;
    for (at, text) in std::mem::take(&mut state.missed) {
        let text = match now.ms_since(at) {
            ..MINUTE_MS => text,
            _ => format!("{} ago: {text}", at.age(now)),
        };
        tell(state, client, text, Tone::Failed);
    }
}

/// A person goes on with a key: what they had time to read is in their way.
pub fn go_on(state: &mut State, client: ClientId) {
    let now = state.domain.now;
    if let Some(view) = state.views.get_mut(&client) {
        view.over.toasts.retain(|toast| {
            let letters = toast.text.chars().count() as u64;
            now < toast.since.plus_ms((letters * LETTER_MS).max(READ_MS))
        });
    }
}

/// What it says is not so any more.
pub fn take_away(view: &mut View, text: &str) {
    view.over.toasts.retain(|toast| toast.text != text);
}

pub fn tell(state: &mut State, client: ClientId, text: impl Into<String>, tone: Tone) {
    let now = state.domain.now;
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let stays = match tone {
        Tone::Told => TOLD_MS,
        Tone::Failed => FAILED_MS,
    };
    let toast = Toast {
        text: text.into(),
        tone,
        since: now,
        until: now.plus_ms(stays),
    };
    view.over.toasts.retain(|old| old.text != toast.text);
    view.over.toasts.push(toast);
    let surplus = view.over.toasts.len().saturating_sub(AT_ONCE);
    view.over.toasts.drain(..surplus);
}
