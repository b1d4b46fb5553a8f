//! What a supervisor leaves behind when it is killed falls to the engine, and not to init: so it stays below the engine,
//! which tells by that who is no person.
//!
//! Who adopts has to notice deaths. The programs that the engine started itself are noticed by whoever started them.

use std::collections::BTreeSet;
use std::io;
use std::process::{Child, Command};
use std::sync::OnceLock;

use parking_lot::Mutex;

/// The children that somebody here waits for, and some that are gone by now.
static STARTED: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Set once by the engine: another process may have children that it did not start here.
static ADOPTS: OnceLock<()> = OnceLock::new();

/// Starts a child that whoever asks waits for.
pub fn start(command: &mut Command) -> io::Result<Child> {
    // Held meanwhile: one that ends at once is nobody's until it is noted.
    let mut started = STARTED.lock();
    let child = command.spawn()?;
    started.insert(child.id());
    Ok(child)
}

/// Notes a child that another process has made ours, as one that whoever asks waits for; `false` where it is none of ours.
#[cfg(target_os = "linux")]
pub(super) fn claim(pid: rustix::process::Pid) -> bool {
    use rustix::process::{WaitId, WaitIdOptions, waitid};

    let mut started = STARTED.lock();
    // One that has ended since is still there, unless it was taken for an orphan.
    let looks = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let is_ours = waitid(WaitId::Pid(pid), looks).is_ok();
    if is_ours {
        started.insert(pid.as_raw_nonzero().get().unsigned_abs());
    }
    is_ours
}

/// From now on orphans among this process's descendants become its children.
pub fn adopt() -> io::Result<()> {
    super::tree::adopt_orphans()?;
    // An engine that is opened twice in a process adopts as one.
    let _ = ADOPTS.set(());
    Ok(())
}

/// Notices the adopted ones that have ended.
#[cfg(target_os = "linux")]
pub(super) fn reap() {
    use rustix::process::{Pid, WaitOptions, waitpid};

    if ADOPTS.get().is_none() {
        return;
    }
    let mut started = STARTED.lock();
    // The kernel gives them to the thread that is named like the process. Where it lists no children, they stay.
    let us = std::process::id();
    let Ok(listed) = std::fs::read_to_string(format!("/proc/{us}/task/{us}/children")) else {
        return;
    };
    let children: BTreeSet<u32> = listed.split_whitespace().filter_map(|pid| pid.parse().ok()).collect();
    for pid in children.difference(&started) {
        let Some(pid) = i32::try_from(*pid).ok().and_then(Pid::from_raw) else {
            continue;
        };
        // One that lives on is looked at again later.
        let _ = waitpid(Some(pid), WaitOptions::NOHANG);
    }
    let alive = |pid: &u32| std::fs::exists(format!("/proc/{pid}")).unwrap_or(true);
    started.retain(alive);
}

#[cfg(not(target_os = "linux"))]
pub(super) fn reap() {}
