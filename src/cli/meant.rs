//! A single word on the command line: a chat to open, or a slip of the hand.

use std::path::Path;

use clap::CommandFactory;
use serde_json::Value;

use super::args::Line;
use super::asking::ask;
use super::output::text;
use crate::model::text::visible;
use crate::model::{Problem, Request};

/// Below this likeness two words have nothing to do with each other; clap's own measure.
const ALIKE: f64 = 0.7;

/// Opens nothing where no chat is meant: a screen would take for keys what a script or a person types next.
pub fn chat(home: &Path, name: &str) -> anyhow::Result<()> {
    let request = Request::Explain { chat: name.to_owned() };
    let Err(error) = ask(home, request) else {
        return Ok(());
    };
    // Where even the list cannot be had, more than a name is wrong.
    let Ok(answer) = ask(home, Request::List) else {
        return Err(error);
    };
    match near(name, &answer) {
        Some(command) => {
            let cause = format!("no verb and no chat is called {}", visible(name));
            let hint = format!("did you mean `{command}`?");
            Err(Problem::missing("reading the command line", cause, hint).into())
        }
        None => Err(error),
    }
}

/// The verb or the chat whose name is most like this one, as it would be typed.
pub(super) fn near(name: &str, list: &Value) -> Option<String> {
    let command = Line::command();
    let verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    let verbs = verbs.map(|verb| verb.get_name().to_owned());
    let chats = list["chats"].as_array().into_iter().flatten();
    let handles = chats
        .map(|chat| text(chat, "handle").to_owned())
        .filter(|handle| !handle.is_empty());
    let likeness = |word: String| (strsim::jaro(name, &word), word);
    let alike = verbs.chain(handles).map(likeness).filter(|(alike, _)| *alike > ALIKE);
    let best = alike.max_by(|(one, _), (other, _)| one.total_cmp(other));
    best.map(|(_, word)| format!("parlour {word}"))
}
