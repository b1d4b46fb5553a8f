//! `parlour status`: the engine in a few lines.

use std::path::Path;
use std::process::ExitCode;

use serde_json::{Value, json};

use super::list::mark;
use super::output::{self, OutputForm, OutputLook, OutputTone, show, text};
use super::requests::{said, try_ask};
use super::table::{cell, table};
use crate::client::{StartEngine, is_missing};
use crate::model::bytes;
use crate::model::request::EngineRequest;
use crate::model::setting::{self, SettingText};
use crate::model::{ProblemKind, Request};

/// Chats whose checkpoints are told of one by one.
const NAMED: usize = 5;

/// Starts no engine: whoever looks whether one runs wants to hear that none does.
pub fn run(home: &Path, form: OutputForm) -> anyhow::Result<ExitCode> {
    let request = Request::Engine(EngineRequest::Status);
    match try_ask(home, &request, StartEngine::Never, |_| ()) {
        Err(problem) if is_missing(&problem) => {
            let answer = json!({
                "version": env!("CARGO_PKG_VERSION"),
                "home": home.to_string_lossy(),
                "engine": null,
                "agents": [],
            });
            show(form, &answer, |look| no_engine(&answer, look))?;
            Ok(output::exit_code(ProblemKind::Missing))
        }
        Err(problem) => Err(said(problem)),
        Ok(answer) => {
            show(form, &answer, |look| words(&answer, look))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn no_engine(answer: &Value, look: &OutputLook) -> String {
    let lines = [
        ("parlour", text(answer, "version")),
        ("engine", "none runs; `parlour` starts one"),
        ("home", text(answer, "home")),
    ];
    let facts = lines.map(|(name, value)| vec![cell(OutputTone::Quiet, name), cell(OutputTone::Plain, value)]);
    table(&OutputLook { width: None, ..*look }, &facts)
}

pub(super) fn words(answer: &Value, look: &OutputLook) -> String {
    let engine = &answer["engine"];
    let number = |name: &str| engine[name].as_u64().unwrap_or_default();
    let megabytes = number("rss_bytes") / 1_000_000;
    let up = duration(number("uptime_s"));
    let agents: Vec<&Value> = answer["agents"].as_array().into_iter().flatten().collect();
    let mut lines = vec![
        ("parlour", text(answer, "version").to_owned()),
        ("engine", format!("pid {}, up {up}, {megabytes} MB", number("pid"))),
        ("home", text(answer, "home").to_owned()),
        ("MCP", text(&answer["mcp"], "url").to_owned()),
    ];
    let names = std::iter::once("limits").chain(std::iter::repeat(""));
    lines.extend(names.zip(limits(&answer["limits"])));
    lines.push(match agents.is_empty() {
        true => ("agents", "none runs".into()),
        false => ("agents", format!("{} running", agents.len())),
    });
    lines.push(("checkpoints", checkpoints(&answer["checkpoints"])));
    let wrong = [("settings", "settings_problem"), ("read only", "read_only")];
    let wrong = wrong.map(|(name, key)| (name, text(&answer[key], "cause").to_owned()));
    lines.extend(wrong.into_iter().filter(|(_, cause)| !cause.is_empty()));
    lines.extend(Some(("disk", text(answer, "unwritten").to_owned())).filter(|(_, words)| !words.is_empty()));
    let facts: Vec<_> = lines
        .iter()
        .map(|(name, value)| vec![cell(OutputTone::Quiet, name), cell(OutputTone::Plain, value)])
        .collect();
    let agents: Vec<_> = agents.into_iter().map(agent).collect();
    // What is told of the engine is never cut: a path that ends in … is of no use.
    let whole = OutputLook { width: None, ..*look };
    format!("{}{}", table(&whole, &facts), table(look, &agents))
}

/// What they take on disk, and the chats that take most of it.
fn checkpoints(costs: &Value) -> String {
    let size = |of: &Value| of["bytes"].as_u64().unwrap_or_default();
    let mut chats: Vec<&Value> = costs["chats"].as_array().into_iter().flatten().collect();
    if chats.is_empty() {
        return "none".into();
    }
    chats.sort_by_key(|chat| std::cmp::Reverse(size(chat)));
    let of = |chat: &&Value| format!("{} {}", text(chat, "handle"), bytes::in_words(size(chat)));
    let mut named: Vec<String> = chats.iter().take(NAMED).map(of).collect();
    if chats.len() > NAMED {
        named.push(format!("{} more", chats.len() - NAMED));
    }
    format!("{} on disk: {}", bytes::in_words(size(costs)), named.join(", "))
}

fn agent(agent: &Value) -> Vec<super::table::TableCell> {
    let status = text(agent, "status");
    let (dot, tone) = mark(status);
    let pid = agent["pid"].as_u64().map(|pid| format!("pid {pid}"));
    vec![
        cell(tone, &format!("  {dot} {status}")),
        cell(OutputTone::Heading, text(agent, "handle")),
        cell(OutputTone::Plain, text(agent, "llm")),
        cell(OutputTone::Quiet, &pid.unwrap_or_default()),
    ]
}

/// One a line, by its name in `config.json` and with what is counted. A budget that nobody has set is left out.
fn limits(limits: &Value) -> Vec<String> {
    let has_budget = ["chat", "tree", "day"]
        .iter()
        .any(|of| limits["budget"][of].is_number());
    let of = |setting: &'static setting::Setting| {
        let name = setting.path.strip_prefix("limits.")?;
        let value = setting::value_in(limits, name).filter(|value| !value.is_null())?;
        let is_shown = has_budget || !name.starts_with("budget.");
        is_shown.then(|| (name, SettingText::told(setting, value)))
    };
    let set: Vec<(&str, String)> = setting::all().iter().filter_map(of).collect();
    let wide = set.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
    set.iter()
        .map(|(name, value)| format!("{name:wide$}  {value}"))
        .collect()
}

/// In its two largest units.
fn duration(seconds: u64) -> String {
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3_600 => format!("{} min", seconds / 60),
        3_600..86_400 => format!("{} h {} min", seconds / 3_600, seconds / 60 % 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds / 3_600 % 24),
    }
}
