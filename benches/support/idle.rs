//! What processes cost that do next to nothing, as the kernel counts it of each thread.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use crate::support::proc::field;

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

fn tasks(pids: &[u32]) -> Vec<PathBuf> {
    let of = |pid: &u32| {
        let folder = format!("/proc/{pid}/task");
        numbers(&folder)
            .into_iter()
            .map(move |task| PathBuf::from(format!("{folder}/{task}")))
    };
    pids.iter().flat_map(of).collect()
}

/// The names in a folder that are numbers.
pub fn numbers(folder: &str) -> Vec<u32> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    entries
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .collect()
}
