//! Notices when the disk gives no answer: a thread that sleeps while nothing is written, and while writes end in time.

use std::path::PathBuf;
use std::time::Duration;

use crate::domain::Event;
use crate::domain::event::DiskEvent;
use crate::fs::writing;

use super::inbound::{Inbound, Sender};

/// A write that takes this long is said. It is less than what a verb waits until it asks why it has no answer.
const LONG: Duration = Duration::from_secs(4);

/// Between two looks whether it has ended.
const LOOK: Duration = Duration::from_millis(250);

/// While nothing is written at all, the thread wakes this seldom.
const IDLE: Duration = Duration::from_secs(86_400);

/// Watches what is written below the home, for the life of the process.
pub fn start(home: PathBuf, sender: Sender) -> std::io::Result<()> {
    let watch = move || {
        let mut said = None;
        loop {
            let longest = writing::longest(&home);
            let stalled = longest.as_ref().filter(|(_, time)| *time >= LONG);
            let file = stalled.map(|(path, _)| path.strip_prefix(&home).unwrap_or(path).display().to_string());
            if file != said {
                said.clone_from(&file);
                sender.send(Inbound::Event(Event::Disk(DiskEvent::Stalled(file))));
            }
            match (&said, longest) {
                (Some(_), _) => std::thread::sleep(LOOK),
                (None, Some((_, time))) => std::thread::sleep(LONG.saturating_sub(time).max(LOOK)),
                (None, None) => {
                    writing::wait_for_any(IDLE);
                    // What has just begun ends long before that, as a rule.
                    std::thread::sleep(LONG);
                }
            }
        }
    };
    let thread = std::thread::Builder::new().name("disk-watch".into());
    thread.spawn(watch).map(drop)
}
