//! A first word on the command line that is no verb: a chat to open, or a slip of the hand.

use std::ffi::OsString;
use std::path::Path;

use clap::CommandFactory;
use clap::error::{ContextKind, ErrorKind};
use serde_json::Value;

use super::args::ParlourArgs;
use super::output::text;
use super::requests::ask;
use super::trashed::IN_TRASH;
use crate::model::request::{ChatRequest, ChatsRequest};
use crate::model::text::{nearest, visible};
use crate::model::{Problem, Request, chat_name};

/// What a word is most like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meant {
    Verb,
    Chat,
}

/// Opens nothing where no chat is meant: a screen would take for keys what a script or a person types next.
pub fn chat(home: &Path, name: &str) -> anyhow::Result<()> {
    let request = Request::Chat(ChatRequest::Explain { chat: name.to_owned() });
    let Err(error) = ask(home, request) else {
        return Ok(());
    };
    let is_trashed = error
        .downcast_ref::<Problem>()
        .is_some_and(|problem| problem.cause == IN_TRASH);
    if is_trashed || chat_name::is_number(name) {
        return Err(error);
    }
    // Where even the list cannot be had, more than a name is wrong.
    let Ok(answer) = ask(home, Request::Chats(ChatsRequest::List)) else {
        return Err(error);
    };
    let Some((meant, command)) = near(name, &answer) else {
        return Err(error);
    };
    let doing = "reading the command line";
    let cause = format!("no verb and no chat is called {}", visible(name));
    let hint = format!("did you mean `{command}`?");
    Err(match meant {
        Meant::Verb => Problem::new(doing, cause, hint).into(),
        Meant::Chat => Problem::missing(doing, cause, hint).into(),
    })
}

/// What other programs call what parlour does by another verb, or by none.
const ELSEWHERE: [(&str, &str); 9] = [
    ("attach", "parlour CHAT"),
    ("open", "parlour CHAT"),
    ("switch", "parlour CHAT"),
    ("logs", "parlour log CHAT"),
    ("kill", "parlour stop CHAT"),
    ("delete", "parlour rm CHAT"),
    ("remove", "parlour rm CHAT"),
    ("start", "parlour resume CHAT"),
    ("create", "parlour new NAME"),
];

fn called_elsewhere(verb: &str) -> Option<String> {
    let (_, here) = ELSEWHERE.iter().find(|(name, _)| *name == verb)?;
    Some((*here).to_owned())
}

/// That the first word is no verb, where it has others behind it: a chat to open stands alone.
pub fn unknown_verb(words: &[OsString]) -> Option<clap::Error> {
    let mut command = ParlourArgs::command();
    let [_, first, second, ..] = words else {
        return None;
    };
    let is_option = |word: &&str| word.starts_with('-');
    let first = first.to_str().filter(|first| !is_option(first))?;
    // What is wrong with an option of a screen is better said by clap.
    if second.to_str().as_ref().is_some_and(is_option) || is_verb(&command, first) {
        return None;
    }
    let verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    let near = || nearest(first, verbs.map(clap::Command::get_name)).map(|verb| format!("parlour {verb}"));
    let hint = match called_elsewhere(first).or_else(near) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "`parlour --help` shows all verbs, and `parlour CHAT` opens a chat".into(),
    };
    let said = format!("parlour has no verb {}; {hint}", visible(first));
    Some(command.error(ErrorKind::InvalidSubcommand, said))
}

/// That `parlour work` wants a verb before the chat, unlike `diff`, `log` and all that have none of their own.
pub fn chat_of_work(words: &[OsString], wrong: &clap::Error) -> Option<clap::Error> {
    let [_, verb, chat] = words else {
        return None;
    };
    let is_meant = verb == "work" && wrong.kind() == ErrorKind::InvalidSubcommand;
    // One that is much like a verb is a slip.
    let is_slip = wrong.get(ContextKind::SuggestedSubcommand).is_some();
    let chat = visible(chat.to_str().filter(|_| is_meant && !is_slip)?);
    let said = format!("parlour work has no verb {chat}; `parlour work list {chat}` shows the plan of a chat");
    Some(ParlourArgs::command().error(ErrorKind::InvalidSubcommand, said))
}

/// clap adds its own `help` only as it reads.
fn is_verb(command: &clap::Command, word: &str) -> bool {
    word == "help" || command.find_subcommand(word).is_some()
}

/// The command that opens a chat, also one that is called like a verb.
pub(super) fn opening(handle: &str) -> String {
    let handle = visible(handle);
    match is_verb(&ParlourArgs::command(), &handle) {
        true => format!("parlour -- {handle}"),
        false => format!("parlour {handle}"),
    }
}

/// The verb or the chat whose name is most like this one, as it would be typed.
pub(super) fn near(name: &str, list: &Value) -> Option<(Meant, String)> {
    if let Some(here) = called_elsewhere(name) {
        return Some((Meant::Verb, here));
    }
    let command = ParlourArgs::command();
    let verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    let verbs = verbs.map(|verb| (Meant::Verb, verb.get_name().to_owned()));
    let chats = list["chats"].as_array().into_iter().flatten();
    let handles = chats
        .map(|chat| text(chat, "handle").to_owned())
        .filter(|handle| !handle.is_empty())
        .map(|handle| (Meant::Chat, handle));
    let known: Vec<(Meant, String)> = verbs.chain(handles).collect();
    let best = nearest(name, known.iter().map(|(_, word)| word.as_str()))?;
    let meant = known.iter().find(|(_, word)| word == best);
    meant.map(|(meant, word)| {
        let command = match meant {
            Meant::Verb => format!("parlour {word}"),
            Meant::Chat => opening(word),
        };
        (*meant, command)
    })
}
