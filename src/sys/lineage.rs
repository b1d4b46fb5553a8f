//! Who started whom: the processes above one, and dying with one's parent.

use std::io;

/// The processes above this one, nearest first; empty where the system has no `/proc`.
pub fn ancestors(pid: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut child = pid;
    while let Some(parent) = parent_of(child) {
        // Numbers can be given again while we read, so a circle is possible.
        if parent == 0 || parent == pid || found.contains(&parent) {
            break;
        }
        found.push(parent);
        child = parent;
    }
    found
}

fn parent_of(pid: u32) -> Option<u32> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in brackets may hold blanks and brackets of its own; what follows the last one does not.
    let (_, after) = stat.rsplit_once(')')?;
    after.split_whitespace().nth(1)?.parse().ok()
}

/// The process that started this one; 0 when it is gone from our view.
pub fn parent() -> u32 {
    rustix::process::getppid().map_or(0, |pid| pid.as_raw_nonzero().get().cast_unsigned())
}

/// Asks for TERM when the parent dies. Where the system cannot do that, nothing happens.
pub fn end_with_parent() -> io::Result<()> {
    #[cfg(target_os = "linux")]
    rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM))?;
    Ok(())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_first_ancestor_is_the_parent_and_the_last_is_init() {
        let above = ancestors(std::process::id());
        assert_eq!(above.first(), Some(&parent()));
        assert!(ancestors(1).is_empty());
        assert!(ancestors(u32::MAX).is_empty());
    }
}
