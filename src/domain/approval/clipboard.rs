//! A program in a terminal that sets the clipboard of a person (OSC 52): they are asked once a chat, and from then on it
//! is as they said. `clipboard` in `config.json` answers for all chats.

use serde_json::{Value, json};

use crate::domain::agent::alert;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::notice::Notice;
use crate::domain::state::Domain;
use crate::model::alert::AlertKind;
use crate::model::settings::ClipboardAccess;
use crate::model::text::one_line;
use crate::model::{ChatId, Happened};

use super::question::{Decision, Question};
use super::state::PendingCopy;

/// What the queue calls it where an agent's question has its tool.
const TOOL: &str = "clipboard";

/// So much of the text is shown to whoever decides.
const SHOWN: usize = 2_000;

/// An agent, or what runs in its place, wants it set.
pub fn by_agent(state: &mut Domain, chat: &ChatId, text: String) -> Vec<Effect> {
    let asked = state.live.approvals.clipboards.answers.get(chat).copied();
    match (state.disk.settings.clipboard, asked) {
        (ClipboardAccess::Deny, _) => refuse(state, chat, "config.json denies it"),
        (ClipboardAccess::Ask, Some(Decision::Deny)) => refuse(state, chat, "you refused it for this chat"),
        (ClipboardAccess::Allow, _) | (ClipboardAccess::Ask, Some(Decision::Allow)) => put(state, chat, text),
        (ClipboardAccess::Ask, None) => ask(state, chat, text),
    }
}

/// A person's own editor does.
pub fn by_person(state: &mut Domain, chat: &ChatId, text: String) -> Vec<Effect> {
    match state.disk.settings.clipboard {
        ClipboardAccess::Deny => refuse(state, chat, "config.json denies it"),
        ClipboardAccess::Ask | ClipboardAccess::Allow => put(state, chat, text),
    }
}

fn put(state: &mut Domain, chat: &ChatId, text: String) -> Vec<Effect> {
    state.notices.push(Notice::SetsClipboard(chat.clone(), text));
    Vec::new()
}

/// Said once: a program may try with each line that is selected in it.
fn refuse(state: &mut Domain, chat: &ChatId, why: &str) -> Vec<Effect> {
    if state.live.approvals.clipboards.told.insert(chat.clone()) {
        let text = format!("Clipboard not set: {why}.");
        state.notices.push(Notice::ChatTrouble(chat.clone(), text));
    }
    Vec::new()
}

/// The newest text takes the place of the one before, as a question of its own: an answer is for the text that was read.
fn ask(state: &mut Domain, chat: &ChatId, text: String) -> Vec<Effect> {
    let now = state.now;
    let clipboards = &mut state.live.approvals.clipboards;
    let known = clipboards.pending.iter_mut().find(|waiting| waiting.chat == *chat);
    if known.as_ref().is_some_and(|known| known.text == text) {
        return Vec::new();
    }
    clipboards.asked += 1;
    let (id, words, input) = (
        format!("{}{}", stem(chat), clipboards.asked),
        words(&text),
        input(&text),
    );
    if let Some(known) = known {
        known.text = text;
        (known.question.id, known.question.words, known.question.input) = (id, words, input);
        return Vec::new();
    }
    let question = Question::new(id, (TOOL, input), words, now);
    let chat = chat.clone();
    let waiting = PendingCopy { chat, text, question };
    let asked = told(&waiting, "asked");
    let (chat, wants) = (waiting.chat.clone(), waiting.wants());
    clipboards.pending.push(waiting);
    let mut effects = chat::append(state, &chat, vec![asked]);
    effects.extend(alert::call(state, &chat, AlertKind::NeedsYou, wants));
    effects
}

/// What the ids of a chat's questions begin with.
fn stem(chat: &ChatId) -> String {
    format!("clipboard-{chat}-")
}

/// As much of the text as is shown, and how much is not.
fn input(text: &str) -> Value {
    let shown: String = text.chars().take(SHOWN).collect();
    match text.chars().skip(SHOWN).count() {
        0 => json!({"text": shown}),
        1 => json!({"text": shown, "not shown": "1 more character"}),
        more => json!({"text": shown, "not shown": format!("{more} more characters")}),
    }
}

fn words(text: &str) -> String {
    one_line(&format!("copy to your clipboard: {text}"), 120)
}

fn told(waiting: &PendingCopy, answer: &str) -> Happened {
    Happened::Permission {
        // One for all texts that wait in turn: a program may want to copy another a hundred times a second.
        id: format!("clipboard-{}", waiting.chat),
        tool: TOOL.into(),
        input: waiting.question.input.clone(),
        rule: None,
        answer: answer.into(),
        by: if answer == "asked" { "terminal" } else { "person" }.into(),
        reason: None,
        given_once_written: false,
    }
}

impl PendingCopy {
    fn wants(&self) -> String {
        format!("wants to {}", self.question.words)
    }
}

/// What a program of this chat wants, where a person is asked.
pub fn wants(state: &Domain, chat: &ChatId) -> Option<String> {
    let mut pending = state.live.approvals.clipboards.pending.iter();
    pending.find(|waiting| waiting.chat == *chat).map(PendingCopy::wants)
}

pub fn waits<'s>(state: &'s Domain, chat: &ChatId) -> Option<&'s Question> {
    let mut pending = state.live.approvals.clipboards.pending.iter();
    pending
        .find(|waiting| waiting.chat == *chat)
        .map(|waiting| &waiting.question)
}

pub fn is_asked(state: &Domain, chat: &ChatId, id: &str) -> bool {
    waits(state, chat).is_some_and(|question| question.id == id)
}

/// Whether that is a question of this chat about some text, of now or before.
pub fn is_named(chat: &ChatId, id: &str) -> bool {
    id.starts_with(&stem(chat))
}

/// A person decided, for all that this chat wants to copy from now on.
pub fn decided(state: &mut Domain, chat: &ChatId, decision: Decision) -> Vec<Effect> {
    let clipboards = &mut state.live.approvals.clipboards;
    let Some(at) = clipboards.pending.iter().position(|waiting| waiting.chat == *chat) else {
        return Vec::new();
    };
    let waiting = clipboards.pending.remove(at);
    clipboards.answers.insert(chat.clone(), decision);
    let answer = match decision {
        Decision::Allow => "allowed",
        Decision::Deny => "denied",
    };
    let mut effects = chat::append(state, chat, vec![told(&waiting, answer)]);
    if decision == Decision::Allow {
        effects.extend(put(state, chat, waiting.text));
    }
    effects
}

/// The chat is gone.
pub fn forget(state: &mut Domain, chat: &ChatId) {
    let clipboards = &mut state.live.approvals.clipboards;
    clipboards.pending.retain(|waiting| waiting.chat != *chat);
    clipboards.answers.remove(chat);
    clipboards.told.remove(chat);
}
