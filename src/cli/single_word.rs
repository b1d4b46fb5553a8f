//! A single word on the command line: a chat to open, or a slip of the hand.

use std::path::Path;

use clap::CommandFactory;
use serde_json::Value;

use super::args::ParlourArgs;
use super::output::text;
use super::requests::ask;
use crate::model::request::{ChatRequest, ChatsRequest};
use crate::model::text::visible;
use crate::model::{Problem, Request};

/// A slip of the hand in so many letters: one wrong, left out or too many, or two of them in the other order.
const LETTERS_A_SLIP: usize = 4;

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

/// The command that opens a chat, also one that is called like a verb.
pub(super) fn opening(handle: &str) -> String {
    let handle = visible(handle);
    match ParlourArgs::command().find_subcommand(&handle) {
        Some(_) => format!("parlour -- {handle}"),
        None => format!("parlour {handle}"),
    }
}

/// The verb or the chat whose name is most like this one, as it would be typed.
pub(super) fn near(name: &str, list: &Value) -> Option<(Meant, String)> {
    let command = ParlourArgs::command();
    let verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    let verbs = verbs.map(|verb| (Meant::Verb, verb.get_name().to_owned()));
    let chats = list["chats"].as_array().into_iter().flatten();
    let handles = chats
        .map(|chat| text(chat, "handle").to_owned())
        .filter(|handle| !handle.is_empty())
        .map(|handle| (Meant::Chat, handle));
    let most = (name.chars().count() / LETTERS_A_SLIP).max(1);
    let slips = |(meant, word): (Meant, String)| (strsim::damerau_levenshtein(name, &word), meant, word);
    let near = verbs.chain(handles).map(slips).filter(|(slips, ..)| *slips <= most);
    let best = near.min_by_key(|(slips, ..)| *slips);
    best.map(|(_, meant, word)| {
        let command = match meant {
            Meant::Verb => format!("parlour {word}"),
            Meant::Chat => opening(&word),
        };
        (meant, command)
    })
}
