//! An hour of busy chats: what the engine holds stays the same.
//!
//!     PARLOUR_SOAK_MINUTES=60 cargo test --test main -- --nocapture promises::soak
//!
//! Each chat's agent prints and keeps a transcript; the test sends its prompts, calls its tools, and asks for it.

use std::io::Write;
use std::process::{Child, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{MEGABYTE, is_long, resident, scaled};
use crate::support::parlour::{PATIENCE, Parlour, until};
use crate::support::team::Mate;

/// What the engine may hold more at the end than when all had been at work for a while. A megabyte for each chat: their
/// terminals' history is within the budget.
const FLAT: u64 = 20 * MEGABYTE;

/// Prints a screenful of colours for each line that it gets, and writes both down.
const BUSY: &str = r#"#!/bin/sh
mkdir -p log
echo "$PARLOUR_MCP_URL" > url.new && mv url.new url
echo "$PARLOUR_TOKEN" > token.new && mv token.new token
while printf '> ' && read -r line; do
  line=$(printf '%s' "$line" | tr -d '\033"' | sed 's/\[20[01]~//g')
  seq 200 | sed "s/.*/$(printf '\033')[3&m line & of $line $(printf '\033')[0m/"
  printf '{"role":"user","text":"%s"}\n{"role":"assistant","text":"Done: %s"}\n' "$line" "$line" >> log/talk.jsonl
done
"#;

/// What all of them have done so far.
#[derive(Default)]
struct Tally {
    prompts: AtomicUsize,
    calls: AtomicUsize,
    questions: AtomicUsize,
}

#[test]
fn soak_busy_chats_hold_no_more_from_one_minute_to_the_next() {
    let said = std::env::var("PARLOUR_SOAK_MINUTES")
        .ok()
        .and_then(|words| words.parse::<f64>().ok());
    let minutes = said.unwrap_or(scaled(0.5, 60.0));
    let time = Duration::from_secs_f64(minutes * 60.0);
    let chats = if said.is_some() || is_long() { 20 } else { 4 };
    // What is held once, for each size of things, is there by then.
    let warm = time / 4;
    let every = Duration::from_secs(60).min(time / 8);

    let parlour = Parlour::new().with_program("busy", BUSY);
    let busy = json!({
        "command": "busy", "ready": "^> $",
        "transcript": {"format": "jsonl", "file": "log/talk.jsonl", "fields": {}},
    });
    let limits = json!({"liveAgents": 100, "historyBytes": 4 * MEGABYTE});
    parlour.configure(&json!({"customLlms": {"busy": busy}, "limits": limits}).to_string());
    let asking: Vec<String> = (0..chats / 4).map(|number| format!("asks-{number}")).collect();
    let asking: Vec<(String, String)> = asking
        .into_iter()
        .map(|chat| {
            let made = parlour.json(&["new", &chat, "--llm", "demo"]);
            parlour.wait(&chat, "idle");
            (chat, made["id"].as_str().unwrap().to_owned())
        })
        .collect();
    let mates: Vec<Mate> = (0..chats - asking.len())
        .map(|number| Mate::new(&parlour, &format!("busy {number}"), &["--llm", "busy"]))
        .collect();
    mates.iter().for_each(Mate::begins);
    let screen = parlour.attach(&["busy-0"]);
    let engine = parlour.engine_pid();
    let (over, tally) = (AtomicBool::new(false), Tally::default());
    let mut held = Vec::new();
    thread::scope(|scope| {
        for (number, mate) in mates.iter().enumerate() {
            let (parlour, over, tally) = (&parlour, &over, &tally);
            scope.spawn(move || works(parlour, mate, number, over, tally));
        }
        for (chat, id) in &asking {
            let (parlour, over, tally) = (&parlour, &over, &tally);
            scope.spawn(move || asks(parlour, (chat, id), over, tally));
        }
        let began = Instant::now();
        for minute in 1.. {
            let due = began + every * minute;
            thread::sleep(due.saturating_duration_since(Instant::now()));
            held.push((began.elapsed(), resident(engine)));
            let done = |count: &AtomicUsize| count.load(Ordering::Relaxed);
            println!(
                "{:>5} s: {:.1} MB, {} prompts, {} calls, {} questions",
                began.elapsed().as_secs(),
                resident(engine) as f64 / MEGABYTE as f64,
                done(&tally.prompts),
                done(&tally.calls),
                done(&tally.questions),
            );
            if began.elapsed() >= time {
                break;
            }
        }
        over.store(true, Ordering::Relaxed);
    });
    drop(screen);
    assert_eq!(parlour.engine_pid(), engine);
    let after: Vec<u64> = held
        .iter()
        .filter(|(at, _)| *at > warm)
        .map(|(_, bytes)| *bytes)
        .collect();
    let average = |part: &[u64]| part.iter().sum::<u64>() / part.len() as u64;
    let third = after.len().div_ceil(3);
    let (first, last) = (average(&after[..third]), average(&after[after.len() - third..]));
    println!("after it was warm {} KB, at the end {} KB", first >> 10, last >> 10);
    assert!(
        last <= first + FLAT,
        "it grew from {} MB to {} MB",
        first / MEGABYTE,
        last / MEGABYTE
    );
}

/// One chat's day: a prompt, and some calls of its tools.
fn works(parlour: &Parlour, mate: &Mate, number: usize, over: &AtomicBool, tally: &Tally) {
    for round in 0.. {
        if over.load(Ordering::Relaxed) {
            return;
        }
        let text = format!("round {round} of {number}");
        parlour.say(&["send", &mate.id, &text, "--wait"]);
        tally.prompts.fetch_add(1, Ordering::Relaxed);
        for tool in ["list_projects", "read_inbox", "list_children", "list_todos"] {
            mate.call(tool, json!({})).unwrap();
            tally.calls.fetch_add(1, Ordering::Relaxed);
        }
        let status = json!({"status": "working", "note": text});
        let _ = mate.call("set_status", status);
    }
}

/// Its agent asks before a call, and a person says yes.
fn asks(parlour: &Parlour, (chat, id): (&str, &str), over: &AtomicBool, tally: &Tally) {
    for number in 0.. {
        if over.load(Ordering::Relaxed) {
            return;
        }
        let mut asks = hook(parlour, id, "PermissionRequest", number);
        let own = || {
            let open = parlour.json(&["approvals"])["approvals"].clone();
            let mut open = open.as_array().unwrap().iter();
            let own = open.find(|one| one.to_string().contains(id) || one["chat"] == chat)?;
            Some(own["id"].as_str().unwrap().to_owned())
        };
        until("it asks", PATIENCE, || own().is_some());
        parlour.say(&["approve", &own().unwrap()]);
        asks.wait().unwrap();
        // A call that never ends is kept as open.
        hook(parlour, id, "PostToolUse", number).wait().unwrap();
        tally.questions.fetch_add(1, Ordering::Relaxed);
    }
}

/// Calls a hook of its agent, as its CLI would.
fn hook(parlour: &Parlour, id: &str, event: &str, number: u32) -> Child {
    let token = parlour.home().join("records").join(id).join("hook-token");
    let mut command = parlour.command(&["hook", "demo", event, "--token-file"]);
    command.arg(token).env("PARLOUR_CHAT", id);
    let mut hook = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let payload = json!({
        "session_id": "one", "hook_event_name": event, "tool_name": "Bash", "tool_use_id": format!("call-{number}"),
        "tool_input": {"command": "make all"}, "tool_response": {"stdout": "made"},
    });
    let mut stdin = hook.stdin.take().unwrap();
    stdin.write_all(payload.to_string().as_bytes()).unwrap();
    hook
}
