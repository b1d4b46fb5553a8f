//! Writes each event that the loop takes in to a file, for `parlour replay`. A thread of its own masks and writes them,
//! so the loop waits for no disk; whatever goes wrong ends the recording and not the engine.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};

use anyhow::Context;

use crate::app::recording::{self, Header, RecordedLine};
use crate::domain::{Domain, Event};
use crate::fs::Dir;
use crate::model::{Problem, ResultExt};

/// Events that wait to be written. A disk that is further behind is too slow for a recording.
const WAITING: usize = 10_000;

pub struct Recorder {
    lines: Option<SyncSender<RecordedLine>>,
    number: u64,
    writer: JoinHandle<()>,
}

impl Recorder {
    /// Begins a recording in a new file, 0600.
    pub fn start(path: &Path, header: &Header) -> anyhow::Result<Recorder> {
        let doing = || format!("recording to {}", path.display());
        let mut file = BufWriter::new(create(path)?);
        let first = recording::written(header).with_context(doing)?;
        file.write_all(first.as_bytes()).with_context(doing)?;
        file.flush().with_context(doing)?;
        let (lines, queue) = sync_channel(WAITING);
        let path = path.to_path_buf();
        let write = move || {
            if let Err((number, error)) = write(&queue, &mut file) {
                let path = path.display();
                tracing::error!("the recording to {path} ends before event {number}: {error}; the engine goes on");
            }
        };
        let writer = thread::Builder::new().name("recorder".into()).spawn(write)?;
        Ok(Recorder {
            lines: Some(lines),
            number: 0,
            writer,
        })
    }

    /// Has the event written down, as what `update` is about to take in.
    pub fn record(&mut self, domain: &Domain, event: &Event) {
        let Some(lines) = &self.lines else { return };
        self.number += 1;
        let line = RecordedLine {
            number: self.number,
            at: domain.now,
            rss_bytes: domain.live.facts.rss_bytes,
            event: event.clone(),
        };
        match lines.try_send(line) {
            Ok(()) => {}
            Err(TrySendError::Full(line)) => {
                let number = line.number;
                tracing::error!("the recording ends before event {number}: the disk does not keep up");
                self.lines = None;
            }
            // The writer has said why.
            Err(TrySendError::Disconnected(_)) => self.lines = None,
        }
    }

    /// Waits until all of it is in the file.
    pub fn close(self) {
        drop(self.lines);
        if self.writer.join().is_err() {
            tracing::error!("the recording ended badly");
        }
    }
}

fn create(path: &Path) -> Result<File, Problem> {
    let doing = || format!("recording to {}", path.display());
    let refused = |error: io::Error| Problem::unwritten(doing(), path, &error);
    let whole = std::path::absolute(path).map_err(refused)?;
    let (Some(parent), Some(name)) = (whole.parent(), whole.file_name()) else {
        return Err(refused(io::ErrorKind::IsADirectory.into()));
    };
    std::fs::metadata(parent).map_err(refused)?;
    let file = Dir::open(parent).and_then(|dir| dir.append(name)).doing(doing())?;
    match file.metadata().map_err(refused)?.len() {
        0 => Ok(file),
        _ => {
            let cause = "something is in that file already";
            Err(Problem::new(doing(), cause, "name a new one"))
        }
    }
}

/// Until nobody sends any more; else at which event it failed, and why.
fn write(queue: &Receiver<RecordedLine>, file: &mut impl Write) -> Result<(), (u64, io::Error)> {
    let mut number = 0;
    loop {
        let line = match queue.try_recv() {
            Ok(line) => line,
            // What is known is in the file whenever the loop rests: an engine that is killed leaves it.
            Err(TryRecvError::Empty) => {
                file.flush().map_err(|error| (number, error))?;
                match queue.recv() {
                    Ok(line) => line,
                    Err(_) => return Ok(()),
                }
            }
            Err(TryRecvError::Disconnected) => return file.flush().map_err(|error| (number, error)),
        };
        number = line.number;
        recording::written(&line)
            .map_err(io::Error::from)
            .and_then(|text| file.write_all(text.as_bytes()))
            .map_err(|error| (number, error))?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Timestamp;

    /// As a disk of so many bytes.
    struct Small(usize);

    impl Write for Small {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_says_at_which_event_it_was_full() {
        let (lines, queue) = sync_channel(9);
        for number in 1..=5 {
            let event = Event::Clock(Timestamp(3));
            let line = RecordedLine {
                number,
                at: Timestamp(3),
                rss_bytes: 0,
                event,
            };
            lines.send(line).unwrap();
        }
        let (number, error) = write(&queue, &mut Small(250)).unwrap_err();
        assert_eq!((number, error.kind()), (3, io::ErrorKind::StorageFull));
    }

    #[test]
    fn a_recording_is_new_and_private() {
        use std::os::unix::fs::PermissionsExt;
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("it.jsonl");
        let mode = create(&path).unwrap().metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        std::fs::write(&path, "mine").unwrap();
        assert!(create(&path).unwrap_err().to_string().contains("already"));
    }
}
