//! What real CLIs wrote, and said to us, when they were recorded, as the Transcript tab tells it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use parlour::agents::{self, Env, LaunchContext};
use parlour::domain::event::Observed;
use parlour::domain::work::{JournalWork, Work};
use parlour::domain::{Effect, Event};
use parlour::model::{CallId, Entry, HookEvent, Launch, Mark, Reported, Settings, Timestamp};

use crate::support::events::{claude, works};
use crate::support::transcript::{Paper, of_cli, read};
use crate::support::world::{World, id, noon};

const SIZES: [(u16, u16); 2] = [(120, 40), (80, 24)];

/// After all recordings.
const LATER: &str = "2026-12-01T12:00:00.000Z";

/// Where the recorded chats were, and a server that they had beside ours.
const NAMES: [(&str, &str); 7] = [
    ("/home/u/chats/gm1", DIR),
    ("/home/u/chats/oc1", DIR),
    ("/home/u/chats/cx1", DIR),
    ("/home/u/chat", DIR),
    ("mcp__parlour", "mcp__room"),
    ("mcp_parlour_", "mcp_room_"),
    ("parlour_", "room_"),
];

const DIR: &str = "/home/mia/.parlour/chats/authaaaaaa";

fn fixture(name: &str) -> Vec<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures/agents")
        .join(name);
    let text = fs::read_to_string(path).unwrap();
    let named = NAMES.iter().fold(text, |text, (from, to)| text.replace(from, to));
    named.lines().map(String::from).collect()
}

fn mark(to: usize) -> Mark {
    Mark {
        file: "session.jsonl".into(),
        to: to as u64,
    }
}

/// What a CLI's transcript tells, read as it grows.
fn of_transcript(llm: &str, name: &str) -> Vec<Observed> {
    let adapter = agents::find(llm, &Settings::default()).unwrap();
    let mut reader = adapter.transcript_reader();
    let lines = fixture(name).into_iter().enumerate();
    lines
        .map(|(at, line)| Observed::Transcript(reader.line(&line), mark(at + 1)))
        .collect()
}

/// What OpenCode's server said.
fn of_server(name: &str) -> Vec<Observed> {
    let settings = Settings::default();
    let adapter = agents::find("opencode", &settings).unwrap();
    let (world, env) = (World::unwatched(&["auth"]), Env::default());
    let launch = Launch {
        program: "opencode".into(),
        args: ["--port", "20000"].map(String::from).to_vec(),
        env: BTreeMap::from([("OPENCODE_SERVER_PASSWORD".to_string(), "x".to_string())]),
        cwd: DIR.into(),
    };
    let context = LaunchContext {
        chat: &world.state.domain.disk.chats[&id("auth")].record,
        role: None,
        dir: Path::new(DIR),
        record: Path::new("/home/u/records/oc1"),
        home: Path::new("/home/u"),
        parlour: Path::new("/usr/bin/parlour"),
        session: "",
        mcp_url: "",
        token: "",
        hook_token: "",
        env: &env,
        settings: &settings,
        tools: &[],
        sandboxed: false,
    };
    let mut reader = adapter.event_stream(&context, &launch).unwrap().reader;
    let passages = fixture(name).into_iter().map(|line| reader.event(&line));
    passages
        .map(|passage| Observed::Stream(passage.said, passage.read))
        .collect()
}

/// A hook has told where it works, and that its session began.
fn hooked(llm: &str) -> Vec<HookEvent> {
    let began = HookEvent::SessionStarted {
        session: "5f1c".into(),
        source: "startup".into(),
        model: None,
        cwd: DIR.into(),
    };
    let there = HookEvent::CwdChanged { cwd: DIR.into() };
    match llm {
        "claude" => vec![began, there],
        "opencode" => Vec::new(),
        _ => vec![began],
    }
}

/// The record of a chat whose agent said that; its last entry is of now.
fn record(llm: &str, observed: Vec<Observed>) -> Paper {
    let mut world = World::unwatched(&["auth"]);
    of_cli(&mut world, llm);
    world.run("auth", claude());
    world.happens(Event::Clock(Timestamp::try_from(LATER.to_string()).unwrap()));
    let mut entries: Vec<Entry> = Vec::new();
    let mut keep = |effects: &[Effect], now: Timestamp| {
        for (_, job) in works(effects) {
            let Work::Journal(JournalWork::Append(_, told, _)) = job else {
                continue;
            };
            entries.extend(told.into_iter().map(|Reported { at, what }| Entry {
                v: 1,
                seq: 0,
                ts: at.unwrap_or(now),
                read: None,
                what,
            }));
        }
    };
    let hooked = Event::Hook(CallId(9), id("auth"), hooked(llm));
    let heard = observed
        .into_iter()
        .map(|observed| Event::Observed(id("auth"), observed));
    for event in [hooked].into_iter().chain(heard) {
        let effects = world.happens(event);
        keep(&effects, world.state.domain.now);
        let effects = world.later(1);
        keep(&effects, world.state.domain.now);
    }
    // What was heard when it was read happened when what is beside it did.
    let recorded = |ts: Timestamp| ts.0 < world.state.domain.now.0 - 86_400_000;
    let mut last = entries.iter().map(|entry| entry.ts).find(|ts| recorded(*ts)).unwrap();
    for (entry, seq) in entries.iter_mut().zip(1..) {
        if recorded(entry.ts) {
            last = last.max(entry.ts);
        }
        (entry.ts, entry.seq) = (last, seq);
    }
    let behind = last.0 - noon().0;
    entries.iter_mut().for_each(|entry| entry.ts.0 -= behind);
    Paper {
        entries,
        gap_behind: None,
        is_terminal_gone: false,
    }
}

fn reads(name: &str, what: &str, observed: impl Fn() -> Vec<Observed>) {
    let llm = name.split('-').next().unwrap_or_default();
    let paper = record(llm, observed());
    for (place, keys) in [("start", "g"), ("errors", "{ {"), ("end", "")] {
        super::pictured_at(&SIZES, &format!("recorded.{name}-{place}"), what, |cols, rows| {
            let mut world = read(cols, rows, &paper);
            of_cli(&mut world, llm);
            world.press_each(keys, |world, effects| paper.answer(world, effects));
            world
        });
    }
}

#[test]
fn what_claude_code_wrote() {
    reads(
        "claude",
        "Six turns: files and commands, a sub-agent, a command that failed, an interrupt.",
        || of_transcript("claude", "claude/transcript.jsonl"),
    );
}

#[test]
fn what_codex_wrote() {
    reads(
        "codex",
        "One turn with a thought, calls of which one was denied, and an answer.",
        || of_transcript("codex", "codex/rollout.jsonl"),
    );
    reads(
        "codex-turns",
        "Twelve turns: refusals, interrupts, errors of the provider, a command that runs on.",
        || of_transcript("codex", "codex/rollout-turns.jsonl"),
    );
}

#[test]
fn what_gemini_cli_wrote() {
    reads(
        "gemini",
        "Two turns: a thought, calls of which one failed, an interrupt.",
        || of_transcript("gemini", "gemini/transcript.jsonl"),
    );
    reads(
        "gemini-refused",
        "Nine turns: a refusal, errors of the provider, interrupts.",
        || of_transcript("gemini", "gemini/transcript-refused.jsonl"),
    );
}

#[test]
fn what_opencode_said() {
    reads(
        "opencode",
        "Two turns: a thought, calls of which one failed, an interrupt.",
        || of_server("opencode/events.jsonl"),
    );
}
