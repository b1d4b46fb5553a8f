//! The terminal that the demo agent runs in: raw while it runs, read by a thread of its own.

use std::io::{self, Read};
use std::sync::mpsc::{self, Receiver};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcsetattr};

use super::keys::{DemoKeys, Input};

/// A terminal sends a key's bytes at once; what comes later than this is another key.
const ESCAPE_PATIENCE: Duration = Duration::from_millis(30);

/// Restores the terminal when it goes.
pub struct DemoTerminal {
    before: Option<Termios>,
}

impl DemoTerminal {
    /// Without a terminal, lines are read as they come.
    pub fn enter() -> DemoTerminal {
        let before = tcgetattr(io::stdin()).ok();
        if let Some(before) = &before {
            let mut raw = before.clone();
            raw.make_raw();
            // Where this fails the terminal stays cooked, and the agent still works by the line.
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, &raw);
        }
        DemoTerminal { before }
    }
}

impl Drop for DemoTerminal {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
        }
    }
}

/// What the person does, from now on. The thread ends with the terminal or with the program.
pub fn inputs() -> Receiver<Input> {
    let (typed, inputs) = mpsc::channel();
    std::thread::spawn(move || {
        let mut keys = DemoKeys::default();
        let mut bytes = [0; 4096];
        loop {
            if keys.waits_behind_escape() && !more_within(ESCAPE_PATIENCE) {
                if let Some(input) = keys.settle()
                    && typed.send(input).is_err()
                {
                    return;
                }
                continue;
            }
            let read = match io::stdin().lock().read(&mut bytes) {
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(_) | Ok(0) => break,
                Ok(read) => read,
            };
            for input in keys.feed(&bytes[..read]) {
                if typed.send(input).is_err() {
                    return;
                }
            }
        }
        let _ = typed.send(Input::End);
    });
    inputs
}

fn more_within(patience: Duration) -> bool {
    let stdin = io::stdin();
    let mut wanted = [PollFd::new(&stdin, PollFlags::IN)];
    let patience = Timespec::try_from(patience).ok();
    poll(&mut wanted, patience.as_ref()).is_ok_and(|ready| ready > 0)
}
