//! What is measured, and how.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use anyhow::Context;
use serde_json::{Value, json};

use crate::agent::{self, Nature};
use crate::house::{House, Mate, Venue, git, wait};
use crate::idle;
use crate::support::proc;
use crate::support::table::Row;

/// Beyond the clone and the start of the CLI, in ms.
const DISPATCH_AIM: f64 = 300.0;
/// Fewer than one chat may have open.
const AT_ONCE: usize = 8;
const STOP_AIM: f64 = 2.0;
const FILES: usize = 200;
const COMMITS: usize = 50;
const CHATS: usize = 20;

/// From the call of `dispatch` to the first instruction of the child's agent, one after the other and several at once. Beside
/// it, what `git clone` (with files of its own) of the caller's clone and the start of that same agent take by themselves.
pub fn dispatch(venue: &Venue, children: usize) -> anyhow::Result<Vec<Row>> {
    let house = House::new(venue)?;
    let source = repository(venue.homes)?;
    let lead = house.mate(
        "Lead",
        &["--llm", Nature::Mate.name(), "--dir", &source.to_string_lossy()],
    )?;
    lead.started()?;
    let clone = lead.dir.join("projects").join("library");
    let alone: Vec<Duration> = (0..children)
        .map(|number| by_itself(&house, &clone, &format!("alone-{number}")))
        .collect::<anyhow::Result<_>>()?;
    let asked =
        |number: usize| json!({"prompt": "wait", "name": format!("child {number}"), "branch": format!("b{number}")});

    let mut each = Vec::new();
    for number in 0..children {
        let before = agent::now();
        let made = lead.call("dispatch", asked(number))?;
        let started = house.mate_of(&made["chatId"])?.started()?;
        each.push(started.saturating_sub(before));
    }
    house.verb(&["stop", "lead", "--tree"])?;

    let house = House::new(venue)?;
    let lead = house.mate(
        "Lead",
        &["--llm", Nature::Mate.name(), "--dir", &source.to_string_lossy()],
    )?;
    lead.started()?;
    let (next, before) = (AtomicUsize::new(0), agent::now());
    let last = thread::scope(|scope| {
        let callers: Vec<_> = (0..AT_ONCE)
            .map(|_| {
                let (lead, house, next) = (&lead, &house, &next);
                scope.spawn(move || {
                    let mut last = Duration::ZERO;
                    loop {
                        let number = next.fetch_add(1, Ordering::SeqCst);
                        if number >= children {
                            return anyhow::Ok(last);
                        }
                        let made = lead.call("dispatch", asked(number))?;
                        last = last.max(house.mate_of(&made["chatId"])?.started()?);
                    }
                })
            })
            .collect();
        let ends = callers.into_iter().map(|one| one.join().expect("no caller panics"));
        ends.collect::<anyhow::Result<Vec<Duration>>>()
    })?;
    let all = last.iter().max().context("a child")?.saturating_sub(before);

    let (peer, parlour) = (milliseconds(middle(&alone)), milliseconds(middle(&each)));
    let slowest = milliseconds(each.iter().max().copied().unwrap_or_default());
    let share = milliseconds(all) / children as f64;
    let row = |what: &str, parlour: f64, peer: Option<f64>| Row {
        peer,
        parlour: Some(parlour),
        ..Row::new(what)
    };
    Ok(vec![
        row(
            &format!("dispatch to running, {children} in turn, median ms"),
            parlour,
            Some(peer),
        ),
        row("  beyond clone and start, median ms", parlour - peer, None).at_most(DISPATCH_AIM),
        row("  beyond clone and start, slowest ms", slowest - peer, None).at_most(DISPATCH_AIM),
        row(
            &format!("dispatch to running, {children} by {AT_ONCE} calls at once, ms each"),
            share,
            Some(peer),
        ),
        row("  beyond clone and start, ms each", share - peer, None).at_most(DISPATCH_AIM),
    ])
}

