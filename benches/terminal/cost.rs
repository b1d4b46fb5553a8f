//! What processes cost, as the kernel counts it: time, wake-ups, memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// Linux counts `stat` in hundredths of a second on every machine it runs on.
const TICK: Duration = Duration::from_millis(10);

/// Whether there is anything to read here.
pub fn can_be_read() -> bool {
    fs::exists("/proc/self/smaps_rollup").unwrap_or(false)
}

/// Processor time so far, with threads that have ended, in steps of 10 ms: for seconds of work.
pub fn busy(pids: &[u32]) -> Duration {
    let ticks: u32 = pids
        .iter()
        .filter_map(|pid| {
            let fields = stat(*pid)?;
            let field = |number: usize| fields.get(number)?.parse::<u32>().ok();
            Some(field(11)? + field(12)?)
        })
        .sum();
    TICK * ticks
}

/// Processor time so far of the threads that live, to the nanosecond: for what does next to nothing.
pub fn slices(pids: &[u32]) -> Duration {
    let spent = |task: PathBuf| -> Option<u64> {
        let text = fs::read_to_string(task.join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    Duration::from_nanos(tasks(pids).into_iter().filter_map(spent).sum())
}

/// How often threads that live have gone to sleep so far, which is how often they were woken.
pub fn wakes(pids: &[u32]) -> u64 {
    let slept = |task: PathBuf| {
        field(
            &fs::read_to_string(task.join("status")).ok()?,
            "voluntary_ctxt_switches:",
        )
    };
    tasks(pids).into_iter().filter_map(slept).sum()
}

/// Bytes of memory; what several processes share counts once.
pub fn memory(pids: &[u32]) -> u64 {
    let share = |pid: &u32| field(&fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).ok()?, "Pss:");
    pids.iter().filter_map(share).sum::<u64>() << 10
}

/// A process and all below it, but for programs of ours: those are what is hosted.
pub fn tree(root: u32) -> Vec<u32> {
    let ours = std::env::current_exe().ok();
    let mut below: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    for pid in numbers("/proc") {
        if let Some(parent) = stat(pid).and_then(|fields| fields.get(1)?.parse().ok()) {
            below.entry(parent).or_default().push(pid);
        }
    }
    let mut found = vec![root];
    let mut looked = 0;
    while let Some(pid) = found.get(looked) {
        found.extend(below.remove(pid).unwrap_or_default());
        looked += 1;
    }
    found.retain(|pid| fs::read_link(format!("/proc/{pid}/exe")).ok() != ours);
    found
}

pub fn is_alive(pid: u32) -> bool {
    // The first field after the name is the state; a zombie has ended.
    stat(pid).is_some_and(|fields| fields.first().is_some_and(|state| state != "Z"))
}

fn tasks(pids: &[u32]) -> Vec<PathBuf> {
    let of = |pid: &u32| {
        let folder = format!("/proc/{pid}/task");
        numbers(&folder)
            .into_iter()
            .map(move |task| PathBuf::from(format!("{folder}/{task}")))
    };
    pids.iter().flat_map(of).collect()
}

/// The fields after the name, which may hold blanks and brackets.
fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, after) = text.rsplit_once(')')?;
    Some(after.split_whitespace().map(str::to_owned).collect())
}

fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

fn numbers(folder: &str) -> Vec<u32> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect()
}
