//! What is measured, and what it should keep to.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::agent::{self, Orders};
use crate::engine::{Engine, Venue};
use crate::lines;
use crate::support::table::Row;

/// For 200 MB, on two cores.
const SECONDS: f64 = 3.0;
const MEBIBYTES: f64 = 64.0;
/// Of one core.
const PERCENT: f64 = 10.0;

const CHATS: usize = 20;
/// 200 a second.
const APART: Duration = Duration::from_millis(5);
/// What each agent writes before and after the span that is measured.
const EDGE: Duration = Duration::from_secs(1);

/// A transcript that is there when parlour hears of it, until its last line is an entry of ours.
pub fn cold(venue: &Venue, rounds: usize, megabytes: usize) -> anyhow::Result<Vec<Row>> {
    let (sample, expected) = lines::file(venue.storage, megabytes)?;
    let (mut wc, mut tree, mut taken, mut grown) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut threads = BTreeMap::<String, Vec<f64>>::new();
    for _ in 0..rounds {
        wc.push(counted(&sample)?);
        tree.push(parsed(&sample)?);
        let engine = Engine::start(venue, 1, &Orders::Whole(sample.clone()))?;
        let (before, (memory, _)) = (engine.threads(), engine.memory());
        let began = agent::go(engine.home())?;
        taken.push((engine.wait_for_last()? - began).as_secs_f64());
        for (name, spent) in engine.threads() {
            let spent = spent.saturating_sub(before.get(&name).copied().unwrap_or_default());
            threads.entry(name).or_default().push(spent.as_secs_f64());
        }
        grown.push(engine.memory().1.saturating_sub(memory) as f64 / f64::from(1 << 20));
        engine.check(expected)?;
    }
    let aim = SECONDS * megabytes as f64 / 200.0;
    let mut rows = vec![row(format!("a transcript of {megabytes} MB, s"), &taken).at_most(aim)];
    (rows[0].bare, rows[0].peer) = (median(&wc), median(&tree));
    for (name, spent) in threads {
        rows.push(row(format!("  processor time of `{name}`, s"), &spent));
    }
    rows.push(row("  memory beyond that at rest, MiB", &grown).at_most(MEBIBYTES));
    Ok(rows)
}

/// Transcripts that grow by 200 lines a second each.
pub fn follow(venue: &Venue, rounds: usize, span: Duration) -> anyhow::Result<Vec<Row>> {
    let count = (span + 2 * EDGE).as_millis() / APART.as_millis();
    let orders = Orders::Grows {
        lines: u64::try_from(count)?,
        apart: APART,
    };
    let (mut sum, mut threads) = (Vec::new(), BTreeMap::<String, Vec<f64>>::new());
    for _ in 0..rounds {
        let engine = Engine::start(venue, CHATS, &orders)?;
        // Their sessions have begun, and the engine is at rest.
        thread::sleep(2 * EDGE);
        agent::go(engine.home())?;
        thread::sleep(EDGE);
        let (before, began) = (engine.threads(), Instant::now());
        thread::sleep(span);
        let (after, seconds) = (engine.threads(), began.elapsed().as_secs_f64());
        let mut all = 0.0;
        for (name, spent) in after {
            let spent = spent.saturating_sub(before.get(&name).copied().unwrap_or_default());
            let share = 100.0 * spent.as_secs_f64() / seconds;
            all += share;
            threads.entry(name).or_default().push(share);
        }
        sum.push(all);
        engine.wait_for_last()?;
    }
    let what = format!("following {CHATS} transcripts, 200 lines a second each, % of a core");
    let mut rows = vec![row(what, &sum).at_most(PERCENT)];
    for (name, share) in threads {
        rows.push(row(format!("  of that `{name}`"), &share));
    }
    Ok(rows)
}

fn counted(sample: &Path) -> anyhow::Result<f64> {
    let began = Instant::now();
    let said = Command::new("wc")
        .arg("-l")
        .arg(sample)
        .output()
        .context("running wc")?;
    match said.status.success() {
        true => Ok(began.elapsed().as_secs_f64()),
        false => bail!("wc failed"),
    }
}

/// What a program takes that makes a tree of each line, and does nothing with it.
fn parsed(sample: &Path) -> anyhow::Result<f64> {
    let began = Instant::now();
    let (mut file, mut line) = (BufReader::new(File::open(sample)?), String::new());
    while file.read_line(&mut line)? > 0 {
        let tree: Value = serde_json::from_str(&line)?;
        std::hint::black_box(tree);
        line.clear();
    }
    Ok(began.elapsed().as_secs_f64())
}

fn row(what: impl Into<String>, values: &[f64]) -> Row {
    let mut row = Row::new(what);
    row.parlour = median(values);
    row
}

fn median(values: &[f64]) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}
