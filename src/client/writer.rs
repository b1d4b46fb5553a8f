//! The thread that writes to the terminal, so that one which stands still (Ctrl-S, a slow line) never stops the client
//! from hearing a signal or the engine. The echo of a key does not wait for that thread: what is small is written at
//! once, as far as the terminal takes it without waiting.

use std::fs::File;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::OFlags;
use tokio::sync::mpsc;
use tokio::time::timeout;

use super::terminal;

/// The engine has one frame under way; the modes and a goodbye come besides.
const WAITING: usize = 4;
/// An echo, a cursor: what any terminal takes in one piece.
const SMALL: usize = 512;
/// A terminal that takes nothing for this long is left as it is.
const LAST_WORDS: Duration = Duration::from_secs(1);

struct WriteOrder {
    /// Told back when the terminal has taken the bytes.
    number: Option<u32>,
    bytes: Vec<u8>,
}

/// More was sent than an honest engine sends.
#[derive(Debug)]
pub(super) struct Flooded;

pub(super) struct TerminalWriter {
    orders: mpsc::Sender<WriteOrder>,
    /// Filled by the thread; ends when the thread does.
    written: mpsc::UnboundedReceiver<u32>,
    tell: mpsc::WeakUnboundedSender<u32>,
    /// Orders that the thread has and did not finish.
    waiting: Arc<AtomicUsize>,
    /// The same terminal, opened again so that not waiting is this file's affair alone.
    direct: Option<File>,
}

impl TerminalWriter {
    pub fn start() -> io::Result<TerminalWriter> {
        let terminal = File::from(rustix::io::fcntl_dupfd_cloexec(io::stdout(), 3)?);
        let (orders, waiting) = mpsc::channel(WAITING);
        let (tell, written) = mpsc::unbounded_channel();
        // Where it cannot be opened again the thread writes everything.
        let direct = terminal::reopen(io::stdout(), OFlags::WRONLY).ok().map(File::from);
        let writer = TerminalWriter {
            orders,
            written,
            tell: tell.downgrade(),
            waiting: Arc::default(),
            direct,
        };
        let unfinished = writer.waiting.clone();
        thread::Builder::new()
            .name("terminal".into())
            .spawn(move || write_orders(terminal, waiting, &tell, &unfinished))?;
        Ok(writer)
    }

    /// Bytes to write after what is waiting; with a number, `written` tells when they are.
    pub fn order(&self, number: Option<u32>, bytes: Vec<u8>) -> Result<(), Flooded> {
        let taken = self.write_now(&bytes);
        if taken == bytes.len()
            && let Some(tell) = self.tell.upgrade()
        {
            if let Some(number) = number {
                // Whoever gave the order hears it.
                let _ = tell.send(number);
            }
            return Ok(());
        }
        let bytes = bytes[taken..].to_vec();
        self.waiting.fetch_add(1, Ordering::SeqCst);
        self.orders.try_send(WriteOrder { number, bytes }).map_err(|_| {
            self.waiting.fetch_sub(1, Ordering::SeqCst);
            Flooded
        })
    }

    /// Writes what the terminal takes at once, where it is little and nothing is to be written before it; says how much.
    fn write_now(&self, bytes: &[u8]) -> usize {
        let Some(mut direct) = self.direct.as_ref().filter(|_| bytes.len() <= SMALL) else {
            return 0;
        };
        match self.waiting.load(Ordering::SeqCst) {
            0 => direct.write(bytes).unwrap_or(0),
            _ => 0,
        }
    }

    /// The next frame the terminal has taken; None when it is gone.
    pub async fn written(&mut self) -> Option<u32> {
        self.written.recv().await
    }

    /// Writes what is waiting and these bytes after it.
    pub async fn end(mut self, bytes: Vec<u8>) {
        let _ = self.order(None, bytes);
        drop(self.orders);
        let all = async { while self.written.recv().await.is_some() {} };
        let _ = timeout(LAST_WORDS, all).await;
    }
}

fn write_orders(
    mut terminal: File,
    mut waiting: mpsc::Receiver<WriteOrder>,
    tell: &mpsc::UnboundedSender<u32>,
    unfinished: &AtomicUsize,
) {
    while let Some(WriteOrder { number, bytes }) = waiting.blocking_recv() {
        if write_whole(&mut terminal, &bytes).is_err() {
            return;
        }
        unfinished.fetch_sub(1, Ordering::SeqCst);
        if let Some(number) = number {
            let _ = tell.send(number);
        }
    }
}

/// Like `write_all`, for a terminal that another program has left in non-blocking mode.
fn write_whole(terminal: &mut File, mut bytes: &[u8]) -> io::Result<()> {
    while !bytes.is_empty() {
        match terminal.write(bytes) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(count) => bytes = &bytes[count..],
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                poll(&mut [PollFd::new(terminal, PollFlags::OUT)], None)?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
