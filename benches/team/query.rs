//! What `parlour query` adds to the agent's own time, and what it costs to find a directory's conversation among many chats.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Context;
use parlour::model::Timestamp;
use serde_json::{Value, json};

use crate::agent::{self, Nature};
use crate::house::{House, Venue, wait};
use crate::support::table::Row;

/// In ms: from the shell to the first instruction of the CLI, and from the end of its turn to the shell.
const BEFORE: f64 = 150.0;
const AFTER: f64 = 50.0;
const DIR: f64 = 15.0;
const CHATS: usize = 10_000;

pub fn query(venue: &Venue, rounds: usize) -> anyhow::Result<Vec<Row>> {
    let house = House::new(venue)?;
    house.verb(&["status"])?;
    let (mut before, mut after, mut dir) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds {
        let known = chats(house.home());
        let asked = agent::now();
        let asking = house.begin(&["query", "--llm", Nature::Mate.name(), "hello"])?;
        let mut made = None;
        wait("the agent that is asked", || {
            made = chats(house.home())
                .into_iter()
                .find(|dir| !known.contains(dir) && dir.join(agent::STARTED).exists());
            made.is_some()
        })?;
        let started = fs::read_to_string(made.unwrap_or_default().join(agent::STARTED))?;
        before.push(Duration::from_nanos(started.parse()?).saturating_sub(asked));
        asking.end()?;
    }
    for _ in 0..rounds {
        house.verb(&["query", "--llm", "demo", "hello"])?;
        let ended = agent::now();
        let bound: Value = serde_json::from_str(&house.verb(&["chat", "dir"])?)?;
        let told = turn_end(&house, &bound["chat_id"])?;
        after.push(ended.saturating_sub(told));
    }
    fill(house.home(), CHATS)?;
    for _ in 0..rounds {
        let began = Instant::now();
        house.verb(&["chat", "dir"])?;
        dir.push(began.elapsed());
    }
    Ok(vec![
        row("query, to the first instruction of the CLI, ms", before).at_most(BEFORE),
        row("query, from the end of its turn to the shell, ms", after).at_most(AFTER),
        row(format!("chat dir beside {CHATS} chats, ms"), dir).at_most(DIR),
    ])
}

fn chats(home: &Path) -> BTreeSet<PathBuf> {
    let entries = fs::read_dir(home.join("chats")).into_iter().flatten();
    entries.filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// When the transcript has that the agent came to rest, since 1970.
fn turn_end(house: &House, chat: &Value) -> anyhow::Result<Duration> {
    let chat = chat.as_str().context("a bound chat")?;
    let text = fs::read_to_string(house.home().join("records").join(chat).join("events.jsonl"))?;
    let entries = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let ends = entries.rev().find(|entry| entry["kind"] == "text");
    let at = ends.context("an answer")?["ts"]
        .as_str()
        .unwrap_or_default()
        .to_string();
    let at = Timestamp::try_from(at).ok().context("a time")?;
    Ok(Duration::from_millis(u64::try_from(at.0)?))
}

/// Folders of chats, which no look-up may go through.
fn fill(home: &Path, chats: usize) -> anyhow::Result<()> {
    for number in 0..chats {
        let letter = |place: u32| char::from(b"abcdefghij"[number / 10_usize.pow(place) % 10]);
        let id: String = "filled".chars().chain((0..4).rev().map(letter)).collect();
        fs::create_dir_all(home.join("chats").join(&id))?;
        let record = home.join("records").join(&id);
        fs::create_dir_all(&record)?;
        let said = json!({
            "v": 1, "id": id, "name": format!("Chat {number}"), "handle": format!("filled-{number}"), "llm": "shell",
            "created": "2026-03-01T09:00:00.000Z", "sessions": [], "dirs": [], "disabled_servers": [],
        });
        fs::write(record.join("chat.json"), said.to_string())?;
    }
    Ok(())
}

fn row(what: impl Into<String>, mut taken: Vec<Duration>) -> Row {
    taken.sort();
    let median = taken.get(taken.len() / 2).map(|taken| taken.as_secs_f64() * 1000.0);
    Row {
        parlour: median,
        ..Row::new(what)
    }
}
