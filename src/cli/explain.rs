//! `parlour explain`: the verdict on a chat, and a line a signal that it rests on.

use std::path::Path;

use serde_json::Value;

use super::list::mark;
use super::output::{OutputForm, OutputLook, OutputTone, show, text};
use super::requests::ask;
use super::table::{TableCell, cell, table};
use crate::model::request::ChatRequest;
use crate::model::text::visible;
use crate::model::{Request, Timestamp, called, called_in};

pub fn run(home: &Path, form: OutputForm, chat: String) -> anyhow::Result<()> {
    let answer = ask(home, Request::Chat(ChatRequest::Explain { chat }))?;
    show(form, &answer, |look| words(&answer, look))
}

pub(super) fn words(answer: &Value, look: &OutputLook) -> String {
    let status = text(answer, "status");
    let (dot, tone) = mark(status);
    let mut verdict = look.paint(tone, &visible(&format!("{dot} {status}")));
    let detail = text(answer, "detail");
    if !detail.is_empty() {
        verdict += &format!(", {}", visible(&called_in(detail)));
    }
    let facts: Vec<_> = facts(answer, look)
        .iter()
        .map(|(name, value)| vec![cell(OutputTone::Quiet, name), cell(OutputTone::Plain, value)])
        .collect();
    let mut rows = Vec::new();
    let signals = answer["signals"].as_array().into_iter().flatten();
    rows.extend(signals.map(|signal| row(signal, look)));
    if !rows.is_empty() {
        let heading = ["SOURCE", "SAYS", "AGE", "BECAUSE"];
        rows.insert(0, heading.map(|word| cell(OutputTone::Quiet, word)).into());
    }
    format!("{verdict}\n{}{}", table(look, &facts), table(look, &rows))
}

/// What else is known; what the engine does not tell is left out.
fn facts(answer: &Value, look: &OutputLook) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let mut tell = |name, value: String| {
        if !value.is_empty() {
            facts.push((name, value));
        }
    };
    tell("because", text(answer, "because").to_owned());
    tell("opening", text(answer, "opening").to_owned());
    tell("since", since(&answer["since"], look));
    tell("process", text(answer, "process").to_owned());
    tell("sandbox", sandbox(&answer["sandbox"]));
    tell("session", yes_or_no(&answer["session_began"], "began", "has not begun"));
    tell("MCP", yes_or_no(&answer["mcp_connected"], "connected", "not connected"));
    let tools = answer["open_tools"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .map(called);
    tell("tools", tools.collect::<Vec<_>>().join(", "));
    tell("prompts", prompts(&answer["prompts"]));
    let dirs = answer["dirs"].as_array().into_iter().flatten();
    facts.extend(dirs.map(|one| ("directory", directory(one))));
    let servers = answer["servers"].as_array().into_iter().flatten();
    facts.extend(servers.map(|one| ("server", server(one))));
    let rules = answer["rules_lost"].as_array().into_iter().flatten();
    facts.extend(rules.filter_map(Value::as_str).map(|rule| ("rule", rule.to_owned())));
    facts
}

fn sandbox(sandbox: &Value) -> String {
    match (sandbox["in_force"].as_bool(), text(sandbox, "asked")) {
        (Some(true), _) => "in force".into(),
        (Some(false), "strict") => format!("asked for, not in force: {}", text(sandbox, "why")),
        (Some(false), _) | (None, _) => String::new(),
    }
}

fn directory(one: &Value) -> String {
    let place = format!("{} {}", text(one, "path"), text(one, "mode"));
    let kept = one["kept_by"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    match kept.collect::<Vec<_>>().join(", ") {
        kept if kept.is_empty() => place,
        kept => format!("{place}, kept by {kept}"),
    }
}

fn server(one: &Value) -> String {
    let mut words = text(one, "name").to_owned();
    match one["on"].as_bool() {
        Some(true) => words += " on",
        Some(false) => words += " off",
        None => {}
    }
    for key in ["from", "place", "because"] {
        match text(one, key) {
            "" => {}
            more => words += &format!(", {more}"),
        }
    }
    words
}

fn since(moment: &Value, look: &OutputLook) -> String {
    let moment = moment.as_str().map(|text| Timestamp::try_from(text.to_owned()));
    match moment {
        Some(Ok(moment)) => moment.age(look.now),
        Some(Err(_)) | None => String::new(),
    }
}

fn yes_or_no(value: &Value, yes: &str, no: &str) -> String {
    match value.as_bool() {
        Some(true) => yes.into(),
        Some(false) => no.into(),
        None => String::new(),
    }
}

fn prompts(prompts: &Value) -> String {
    let waiting = prompts["waiting"].as_u64().unwrap_or_default();
    let typing = prompts["typing"].as_bool().unwrap_or_default();
    let mut words = match (waiting, typing) {
        (0, false) => return String::new(),
        (0, true) => "one being typed".to_owned(),
        (waiting, false) => format!("{waiting} waiting"),
        (waiting, true) => format!("one being typed, {waiting} waiting"),
    };
    let held_by = text(prompts, "held_by");
    if !held_by.is_empty() {
        words += &format!(", held by {held_by}");
    }
    words
}

fn row(signal: &Value, look: &OutputLook) -> Vec<TableCell> {
    let says = match text(signal, "says") {
        "" => "nothing yet",
        says => says,
    };
    vec![
        cell(OutputTone::Plain, text(signal, "source")),
        cell(OutputTone::Plain, says),
        cell(OutputTone::Quiet, &since(&signal["at"], look)),
        cell(OutputTone::Quiet, text(signal, "because")),
    ]
}
