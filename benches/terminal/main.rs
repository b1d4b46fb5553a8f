//! Parlour beside tmux and a bare terminal: what a person waits for, and what it costs.
//!
//! `cargo bench --bench terminal` takes some ten minutes; `-- --quick` shows in one whether something is far off.
//! Hosts take turns within one run, and only ratios are worth comparing between machines. Start at `measure`;
//! `house` and `stage` open a host, `seat` is the outer terminal, `program` what runs inside, `cost` asks the kernel.

mod cost;
mod house;
mod measure;
mod program;
mod sample;
mod samples;
mod seat;
mod stage;

#[path = "../support/idle.rs"]
mod idle;
#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Parser, ValueEnum};

use house::{Host, Venue};
use support::proc;
use support::table::{self, Row};

#[derive(Parser)]
struct Line {
    /// One short round of each
    #[arg(long)]
    quick: bool,
    /// Measure this alone; may be said again
    #[arg(long, value_name = "WHAT")]
    only: Vec<What>,
    /// Measure in this host alone; may be said again
    #[arg(long)]
    host: Vec<Host>,
    /// How often each is measured
    #[arg(long)]
    rounds: Option<usize>,
    /// Keys pressed in a round
    #[arg(long)]
    keys: Option<usize>,
    /// A last line of JSON
    #[arg(long)]
    json: bool,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    Stream,
    Echo,
    Crowd,
    Idle,
    Memory,
    First,
    Open,
    List,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.first().is_some_and(|first| first == program::PLAY) {
        // Whoever hosts it has gone: there is nobody to tell.
        return match program::play(&args[1..]) {
            Ok(()) => ExitCode::SUCCESS,
            Err(_) => ExitCode::FAILURE,
        };
    }
    match run(&Line::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("terminal: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(line: &Line) -> anyhow::Result<()> {
    if !proc::can_be_read() {
        bail!("costs are read from /proc, which this system does not have");
    }
    let interrupted = Arc::new(AtomicBool::new(false));
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
        signal_hook::flag::register(signal, interrupted.clone()).context("listening for Ctrl+C")?;
    }
    let megabytes = if line.quick { 10 } else { 100 };
    let storage = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let venue = Venue {
        sample: sample::file(storage, megabytes)?,
        storage: storage.into(),
        hosts: hosts(line),
        interrupted,
    };
    let (rows, failed) = measure(line, &venue, megabytes);
    table::print(["bare", "tmux", "parlour"], &rows);
    if line.json {
        table::print_json(&rows);
    }
    match failed {
        0 => Ok(()),
        count => bail!("{count} of the measurements could not be taken"),
    }
}

/// All that was asked for. What cannot be measured is said, and does not keep the rest from being measured.
fn measure(line: &Line, venue: &Venue, megabytes: usize) -> (Vec<Row>, usize) {
    let rounds = line.rounds.unwrap_or(if line.quick { 1 } else { 5 });
    let keys = line.keys.unwrap_or(if line.quick { 100 } else { 400 });
    let span = Duration::from_secs(if line.quick { 3 } else { 10 });
    // These vary little, and each round takes long.
    let few = rounds.div_ceil(2);
    let (mut rows, mut failed) = (Vec::new(), 0);
    for what in What::value_variants() {
        if !line.only.is_empty() && !line.only.contains(what) {
            continue;
        }
        let measured = match what {
            What::Stream => measure::stream(venue, rounds, megabytes),
            What::Echo => measure::echo(venue, rounds, keys),
            What::Crowd => measure::crowd(venue, few, keys),
            What::Idle => measure::idle(venue, few, span),
            What::Memory => measure::memory(venue, few),
            What::First => measure::first(venue, rounds),
            What::Open => measure::open(venue, rounds),
            What::List => measure::list(venue, rounds, span),
        };
        match measured {
            Ok(measured) => rows.extend(measured),
            Err(error) => {
                let name = what.to_possible_value().map(|value| value.get_name().to_owned());
                eprintln!("terminal: {}: {error:#}", name.unwrap_or_default());
                failed += 1;
            }
        }
    }
    (rows, failed)
}

/// The ones that were asked for and are installed.
fn hosts(line: &Line) -> Vec<Host> {
    let mut hosts = Host::value_variants().to_vec();
    hosts.retain(|host| line.host.is_empty() || line.host.contains(host));
    let version = Command::new("tmux").arg("-V").output();
    if !version.is_ok_and(|said| said.status.success()) {
        hosts.retain(|host| *host != Host::Tmux);
        eprintln!("terminal: there is no tmux here: its column stays empty, and aims that name it are not judged");
    }
    hosts
}
