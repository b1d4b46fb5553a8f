//! The one writer of all terminals' records: a thread, so that no terminal waits for a disk that gives no answer.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use super::record_file::{Chunk, RecordFile};

/// How much of one terminal may wait to be written.
const BEHIND: usize = 1024 * 1024;

/// How long a terminal waits for a writer that is so far behind. What comes then is left out of its record.
const WAITS: Duration = Duration::from_millis(250);

/// How long a reader waits for all of it.
const SETTLES: Duration = Duration::from_secs(2);

/// The way to the thread; `None` where it cannot be started, and then every terminal writes itself.
static WRITER: LazyLock<Option<Mutex<Sender<HandedChunk>>>> = LazyLock::new(|| {
    let (sender, chunks) = channel::<HandedChunk>();
    let thread = std::thread::Builder::new().name("records".into());
    let started = thread.spawn(move || {
        for handed in chunks {
            let (record, chunk) = (handed.record, handed.chunk);
            record.file.lock().write(&chunk, handed.follows);
            record.queue.lock().behind -= chunk.bytes.len();
            record.written.notify_all();
        }
    });
    started.is_ok().then(|| Mutex::new(sender))
});

/// What the thread is to write, and whether what came before it is there.
struct HandedChunk {
    record: Arc<WrittenRecord>,
    chunk: Chunk,
    follows: bool,
}

/// The record of one terminal, and what of it waits for the thread.
pub struct WrittenRecord {
    pub file: Mutex<RecordFile>,
    queue: Mutex<RecordQueue>,
    /// Told by the thread after each chunk.
    written: Condvar,
}

#[derive(Default)]
struct RecordQueue {
    behind: usize,
    /// Something was left out.
    lost: bool,
}

impl WrittenRecord {
    pub fn new(file: RecordFile) -> Arc<WrittenRecord> {
        Arc::new(WrittenRecord {
            file: Mutex::new(file),
            queue: Mutex::default(),
            written: Condvar::new(),
        })
    }

    pub fn write(self: &Arc<Self>, chunk: Chunk) {
        let Some(writer) = &*WRITER else {
            return self.file.lock().write(&chunk, true);
        };
        let mut queue = self.queue.lock();
        if queue.behind > BEHIND && !queue.lost {
            self.wait(&mut queue, WAITS, |queue| queue.behind <= BEHIND);
        }
        if queue.behind > BEHIND {
            queue.lost = true;
            return;
        }
        let follows = !std::mem::take(&mut queue.lost);
        queue.behind += chunk.bytes.len();
        drop(queue);
        // The thread lives as long as the process.
        let record = self.clone();
        let _ = writer.lock().send(HandedChunk { record, chunk, follows });
    }

    /// Returns when all of it is written, or this takes too long.
    pub fn settle(&self) {
        self.wait(&mut self.queue.lock(), SETTLES, |queue| queue.behind == 0);
    }

    /// All of it as a file; nothing where the disk takes too long, which has the file meanwhile.
    pub fn read(&self) -> Option<Vec<u8>> {
        self.settle();
        let is_written = self.queue.lock().behind == 0;
        let file = is_written.then(|| self.file.try_lock()).flatten()?;
        file.read().ok()
    }

    fn wait(
        &self,
        queue: &mut parking_lot::MutexGuard<'_, RecordQueue>,
        most: Duration,
        holds: impl Fn(&RecordQueue) -> bool,
    ) {
        let deadline = Instant::now() + most;
        while !holds(queue) && !self.written.wait_until(queue, deadline).timed_out() {}
    }
}
