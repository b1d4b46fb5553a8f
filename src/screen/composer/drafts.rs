//! Drafts: what is written and not sent is kept for each chat, on the screen and on disk.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester, ScreenRequest};
use crate::domain::work::{ChatThen, ChatWork};
use crate::model::{ChatId, ClientId, Timestamp};
use crate::screen::State;

use super::super::keymap::PaneSheet;
use super::super::view::View;
use super::data::{ComposerView, LeftDraft, PromptHistory, SavingDraft};
use super::{chips, completion};

/// How long a person types on until what they wrote is written down.
pub(super) const SAVE_MS: u64 = 250;

/// After each event: the field is for the chat that is shown, and what it holds is written down in time.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    view.composer.is_entered &= view.chat.is_some() && view.sheet_with_keys() == Some(PaneSheet::Transcript);
    follow(view, &state.domain);
    show_kept(view, &state.domain);
    chips::settle(view, &state.domain);
    let mut effects = completion::settle(state, client);
    effects.extend(save(state, client));
    effects
}

/// Has what is due written down.
fn save(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let Some((chat, text)) = due(view, &state.domain) else {
        return Vec::new();
    };
    let request = state.domain.ids.request();
    view.composer.drafts.saving = Some(SavingDraft {
        request,
        chat: chat.clone(),
        text: text.clone(),
    });
    let requester = Requester::Screen(ScreenRequest::from(client).numbered(request));
    let job = draft(chat, text);
    chat::work(&mut state.domain, requester, ChatThen::Drafted, job)
}

/// When something is to be written down next.
pub fn wakes(view: &View, now: Timestamp) -> Option<Timestamp> {
    let drafts = &view.composer.drafts;
    let due = drafts.due.filter(|_| drafts.saving.is_none());
    // Countdowns are in minutes.
    let counts = view.composer.is_entered && view.composer.chips.iter().any(|chip| chip.is_timed);
    let minute = counts.then(|| now.plus_ms(60_000));
    due.into_iter().chain(minute).min()
}

/// A person leaves: nothing that they wrote waits any longer.
pub fn leave(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    leave_field(&mut view.composer);
    let composer = &mut view.composer;
    let left: Vec<(ChatId, String)> = std::mem::take(&mut composer.drafts.left)
        .into_iter()
        .map(|(chat, left)| (chat.clone(), composer.draft(&chat, left.text)))
        .collect();
    let domain = &mut state.domain;
    let news = left.into_iter().filter(|(chat, text)| differs(domain, chat, text));
    let jobs: Vec<ChatWork> = news.map(|(chat, text)| draft(chat, text)).collect();
    let save = |job| chat::work(domain, Requester::Nobody, ChatThen::Drafted, job);
    jobs.into_iter().flat_map(save).collect()
}

/// What a person wrote counts, whatever stands there.
fn draft(chat: ChatId, text: String) -> ChatWork {
    ChatWork::Draft {
        chat,
        text,
        instead_of: None,
    }
}

/// The field is for the chat that is shown.
fn follow(view: &mut View, domain: &Domain) {
    let composer = &mut view.composer;
    if composer.of == view.chat {
        return;
    }
    leave_field(composer);
    composer.of.clone_from(&view.chat);
    (composer.is_entered, composer.problem, composer.chosen) = (false, None, None);
    let text = view.chat.as_ref().map(|chat| kept(composer, domain, chat));
    composer.field.set(&text.unwrap_or_default());
}

/// Whoever does not write sees what is kept for the chat: going back to an earlier prompt may have put that there.
fn show_kept(view: &mut View, domain: &Domain) {
    let revision = domain.disk.chats.revision();
    if !view.composer.is_entered && view.composer.drafts.shown != revision {
        view.composer.drafts.shown = revision;
        refresh(view, domain);
    }
}

/// Somebody else may have written on in the same chat.
pub(super) fn refresh(view: &mut View, domain: &Domain) {
    follow(view, domain);
    let composer = &mut view.composer;
    let Some(chat) = composer.of.clone() else {
        return;
    };
    if composer.drafts.due.is_none() && !composer.sends_to(&chat) && composer.history == PromptHistory::Left {
        let text = kept(composer, domain, &chat);
        if composer.field.text() != text {
            match composer.put_back.take_if(|(of, prompt)| *of == chat && *prompt == text) {
                Some((_, prompt)) => composer.field.propose(&prompt),
                None => composer.field.set(&text),
            }
        }
    }
}

/// This text takes the place of what was written for a chat.
pub(super) fn put(composer: &mut ComposerView, chat: &ChatId, text: &str, now: Timestamp) {
    let text = text.trim_end_matches('\n');
    if composer.of.as_ref() == Some(chat) {
        composer.history = PromptHistory::Left;
        composer.field.set(text);
        composer.drafts.due = Some(now);
    } else {
        let left = LeftDraft {
            text: text.to_owned(),
            is_due: true,
        };
        composer.drafts.left.insert(chat.clone(), left);
    }
}

fn leave_field(composer: &mut ComposerView) {
    let written = composer.written();
    composer.history = PromptHistory::Left;
    (composer.completion, composer.taken_back, composer.emptied) = (None, None, None);
    if let (Some(chat), true) = (composer.of.take(), composer.drafts.due.take().is_some()) {
        let left = LeftDraft {
            text: written,
            is_due: true,
        };
        composer.drafts.left.insert(chat, left);
    }
}

/// What was written for a chat and not sent.
fn kept(composer: &mut ComposerView, domain: &Domain, chat: &ChatId) -> String {
    if let Some(left) = composer.drafts.left.remove(chat) {
        composer.drafts.due = Some(domain.now);
        return left.text;
    }
    let saving = composer.drafts.saving.as_ref().filter(|saving| saving.chat == *chat);
    let known = domain.disk.chats.get(chat).map(|known| &known.record.set.draft);
    saving.map(|saving| &saving.text).or(known).cloned().unwrap_or_default()
}

/// The draft that is to be written down now.
fn due(view: &mut View, domain: &Domain) -> Option<(ChatId, String)> {
    let composer = &mut view.composer;
    // In a home that is only read, nothing is kept.
    if composer.drafts.saving.is_some() || domain.disk.read_only.is_some() {
        return None;
    }
    if let Some(of) = composer.of.clone()
        && composer.drafts.due.take_if(|due| *due <= domain.now).is_some()
    {
        let text = composer.draft(&of, composer.written());
        if differs(domain, &of, &text) {
            return Some((of, text));
        }
    }
    let left = composer.drafts.left.iter().find(|(_, left)| left.is_due);
    let chat = left.map(|(chat, _)| chat.clone())?;
    // One of which something is being stored is written down once more when that is known.
    let sends = composer.sends_to(&chat);
    let left = composer.drafts.left.get_mut(&chat)?;
    left.is_due = false;
    let written = left.text.clone();
    if !sends {
        composer.drafts.left.remove(&chat);
    }
    let text = composer.draft(&chat, written);
    differs(domain, &chat, &text).then_some((chat, text))
}

/// The record says something else. A chat that is gone has none.
fn differs(domain: &Domain, chat: &ChatId, text: &str) -> bool {
    let known = domain.disk.chats.get(chat);
    known.is_some_and(|known| known.record.set.draft != text)
}
