//! What many agents together cost: dispatching, stopping, messages, schedules; and one that is asked from the shell.
//!
//! `cargo bench --bench team` takes some minutes; `-- --quick` shows in one whether something is far off. The agents are
//! this same binary under the names of `agent`. Start at `measure`; `house` is an engine with a home of its own.

mod agent;
mod house;
mod measure;
mod query;

#[path = "../support/homes.rs"]
mod homes;
#[path = "../support/idle.rs"]
mod idle;
#[path = "../support/mod.rs"]
mod support;

use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::bail;
use clap::{Parser, ValueEnum};

use homes::Homes;
use house::Venue;
use support::{proc, table};

#[derive(Parser)]
struct Line {
    /// Fewer of each
    #[arg(long)]
    quick: bool,
    /// Measure this alone; may be said again
    #[arg(long, value_name = "WHAT")]
    only: Vec<What>,
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
    /// From a dispatch to the child's first instruction
    Dispatch,
    /// An engine with many schedules beside one with none
    Schedules,
    /// The end of a tree of agents
    Stop,
    /// Messages among chats, through a kill of the engine
    Messages,
    /// `parlour query` around the agent's own time
    Query,
}

fn main() -> ExitCode {
    let name = std::env::args_os().next().unwrap_or_default();
    let played = Path::new(&name).file_name().and_then(agent::Nature::named);
    let done = match played {
        Some(nature) => agent::play(nature),
        None => run(&Line::parse()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("team: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(line: &Line) -> anyhow::Result<()> {
    if !proc::can_be_read() {
        bail!("costs are read from /proc, which this system does not have");
    }
    let homes = Homes::settled(Path::new(env!("CARGO_TARGET_TMPDIR")), line.quick)?;
    let built = || env!("CARGO_BIN_EXE_parlour").into();
    let venue = Venue {
        parlour: line.parlour.clone().unwrap_or_else(built),
        homes: homes.path(),
    };
    let mut rows = Vec::new();
    for what in What::value_variants() {
        if !line.only.is_empty() && !line.only.contains(what) {
            continue;
        }
        rows.extend(match what {
            What::Dispatch => measure::dispatch(&venue, if line.quick { 10 } else { 50 })?,
            What::Schedules => {
                let span = Duration::from_secs(if line.quick { 5 } else { 30 });
                measure::schedules(&venue, 500, span)?
            }
            What::Stop => measure::stop(&venue, 20)?,
            What::Messages => measure::messages(&venue, if line.quick { 10 } else { 50 })?,
            What::Query => query::query(&venue, if line.quick { 5 } else { 30 })?,
        });
    }
    table::print(["alone", "peer", "parlour"], &rows);
    if line.json {
        table::print_json(&rows);
    }
    Ok(())
}
