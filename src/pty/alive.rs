//! What a pane has while its program lives: both ends of the terminal's wire, and the supervisor.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::buffer::spare_capacity;

use super::open::{Master, OpenedPty, open};
use crate::model::PaneEvent;
use crate::sys::spawn::{Spec, Supervisor};
use crate::term::TerminalSize;

/// What is read at once.
const SLICE: usize = 64 * 1024;
/// How long a supervisor may take beyond the grace before it is held to be stopped itself: it waits 2 s after KILL.
const PATIENCE: Duration = Duration::from_millis(2500);

pub(super) struct Alive {
    pub(super) master: Master,
    pub(super) supervisor: Supervisor,
    /// Nothing more can be read: the last program that had the terminal open is gone.
    pub(super) drained: bool,
    /// What the supervisor reported of the end; told once it is gone itself.
    pub(super) exit: Option<PaneEvent>,
    /// When a stop that was ordered becomes the supervisor's own end.
    pub(super) kill_at: Option<Instant>,
}

impl Alive {
    /// The error is for a person.
    pub(super) fn begin(supervisor: &Path, spec: &Spec, size: TerminalSize) -> Result<Alive, String> {
        let OpenedPty { master, slave } = open(size).map_err(|error| format!("opening its terminal: {error}"))?;
        let supervisor = begin(supervisor, spec, slave)
            .map_err(|error| format!("starting its supervisor {}: {error}", supervisor.display()))?;
        Ok(Alive {
            master,
            supervisor,
            drained: false,
            exit: None,
            kill_at: None,
        })
    }

    /// Reads what is there now, at most a slice, in place of what `slice` held.
    pub(super) fn read(&mut self, slice: &mut Vec<u8>) {
        slice.clear();
        slice.reserve(SLICE);
        while slice.len() < SLICE {
            match rustix::io::read(&self.master.stream, spare_capacity(slice)) {
                Ok(length) if length > 0 => {}
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => break,
                // EIO, or nothing: the other end was closed by the last that had it.
                Ok(_) | Err(_) => {
                    self.drained = true;
                    break;
                }
            }
        }
    }

    pub(super) fn stop(&mut self, grace: Duration) {
        self.supervisor.stop(grace);
        self.kill_at = Some(Instant::now() + grace + PATIENCE);
    }

    pub(super) fn keep_time(&mut self, now: Instant) {
        if self.kill_at.is_some_and(|at| at <= now) {
            self.kill_at = None;
            self.supervisor.kill();
        }
    }
}

/// Starts it in the terminal of which this is the other end.
pub(super) fn begin(supervisor: &Path, spec: &Spec, slave: File) -> io::Result<Supervisor> {
    Supervisor::start_in(slave.into(), supervisor, spec)
}
