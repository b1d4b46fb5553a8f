//! Which question a person means who answers one from the shell.

use serde_json::{Value, json};

use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::text::visible;
use crate::model::{ChatId, Problem, ProblemKind};

use super::clipboard;
use super::question::Question;
use super::queue::{Asked, queue};
use super::told::InFiles;

const DOING: &str = "answering an agent";

const LISTED: &str = "`parlour approvals` lists what waits";

/// The questions that wait for a person.
fn open(state: &Domain) -> Vec<(ChatId, &Question)> {
    queue(state)
        .into_iter()
        .filter_map(|waits| match waits.what {
            Asked::Call(question)
            | Asked::CallThere(question)
            | Asked::Clipboard(question)
            | Asked::Setup { question, .. } => Some((waits.chat, question)),
            Asked::There(_) | Asked::OpenCall { .. } | Asked::HeldPrompt(_) => None,
        })
        .collect()
}

/// The question that a person names by its id or the unique beginning of one.
pub fn named(state: &Domain, name: &str) -> Result<(ChatId, String), Problem> {
    found(state, name).map_err(|unclear| told(state, name, unclear))
}

fn found(state: &Domain, name: &str) -> Result<(ChatId, String), Problem> {
    let open = open(state);
    let exact = open.iter().position(|(_, question)| question.id == name);
    let begins = (0..open.len()).filter(|at| {
        let (chat, question) = &open[*at];
        // Another text than the one that was read may wait under the same beginning.
        name.len() >= 4 && question.id.starts_with(name) && !clipboard::is_named(chat, &question.id)
    });
    let found = match (exact, state.is_chat(name)) {
        (Some(at), _) => vec![at],
        // It would answer another chat than the one that is named.
        (None, true) => Vec::new(),
        (None, false) => begins.collect(),
    };
    match found.as_slice() {
        [at] => Ok((open[*at].0.clone(), open[*at].1.id.clone())),
        [] => {
            let cause = match state.find(name) {
                Ok(chat) => of_chat(state, &chat, &open),
                Err(_) => format!(
                    "no question named {} is open; it may have been answered in the agent's own dialog",
                    visible(name)
                ),
            };
            Err(Problem::missing(DOING, cause, LISTED))
        }
        many => {
            let cause = format!("{} questions begin with {name}", many.len());
            let hint = "give the whole id: `parlour approvals` lists them";
            Err(Problem::new(DOING, cause, hint))
        }
    }
}

/// What is open in the chat that somebody named where a question was wanted. A name alone answers nothing: another question
/// may be open by the time it arrives.
fn of_chat(state: &Domain, chat: &ChatId, open: &[(ChatId, &Question)]) -> String {
    let handle = chat::handle(state, chat);
    let ids: Vec<String> = open
        .iter()
        .filter(|(asks, _)| asks == chat)
        .map(|(_, question)| visible(&question.id))
        .collect();
    match ids.is_empty() {
        true => format!("{handle} is a chat, and none of its questions can be answered from here"),
        false => format!("{handle} is a chat; name its question: {}", ids.join(", ")),
    }
}

/// The question that a person means by its id, by its chat if that asks nothing else, or by no name if nothing else is
/// asked at all: in the form of `parlour approvals`, and by what it is meant. Whoever names no id has yet to see it: another
/// one may be open than the one that they have read.
pub(super) fn meant(state: &Domain, name: Option<&str>, files: &InFiles) -> Result<Value, Problem> {
    let ((chat, id), by) = match name {
        Some(name) => match found(state, name) {
            // An agent's CLI may call a question as a chat is called.
            Ok(named) => (named, if state.find(name).is_ok() { "chat" } else { "id" }),
            Err(unclear) => (of_chat_named(state, name, unclear)?, "chat"),
        },
        None => (only(state)?, "nothing"),
    };
    let handle = chat::handle(state, &chat);
    let all = super::told::all(state, None, files);
    let mut told = all["approvals"].as_array().into_iter().flatten();
    let question = told.find(|one| one["id"] == json!(id) && one["chat"] == json!(handle));
    Ok(json!({"question": question, "by": by}))
}

fn of_chat_named(state: &Domain, name: &str, unclear: Problem) -> Result<(ChatId, String), Problem> {
    let Some(chat) = state.find(name).ok().filter(|_| unclear.kind == ProblemKind::Missing) else {
        return Err(unclear);
    };
    let mut open = open(state).into_iter().filter(|(asks, _)| *asks == chat);
    match (open.next(), open.next()) {
        (Some((chat, question)), None) => Ok((chat, question.id.clone())),
        (None, _) | (Some(_), Some(_)) => Err(told(state, name, unclear)),
    }
}

/// Nothing is missing where a chat that asks something was named instead of its question.
fn told(state: &Domain, name: &str, unclear: Problem) -> Problem {
    let asks = |chat| open(state).iter().any(|(asks, _)| *asks == chat);
    match unclear.kind == ProblemKind::Missing && state.find(name).is_ok_and(asks) {
        true => unclear.of_kind(ProblemKind::User),
        false => unclear,
    }
}

/// What is asked, where that is one question alone.
fn only(state: &Domain) -> Result<(ChatId, String), Problem> {
    let open = open(state);
    match open.as_slice() {
        [(chat, question)] => Ok((chat.clone(), question.id.clone())),
        [] => {
            let cause = "no agent asks anything that can be answered from here";
            Err(Problem::missing(DOING, cause, LISTED))
        }
        many => {
            let one = |(chat, question): &(ChatId, &Question)| {
                format!("{} ({})", visible(&question.id), chat::handle(state, chat))
            };
            let all: Vec<String> = many.iter().map(one).collect();
            let cause = format!("{} questions are open: {}", all.len(), all.join(", "));
            Err(Problem::new(DOING, cause, "name one of them, or its chat"))
        }
    }
}
