//! What others want of a pane's thread, and what it has for them. Both sides hold the lock for moments only.
//!
//! Orders replace each other where only the newest counts (size, colours), and are refused, not lost, where they would
//! pile up (input).

use std::collections::VecDeque;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::model::ClientId;
use crate::term::{Copied, FoundText, Screen, Span, TerminalPalette, TerminalSize, TextShape, TextSpot};

/// A large paste is a megabyte.
const INPUT: usize = 4 * 1024 * 1024;
/// No key is longer. What is longer could be taken in part, and an answer of the emulator would land within it.
const KEY: usize = 64;
/// A view is asked for at most once a frame and client.
const REQUESTS: usize = 64;

/// The program does not read what it was sent, and as much waits as will be kept.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program in this terminal does not take any input; 4 MB wait already. Stop it, or try again later")]
pub struct InputFull;

#[derive(Default)]
pub(super) struct Orders {
    pub(super) input: VecDeque<Vec<u8>>,
    /// The program's terminal while nothing waits to be written to it: a key goes there without waking the thread.
    direct: Option<Arc<OwnedFd>>,
    /// Bytes in `input` and, of those taken from it, the ones not written yet.
    pub(super) waiting: usize,
    pub(super) size: Option<TerminalSize>,
    pub(super) palette: Option<TerminalPalette>,
    pub(super) history_lines: Option<usize>,
    /// Somebody looks at it: the lines that it has let go of are wanted again, as far as it may keep them now.
    pub(super) read_back: bool,
    pub(super) go_on: bool,
    pub(super) freeze: bool,
    pub(super) stop: Option<Duration>,
    /// Input was refused since the last look.
    pub(super) refused: bool,
    pub(super) requests: Vec<PaneRequest>,
    /// The pane was dropped: end everything.
    pub(super) close: bool,
}

impl Orders {
    /// Writes a key where nothing waits before it; returns what is left to write.
    fn write_now<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let comes_next = bytes.len() <= KEY && self.input.is_empty();
        let Some(terminal) = self.direct.as_ref().filter(|_| comes_next) else {
            return bytes;
        };
        let taken = rustix::io::write(terminal, bytes).unwrap_or(0);
        if taken < bytes.len() {
            self.direct = None;
        }
        &bytes[taken..]
    }
}

pub(super) enum PaneRequest {
    View {
        offset: usize,
        reply: Box<dyn FnOnce(Arc<Screen>) + Send>,
    },
    ViewFrom {
        line: u64,
        reply: Box<dyn FnOnce(Arc<Screen>) + Send>,
    },
    Copy {
        from: TextSpot,
        to: TextSpot,
        shape: TextShape,
        most: usize,
        reply: Box<dyn FnOnce(Copied) + Send>,
    },
    Find {
        client: ClientId,
        words: String,
        most: usize,
        reply: Box<dyn FnOnce(FoundText) + Send>,
    },
    Text {
        span: Span,
        reply: Box<dyn FnOnce(String) + Send>,
    },
}

pub(super) struct Shared {
    orders: Mutex<Orders>,
    /// The newest screen that nobody took yet.
    slot: Mutex<Option<Arc<Screen>>>,
    /// The loop would draw a screen. Set by the loop, cleared by whoever runs the pane as it publishes one.
    pub(super) wanted: AtomicBool,
    /// Something changed that was not published. Set and cleared by whoever runs the pane.
    pub(super) dirty: AtomicBool,
    /// Another than the thread waits for what the program says.
    pub(super) read_elsewhere: AtomicBool,
    /// That other one is to end.
    pub(super) reading_ends: Notify,
    typed: Mutex<Instant>,
    bell: UnixStream,
}

impl Shared {
    /// Also returns the end that the thread waits on.
    pub(super) fn new() -> std::io::Result<(Arc<Shared>, UnixStream)> {
        let (bell, waiting) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        waiting.set_nonblocking(true)?;
        let shared = Shared {
            orders: Mutex::default(),
            slot: Mutex::default(),
            wanted: AtomicBool::new(true),
            dirty: AtomicBool::new(false),
            read_elsewhere: AtomicBool::new(false),
            reading_ends: Notify::new(),
            typed: Mutex::new(Instant::now()),
            bell,
        };
        Ok((Arc::new(shared), waiting))
    }

