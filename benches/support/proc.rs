//! What the kernel tells of a process.

use std::fs;

/// Whether there is anything to read here.
pub fn can_be_read() -> bool {
    fs::exists("/proc/self/smaps_rollup").unwrap_or(false)
}

pub fn is_alive(pid: u32) -> bool {
    // The first field after the name is the state; a zombie has ended.
    stat(pid).is_some_and(|fields| fields.first().is_some_and(|state| state != "Z"))
}

/// The fields after the name, which may hold blanks and brackets.
pub fn stat(pid: u32) -> Option<Vec<String>> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let (_, after) = text.rsplit_once(')')?;
    Some(after.split_whitespace().map(str::to_owned).collect())
}

/// The number behind a name in one of its tables.
pub fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}
