//! `parlour servers`: the MCP servers of a chat, listed and switched.

use std::io::{self, IsTerminal, Write};
use std::path::Path;

use serde_json::Value;

use super::args::{ServerSwitch, ServersArgs};
use super::environment::environment;
use super::output::{OutputForm, OutputLook, OutputTone, show, text};
use super::requests::ask;
use super::table::{cell, table};
use super::{agreement, person_only};
use crate::model::request::ServerRequest;
use crate::model::request::Switch;
use crate::model::text::visible;
use crate::model::{Problem, Request, server};

pub fn run(home: &Path, form: OutputForm, servers: ServersArgs) -> anyhow::Result<()> {
    match (servers.way, servers.name) {
        (Some(way), Some(name)) => switch(home, form, servers.chat, name, way, servers.yes.as_deref()),
        (Some(_) | None, _) => list(home, form, servers.chat, servers.tools),
    }
}

fn list(home: &Path, form: OutputForm, chat: String, tools: bool) -> anyhow::Result<()> {
    if tools {
        person_only::under_an_agent("starting MCP servers")?;
    }
    let env = environment();
    let answer = ask(home, Request::Server(ServerRequest::List { chat, tools, env }))?;
    show(form, &answer, |look| words(&answer, look))
}

fn switch(
    home: &Path,
    form: OutputForm,
    chat: String,
    name: String,
    way: ServerSwitch,
    yes: Option<&str>,
) -> anyhow::Result<()> {
    person_only::under_an_agent("switching an MCP server")?;
    let switch = match way {
        ServerSwitch::Off => Switch::Off,
        ServerSwitch::On => match offered(home, &chat, &name)? {
            Some(offer) if agreement::is_given(yes, &word(&offer)) || agreed(form, &name, &offer)? => {
                Switch::Agreed(text(&offer, "definition").to_owned())
            }
            Some(offer) => return Err(unconfirmed(&name, &offer, yes).into()),
            None => Switch::On,
        },
    };
    let refuses = way == ServerSwitch::Off && server::is_own_tool(&name);
    let request = Request::Server(ServerRequest::Switch { chat, name, switch });
    let answer = ask(home, request)?;
    show(form, &answer, |look| {
        let chat = visible(text(&answer, "chat"));
        let when = match answer["running"].as_bool() {
            Some(true) if refuses => "each call of it is refused from now on\n".into(),
            Some(true) => format!("its agent has it from its next start on: `parlour restart {chat}`\n"),
            Some(false) | None => String::new(),
        };
        words(&answer, look) + &when
    })
}

/// What would have to be agreed to: only one server of that name is a clone's, and it is off.
fn offered(home: &Path, chat: &str, name: &str) -> anyhow::Result<Option<Value>> {
    let request = Request::Server(ServerRequest::List {
        chat: chat.to_owned(),
        tools: false,
        env: Default::default(),
    });
    let answer = ask(home, request)?;
    let called = |one: &&Value| {
        let (short, from) = (text(one, "name"), text(one, "from"));
        short == name || format!("{from}:{short}") == name
    };
    let all = answer["servers"].as_array().into_iter().flatten();
    let mut called: Vec<&Value> = all.filter(called).filter(|one| one["on"] == false).collect();
    // Which of several is meant the engine asks.
    Ok(match called.pop().filter(|_| called.is_empty()) {
        Some(one) if one.get("definition").is_some() => Some(one.clone()),
        Some(_) | None => None,
    })
}

fn agreed(form: OutputForm, name: &str, offer: &Value) -> io::Result<bool> {
    if form == OutputForm::Json || !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Ok(false);
    }
    let mut stderr = io::stderr();
    let (name, from) = (visible(name), visible(text(offer, "from")));
    writeln!(
        stderr,
        "{from} wants the server {name}, with each start of this chat's agent:"
    )?;
    for line in runs(offer) {
        writeln!(stderr, "  {line}")?;
    }
    agreement::is_asked("It could do what you can. Let it?")
}

/// Everything that would run is said in the refusal, and nothing was switched.
fn unconfirmed(name: &str, offer: &Value, yes: Option<&str>) -> Problem {
    let runs = runs(offer).join(", ");
    let cause = format!(
        "nothing was switched: {} brings it along, and it {runs}",
        text(offer, "from")
    );
    let hint = agreement::hint(yes, &word(offer));
    Problem::new(format!("switching {name} on"), cause, hint)
}

fn word(offer: &Value) -> String {
    agreement::word(text(offer, "from"), text(offer, "definition"))
}

fn runs(offer: &Value) -> Vec<String> {
    let lines = offer["runs"].as_array().into_iter().flatten();
    lines.filter_map(Value::as_str).map(visible).collect()
}

pub(super) fn words(answer: &Value, look: &OutputLook) -> String {
    let heading = ["", "SERVER", "FROM", "PLACE", "TOOLS"];
    let mut rows = vec![heading.map(|word| cell(OutputTone::Quiet, word)).into()];
    for one in answer["servers"].as_array().into_iter().flatten() {
        let (word, tone) = match one["on"].as_bool() {
            Some(true) => ("on", OutputTone::Good),
            Some(false) | None => ("off", OutputTone::Quiet),
        };
        let remark = [text(one, "because"), &tools(one)].map(str::to_owned);
        let remark: Vec<String> = remark.into_iter().filter(|text| !text.is_empty()).collect();
        rows.push(vec![
            cell(tone, word),
            cell(OutputTone::Heading, text(one, "name")),
            cell(OutputTone::Quiet, text(one, "from")),
            cell(OutputTone::Plain, text(one, "place")),
            cell(OutputTone::Plain, &remark.join("; ")),
        ]);
    }
    table(look, &rows)
}

fn tools(one: &Value) -> String {
    let names = one["tools"].as_array();
    let names = names.map(|names| names.iter().filter_map(Value::as_str).collect::<Vec<_>>());
    match (names, text(one, "tools_problem")) {
        (Some(_), _) if one["source"] == "tool" => String::new(),
        (Some(names), _) if names.is_empty() => "no tools".into(),
        (Some(names), _) => names.join(", "),
        (None, why) => why.into(),
    }
}
