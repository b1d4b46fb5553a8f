//! What checkpoints and diffs cost beside what git alone needs for the same.
//!
//! `cargo bench --bench review` makes a repository of 20,000 files and takes some minutes; `-- --quick` takes one. Each
//! figure is the median of rounds that take turns, in milliseconds.

#[path = "../support/table.rs"]
mod table;

mod diffs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use anyhow::{Context, ensure};
use clap::Parser;

use parlour::fs::Dir;
use parlour::git::CancelFlag;
use parlour::git::checkpoint::{Scope, Store, TakeOptions};
use parlour::model::Timestamp;
use table::Row;

#[derive(Parser)]
struct Line {
    /// Fewer rounds
    #[arg(long)]
    quick: bool,
    /// Files in the repository
    #[arg(long, default_value_t = 20_000)]
    files: usize,
    /// Files in the repository whose list is measured
    #[arg(long, default_value_t = 100_000)]
    wide: usize,
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
            eprintln!("review: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// A repository, the bare cache it was cloned from, and a place for checkpoints.
struct Venue {
    root: PathBuf,
    clone: PathBuf,
    cache: PathBuf,
    files: usize,
}

fn run(line: &Line) -> anyhow::Result<()> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("review");
    let _ = fs::remove_dir_all(&root);
    let venue = Venue::make(root, line.files)?;
    let rounds = if line.quick { 5 } else { 25 };
    let mut rows = vec![venue.first(rounds.min(5))?, venue.next(rounds)?, venue.back(rounds)?];
    rows.extend(venue.diffs(rounds)?);
    rows.push(venue.large(3)?);
    let wide = Venue::make(venue.root.join("wide"), line.wide)?;
    rows.push(wide.list(rounds.min(5))?);
    table::print(["", "git", "parlour"], &rows);
    if line.json {
        table::print_json(&rows);
    }
    Ok(fs::remove_dir_all(&venue.root)?)
}

impl Venue {
    fn make(root: PathBuf, files: usize) -> anyhow::Result<Venue> {
        let source = root.join("source");
        for number in 0..files {
            let path = source.join(file(number));
            if number % 50 == 0 {
                fs::create_dir_all(path.parent().context("a file has a folder")?)?;
            }
            let lines: Vec<String> = (0..30)
                .map(|line| format!("let value_{line} = {number} * {line};\n"))
                .collect();
            fs::write(path, lines.concat())?;
        }
        git(&source, &["init", "-q", "-b", "main"])?;
        git(&source, &["add", "-A"])?;
        git(&source, &["commit", "-q", "-m", "all"])?;
        let (cache, clone) = (root.join("cache.git"), root.join("clone"));
        git(&root, &["clone", "-q", "--bare", "source", "cache.git"])?;
        git(&root, &["clone", "-q", "cache.git", "clone"])?;
        Ok(Venue {
            root,
            clone,
            cache,
            files,
        })
    }

    fn store(&self, name: &str) -> anyhow::Result<Store> {
        let parent = Dir::open_or_create(self.root.join("checkpoints"))?;
        Ok(Store::open(&parent, name, || Some(self.cache.clone()))?)
    }

    fn touch(&self, round: usize) -> anyhow::Result<()> {
        for number in 0..10 {
            let path = self.clone.join(file((number * 1999 + round) % self.files));
            fs::write(path, format!("changed {round}\n"))?;
        }
        Ok(())
    }

    /// The first checkpoint of all, beside `git add -A` to a fresh index and a fresh object store.
    fn first(&self, rounds: usize) -> anyhow::Result<Row> {
        let (mut peer, mut own) = (Vec::new(), Vec::new());
        for round in 0..rounds {
            let fresh = self.root.join(format!("fresh-{round}.git"));
            git(&self.root, &["init", "-q", "--bare", &fresh.to_string_lossy()])?;
            let (fresh, clone) = (fresh.to_string_lossy(), self.clone.to_string_lossy());
            peer.push(timed(|| {
                git(
                    &self.root,
                    &[
                        &format!("--git-dir={fresh}"),
                        &format!("--work-tree={clone}"),
                        "add",
                        "-A",
                    ],
                )
            })?);
            let store = self.store(&format!("first-{round}"))?;
            own.push(timed(|| self.take(&store, 1))?);
        }
        Ok(row(
            "first checkpoint of all files | git add -A to a fresh index",
            peer,
            own,
            1.5,
        ))
    }

