//! `parlour queue`: the prompts that wait for a chat's agent, shown and changed.

use std::path::Path;

use anyhow::Context;
use serde_json::{Value, json};

use super::args::QueueArgs;
use super::output::{OutputForm, OutputLook, OutputTone, show};
use super::piped::from_stdin;
use super::requests::ask;
use super::table::{READABLE, SpareColumns, TableCell, cell, table_without};
use crate::model::chat_name::pasted;
use crate::model::queue::{PromptKind, QueueAsk, QueueChange, WaitingPrompt};
use crate::model::request::ChatRequest;
use crate::model::text::one_line;
use crate::model::{Problem, Request};

const DOING: &str = "changing a queued prompt";

/// Characters of a prompt in the list.
const LONGEST: usize = 200;

pub fn run(home: &Path, form: OutputForm, of: QueueArgs) -> anyhow::Result<()> {
    let chat = of.chat.clone();
    let queue = asked(home, &chat, QueueAsk::List)?;
    let Some((named, change)) = wanted(of)? else {
        return shown(form, &queue);
    };
    let known = waiting(&queue)?;
    let prompt = find(&chat, &named, &known)?;
    shown(form, &asked(home, &chat, QueueAsk::Change { prompt, change })?)
}

fn asked(home: &Path, chat: &str, of: QueueAsk) -> anyhow::Result<Value> {
    let chat = chat.to_string();
    ask(home, Request::Chat(ChatRequest::Queue { chat, ask: of }))
}

fn waiting(answer: &Value) -> anyhow::Result<Vec<WaitingPrompt>> {
    serde_json::from_value(answer["queue"].clone()).context("reading the engine's answer")
}

/// The prompt that is named, and what is to be done to it.
fn wanted(of: QueueArgs) -> anyhow::Result<Option<(String, QueueChange)>> {
    let pair = |words: Vec<String>| -> Option<(String, String)> {
        let [first, second] = <[String; 2]>::try_from(words).ok()?;
        Some((first, second))
    };
    if let Some((named, text)) = of.edit.and_then(pair) {
        return Ok(Some((named, QueueChange::Edit(from_stdin(text)?))));
    }
    if let Some((named, to)) = of.to.and_then(pair) {
        let place = to.parse().ok().filter(|place| *place > 0);
        let place = place.ok_or_else(|| Problem::new(DOING, format!("{to} is no place"), "the first place is 1"))?;
        return Ok(Some((named, QueueChange::Move(place))));
    }
    let turned = |kind| QueueChange::Turn(kind);
    let removed = of.remove.map(|named| (named, QueueChange::Remove));
    let steers = of.steer.map(|named| (named, turned(PromptKind::Steer)));
    let follows = of.follow_up.map(|named| (named, turned(PromptKind::FollowUp)));
    Ok(removed.or(steers).or(follows))
}

/// By its number in the list that was just asked for, or by its id.
fn find(chat: &str, named: &str, known: &[WaitingPrompt]) -> Result<String, Problem> {
    let number = named.parse::<usize>().ok();
    let is_it = |prompt: &&WaitingPrompt| prompt.id == named || Some(prompt.place) == number;
    let found = known.iter().find(is_it);
    found.map(|prompt| prompt.id.clone()).ok_or_else(|| {
        let hint = match known.len() {
            0 => "no prompt waits: it may have been sent".to_string(),
            many => format!("the queue has {many}: `parlour queue {}` shows them", pasted(chat)),
        };
        Problem::missing(DOING, format!("there is no queued prompt {named}"), hint)
    })
}

fn shown(form: OutputForm, answer: &Value) -> anyhow::Result<()> {
    let queue = waiting(answer)?;
    show(form, answer, |look| words(&queue, look))
}

fn words(queue: &[WaitingPrompt], look: &OutputLook) -> String {
    if queue.is_empty() {
        return "no prompt waits\n".into();
    }
    let heading = ["N", "KIND", "FROM", "WAITS", "PROMPT"];
    let mut rows = vec![heading.map(|word| cell(OutputTone::Quiet, word)).into()];
    rows.extend(queue.iter().map(row));
    table_without(
        look,
        &rows,
        SpareColumns {
            narrow: &[2],
            empty: &[],
            last: READABLE,
        },
    )
}

fn row(prompt: &WaitingPrompt) -> Vec<TableCell> {
    let from = json!(prompt.from);
    vec![
        cell(OutputTone::Heading, &prompt.place.to_string()),
        cell(OutputTone::Plain, prompt.kind.word()),
        cell(OutputTone::Quiet, from.as_str().unwrap_or_default()),
        cell(OutputTone::Quiet, &prompt.why),
        cell(OutputTone::Plain, &one_line(&prompt.text, LONGEST)),
    ]
}
