//! Deleting a chat, with a question first, and bringing it back.

use std::io::{self, BufRead, IsTerminal, Write};
use std::path::Path;

use anyhow::bail;
use serde_json::{Value, json};

use super::args::{Rm, TrashVerb};
use super::asking::ask;
use super::changes::one_chat;
use super::output::{Form, Look, Tone, show, text};
use super::refusal;
use super::table::{cell, table};
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

/// What was deleted, and its end.
pub fn trash(home: &Path, form: Form, verb: TrashVerb) -> anyhow::Result<()> {
    match verb {
        TrashVerb::List => {
            let answer = ask(home, Request::Trash)?;
            show(form, &answer, |look| listed(look, answer["trash"].as_array()))
        }
        TrashVerb::Purge { chat, yes } => purge(home, form, chat, yes),
    }
}

fn listed(look: &Look, trash: Option<&Vec<Value>>) -> String {
    let trash = trash.map_or(&[][..], Vec::as_slice);
    if trash.is_empty() {
        return "the trash is empty\n".into();
    }
    let day = |when: &str| when.get(..16).unwrap_or(when).replace('T', " ");
    let heading = ["CHAT", "NAME", "DELETED", "KEPT UNTIL"];
    let mut rows = vec![heading.map(|word| cell(Tone::Quiet, word)).into()];
    rows.extend(trash.iter().map(|one| {
        let handle = match text(one, "handle") {
            "" => text(one, "id"),
            handle => handle,
        };
        vec![
            cell(Tone::Heading, handle),
            cell(Tone::Plain, text(one, "name")),
            cell(Tone::Quiet, &day(text(one, "deleted"))),
            cell(Tone::Quiet, &day(text(one, "until"))),
        ]
    }));
    table(look, &rows)
}

fn purge(home: &Path, form: Form, chat: Option<String>, yes: bool) -> anyhow::Result<()> {
    let what = chat.clone().unwrap_or_else(|| "all that is in the trash".into());
    let doing = format!("removing {} for good", visible(&what));
    refusal::under_an_agent(&doing)?;
    if !yes {
        let hint = "say `--yes` to remove it; `parlour trash list` shows what is there";
        return Err(Problem::new(doing, "nothing would bring it back", hint).into());
    }
    let answer = ask(home, Request::PurgeTrash { chat })?;
    show(form, &answer, |_| {
        let count = answer["purged"].as_array().map_or(0, Vec::len);
        match count {
            1 => "1 chat removed for good\n".into(),
            many => format!("{many} chats removed for good\n"),
        }
    })
}