/// What of a dispatch is not parlour's: the clone, and the agent up to its first instruction.
fn by_itself(house: &House, clone: &Path, name: &str) -> anyhow::Result<Duration> {
    let dir = house.home().join(name);
    fs::create_dir(&dir)?;
    let before = agent::now();
    git(
        &dir,
        &["clone", "-q", "--no-hardlinks", &clone.to_string_lossy(), "library"],
    )?;
    let mut child = Command::new(house.home().join("bin").join(Nature::Mate.name()))
        .current_dir(&dir)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()?;
    let started = Mate { id: name.into(), dir };
    let took = started.started()?.saturating_sub(before);
    child.wait()?;
    Ok(took)
}

fn middle(spans: &[Duration]) -> Duration {
    let mut spans = spans.to_vec();
    spans.sort();
    spans.get(spans.len() / 2).copied().unwrap_or_default()
}

fn milliseconds(span: Duration) -> f64 {
    1_000.0 * span.as_secs_f64()
}

fn repository(folder: &Path) -> anyhow::Result<PathBuf> {
    let source = folder.join("library");
    fs::create_dir(&source)?;
    git(&source, &["init", "-q", "-b", "main"])?;
    for file in 0..FILES {
        fs::write(source.join(format!("{file}.txt")), format!("{file}\n").repeat(100))?;
    }
    for commit in 0..COMMITS {
        fs::write(source.join("0.txt"), format!("{commit}\n"))?;
        git(&source, &["add", "."])?;
        git(&source, &["commit", "-q", "-m", &format!("Commit {commit}")])?;
    }
    Ok(source)
}

/// An engine that nobody looks at, with many schedules and with none.
pub fn schedules(venue: &Venue, count: usize, span: Duration) -> anyhow::Result<Vec<Row>> {
    let none = idle(venue, 0, span)?;
    let many = idle(venue, count, span)?;
    let row = |what: String, none: f64, many: f64| Row {
        peer: Some(none),
        parlour: Some(many),
        ..Row::new(what)
    };
    let share = row(format!("{count} schedules beside none, % of a core"), none.0, many.0);
    Ok(vec![
        // A thousandth of a core is what an idle engine may cost at all.
        share.at_most(none.0 + 0.1),
        row("  wake-ups/s".into(), none.1, many.1).at_most(none.1 + 1.0),
    ])
}

fn idle(venue: &Venue, count: usize, span: Duration) -> anyhow::Result<(f64, f64)> {
    let house = House::new(venue)?;
    house.engine()?;
    for number in 0..count {
        let (minute, hour) = (number % 60, number % 24);
        let rule = format!("{minute} {hour} 1 1 *");
        let name = format!("schedule {number}");
        house.verb(&[
            "schedule",
            "add",
            &name,
            "-p",
            "wait",
            "--cron",
            &rule,
            "--llm",
            Nature::Mate.name(),
        ])?;
    }
    let engine = [house.engine()?];
    // What the last verb left behind ends first.
    wait("rest", || {
        let before = idle::slices(&engine);
        thread::sleep(Duration::from_millis(500));
        idle::slices(&engine).saturating_sub(before) < Duration::from_millis(2)
    })?;
    let (spent, wakes, began) = (idle::slices(&engine), idle::wakes(&engine), Instant::now());
    thread::sleep(span);
    let seconds = began.elapsed().as_secs_f64();
    let spent = idle::slices(&engine).saturating_sub(spent).as_secs_f64();
    let wakes = idle::wakes(&engine).saturating_sub(wakes) as f64;
    Ok((100.0 * spent / seconds, wakes / seconds))
}

/// From `stop --tree` to the end of the last process, where agents end when they are told to, and where they do not.
pub fn stop(venue: &Venue, agents: usize) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for nature in Nature::ALL {
        let house = House::new(venue)?;
        let lead = house.mate("Lead", &["--llm", nature.name()])?;
        let mut tree = vec![lead.pid()?];
        for number in 1..agents {
            let asked = json!({"prompt": "wait", "name": format!("child {number}")});
            let made = lead.call("dispatch", asked)?;
            tree.push(house.mate_of(&made["chatId"])?.pid()?);
        }
        let began = Instant::now();
        house.verb(&["stop", "lead", "--tree"])?;
        let answered = began.elapsed();
        wait("the end of the tree", || !tree.iter().any(|pid| proc::is_alive(*pid)))?;
        let how = match nature {
            Nature::Mate => "who heed it",
            Nature::Mule => "who do not",
        };
        let row = |what: String, took: Duration| Row {
            parlour: Some(took.as_secs_f64()),
            ..Row::new(what)
        };
        rows.push(row(format!("stop of a tree of {agents} {how}, s"), began.elapsed()).at_most(STOP_AIM));
        rows.push(row("  its answer, s".into(), answered).at_most(STOP_AIM));
    }
    Ok(rows)
}

