//! A message of another chat as the prompt that its receiver's agent gets, or is to get once it runs.

use crate::domain::agent::state::outbox::QueuedPrompt;
use crate::domain::state::Domain;
use crate::model::chat::Pending;
use crate::model::entry::From;
use crate::model::inbox::InboxMessage;
use crate::model::text::visible;
use crate::model::{CallId, Chat, ChatId};

/// A message that stays in the inbox is among the prompts that wait for its agent, until that runs.
pub(super) fn waits(state: &mut Domain, to: &ChatId, message: &InboxMessage) {
    if state.live.is_live(to) || state.disk.chats.get(to).is_none_or(Chat::is_shell) {
        return;
    }
    let prompt = queued_prompt(state, to, message, None).prompt;
    let waiting = state.live.inboxes.waiting.entry(to.clone()).or_default();
    if waiting.iter().all(|known| known.id() != prompt.id()) {
        waiting.push(prompt);
    }
}

pub(super) fn queued_prompt(state: &Domain, to: &ChatId, message: &InboxMessage, call: Option<CallId>) -> QueuedPrompt {
    let known = state.disk.chats.get(to);
    let parent = known.and_then(|known| known.record.parent.as_ref());
    let from = match (&message.sender, message.unverified) {
        (Some(sender), _) if Some(sender) == parent => From::Parent,
        (None, false) => From::Person,
        (Some(_), _) | (None, true) => From::Inbox,
    };
    let prompt = Pending {
        sender: message.sender.clone(),
        follow_up: true,
        message: Some(message.id.clone()),
        key: message.id.clone(),
        ..Pending::new(framed(state, to, message), from, message.ts)
    };
    QueuedPrompt::new(prompt, call)
}

/// The words in which an agent gets a message: who speaks comes first, and nothing in the text can look like another
/// message, since its further lines are marked.
fn framed(state: &Domain, to: &ChatId, message: &InboxMessage) -> String {
    if message.bare {
        return message.message.clone();
    }
    let is_above = |above: &ChatId, below: &ChatId| {
        let known = state.disk.chats.get(below);
        known.is_some_and(|known| known.record.parent.as_ref() == Some(above))
    };
    let head = match &message.sender {
        _ if message.unverified => format!(
            "Unverified message, written into inbox.json by hand and signed '{}'",
            visible(&message.from).replace('\'', "\"")
        ),
        Some(_) if message.notice => format!("parlour tells of {}", message.from),
        Some(sender) if is_above(sender, to) => format!("Message from {} (your parent)", message.from),
        Some(sender) if is_above(to, sender) => format!("Message from {} (your child)", message.from),
        Some(_) => format!("Message from {}", message.from),
        None => "Message from your user".into(),
    };
    let breaks = ['\r', '\u{b}', '\u{c}', '\u{85}', '\u{2028}', '\u{2029}'];
    let text = message.message.replace("\r\n", "\n").replace(breaks, "\n");
    let mut lines: Vec<&str> = text.trim_matches('\n').lines().collect();
    match lines.as_mut_slice() {
        [line] => format!("{head}: {line}"),
        many => format!("{head}:\n> {}", many.join("\n> ")),
    }
}
