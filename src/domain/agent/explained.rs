//! What is explained of a chat, in words: for the shell and for the screen. Its input may come from another engine, so
//! whatever is missing is left out.

use serde_json::Value;

use crate::domain::call::called;
use crate::model::Timestamp;

/// What one source said last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedSignal {
    pub source: String,
    pub says: String,
    pub age: String,
    pub because: String,
}

/// What is known beside the signals: names, and what is said of each.
pub fn facts(answer: &Value, now: Timestamp) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    let mut tell = |name, value: String| {
        if !value.is_empty() {
            facts.push((name, value));
        }
    };
    tell("because", text(answer, "because").to_owned());
    tell("opening", text(answer, "opening").to_owned());
    tell("since", since(&answer["since"], now));
    tell("process", text(answer, "process").to_owned());
    tell("sandbox", sandbox(&answer["sandbox"]));
    tell("session", yes_or_no(&answer["session_began"], "began", "has not begun"));
    tell("MCP", yes_or_no(&answer["mcp_connected"], "connected", "not connected"));
    let tools = all(answer, "open_tools").filter_map(Value::as_str).map(called);
    tell("tools", tools.collect::<Vec<_>>().join(", "));
    tell("prompts", prompts(&answer["prompts"]));
    facts.extend(all(answer, "dirs").map(|one| ("directory", directory(one))));
    facts.extend(all(answer, "servers").map(|one| ("server", server(one))));
    let rules = all(answer, "rules_lost").filter_map(Value::as_str);
    facts.extend(rules.map(|rule| ("rule", rule.to_owned())));
    facts
}

/// What the sources say, those among them that have said nothing yet.
pub fn signals(answer: &Value, now: Timestamp) -> Vec<ExplainedSignal> {
    let signal = |signal: &Value| {
        let says = match text(signal, "says") {
            "" => "nothing yet",
            says => says,
        };
        ExplainedSignal {
            source: text(signal, "source").into(),
            says: says.into(),
            age: since(&signal["at"], now),
            because: text(signal, "because").into(),
        }
    };
    all(answer, "signals").map(signal).collect()
}

fn all<'v>(answer: &'v Value, key: &str) -> impl Iterator<Item = &'v Value> {
    answer[key].as_array().into_iter().flatten()
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

fn sandbox(sandbox: &Value) -> String {
    match (sandbox["in_force"].as_bool(), text(sandbox, "asked")) {
        (Some(true), _) => "in force".into(),
        (Some(false), "strict") => format!("asked for, not in force: {}", text(sandbox, "why")),
        (Some(false), _) | (None, _) => String::new(),
    }
}

fn directory(one: &Value) -> String {
    let mode = match text(one, "mode") {
        "rw" => "read and write",
        "ro" => "read only",
        other => other,
    };
    let place = format!("{}, {mode}", text(one, "path"));
    let kept = all(one, "kept_by").filter_map(Value::as_str);
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

fn since(moment: &Value, now: Timestamp) -> String {
    let moment = moment.as_str().map(|text| Timestamp::try_from(text.to_owned()));
    match moment {
        Some(Ok(moment)) => moment.age(now),
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