    pub(super) fn order(&self, change: impl FnOnce(&mut Orders)) {
        change(&mut self.orders.lock());
        self.ring();
    }

    pub(super) fn input(&self, bytes: &[u8]) -> Result<(), InputFull> {
        let mut orders = self.orders.lock();
        if orders.waiting + bytes.len() > INPUT {
            orders.refused = true;
            drop(orders);
            self.ring();
            return Err(InputFull);
        }
        let bytes = orders.write_now(bytes);
        if bytes.is_empty() {
            return Ok(());
        }
        orders.waiting += bytes.len();
        orders.input.push_back(bytes.to_vec());
        drop(orders);
        self.ring();
        Ok(())
    }

    /// Somebody has typed. The terminal to be read for an echo, where that is no longer done by anybody but the thread.
    pub(super) fn note_typing(&self) -> Option<Arc<OwnedFd>> {
        *self.typed.lock() = Instant::now();
        let to_read = !self.read_elsewhere.load(Ordering::SeqCst);
        to_read.then(|| self.orders.lock().direct.clone()).flatten()
    }

    /// When somebody typed last.
    pub(super) fn typed(&self) -> Instant {
        *self.typed.lock()
    }

    /// There is nothing to be read any more.
    pub(super) fn end_reading(&self) {
        self.reading_ends.notify_one();
    }

    /// What does not fit is dropped, and whoever waits for the reply sees that it is gone. So is a search of somebody who
    /// looks for other words by now.
    pub(super) fn request(&self, request: PaneRequest) {
        self.order(|orders| {
            if let PaneRequest::Find { client: now, .. } = &request {
                let is_older =
                    |waiting: &PaneRequest| matches!(waiting, PaneRequest::Find { client, .. } if client == now);
                orders.requests.retain(|waiting| !is_older(waiting));
            }
            if orders.requests.len() < REQUESTS {
                orders.requests.push(request);
            }
        });
    }

    /// Takes all orders; the bytes that wait stay counted.
    pub(super) fn take(&self) -> Orders {
        let mut orders = self.orders.lock();
        let waiting = orders.waiting;
        // What is taken now is written before anything else.
        let nothing_waits = orders.input.is_empty();
        let direct = orders.direct.take().filter(|_| nothing_waits);
        std::mem::replace(
            &mut *orders,
            Orders {
                waiting,
                direct,
                ..Orders::default()
            },
        )
    }

    /// The thread has nothing to write; whoever has a key may write it there.
    pub(super) fn lend(&self, terminal: &Arc<OwnedFd>) {
        let mut orders = self.orders.lock();
        if orders.direct.is_none() && orders.input.is_empty() {
            orders.direct = Some(terminal.clone());
        }
    }

    pub(super) fn call_in(&self) {
        self.orders.lock().direct = None;
    }

    pub(super) fn written(&self, bytes: usize) {
        self.orders.lock().waiting -= bytes;
    }

    pub(super) fn want(&self) {
        // Both sides write their flag and then read the other's; in sequence, at least one of them sees.
        self.wanted.store(true, Ordering::SeqCst);
        if self.dirty.load(Ordering::SeqCst) {
            self.ring();
        }
    }

    pub(super) fn put_screen(&self, screen: Arc<Screen>) {
        *self.slot.lock() = Some(screen);
    }

    pub(super) fn take_screen(&self) -> Option<Arc<Screen>> {
        self.slot.lock().take()
    }

    pub(super) fn ring(&self) {
        // A full socket rings already.
        let _ = (&self.bell).write(&[1]);
    }
}

/// Empties the bell before the orders are read, so that none can slip between.
pub(super) fn hush(waiting: &UnixStream) {
    let mut piece = [0; 256];
    while (&*waiting).read(&mut piece).is_ok_and(|length| length == piece.len()) {}
}
