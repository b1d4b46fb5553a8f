//! What it costs to read what happened: a long transcript, its first frame, scrolling, and following it.
//!
//! `cargo bench --bench read` takes a minute; `-- --quick` a few seconds. A person's keys go through `update`, what
//! workers would read is read from the same files by the same functions, and each screen is drawn. Writing the cells to
//! a terminal is not in it; `terminal` measures that. Each subject has a file, which returns its rows.

#[path = "../support/table.rs"]
mod table;

mod seat;
mod transcript;

use std::process::ExitCode;

use clap::Parser;

use table::Row;

#[derive(Parser)]
struct Line {
    /// Fewer rounds
    #[arg(long)]
    quick: bool,
    /// Events of the transcript
    #[arg(long, default_value_t = 10_000)]
    events: usize,
    /// A last line of JSON
    #[arg(long)]
    json: bool,
    /// Given by cargo
    #[arg(long, hide = true)]
    bench: bool,
}

fn main() -> ExitCode {
    match run(&Line::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("read: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(line: &Line) -> anyhow::Result<()> {
    let rows: Vec<Row> = transcript::rows(line.events, line.quick)?;
    table::print(["", "", "parlour"], &rows);
    if line.json {
        table::print_json(&rows);
    }
    Ok(())
}
