//! The agent: calls its first hook as Claude Code does, and writes a transcript at the pace it is told.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::lines::Recipe;

/// What this binary is called when it plays the agent.
pub const NAME: &str = "claude";

/// In the home folder: what the agents are to do, and, once it is there, that they may begin.
const ORDERS: &str = "orders.json";
const GO: &str = "go";

/// How often an agent looks whether it may begin.
const LOOK_AGAIN: Duration = Duration::from_millis(1);

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Orders {
    /// The transcript is this file, whole, before the first hook.
    Whole(PathBuf),
    /// It grows by so many lines, each so long after the last.
    Grows { lines: u64, apart: Duration },
}

impl Orders {
    pub fn write(&self, home: &Path) -> anyhow::Result<()> {
        Ok(fs::write(home.join(ORDERS), serde_json::to_vec(self)?)?)
    }
}

/// All agents of this home begin.
pub fn go(home: &Path) -> anyhow::Result<Instant> {
    let began = Instant::now();
    fs::write(home.join(GO), "")?;
    Ok(began)
}

pub fn play() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args == ["--version"] {
        println!("2.1.197 (Claude Code)");
        return Ok(());
    }
    let after = |flag: &str| {
        let at = args.iter().position(|arg| arg == flag)?;
        args.get(at + 1)
    };
    let (Some(settings), Some(session)) = (after("--settings"), after("--session-id")) else {
        bail!("started with other words than parlour uses: {args:?}");
    };
    let home = PathBuf::from(std::env::var_os("HOME").context("a home folder")?);
    let orders: Orders = serde_json::from_slice(&fs::read(home.join(ORDERS))?)?;
    let settings: Value = serde_json::from_slice(&fs::read(settings)?)?;
    let folder = home.join(".claude/projects/x");
    fs::create_dir_all(&folder)?;
    let transcript = folder.join(format!("{session}.jsonl"));
    match orders {
        Orders::Whole(sample) => {
            wait_for(&home.join(GO));
            fs::hard_link(sample, &transcript)?;
            session_starts(&settings, session, &transcript)?;
        }
        Orders::Grows { lines, apart } => {
            let mut file = File::options().create(true).append(true).open(&transcript)?;
            session_starts(&settings, session, &transcript)?;
            wait_for(&home.join(GO));
            write(&mut file, lines, apart)?;
        }
    }
    // The terminal's end is the agent's.
    io::stdin().read_to_end(&mut Vec::new())?;
    Ok(())
}

fn wait_for(path: &Path) {
    while !path.exists() {
        thread::sleep(LOOK_AGAIN);
    }
}

fn write(file: &mut File, lines: u64, apart: Duration) -> anyhow::Result<()> {
    let (mut recipe, began, mut written) = (Recipe::default(), Instant::now(), 0);
    while written < lines {
        for line in recipe.turn() {
            file.write_all(line.as_bytes())?;
            written += 1;
            let due = apart * u32::try_from(written)?;
            thread::sleep(due.saturating_sub(began.elapsed()));
        }
    }
    file.write_all(recipe.last().as_bytes())?;
    Ok(())
}

fn session_starts(settings: &Value, session: &str, transcript: &Path) -> anyhow::Result<()> {
    let hook = &settings["hooks"]["SessionStart"][0]["hooks"][0]["command"];
    let payload = json!({
        "hook_event_name": "SessionStart", "session_id": session, "transcript_path": transcript,
        "source": "startup", "cwd": std::env::current_dir()?,
    });
    let mut called = Command::new("sh")
        .arg("-c")
        .arg(hook.as_str().context("a hook for the beginning of a session")?)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()?;
    let mut said = called.stdin.take().context("a hook reads")?;
    said.write_all(payload.to_string().as_bytes())?;
    drop(said);
    called.wait()?;
    Ok(())
}