/// Chats that write to each other at once, and a kill of the engine when half of them have half of theirs sent.
pub fn messages(venue: &Venue, each: usize) -> anyhow::Result<Vec<Row>> {
    let house = House::new(venue)?;
    let mut mates = vec![house.mate("Lead", &["--llm", Nature::Mate.name()])?];
    for number in 1..CHATS {
        let made = mates[0].call("dispatch", json!({"prompt": "wait", "name": format!("child {number}")}))?;
        mates.push(house.mate_of(&made["chatId"])?);
    }
    let (mut sent, _) = send(&house, &mates, 0..each / 2, Some(CHATS * each / 4))?;
    for mate in &mates {
        mate.forget()?;
    }
    for mate in &mates {
        house.verb(&["resume", &mate.id])?;
        mate.started()?;
    }
    // What had no answer is sent again, in other words.
    let missing = (CHATS * (each / 2)).saturating_sub(sent.len()).div_ceil(CHATS);
    let (more, rate) = send(&house, &mates, each / 2..each + missing, None)?;
    sent.extend(more);
    let (mut lost, mut doubled) = (0, 0);
    for mate in &mates {
        let shown = shown(&mate.dir)?;
        let expected = sent.iter().filter(|(to, _)| *to == mate.id);
        lost += expected.filter(|(_, text)| !shown.contains_key(text)).count();
        doubled += shown.values().filter(|times| **times > 1).count();
    }
    let row = |what: String, parlour: f64| Row {
        parlour: Some(parlour),
        ..Row::new(what)
    };
    Ok(vec![
        row(format!("messages of {CHATS} chats, through a kill"), sent.len() as f64),
        row("  lost".into(), lost as f64).at_most(0.0),
        row("  doubled".into(), doubled as f64).at_most(0.0),
        row("  messages/s".into(), rate),
    ])
}

type Sent = Vec<(String, String)>;

/// What was acknowledged, and how much of it in a second. The engine is killed once so many are.
fn send(
    house: &House,
    mates: &[Mate],
    numbers: std::ops::Range<usize>,
    killed_at: Option<usize>,
) -> anyhow::Result<(Sent, f64)> {
    let (acknowledged, began) = (AtomicUsize::new(0), Instant::now());
    let sent = thread::scope(|scope| {
        let senders: Vec<_> = (0..mates.len())
            .map(|from| {
                let (numbers, acknowledged) = (numbers.clone(), &acknowledged);
                scope.spawn(move || {
                    let mut sent = Sent::new();
                    for number in numbers {
                        let to = mates[(from + number + 1) % mates.len()].id.clone();
                        let text = format!("{from}-{number}");
                        let asked = json!({"to": to, "message": text});
                        // Without an answer it may be there or not.
                        if mates[from].call("send_message", asked).is_ok() {
                            sent.push((to, text));
                            acknowledged.fetch_add(1, Ordering::SeqCst);
                        }
                    }
                    sent
                })
            })
            .collect();
        if let Some(killed_at) = killed_at {
            wait("half of the messages", || {
                acknowledged.load(Ordering::SeqCst) >= killed_at
            })?;
            house.kill_engine()?;
        }
        let sent = senders
            .into_iter()
            .flat_map(|one| one.join().expect("no sender panics"));
        anyhow::Ok(sent.collect::<Sent>())
    })?;
    let rate = sent.len() as f64 / began.elapsed().as_secs_f64();
    Ok((sent, rate))
}

/// How often each message stands in a chat's inbox.
fn shown(dir: &Path) -> anyhow::Result<BTreeMap<String, usize>> {
    let inbox: Value = serde_json::from_slice(&fs::read(dir.join("inbox.json"))?)?;
    let mut shown = BTreeMap::new();
    for message in inbox["messages"].as_array().context("messages")? {
        let text = message["message"].as_str().unwrap_or_default().to_owned();
        *shown.entry(text).or_default() += 1;
    }
    Ok(shown)
}
