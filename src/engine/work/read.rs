//! Questions whose answers lie on disk or in a terminal.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::app::agent::FIRST_SIZE;
use crate::app::event::Outcome;
use crate::git::Cancel;
use crate::git::read as git;
use crate::model::text::visible;
use crate::model::tool::Tallied;
use crate::model::{ChatId, Kind, Problem};
use crate::store::Line;
use crate::term::{Position, Setup, Span};

use super::super::hands::Hands;
use super::super::inbound::Sender;
use super::super::journals::Journals;
use super::Ticket;
use super::run::{loading, spawn};

/// Entries read from disk in one go: a transcript is never in memory whole.
const BATCH: usize = 256;

/// Entries that cards are made of: a tool is two, and words and usage lie between.
const TAIL: usize = 2_000;

/// What git says of each clone of a chat.
pub fn tally(hands: &Hands, id: &ChatId) -> Result<Outcome, Problem> {
    let chat = hands.home.load(id).map_err(|error| loading(id, error))?;
    let mut tallied = Vec::new();
    for project in chat.projects {
        let tally = match project.kind {
            Kind::Git => git::tally(&project.path).ok(),
            Kind::Local => None,
        };
        let tally = tally.unwrap_or_default();
        tallied.push(Tallied {
            name: project.name,
            path: project.path,
            branch: project.branch,
            mode: project.mode,
            kind: project.kind,
            dirty: tally.dirty as u64,
            ahead: tally.ahead as u64,
            behind: tally.behind as u64,
        });
    }
    Ok(Outcome::Tallied(tallied))
}

/// The newest entries of a transcript.
pub fn tail(hands: &Hands, id: &ChatId) -> Result<Outcome, Problem> {
    let lines = hands.home.tail(id, TAIL).map_err(|error| loading(id, error))?;
    let entries = lines.into_iter().filter_map(|line| match line {
        Line::Entry(entry) => Some(entry),
        Line::Gap { .. } => None,
    });
    Ok(Outcome::Tail(id.clone(), entries.collect()))
}

/// What deleting the chat would lose, one line a clone that holds work which exists nowhere else.
pub fn losses(hands: &Hands, id: &ChatId) -> Result<Outcome, Problem> {
    let chat = hands.home.load(id).map_err(|error| loading(id, error))?;
    let clones = chat.projects.iter().filter(|project| project.kind == Kind::Git);
    let lines = clones.filter_map(|project| {
        let name = visible(&project.name);
        let Ok(tally) = git::tally(&project.path) else {
            return Some(format!("{name}: what is in it could not be read"));
        };
        let mut parts = Vec::new();
        if tally.dirty > 0 {
            parts.push(format!("{} uncommitted", plural(tally.dirty, "change")));
        }
        if tally.ahead > 0 {
            parts.push(format!("{} not pushed", plural(tally.ahead, "commit")));
        }
        (!parts.is_empty()).then(|| format!("{name}: {}", parts.join(", ")))
    });
    Ok(Outcome::Losses(lines.collect()))
}

fn plural(count: usize, noun: &str) -> String {
    match count {
        1 => format!("1 {noun}"),
        many => format!("{many} {noun}s"),
    }
}

/// The transcript from `after` on, an entry at a time, to whoever asked.
pub fn entries(ticket: &Ticket, id: &ChatId, mut after: u64) -> Result<Outcome, Problem> {
    let Some(stream) = &ticket.stream else {
        return Ok(Outcome::Nothing);
    };
    loop {
        let lines = ticket
            .hands
            .home
            .read(id, after, BATCH)
            .map_err(|error| loading(id, error))?;
        let whole = lines.len() == BATCH;
        for line in lines {
            let value = match line {
                Line::Entry(entry) => {
                    after = entry.seq;
                    serde_json::to_value(&entry).unwrap_or(Value::Null)
                }
                Line::Gap { bytes, .. } => json!({"kind": "gap", "bytes": bytes}),
            };
            if stream.blocking_send(value).is_err() {
                return Ok(Outcome::Nothing);
            }
        }
        if !whole {
            return Ok(Outcome::Value(json!({"last": after})));
        }
    }
}

/// What a chat's terminal showed last, where it has none now.
pub fn screen(hands: &Hands, id: &ChatId, ansi: bool, scrollback: usize) -> Result<Outcome, Problem> {
    let record = hands.terminal_record(id).map_err(|error| loading(id, error))?;
    let setup = Setup {
        size: crate::term::Size::new(FIRST_SIZE.cols, FIRST_SIZE.rows),
        palette: crate::term::Palette::default(),
        history_lines: hands.settings().limits.history_lines,
    };
    let mut terminal = crate::pty::replay(&record, setup);
    let mut ignored = crate::term::Effects::default();
    let screen = terminal.screen(&mut ignored);
    let above = terminal.text(above(scrollback));
    let shown = match ansi {
        true => screen.ansi(),
        false => screen.text(),
    };
    Ok(Outcome::Value(json!({"text": joined(&above, &shown)})))
}

/// The lines of history just above the live screen.
pub fn above(lines: usize) -> Span {
    let line = i32::try_from(lines).unwrap_or(i32::MAX);
    Span {
        from: Position { line: -line, col: 0 },
        to: Position {
            line: -1,
            col: u16::MAX,
        },
    }
}

/// History and the screen below it.
pub fn joined(above: &str, screen: &str) -> String {
    match above.is_empty() {
        true => screen.into(),
        false => format!("{above}\n{screen}"),
    }
}

/// The engine's log, as far as it names the chat: the newest lines, oldest first.
pub fn log(hands: &Hands, id: &ChatId, lines: usize) -> Result<Outcome, Problem> {
    let most = match lines {
        0 => 200,
        lines => lines,
    };
    // Of a chat whose record is damaged the log is asked all the more.
    let handle = hands.home.shown(id).map(|chat| chat.record.handle.to_string());
    let handle = handle.unwrap_or_else(|| id.to_string());
    let mut about: Vec<String> = Vec::new();
    for name in super::super::log::names() {
        let text = match std::fs::read(hands.home.run().join(name)) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
            Err(error) => return Err(Problem::new("reading the log", error, "")),
        };
        let lines = text
            .lines()
            .filter(|line| line.contains(id.as_str()) || line.contains(&handle));
        about.splice(0..0, lines.map(str::to_owned));
        if about.len() >= most {
            break;
        }
    }
    let newest = &about[about.len().saturating_sub(most)..];
    Ok(Outcome::Value(json!({"lines": newest})))
}

/// A terminal without a program, that shows what the chat's last one received.
pub fn show_record(chat: &ChatId, hands: &Arc<Hands>, journals: &Journals, sender: &Sender) {
    let ticket = Ticket {
        hands: hands.clone(),
        journals: journals.clone(),
        sender: sender.clone(),
        cancel: Cancel::default(),
        progress: None,
        stream: None,
    };
    let chat = chat.clone();
    tokio::task::spawn_blocking(move || {
        if let Err(problem) = spawn(&ticket, &chat, None, FIRST_SIZE) {
            tracing::warn!("{problem}");
        }
    });
}