    /// A checkpoint with ten files changed since the last, beside `git status`.
    fn next(&self, rounds: usize) -> anyhow::Result<Row> {
        let store = self.store("next")?;
        self.take(&store, 0)?;
        git(&self.clone, &["status"])?;
        let (mut peer, mut own) = (Vec::new(), Vec::new());
        for round in 1..=rounds {
            self.touch(round)?;
            peer.push(timed(|| git(&self.clone, &["status", "--porcelain"]))?);
            own.push(timed(|| self.take(&store, round as u64))?);
        }
        ensure!(store.snapshots()?.len() == rounds + 1, "each round made a checkpoint");
        Ok(row("checkpoint with 10 files changed | git status", peer, own, 1.3))
    }

    /// Which files differ from the last checkpoint, ten of them, beside `git status`.
    fn list(&self, rounds: usize) -> anyhow::Result<Row> {
        let store = self.store("list")?;
        self.take(&store, 0)?;
        git(&self.clone, &["status"])?;
        let from = store.snapshot(0)?.context("it was taken")?.files();
        let (clone, cancel) = (Dir::open(&self.clone)?, CancelFlag::default());
        let (mut peer, mut own) = (Vec::new(), Vec::new());
        for round in 1..=rounds {
            self.touch(round)?;
            peer.push(timed(|| git(&self.clone, &["status", "--porcelain"]))?);
            own.push(timed(|| {
                let now = store.now(&clone, &options(round as u64, &cancel))?.files();
                let changes = store.changes(Some(from), now)?;
                ensure!(changes.len() >= 10, "{} files", changes.len());
                Ok(())
            })?);
        }
        let what = format!("list of what differs in {} files | git status", self.files);
        Ok(row(&what, peer, own, 1.5))
    }

    /// Back by one turn, beside `git checkout` of ten files.
    fn back(&self, rounds: usize) -> anyhow::Result<Row> {
        let store = self.store("back")?;
        let cancel = CancelFlag::default();
        let clone = Dir::open(&self.clone)?;
        self.take(&store, 0)?;
        let (mut peer, mut own) = (Vec::new(), Vec::new());
        for round in 1..=rounds {
            self.touch(round)?;
            peer.push(timed(|| git(&self.clone, &["checkout", "-q", "--", "."]))?);
            self.touch(round)?;
            let before = store.snapshot(0)?.context("it was taken")?;
            own.push(timed(|| {
                self.take(&store, round as u64)?;
                let now = store.snapshot(round as u64)?.context("it was taken")?;
                store.restore(&clone, (&now, &before), Scope::FilesAndGit, &cancel)?;
                Ok(())
            })?);
        }
        Ok(row("back by a turn, saved before | git checkout", peer, own, 0.0))
    }

    fn take(&self, store: &Store, number: u64) -> anyhow::Result<()> {
        store.take(&Dir::open(&self.clone)?, &options(number, &CancelFlag::default()))?;
        Ok(())
    }
}

fn options(number: u64, cancel: &CancelFlag) -> TakeOptions<'_> {
    TakeOptions {
        number,
        at: Timestamp(0),
        largest: 100 << 20,
        also: &[],
        always: true,
        cancel,
    }
}

fn file(number: usize) -> String {
    format!("src/part{:03}/file{number:05}.rs", number / 50)
}

/// In milliseconds.
fn timed(act: impl FnOnce() -> anyhow::Result<()>) -> anyhow::Result<f64> {
    let started = Instant::now();
    act()?;
    Ok(started.elapsed().as_secs_f64() * 1000.0)
}

fn row(what: &str, peer: Vec<f64>, own: Vec<f64>, limit: f64) -> Row {
    let mut row = Row::new(what);
    let peer = median(peer);
    row.peer = Some(peer);
    row.parlour = Some(median(own));
    match limit > 0.0 {
        true => row.at_most(limit * peer),
        false => row,
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn git(dir: &Path, arguments: &[&str]) -> anyhow::Result<()> {
    let output = Command::new("git")
        .args([
            "-c",
            "user.name=Bench",
            "-c",
            "user.email=bench@example.com",
            "-c",
            "gc.auto=0",
        ])
        .args(arguments)
        .current_dir(dir)
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .output()?;
    ensure!(
        output.status.success(),
        "git {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}
