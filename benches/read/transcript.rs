//! A long transcript: first frame, scrolling, memory, following.

use std::time::{Duration, Instant};

use anyhow::{Context, ensure};
use serde_json::json;

use parlour::model::entry::{From, ToolStatus};
use parlour::model::{Happened, Timestamp};
use parlour::store::Journal;

use crate::seat::Seat;
use crate::table::Row;

/// Text pieces a second that are followed.
const PIECES: usize = 500;
/// Screens a second.
const FRAMES: usize = 60;

pub fn rows(events: usize, quick: bool) -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let mut seat = Seat::new(folder.path())?;
    write(&seat, events)?;
    let before = resident()?;

    let first = seat.frame("t");
    ensure!(seat.shows("Transcript"), "the tab is shown");
    ensure!(seat.shows("All tests pass"), "the last answer is shown");

    let mut frames = Vec::new();
    let pages = if quick { 200 } else { 4_000 };
    for key in ["pageup", "up", "pagedown", "pageup"].into_iter().cycle().take(pages) {
        frames.push(seat.frame(key));
    }
    let jump = seat.frame("g");
    ensure!(seat.shows("── 1 ─"), "the first turn is shown");
    for _ in 0..pages {
        frames.push(seat.frame("pagedown"));
    }
    frames.sort();
    let worst = frames[frames.len() * 99 / 100];
    seat.press("G");
    seat.draw();
    let grown = resident()?.saturating_sub(before);

    let seconds = if quick { 2 } else { 10 };
    let share = follow(&mut seat, seconds)?;
    Ok(vec![
        Row {
            parlour: Some(ms(first)),
            ..Row::new(format!("first frame of {events} events, ms")).at_most(50.0)
        },
        Row {
            parlour: Some(ms(worst)),
            ..Row::new("a scrolled frame, 99th of 100, ms").at_most(1_000.0 / FRAMES as f64)
        },
        Row {
            parlour: Some(ms(jump)),
            ..Row::new("to the first prompt, ms").at_most(50.0)
        },
        Row {
            parlour: Some(grown as f64 / 1024.0),
            ..Row::new("more memory when all was read, MiB").at_most(50.0)
        },
        Row {
            parlour: Some(share * 100.0),
            ..Row::new(format!("following {PIECES} pieces a second, % of a core")).at_most(15.0)
        },
    ])
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// In KiB.
fn resident() -> anyhow::Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line
        .and_then(|line| line.split_whitespace().next())
        .context("the kernel tells what is resident")?;
    Ok(kib.parse()?)
}

/// Turns of ten events: a prompt, an answer with code, calls with output.
fn write(seat: &Seat, events: usize) -> anyhow::Result<()> {
    let mut journal = Journal::open(&seat.home, &seat.chat)?;
    let mut told = Vec::new();
    for at in 0..events {
        told.push(event(at));
        if told.len() == 1_000 || at + 1 == events {
            journal.append(Timestamp(at as i64 * 1_000), std::mem::take(&mut told))?;
        }
    }
    Ok(())
}

fn event(at: usize) -> Happened {
    match at % 10 {
        0 => Happened::Prompt {
            id: format!("p{at}"),
            text: format!("Prompt {at}: the login of expired sessions answers 500. Find out why and fix it."),
            from: From::Person,
            sender: None,
            checkpoint: None,
            key: String::new(),
            steer: false,
        },
        1 => Happened::Thinking {
            id: format!("k{at}"),
            text: "I should look at session.rs first.\n".repeat(6),
        },
        2 | 4 | 6 => Happened::ToolStart {
            id: format!("t{at}"),
            name: "Bash".into(),
            input: json!({"command": "cargo test auth", "description": "Run the tests"}),
            dir: Some("grove".into()),
            parent: None,
        },
        3 | 5 | 7 => Happened::tool_ended(
            format!("t{}", at - 1),
            ToolStatus::Ok,
            "test expired_token_is_denied ... ok\n".repeat(40),
            Some(40),
        ),
        8 => Happened::Usage {
            model: "opus".into(),
            input: 6_000,
            output: 800,
            cache_read: 12_000,
            cache_write: 0,
            cost: None,
            parent: None,
            window: None,
        },
        _ => Happened::Text {
            id: format!("a{at}"),
            text: answer(at),
        },
    }
}

fn answer(at: usize) -> String {
    format!(
        "## What was wrong {at}\n\n`decode` fails for an **expired** token.\n\n1. one\n2. two\n\n```rust\n{}```\n\n| a | b \
         |\n|---|---|\n| x | y |\n\nAll tests pass.",
        "let Ok(claims) = decode(token) else { return Err(Denied::Expired) };\n".repeat(8)
    )
}

/// The share of a core that it takes to write pieces down, take them in, and draw as often as a screen does.
fn follow(seat: &mut Seat, seconds: usize) -> anyhow::Result<f64> {
    let mut journal = Journal::open(&seat.home, &seat.chat)?;
    let each_frame = PIECES.div_ceil(FRAMES);
    let begun = Instant::now();
    for at in 0..PIECES * seconds {
        let piece = Happened::Text {
            id: format!("f{at}"),
            text: format!("Piece {at} of what the agent says, **with** a `word` in it."),
        };
        let entries = journal.append(Timestamp(at as i64), vec![piece])?;
        seat.appended(entries);
        if at % each_frame == 0 {
            seat.draw();
        }
    }
    let spent = begun.elapsed();
    seat.draw();
    ensure!(
        seat.shows(&format!("Piece {}", PIECES * seconds - 1)),
        "the last piece is shown"
    );
    Ok(spent.as_secs_f64() / seconds as f64)
}
