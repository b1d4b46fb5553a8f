//! Every process that came from the supervisor, however it hid.
//!
//! On Linux the supervisor is the reaper of its descendants: a child of a child that made a session of its own and lost
//! its parent becomes the supervisor's child, so the tree by parents is complete. Elsewhere only the agent's process
//! group is known, and what left it is not found; that part is not tested.

use rustix::process::{Pid, Signal};

#[cfg(target_os = "linux")]
pub(super) fn adopt_orphans() -> std::io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn adopt_orphans() -> std::io::Result<()> {
    Ok(())
}

/// Sends `signal` to all that live and returns how many that were.
#[cfg(target_os = "linux")]
pub(super) fn signal_all(_agent: Pid, signal: Option<Signal>) -> usize {
    let alive = descendants(rustix::process::getpid());
    if let Some(signal) = signal {
        for pid in &alive {
            // One that exited meanwhile is what was wanted; one of another user cannot be helped.
            let _ = rustix::process::kill_process(*pid, signal);
        }
    }
    alive.len()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn signal_all(agent: Pid, signal: Option<Signal>) -> usize {
    let sent = match signal {
        Some(signal) => rustix::process::kill_process_group(agent, signal),
        None => rustix::process::test_kill_process_group(agent),
    };
    usize::from(sent.is_ok())
}

#[cfg(target_os = "linux")]
fn descendants(of: Pid) -> Vec<Pid> {
    let all: Vec<(Pid, Pid)> = std::fs::read_dir("/proc")
        .into_iter()
        .flatten()
        .filter_map(|entry| parent_of(entry.ok()?.file_name().to_str()?.parse().ok()?))
        .collect();
    let mut found = Vec::new();
    let mut parents = vec![of];
    while let Some(parent) = parents.pop() {
        let children = all.iter().filter(|(_, of)| *of == parent).map(|(child, _)| *child);
        let children: Vec<Pid> = children.collect();
        found.extend_from_slice(&children);
        parents.extend(children);
    }
    found
}

/// A process and its parent; `None` for one that has ended and only waits to be noticed.
#[cfg(target_os = "linux")]
fn parent_of(pid: i32) -> Option<(Pid, Pid)> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses is the program's own choice and may hold anything.
    let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?;
    let parent: i32 = fields.next()?.parse().ok()?;
    if matches!(state, "Z" | "X") {
        return None;
    }
    Some((Pid::from_raw(pid)?, Pid::from_raw(parent)?))
}
