//! How fast parlour reads what agent CLIs write of themselves, and what following it costs.
//!
//! `cargo bench --bench transcripts` takes some minutes; `-- --quick` shows in one whether something is far off. The
//! agent is this same binary under the name of `claude`. Times are worth comparing with those beside them, of the same
//! file on the same machine: `wc -l`, and `serde_json` making a tree of each line. Start at `measure`.

mod agent;
mod engine;
mod lines;
mod measure;

#[path = "../support/homes.rs"]
mod homes;
#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use clap::{Parser, ValueEnum};

use engine::Venue;
use homes::Homes;
use support::{proc, table};

#[derive(Parser)]
struct Line {
    /// One short round of each
    #[arg(long)]
    quick: bool,
    /// Measure this alone; may be said again
    #[arg(long, value_name = "WHAT")]
    only: Vec<What>,
    /// How often each is measured
    #[arg(long)]
    rounds: Option<usize>,
    /// Another release binary than the one just built
    #[arg(long, value_name = "PROGRAM")]
    parlour: Option<std::path::PathBuf>,
    /// A last line of JSON
    #[arg(long)]
    json: bool,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// A long transcript that is there before parlour hears of it
    Cold,
    /// Many that grow
    Follow,
}

fn main() -> ExitCode {
    let name = std::env::args_os().next().unwrap_or_default();
    let done = match Path::new(&name).file_name().is_some_and(|name| name == agent::NAME) {
        true => agent::play(),
        false => run(&Line::parse()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("transcripts: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(line: &Line) -> anyhow::Result<()> {
    if !proc::can_be_read() {
        bail!("costs are read from /proc, which this system does not have");
    }
    let storage = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let homes = Homes::settled(storage, line.quick)?;
    let built = || env!("CARGO_BIN_EXE_parlour").into();
    let venue = Venue {
        parlour: line.parlour.clone().unwrap_or_else(built),
        storage,
        homes: homes.path(),
    };
    let rounds = line.rounds.unwrap_or(if line.quick { 1 } else { 3 });
    let mut rows = Vec::new();
    for what in What::value_variants() {
        if !line.only.is_empty() && !line.only.contains(what) {
            continue;
        }
        rows.extend(match what {
            What::Cold => measure::cold(&venue, rounds, if line.quick { 50 } else { 200 })?,
            What::Follow => {
                let span = Duration::from_secs(if line.quick { 3 } else { 10 });
                measure::follow(&venue, rounds, span)?
            }
        });
    }
    table::print(["wc -l", "tree", "parlour"], &rows);
    if line.json {
        table::print_json(&rows);
    }
    Ok(())
}
