//! What processes cost, as the kernel counts it: time, wake-ups, memory.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use crate::idle::numbers;
use crate::support::proc::{field, stat};

/// Linux counts `stat` in hundredths of a second on every machine it runs on.
const TICK: Duration = Duration::from_millis(10);

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
