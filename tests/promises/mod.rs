//! What parlour promises under faults and attack: a test for each promise by its number, `docs/promises.md` lists them.
//!
//! In CI they run short. With `PARLOUR_LONG` set they run at the size that the promise names, and an optimised build must
//! keep its time; else ten times as much is allowed, for an unoptimised engine or a machine that many tests share. What is
//! tested elsewhere at any size is called from here.

mod attack;
mod clones;
mod connections;
#[cfg(target_os = "linux")]
mod disk;
mod fuzzed;
mod home;
mod kills;
mod load;
mod logs;
mod soak;
mod terminal;

use std::fs;
use std::time::Duration;

/// How much slower than promised a short run, and an unoptimised engine, may be.
const SLACK: u32 = 10;

pub const MEGABYTE: u64 = 1 << 20;

/// Whether the promises are tested at full size.
pub fn is_long() -> bool {
    std::env::var_os("PARLOUR_LONG").is_some()
}

/// The one in a short run, the other in a long one.
pub fn scaled<T>(short: T, long: T) -> T {
    match is_long() {
        true => long,
        false => short,
    }
}

/// It took no longer than promised.
fn in_time(what: &str, took: Duration, promised: Duration) {
    println!("{what}: {took:?} of {promised:?}");
    let is_held_to_it = is_long() && !cfg!(debug_assertions);
    let allowed = promised * if is_held_to_it { 1 } else { SLACK };
    assert!(took <= allowed, "{what} took {took:?}, and {promised:?} is promised");
}

/// The resident memory of a process.
fn resident(pid: i32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    let kilobytes: u64 = line.split_whitespace().nth(1).unwrap().parse().unwrap();
    kilobytes * 1024
}

/// It holds no more than this above what it had before.
fn grew_little(what: &str, pid: i32, before: u64, most: u64) {
    let grown = resident(pid).saturating_sub(before);
    println!("{what}: grew by {} MB of {}", grown / MEGABYTE, most / MEGABYTE);
    assert!(grown <= most, "{what}: the engine grew by {} MB", grown / MEGABYTE);
}

/// Numbers that are the same in each run.
struct Dice(u64);

impl Dice {
    /// One below this.
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }
}
