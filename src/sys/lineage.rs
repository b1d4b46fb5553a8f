//! Who started whom: the processes above one, and dying with one's parent.

use std::io;

/// A process and those above it, as the kernel says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lineage {
    /// The process and those above it, nearest first, up to the first of all. They were all there at one moment.
    Known(Vec<u32>),
    /// It has ended, it is out of our view, or those above it changed while they were read.
    Unknown,
    /// The system does not tell who started whom.
    Untold,
}

/// The process that started this one, where that can be told.
pub fn parent_of(pid: u32) -> Option<u32> {
    Some(kernel::stat(pid)?.parent)
}

/// The lineage of `pid` now; `is_alive` says afterwards whether that was still the process that is meant.
pub(super) fn of(pid: u32, is_alive: impl Fn() -> bool) -> Lineage {
    kernel::of(pid, is_alive)
}

#[cfg(target_os = "linux")]
mod kernel {
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};

    use super::Lineage;

    /// Parents end now and then while they are read. Whoever lets them end on purpose stays unknown.
    const TRIES: usize = 8;

    /// A process, told apart from a later one with the same number by when it started.
    #[derive(Clone, Copy, PartialEq, Eq)]
    pub(super) struct Stat {
        pub(super) parent: u32,
        started: u64,
        /// It has ended, or is the kernel's own: that speaks for others where an old one does their work (io_uring).
        is_nobody: bool,
    }

    /// Of the flags of a process, that it is the kernel's own.
    const KERNEL: u64 = 0x0020_0000;

    pub(super) fn of(pid: u32, is_alive: impl Fn() -> bool) -> Lineage {
        for _ in 0..TRIES {
            // A parent that ended between two steps would end the line too early, and its number may be another's by
            // then. Who is the same in two readings has been there all the time between them.
            let (Some(line), again) = (read(pid), read(pid)) else {
                continue;
            };
            if Some(&line) == again.as_ref() && is_alive() {
                return Lineage::Known(line.into_iter().map(|(pid, _)| pid).collect());
            }
        }
        Lineage::Unknown
    }

    /// Up to the process that nobody in our view started; `None` where a step is missing.
    fn read(pid: u32) -> Option<Vec<(u32, Option<Stat>)>> {
        let mut line = Vec::new();
        let mut at = pid;
        while at != 0 {
            if line.iter().any(|(pid, _)| *pid == at) {
                return None;
            }
            match stat(at) {
                Some(stat) if at == pid && stat.is_nobody => return None,
                Some(stat) => {
                    line.push((at, Some(stat)));
                    at = stat.parent;
                }
                None if at != pid && is_hidden(at) => {
                    line.push((at, None));
                    break;
                }
                None => return None,
            }
        }
        Some(line).filter(|line| !line.is_empty())
    }

    /// Whether it is there, and another user's: `/proc` may be mounted so that it shows only one's own (`hidepid`).
    fn is_hidden(pid: u32) -> bool {
        let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
        pid.is_some_and(|pid| test_kill_process(pid) == Err(Errno::PERM))
    }

    pub(super) fn stat(pid: u32) -> Option<Stat> {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        parse(&stat)
    }

    pub(super) fn parse(stat: &str) -> Option<Stat> {
        // The name in brackets may hold blanks and brackets of its own; what follows the last one does not.
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let ended = matches!(fields.next()?, "Z" | "X");
        let parent = fields.next()?.parse().ok()?;
        // The ninth field of all, and the 22nd.
        let flags: u64 = fields.nth(4)?.parse().ok()?;
        let started = fields.nth(12)?.parse().ok()?;
        Some(Stat {
            parent,
            started,
            is_nobody: ended || flags & KERNEL != 0,
        })
    }
}

#[cfg(not(target_os = "linux"))]
mod kernel {
    use super::Lineage;

    pub(super) struct Stat {
        pub(super) parent: u32,
    }

    pub(super) fn of(_pid: u32, _is_alive: impl Fn() -> bool) -> Lineage {
        Lineage::Untold
    }

    pub(super) fn stat(_pid: u32) -> Option<Stat> {
        None
    }
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
    use std::process::{Command, Stdio};

    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

    use super::*;

    #[test]
    fn the_line_goes_from_the_process_to_the_first_of_all() {
        let us = std::process::id();
        let Lineage::Known(line) = of(us, || true) else {
            panic!("we are there");
        };
        assert_eq!(line[..2], [us, parent()]);
        assert_eq!(parent_of(*line.last().unwrap()), Some(0));
        assert_eq!(of(1, || true), Lineage::Known(vec![1]));
    }

    #[test]
    fn a_process_is_read_whatever_it_calls_itself() {
        let fields = "1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 98765 100 200";
        let stat = kernel::parse(&format!("42 (sh) S 9) R {fields}")).unwrap();
        assert_eq!(stat.parent, 1);
        assert!(stat == kernel::parse(&format!("42 (x) S {fields}")).unwrap());
        assert!(stat != kernel::parse(&format!("42 (x) S {}", fields.replace("98765", "98766"))).unwrap());
        assert!(stat != kernel::parse(&format!("42 (x) Z {fields}")).unwrap());
        let of_kernel = fields.replace("4194560", "2129984");
        assert!(stat != kernel::parse(&format!("42 (x) S {of_kernel}")).unwrap());
    }

    #[test]
    fn who_is_gone_has_no_line() {
        assert_eq!(of(u32::MAX, || true), Lineage::Unknown);
        assert_eq!(of(0, || true), Lineage::Unknown);
        assert_eq!(
            of(std::process::id(), || false),
            Lineage::Unknown,
            "another with its number"
        );
        let mut ended = Command::new("/bin/true").stdin(Stdio::null()).spawn().unwrap();
        let pid = ended.id();
        let ends = WaitId::Pid(Pid::from_raw(pid.cast_signed()).unwrap());
        waitid(ends, WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).unwrap();
        assert_eq!(of(pid, || true), Lineage::Unknown, "it waits to be noticed");
        ended.wait().unwrap();
        assert_eq!(of(pid, || true), Lineage::Unknown);
    }
}
