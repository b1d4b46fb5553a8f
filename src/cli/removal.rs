//! Deleting a chat, with a question first, and bringing it back.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use anyhow::bail;
use serde_json::json;

use super::args::Rm;
use super::asking::ask;
use super::changes::one_chat;
use super::output::{Form, show};
use super::refusal;
use crate::model::text::visible;
use crate::model::{Problem, Request};

/// The engine refuses what was not confirmed in words that begin so, and names what would be lost.
const UNCONFIRMED: &str = "nothing was deleted: ";

pub fn remove(home: &Path, form: Form, rm: Rm) -> anyhow::Result<()> {
    let chat = rm.chat;
    if !rm.yes && !confirmed(home, form, &chat)? {
        return show(form, &json!({"deleted": null}), |_| "nothing was deleted\n".into());
    }
    refusal::under_an_agent(&format!("deleting {chat}"))?;
    let request = Request::Rm {
        chat: chat.clone(),
        yes: true,
    };
    let answer = ask(home, request)?;
    show(form, &answer, |_| {
        let chat = visible(&chat);
        let notes = answer["notes"].as_array().into_iter().flatten();
        let notes = notes.filter_map(serde_json::Value::as_str);
        let notes: String = notes.map(|note| visible(note) + "\n").collect();
        format!("{notes}{chat} is in the trash for 7 days; `parlour undo-rm {chat}` brings it back\n")
    })
}

/// What a person says to what would be lost; without one to ask, the engine's refusal stands.
fn confirmed(home: &Path, form: Form, chat: &str) -> anyhow::Result<bool> {
    let request = Request::Rm {
        chat: chat.to_owned(),
        yes: false,
    };
    let refusal = match ask(home, request) {
        Ok(_) => bail!("deleting {chat}: the engine did not say what would be lost"),
        Err(refusal) => refusal,
    };
    let lost = refusal
        .downcast_ref::<Problem>()
        .and_then(|problem| problem.cause.strip_prefix(UNCONFIRMED));
    let asks = form == Form::Words && io::stdin().is_terminal() && io::stderr().is_terminal();
    match lost {
        Some(lost) if asks => Ok(answer_to(&format!("{chat}: {lost}"))?),
        Some(_) | None => Err(refusal),
    }
}

/// No is what anything but a clear yes means.
fn answer_to(what: &str) -> io::Result<bool> {
    let mut stderr = io::stderr();
    write!(stderr, "{}\nDelete it? [y/N] ", visible(what))?;
    stderr.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
}

pub fn bring_back(home: &Path, form: Form, chat: String) -> anyhow::Result<()> {
    let answer = ask(home, Request::UndoRm { chat })?;
    show(form, &answer, |_| one_chat(&answer))
}
