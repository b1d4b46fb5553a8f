//! A home of a thousand chats: listing it, drawing it, and what it costs to have them.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::{Value, json};

use crate::house::{Host, House, Venue};
use crate::samples::Samples;
use crate::support::table::Row;
use crate::{cost, idle};

const CHATS: usize = 1000;
/// Every so many chats one has a clone.
const CLONES: usize = 10;
const LINES: usize = 50;

/// What a person takes for at once.
const AIM: f64 = 100.0;

pub fn list(venue: &Venue, rounds: usize, span: Duration) -> anyhow::Result<Vec<Row>> {
    let house = House::new(Host::Parlour, venue, &std::env::temp_dir())?;
    fill(house.home(), CHATS)?;
    let mut taken: [Samples; 7] = Default::default();
    let [cold, warm, json, first, again, idle, memory] = &mut taken;
    for _ in 0..rounds {
        house.close()?;
        cold.push(Host::Parlour, listed(&house, &["list"])?);
        warm.push(Host::Parlour, listed(&house, &["list"])?);
        json.push(Host::Parlour, listed(&house, &["list", "--json"])?);
        let engine = house.server().context("an engine runs")?;
        std::thread::sleep(Duration::from_secs(1));
        let (spent, began) = (idle::slices(&[engine]), Instant::now());
        std::thread::sleep(span);
        let share = idle::slices(&[engine]).saturating_sub(spent).as_secs_f64() / began.elapsed().as_secs_f64();
        idle.push(Host::Parlour, 100.0 * share);
        memory.push(Host::Parlour, cost::memory(&[engine]) as f64 / f64::from(1 << 20));
        again.push(Host::Parlour, drawn(&house, venue)?);
        house.close()?;
        first.push(Host::Parlour, drawn(&house, venue)?);
    }
    Ok(vec![
        warm.median(format!("list of {CHATS} chats, engine running, ms"))
            .at_most(AIM),
        json.median("  as JSON"),
        cold.median("  no engine").at_most(AIM),
        again
            .median(format!("first frame of {CHATS} chats, engine running, ms"))
            .at_most(AIM),
        first.median("  no engine").at_most(300.0),
        idle.median(format!("idle, {CHATS} chats, nobody attached, % of a core"))
            .at_most(0.1),
        memory.median("  memory, MiB"),
    ])
}

fn listed(house: &House, verb: &[&str]) -> anyhow::Result<f64> {
    let began = Instant::now();
    let said = house.verb(verb)?;
    let took = began.elapsed();
    match said.contains(&handle(CHATS - 1)) {
        true => Ok(took.as_secs_f64() * 1000.0),
        false => bail!("the list lacks a chat: {said}"),
    }
}

fn drawn(house: &House, venue: &Venue) -> anyhow::Result<f64> {
    let began = Instant::now();
    let mut seat = venue.seat(house.home(), &house.command_line())?;
    let drawn = seat.wait_for_text("Chat number")?;
    Ok((drawn - began).as_secs_f64() * 1000.0)
}

/// Chats as they are after some weeks: a transcript each, instructions, and here and there a clone.
pub(super) fn fill(home: &Path, chats: usize) -> anyhow::Result<()> {
    fs::write(home.join("home.json"), json!({"v": 1}).to_string())?;
    let sample = home.join("cache/sample");
    git(&[&"init", &"--quiet", &"--initial-branch=main", &sample])?;
    fs::write(sample.join("README.md"), "A sample.\n")?;
    git(&[&"-C", &sample, &"add", &"."])?;
    let author = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"];
    git(&[
        &"-C", &sample, &author[0], &author[1], &author[2], &author[3], &"commit", &"-qm", &"sample",
    ])?;
    for number in 0..chats {
        chat(home, number).with_context(|| format!("making chat {number}"))?;
        if number % CLONES == 0 {
            let clone = home.join("chats").join(id(number)).join("projects/sample");
            git(&[&"clone", &"--quiet", &"--no-hardlinks", &sample, &clone])?;
        }
    }
    Ok(())
}

fn chat(home: &Path, number: usize) -> anyhow::Result<()> {
    let (record, chat) = (
        home.join("records").join(id(number)),
        home.join("chats").join(id(number)),
    );
    fs::create_dir_all(record.join("outputs"))?;
    fs::create_dir_all(chat.join("projects"))?;
    fs::write(chat.join("AGENTS.md"), "# You work inside parlour\n".repeat(40))?;
    let dirs = match number % CLONES {
        0 => json!([{"name": "sample", "mode": "rw", "kind": "git", "origin": "https://example.org/sample"}]),
        _ => json!([]),
    };
    let said = json!({
        "v": 1, "id": id(number), "name": format!("Chat number {number}"), "handle": handle(number), "llm": "shell",
        "created": moment(number, 0), "sessions": [], "dirs": dirs, "disabled_servers": [],
    });
    fs::write(record.join("chat.json"), format!("{said:#}\n"))?;
    let lines: Vec<String> = (0..LINES).map(|line| entry(number, line).to_string() + "\n").collect();
    fs::write(record.join("events.jsonl"), lines.concat())?;
    fs::write(record.join("outputs/tool-7"), "a line of a tool's output\n".repeat(400))?;
    Ok(())
}

fn entry(number: usize, line: usize) -> Value {
    let mut entry = match line {
        0 => json!({"kind": "prompt", "id": "p", "text": "Find out why the test fails.", "from": "person"}),
        _ if line + 1 == LINES => json!({"kind": "status", "status": "exited", "detail": "ended", "cause": "hook"}),
        _ => {
            json!({"kind": "text", "id": format!("t{line}"), "text": "It fails since the clock is read twice. ".repeat(8)})
        }
    };
    entry["v"] = json!(1);
    entry["seq"] = json!(line + 1);
    entry["ts"] = json!(moment(number, line));
    entry
}

/// Some on each day of March.
fn moment(number: usize, second: usize) -> String {
    format!(
        "2026-03-{:02}T{:02}:{:02}:{second:02}.000Z",
        1 + number % 28,
        number / 60 % 24,
        number % 60
    )
}

fn id(number: usize) -> String {
    let letter = |place: u32| char::from(b"abcdefghij"[number / 10_usize.pow(place) % 10]);
    format!("sample{}{}{}{}", letter(3), letter(2), letter(1), letter(0))
}

fn handle(number: usize) -> String {
    format!("chat-number-{number}")
}

fn git(args: &[&dyn AsRef<std::ffi::OsStr>]) -> anyhow::Result<()> {
    let ended = Command::new("git")
        .args(args.iter().map(|arg| arg.as_ref()))
        .status()
        .context("running git")?;
    match ended.success() {
        true => Ok(()),
        false => bail!("making the sample repository failed"),
    }
}
