//! Prompts of a chat that were sent before, gone through from the first and the last line of the field.

use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::model::compose::ComposerAsk;
use crate::model::queue::PromptKind;
use crate::screen::State;

use super::super::toast;
use super::super::view::Tone;
use super::data::{ComposerView, PromptHistory};
use super::{asking, sending};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HistoryStep {
    Older,
    Newer,
}

pub(super) fn step(state: &mut State, client: ClientId, step: HistoryStep) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let composer = &mut view.composer;
    match (&composer.history, step) {
        (PromptHistory::Left, HistoryStep::Older) => {
            composer.history = PromptHistory::Sought;
            return look_up(state, client);
        }
        (PromptHistory::Shown { .. }, step) => composer.go(step),
        (PromptHistory::Left, HistoryStep::Newer) | (PromptHistory::Sought | PromptHistory::Retried, _) => {}
    }
    Vec::new()
}

/// The last prompt is sent once more.
pub(super) fn retry(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.composer.history = PromptHistory::Retried;
    look_up(state, client)
}

fn look_up(state: &mut State, client: ClientId) -> Vec<Effect> {
    asking::ask(state, client, ComposerAsk::Prompts)
}

/// The prompts that were looked for, the newest first.
pub(super) fn arrived(state: &mut State, client: ClientId, prompts: Vec<String>) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let composer = &mut view.composer;
    match composer.history {
        PromptHistory::Sought => {}
        PromptHistory::Retried => {
            composer.history = PromptHistory::Left;
            return match prompts.into_iter().next() {
                Some(prompt) => sending::send_text(state, client, prompt, PromptKind::Steer),
                None => {
                    toast::tell(state, client, "Nothing was asked in this chat yet.", Tone::Told);
                    Vec::new()
                }
            };
        }
        PromptHistory::Left | PromptHistory::Shown { .. } => return Vec::new(),
    }
    composer.history = match prompts.first() {
        None => PromptHistory::Left,
        Some(newest) => {
            let draft = composer.field.text();
            composer.field.set(newest);
            composer.field.to_start();
            PromptHistory::Shown { prompts, at: 0, draft }
        }
    };
    Vec::new()
}

impl ComposerView {
    /// An earlier prompt is in the field.
    pub(super) fn is_in_history(&self) -> bool {
        matches!(self.history, PromptHistory::Shown { .. })
    }

    fn go(&mut self, step: HistoryStep) {
        let PromptHistory::Shown { prompts, at, draft } = &mut self.history else {
            return;
        };
        match step {
            HistoryStep::Older => {
                if let Some(older) = prompts.get(*at + 1) {
                    *at += 1;
                    self.field.set(older);
                }
                self.field.to_start();
            }
            HistoryStep::Newer => {
                let newer = at.checked_sub(1);
                self.field.set(newer.and_then(|at| prompts.get(at)).unwrap_or(draft));
                match newer {
                    Some(newer) => *at = newer,
                    None => self.history = PromptHistory::Left,
                }
            }
        }
    }
}
