//! The thread that writes to the terminal, so that one which stands still (Ctrl-S, a slow line) never stops the client
//! from hearing a signal or the engine.

use std::fs::File;
use std::io::{self, Write};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use tokio::sync::mpsc;
use tokio::time::timeout;

/// The engine has one frame under way; the modes and a goodbye come besides.
const WAITING: usize = 4;
/// A terminal that takes nothing for this long is left as it is.
const LAST_WORDS: Duration = Duration::from_secs(1);

struct Order {
    /// Told back when the terminal has taken the bytes.
    number: Option<u32>,
    bytes: Vec<u8>,
}

/// More was sent than an honest engine sends.
#[derive(Debug)]
pub(super) struct Flooded;

pub(super) struct Writer {
    orders: mpsc::Sender<Order>,
    /// Filled by the thread; ends when the thread does.
    written: mpsc::UnboundedReceiver<u32>,
}

impl Writer {
    pub fn start() -> io::Result<Writer> {
        let terminal = File::from(rustix::io::fcntl_dupfd_cloexec(io::stdout(), 3)?);
        let (orders, waiting) = mpsc::channel(WAITING);
        let (tell, written) = mpsc::unbounded_channel();
        thread::Builder::new()
            .name("terminal".into())
            .spawn(move || write_orders(terminal, waiting, &tell))?;
        Ok(Writer { orders, written })
    }

    /// Bytes to write after what is waiting; with a number, `written` tells when they are.
    pub fn order(&self, number: Option<u32>, bytes: Vec<u8>) -> Result<(), Flooded> {
        self.orders.try_send(Order { number, bytes }).map_err(|_| Flooded)
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

fn write_orders(mut terminal: File, mut waiting: mpsc::Receiver<Order>, tell: &mpsc::UnboundedSender<u32>) {
    while let Some(Order { number, bytes }) = waiting.blocking_recv() {
        if write_whole(&mut terminal, &bytes).is_err() {
            return;
        }
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
