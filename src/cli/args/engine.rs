//! The engine's own verb, and the one that replays what it recorded.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use crate::model::Timestamp;

#[derive(Debug, Subcommand)]
pub enum EngineVerb {
    Doctor(Doctor),
    Engine(EngineArgs),
    Replay(ReplayArgs),
    /// End the engine and with it every agent; chats stay on disk
    #[command(after_help = "Examples:\n  parlour kill-engine")]
    KillEngine,
}

/// Look for what is wrong with this home and this machine; changes nothing unless told to
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour doctor
  parlour doctor --json | jq '.problems | length'
  parlour doctor --fix    remove what a crash left behind

Exit code 1 where it finds something to put right, marked with a cross; what is only worth knowing is no failure.")]
pub struct Doctor {
    /// Remove leftovers of what was cut off, while no engine runs
    #[arg(long)]
    pub fix: bool,
}

/// Run the engine here, without a screen, until it is ended
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour engine
  PARLOUR_HOME=/tmp/try parlour engine
  parlour engine --record /tmp/bug.jsonl    end a running engine first: parlour kill-engine

A recording holds prompts, keys, and what agents say and show. Tokens, the values of environment variables and
HTTP headers, and the arguments of MCP servers are masked. The file is readable by you alone.
If the disk is full, the recording ends and the engine goes on.")]
pub struct EngineArgs {
    /// Write every event to this new file, for `parlour replay`
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

/// Step through a recording of an engine, without doing anything again
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour replay bug.jsonl                          a line for each event: number, time, name
  parlour replay bug.jsonl --screen 3               what client 3 saw at the end
  parlour replay bug.jsonl --to 512 --screen 3      what it saw after event 512
  parlour replay bug.jsonl --to 2026-02-15T09:00:00Z --state

No engine runs for it, and no home is read. Clients are numbered in the table, at their Attached events.
`parlour engine --record FILE` makes a recording.")]
pub struct ReplayArgs {
    /// The recording
    pub file: PathBuf,

    /// The last event to take in: its number, or the time up to which events count
    #[arg(long, value_name = "EVENT|TIME", value_parser = until)]
    pub to: Option<ReplayUntil>,

    /// Show the screen of this client, as text
    #[arg(long, value_name = "CLIENT", conflicts_with = "state")]
    pub screen: Option<u64>,

    /// Show the state, as JSON
    #[arg(long)]
    pub state: bool,
}

#[derive(Clone, Copy, Debug)]
pub enum ReplayUntil {
    Event(u64),
    Time(Timestamp),
}

fn until(text: &str) -> Result<ReplayUntil, String> {
    if let Ok(number) = text.parse() {
        return Ok(ReplayUntil::Event(number));
    }
    Timestamp::try_from(text.to_string())
        .map(ReplayUntil::Time)
        .map_err(|_| "give the number of an event, or a time like 2026-02-15T09:00:00Z".into())
}
