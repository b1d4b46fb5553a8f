//! A long output: opened, gone through and searched, beside `less` and `grep`.

use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, ensure};

use parlour::model::output::LinesAt;

use crate::seat::Seat;
use crate::table::Row;

const FILE: &str = "outputs/t1";

pub fn rows(megabytes: u64) -> anyhow::Result<Vec<Row>> {
    let folder = tempfile::tempdir()?;
    let seat = Seat::new(folder.path())?;
    let outputs = seat.home.record_path(&seat.chat).join("outputs");
    fs::create_dir_all(&outputs)?;
    let path = outputs.join("t1");
    let lines = write(&path, megabytes * 1_000_000)?;
    let open = || seat.home.output(&seat.chat, FILE);

    let began = Instant::now();
    let first = open()?.page(&LinesAt::After(0), None, &|| false)?;
    let opened = began.elapsed();
    ensure!(first.lines.len() > 100, "a screen of lines is there");

    let began = Instant::now();
    let last = open()?.page(&LinesAt::Before(u64::MAX), None, &|| false)?;
    let ended = began.elapsed();
    ensure!(last.to == last.whole, "its end is there");

    let began = Instant::now();
    let index = open()?.index(&|| false)?;
    let counted = began.elapsed();
    ensure!(index.lines == lines, "its lines are counted");

    let began = Instant::now();
    let middle = open()?.page(&LinesAt::Line(lines / 2), Some(&index), &|| false)?;
    let gone_to = began.elapsed();
    ensure!(middle.number.is_some(), "its lines have numbers");

    let began = Instant::now();
    let words = LinesAt::Next("the last of them".into(), 0);
    let found = open()?.page(&words, Some(&index), &|| false)?;
    let searched = began.elapsed();
    ensure!(found.found.is_some(), "the words are found");
    Ok(vec![
        Row {
            peer: less(&path).map(ms),
            parlour: Some(ms(opened)),
            ..Row::new(format!("an output of {megabytes} MB is opened, beside less, ms")).at_most(100.0)
        },
        Row {
            parlour: Some(ms(ended)),
            ..Row::new("to its end, ms").at_most(100.0)
        },
        Row {
            parlour: Some(ms(gone_to)),
            ..Row::new("to a line by its number, once they were counted, ms").at_most(100.0)
        },
        Row {
            parlour: Some(ms(counted)),
            ..Row::new("its lines are counted, ms")
        },
        Row {
            peer: Some(ms(grep(&path)?)),
            parlour: Some(ms(searched)),
            ..Row::new("words at its end are found, beside grep -ibFm1, ms")
        },
    ])
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// Each line is one of a test run.
fn write(path: &Path, bytes: u64) -> anyhow::Result<u64> {
    let mut file = BufWriter::new(File::create(path)?);
    let (mut written, mut lines) = (0, 0);
    while written < bytes {
        let line = format!(
            "\u{1b}[32mok\u{1b}[0m {lines} - session::case_{} took {} ms\n",
            lines * 7,
            lines % 91
        );
        file.write_all(line.as_bytes())?;
        written += line.len() as u64;
        lines += 1;
    }
    writeln!(file, "the last of them")?;
    file.flush()?;
    Ok(lines + 1)
}

/// On a terminal, as it shows the first screen and ends. None where there is none.
fn less(path: &Path) -> Option<Duration> {
    let began = Instant::now();
    let line = format!("less -R +q {}", path.display());
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).env("TERM", "xterm");
    let ended = script.stdin(Stdio::null()).stdout(Stdio::null()).status().ok()?;
    ended.success().then(|| began.elapsed())
}

fn grep(path: &Path) -> anyhow::Result<Duration> {
    let began = Instant::now();
    let mut grep = Command::new("grep");
    grep.args(["-ibFm1", "the last of them"]).arg(path);
    grep.stdout(Stdio::null()).status().context("running grep")?;
    Ok(began.elapsed())
}
