//! What it costs to read what happened: a long transcript, its first frame, scrolling, and following it; names and full
//! text of many; a long output.
//!
//! `cargo bench --bench read` takes some minutes and 3 GB of disk; `-- --quick` a few seconds. A person's keys go through `update`, what
//! workers would read is read from the same files by the same functions, and each screen is drawn. Writing the cells to
//! a terminal is not in it; `terminal` measures that. Each subject has a file, which returns its rows.

#[path = "../support/table.rs"]
mod table;

mod history;
mod names;
mod output;
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
    /// Megabytes of transcripts that are searched, and of the output that is opened; a tenth with `--quick`
    #[arg(long, default_value_t = 1_000)]
    megabytes: u64,
    /// Only these subjects, of: transcript, names, history, output
    #[arg(long, value_delimiter = ',')]
    only: Vec<String>,
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
    let megabytes = if line.quick {
        line.megabytes / 10
    } else {
        line.megabytes
    };
    let is_asked = |subject: &str| line.only.is_empty() || line.only.iter().any(|only| only == subject);
    let mut rows: Vec<Row> = Vec::new();
    if is_asked("transcript") {
        rows.extend(transcript::rows(line.events, line.quick)?);
    }
    if is_asked("names") {
        rows.extend(names::rows(line.quick)?);
    }
    if is_asked("history") {
        rows.extend(history::rows(megabytes)?);
    }
    if is_asked("output") {
        rows.extend(output::rows(megabytes)?);
    }
    table::print(["", "beside", "parlour"], &rows);
    if line.json {
        table::print_json(&rows);
    }
    Ok(())
}
