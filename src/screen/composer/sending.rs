//! A prompt leaves the field for the queue of its chat's agent, by the way that `parlour send` goes.

use crate::domain::ask;
use crate::domain::effect::Effect;
use crate::domain::state::{Requester, ScreenRequest};
use crate::model::queue::PromptKind;
use crate::model::{ChatId, ClientId, Problem, RequestId, Timestamp};
use crate::screen::State;

use super::super::toast;
use super::super::view::Tone;
use super::data::{ComposerView, PromptHistory, SendingPrompt, joined};

/// What is in the field is sent, and leaves it.
pub(super) fn send(state: &mut State, client: ClientId, kind: PromptKind) -> Vec<Effect> {
    let text = state.views.get(&client).map(|view| view.composer.field.text());
    let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
        return Vec::new();
    };
    match send_text(state, client, text, kind) {
        Ok(effects) => {
            if let Some(view) = state.views.get_mut(&client) {
                let draft = match std::mem::take(&mut view.composer.history) {
                    PromptHistory::Shown { draft, .. } => draft,
                    PromptHistory::Left | PromptHistory::Sought | PromptHistory::Retried => String::new(),
                };
                view.composer.field.set(&draft);
            }
            effects
        }
        Err(problem) => {
            if let Some(view) = state.views.get_mut(&client) {
                view.composer.problem = Some(problem);
            }
            Vec::new()
        }
    }
}

/// A prompt that was sent before; what is in the field stays there.
pub(super) fn send_again(state: &mut State, client: ClientId, text: String) -> Vec<Effect> {
    send_text(state, client, text, PromptKind::Steer).unwrap_or_else(|problem| {
        toast::tell(state, client, problem.to_string(), Tone::Failed);
        Vec::new()
    })
}

fn send_text(state: &mut State, client: ClientId, text: String, kind: PromptKind) -> Result<Vec<Effect>, Problem> {
    let request = state.domain.ids.request();
    let Some(view) = state.views.get_mut(&client) else {
        return Ok(Vec::new());
    };
    let Some(chat) = view.composer.of.clone() else {
        return Ok(Vec::new());
    };
    let requester = Requester::Screen(ScreenRequest {
        client,
        number: Some(request),
    });
    let written = ask::WrittenPrompt {
        text: text.clone(),
        kind,
        env: view.client.env.clone(),
    };
    let effects = ask::send_written(&mut state.domain, &chat, written, requester)?;
    view.composer.problem = None;
    view.composer.sending.push(SendingPrompt { request, chat, text });
    // What is sent is read where it appears.
    view.transcript.follow();
    Ok(effects)
}

/// What was asked for is done: a prompt is stored, or a draft is.
pub fn told(state: &mut State, request: ScreenRequest) {
    let now = state.domain.now;
    let (Some(request), Some(view)) = (request.number, state.views.get_mut(&request.client)) else {
        return;
    };
    let composer = &mut view.composer;
    composer.drafts.saving.take_if(|saving| saving.request == request);
    composer.changing.retain(|changing| *changing != request);
    if let Some(sent) = composer.take_sent(request) {
        // The draft that is on disk may have it still.
        composer.write_down(&sent.chat, now);
    }
}

/// It could not be done: the text is back in the field. Says whether the composer had asked for it.
pub fn failed(state: &mut State, request: ScreenRequest, problem: &Problem) -> bool {
    let now = state.domain.now;
    let (Some(request), Some(view)) = (request.number, state.views.get_mut(&request.client)) else {
        return false;
    };
    let composer = &mut view.composer;
    if let Some(saving) = composer.drafts.saving.take_if(|saving| saving.request == request) {
        composer.problem = Some(problem.clone()).filter(|_| composer.of.as_ref() == Some(&saving.chat));
        return true;
    }
    if let Some(at) = composer.changing.iter().position(|changing| *changing == request) {
        composer.changing.remove(at);
        composer.problem = Some(problem.clone());
        return true;
    }
    let Some(lost) = composer.take_sent(request) else {
        return false;
    };
    let is_here = composer.of.as_ref() == Some(&lost.chat);
    if is_here {
        composer.history = PromptHistory::Left;
        let text = joined([lost.text, composer.field.text()]);
        composer.field.set(&text);
        composer.problem = Some(problem.clone());
    } else if let Some(left) = composer.drafts.left.get_mut(&lost.chat) {
        left.text = joined([lost.text, std::mem::take(&mut left.text)]);
    }
    composer.write_down(&lost.chat, now);
    is_here
}

impl ComposerView {
    fn take_sent(&mut self, request: RequestId) -> Option<SendingPrompt> {
        let at = self.sending.iter().position(|sending| sending.request == request)?;
        Some(self.sending.remove(at))
    }

    /// The draft of this chat is written down at once.
    fn write_down(&mut self, chat: &ChatId, now: Timestamp) {
        match self.of.as_ref() == Some(chat) {
            true => self.drafts.due = Some(now),
            false => {
                let left = self.drafts.left.get_mut(chat);
                left.into_iter().for_each(|left| left.is_due = true);
            }
        }
    }
}
