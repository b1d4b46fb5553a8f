//! Deleting a chat, with a question first, and bringing it back.

use std::io::{self, IsTerminal};
use std::path::Path;

use anyhow::bail;
use serde_json::{Value, json};

use super::args::{Rm, TrashVerb};
use super::changes::one_chat;
use super::output::{self, OutputForm, OutputLook, OutputTone, show, text};
use super::requests::ask;
use super::table::{cell, table};
use super::{agreement, person_only};
use crate::model::bytes::in_words;
use crate::model::request::TrashRequest;
use crate::model::text::visible;
use crate::model::{Problem, Request};

/// The engine refuses what was not confirmed in words that begin so, and names what would be lost.
const UNCONFIRMED: [&str; 2] = ["nothing was deleted: ", "nothing was removed: "];

/// What a removal would lose, as the engine says it.
struct NamedLoss {
    refusal: Problem,
    sentence: String,
}

impl NamedLoss {
    fn is_more_than(&self, shown: &NamedLoss) -> bool {
        self.refusal.lost.iter().any(|loss| !shown.refusal.lost.contains(loss))
    }
}

pub fn remove(home: &Path, form: OutputForm, rm: Rm) -> anyhow::Result<()> {
    let chat = rm.chat;
    let request = |yes| {
        Request::Trash(TrashRequest::Rm {
            chat: chat.clone(),
            yes,
        })
    };
    if rm.yes {
        person_only::under_an_agent(&format!("deleting {chat}"))?;
    }
    let Some(lost) = agreed(home, form, (&chat, rm.yes), &request)? else {
        return show(form, &json!({"deleted": null}), |_| "nothing was deleted\n".into());
    };
    person_only::under_an_agent(&format!("deleting {chat}"))?;
    let mut answer = ask(home, request(true))?;
    answer["lost"] = json!(lost);
    show(form, &answer, |_| {
        // The name it was deleted by may mean another chat by now.
        let chat = visible(text(&answer, "handle"));
        let notes = answer["notes"].as_array().into_iter().flatten();
        let notes = notes.filter_map(serde_json::Value::as_str);
        let notes: String = notes.map(|note| visible(note) + "\n").collect();
        let lost = only_there(&lost, "only in the trash now");
        format!("{notes}{lost}{chat} is in the trash for 7 days; `parlour undo-rm {chat}` brings it back\n")
    })
}

fn only_there(lost: &[String], place: &str) -> String {
    let lines = lost.iter().map(|loss| format!("{place}: {}\n", visible(loss)));
    lines.collect()
}

/// What a person agreed to lose, with `--yes` or asked; `None` where they said no. Without anybody to ask, the engine's
/// refusal stands.
fn agreed(
    home: &Path,
    form: OutputForm,
    (what, yes): (&str, bool),
    request: &dyn Fn(bool) -> Request,
) -> anyhow::Result<Option<Vec<String>>> {
    let mut shown = match named(home, request(false)) {
        Ok(shown) => shown,
        // What cannot be read can be deleted all the same.
        Err(error) if yes => return Ok(Some(vec![format!("unknown: {error:#}")])),
        Err(error) => return Err(error),
    };
    if yes {
        return Ok(Some(shown.refusal.lost.into_vec()));
    }
    if form != OutputForm::Words || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(shown.refusal.into());
    }
    loop {
        let question = visible(&format!("{what}: {}", shown.sentence));
        if !agreement::is_asked(&format!("{question}\nDelete it?"))? {
            return Ok(None);
        }
        // An agent may have worked on while this was read.
        let now = named(home, request(false))?;
        if !now.is_more_than(&shown) {
            return Ok(Some(now.refusal.lost.into_vec()));
        }
        output::tell("there is more to lose by now:");
        shown = now;
    }
}

fn named(home: &Path, request: Request) -> anyhow::Result<NamedLoss> {
    let refusal = match ask(home, request) {
        Ok(_) => bail!("the engine did not say what would be lost"),
        Err(refusal) => refusal.downcast::<Problem>()?,
    };
    let mut begins = UNCONFIRMED.iter();
    match begins.find_map(|begin| refusal.cause.strip_prefix(begin)) {
        Some(sentence) => Ok(NamedLoss {
            sentence: sentence.into(),
            refusal,
        }),
        None => Err(refusal.into()),
    }
}

pub fn bring_back(home: &Path, form: OutputForm, chat: String) -> anyhow::Result<()> {
    let answer = ask(home, Request::Trash(TrashRequest::UndoRm { chat }))?;
    show(form, &answer, |_| one_chat(&answer))
}

/// What was deleted, and its end.
pub fn trash(home: &Path, form: OutputForm, verb: TrashVerb) -> anyhow::Result<()> {
    match verb {
        TrashVerb::List => {
            let answer = ask(home, Request::Trash(TrashRequest::List))?;
            show(form, &answer, |look| listed(look, answer["trash"].as_array()))
        }
        TrashVerb::Purge { chat, yes } => purge(home, form, chat, yes),
    }
}

fn listed(look: &OutputLook, trash: Option<&Vec<Value>>) -> String {
    let trash = trash.map_or(&[][..], Vec::as_slice);
    if trash.is_empty() {
        return "the trash is empty\n".into();
    }
    let day = |when: &str| when.get(..16).unwrap_or(when).replace('T', " ");
    let heading = ["CHAT", "NAME", "SIZE", "DELETED", "KEPT UNTIL"];
    let mut rows = vec![heading.map(|word| cell(OutputTone::Quiet, word)).into()];
    rows.extend(trash.iter().map(|one| {
        let handle = match text(one, "handle") {
            "" => text(one, "id"),
            handle => handle,
        };
        vec![
            cell(OutputTone::Heading, handle),
            cell(OutputTone::Plain, text(one, "name")),
            cell(OutputTone::Plain, &in_words(one["bytes"].as_u64().unwrap_or_default())),
            cell(OutputTone::Quiet, &day(text(one, "deleted"))),
            cell(OutputTone::Quiet, &day(text(one, "until"))),
        ]
    }));
    table(look, &rows)
}

fn purge(home: &Path, form: OutputForm, chat: Option<String>, yes: bool) -> anyhow::Result<()> {
    let what = chat.clone().unwrap_or_else(|| "all that is in the trash".into());
    person_only::under_an_agent(&format!("removing {} for good", visible(&what)))?;
    let request = |yes| {
        Request::Trash(TrashRequest::Purge {
            chat: chat.clone(),
            yes,
        })
    };
    let Some(lost) = agreed(home, form, (&what, yes), &request)? else {
        return show(form, &json!({"purged": []}), |_| "nothing was removed\n".into());
    };
    let mut answer = ask(home, request(true))?;
    answer["lost"] = json!(lost);
    show(form, &answer, |_| {
        let lost = only_there(&lost, "gone with it");
        let count = answer["purged"].as_array().map_or(0, Vec::len);
        match count {
            1 => format!("{lost}1 chat removed for good\n"),
            many => format!("{lost}{many} chats removed for good\n"),
        }
    })
}
