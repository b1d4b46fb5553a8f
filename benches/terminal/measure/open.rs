//! Opening a large repository in a chat, beside what git takes for a clone that shares nothing either.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, bail};

use crate::house::{Host, House, Venue};
use crate::program::Program;
use crate::samples::{Samples, beside_peer};
use crate::support::table::Row;

const FILES: usize = 20_000;

/// Times what git takes: setting up the project's files and the agent's instructions may cost so much.
const AIM: f64 = 1.3;

pub fn open(venue: &Venue, rounds: usize) -> anyhow::Result<Vec<Row>> {
    let repository = repository(&venue.storage)?;
    // On the file system of the source, for git and parlour alike.
    let house = House::new(Host::Parlour, venue, &venue.storage)?;
    house.hide(Program::Idle, venue, "opener")?;
    let (mut cold, mut warm) = (Samples::default(), Samples::default());
    cold.push(Host::Parlour, opened(&house, &repository, "first")?);
    for round in 0..rounds {
        let clone = house.home().join("clone");
        warm.push(Host::Tmux, cloned(&repository, &clone)?);
        fs::remove_dir_all(&clone)?;
        warm.push(Host::Parlour, opened(&house, &repository, &format!("warm-{round}"))?);
    }
    let warm = warm.median(format!("open_dir of {FILES} files, warm, ms (tmux: git clone)"));
    let warm = beside_peer(warm, AIM);
    let mut cold = cold.median("  the first time, its cache not made yet");
    cold.peer = warm.peer;
    Ok(vec![warm, cold])
}

fn opened(house: &House, repository: &Path, branch: &str) -> anyhow::Result<f64> {
    let path = repository.display().to_string();
    let started = Instant::now();
    house.verb(&["open-dir", "opener", &path, "--branch", branch])?;
    Ok(started.elapsed().as_secs_f64() * 1000.0)
}

fn cloned(repository: &Path, to: &Path) -> anyhow::Result<f64> {
    let started = Instant::now();
    let ended = Command::new("git")
        .args(["clone", "--quiet", "--local", "--no-hardlinks"])
        .args([repository, to])
        .status()
        .context("running git")?;
    if !ended.success() {
        bail!("git clone of {} failed", repository.display());
    }
    Ok(started.elapsed().as_secs_f64() * 1000.0)
}

/// The repository, made where it is missing: sources of one to four KB, in one pack.
fn repository(storage: &Path) -> anyhow::Result<PathBuf> {
    let path = storage.join(format!("repository-1-{FILES}"));
    if path.exists() {
        return Ok(path);
    }
    let partial = storage.join("repository.partial");
    if partial.exists() {
        fs::remove_dir_all(&partial)?;
    }
    git(&[&"init", &"--quiet", &"--initial-branch=main", &partial])?;
    let mut import = Command::new("git")
        .arg("-C")
        .arg(&partial)
        .args(["fast-import", "--quiet"])
        .stdin(Stdio::piped())
        .spawn()
        .context("running git fast-import")?;
    let mut orders = import.stdin.take().context("fast-import takes orders")?;
    orders
        .write_all(b"commit refs/heads/main\ncommitter bench <bench@example.org> 1767225600 +0000\ndata 4\nmake\n")?;
    for number in 0..FILES {
        let text = source(number);
        let folder = format!("part-{:02}/room-{:02}", number / 1000, number / 50 % 20);
        write!(
            orders,
            "M 100644 inline {folder}/file_{number}.rs\ndata {}\n{text}\n",
            text.len()
        )?;
    }
    drop(orders);
    if !import.wait()?.success() {
        bail!("git fast-import failed");
    }
    git(&[&"-C", &partial, &"reset", &"--quiet", &"--hard"])?;
    fs::rename(&partial, &path)?;
    Ok(path)
}

fn git(args: &[&dyn AsRef<std::ffi::OsStr>]) -> anyhow::Result<()> {
    let ended = Command::new("git")
        .args(args.iter().map(|arg| arg.as_ref()))
        .status()
        .context("running git")?;
    match ended.success() {
        true => Ok(()),
        false => bail!("making the repository failed"),
    }
}

fn source(number: usize) -> String {
    let mut text = format!("//! File {number}.\n\n");
    for line in 0..20 + number * 7 % 60 {
        let _ = writeln!(
            text,
            "pub fn step_{line}(from: usize) -> usize {{ from.rotate_left({}) }}",
            (number + line) % 63
        );
    }
    text
}
