//! The one writer of all transcripts and of the prompts that wait: a thread, so that a slow disk never holds up the loop.
//!
//! Appends are carried out in order. Decisions are synced before they are told; what streams is synced a quarter of a
//! second after it was written, and nothing wakes the thread while nothing is written.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use chrono::Utc;

use crate::app::event::Outcome;
use crate::app::{Event, Job};
use crate::model::chat::Pending;
use crate::model::{ChatId, Happened, Mark, Problem, Timestamp, WorkId};
use crate::store::{Home, Journal};

use super::inbound::{Inbound, Sender};

/// What may be lost with the power.
const SYNC_AFTER: Duration = Duration::from_millis(250);

/// Appends that wait. The loop hands out few at a time, and a disk this far behind is broken.
const QUEUED: usize = 4096;

/// Open transcripts; each holds two descriptors.
const OPEN: usize = 64;

enum Order {
    Append(WorkId, ChatId, Vec<Happened>, Option<Mark>),
    /// What the chat's agent has not got yet.
    Prompts(WorkId, ChatId, Vec<Pending>),
    /// The chat is being deleted: let go of its files.
    Forget(ChatId, SyncSender<()>),
}

/// The way to the thread. Dropping the last one ends it, with everything synced.
#[derive(Clone)]
pub struct Journals(SyncSender<Order>);

impl Journals {
    pub fn start(home: Arc<Home>, sender: Sender) -> std::io::Result<(Journals, JoinHandle<()>)> {
        let (orders, inbox) = sync_channel(QUEUED);
        let thread = std::thread::Builder::new()
            .name("journals".into())
            .spawn(move || Writer::new(home, sender).run(&inbox))?;
        Ok((Journals(orders), thread))
    }

    /// Takes the job if it is the writer's; any other comes back. It ends in `Done`.
    pub fn take(&self, work: WorkId, job: Job) -> Result<Option<Job>, Problem> {
        let order = match job {
            Job::Append(chat, what, read) => Order::Append(work, chat, what, read),
            Job::Prompts(chat, prompts) => Order::Prompts(work, chat, prompts),
            other => return Ok(Some(other)),
        };
        let behind = |_| {
            let hint = "is the disk full or gone? `parlour doctor` looks";
            Problem::new("writing a transcript", "the disk does not keep up", hint)
        };
        self.0.try_send(order).map_err(behind)?;
        Ok(None)
    }

    /// Returns when nothing of the chat's transcript is open any more. Blocks: for workers.
    pub fn forget(&self, chat: &ChatId) {
        let (done, forgotten) = sync_channel(1);
        if self.0.send(Order::Forget(chat.clone(), done)).is_ok() {
            // The thread answers or is gone, and then nothing is open either.
            let _ = forgotten.recv();
        }
    }
}

struct Writer {
    home: Arc<Home>,
    sender: Sender,
    open: HashMap<ChatId, Journal>,
    /// Chats with lines that were written and not synced, and since when.
    unsynced: HashMap<ChatId, Instant>,
}

impl Writer {
    fn new(home: Arc<Home>, sender: Sender) -> Writer {
        Writer {
            home,
            sender,
            open: HashMap::new(),
            unsynced: HashMap::new(),
        }
    }

    fn run(mut self, inbox: &Receiver<Order>) {
        loop {
            let due = self.unsynced.values().min().map(|since| *since + SYNC_AFTER);
            let order = match due {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(due) => inbox.recv_timeout(due.saturating_duration_since(Instant::now())),
            };
            match order {
                Ok(Order::Append(work, chat, what, read)) => {
                    let outcome = self.append(&chat, what, read).unwrap_or_else(Outcome::Failed);
                    self.sender.send(Inbound::Event(Event::Done(work, outcome)));
                }
                Ok(Order::Prompts(work, chat, prompts)) => {
                    let outcome = self.keep(&chat, prompts).unwrap_or_else(Outcome::Failed);
                    self.sender.send(Inbound::Event(Event::Done(work, outcome)));
                }
                Ok(Order::Forget(chat, done)) => {
                    self.sync(&chat);
                    self.open.remove(&chat);
                    // Whoever asked may have given up.
                    let _ = done.send(());
                }
                Err(RecvTimeoutError::Timeout) => self.sync_due(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        let chats: Vec<ChatId> = self.unsynced.keys().cloned().collect();
        chats.iter().for_each(|chat| self.sync(chat));
    }

    fn append(&mut self, chat: &ChatId, what: Vec<Happened>, read: Option<Mark>) -> Result<Outcome, Problem> {
        let problem = |error: crate::store::Error| {
            Problem::new(
                format!("writing the transcript of {chat}"),
                error,
                "`parlour doctor` says more",
            )
        };
        let what = what
            .into_iter()
            .map(|what| self.shorten(chat, what))
            .collect::<Result<_, _>>();
        let what = what.map_err(problem)?;
        if !self.open.contains_key(chat) {
            self.make_room();
            let journal = Journal::open(&self.home, chat).map_err(problem)?;
            self.open.insert(chat.clone(), journal);
        }
        let Some(journal) = self.open.get_mut(chat) else {
            return Ok(Outcome::Nothing);
        };
        let entries = journal.append_read(now(), what, read).map_err(problem)?;
        self.unsynced.entry(chat.clone()).or_insert_with(Instant::now);
        Ok(Outcome::Appended(chat.clone(), entries))
    }

    fn keep(&self, chat: &ChatId, prompts: Vec<Pending>) -> Result<Outcome, Problem> {
        let changed = self.home.change(chat, |record| record.prompts = prompts);
        let problem = |error| Problem::new(format!("keeping the prompts of {chat}"), error, "");
        Ok(Outcome::Chat(Box::new(changed.map_err(problem)?)))
    }

    /// A tool's output beyond its preview goes into a file of its own.
    fn shorten(&self, chat: &ChatId, what: Happened) -> Result<Happened, crate::store::Error> {
        let Happened::ToolEnd {
            id,
            status,
            preview,
            ms,
            ..
        } = what
        else {
            return Ok(what);
        };
        let output = self.home.output(chat, &id, &preview)?;
        Ok(Happened::ToolEnd {
            id,
            status,
            preview: output.preview,
            bytes: output.bytes,
            lines: output.lines,
            output: output.file,
            ms,
        })
    }

    fn make_room(&mut self) {
        if self.open.len() >= OPEN {
            let chats: Vec<ChatId> = self.open.keys().cloned().collect();
            chats.iter().for_each(|chat| self.sync(chat));
            self.open.clear();
        }
    }

    fn sync_due(&mut self) {
        let now = Instant::now();
        let due = self.unsynced.iter().filter(|(_, since)| **since + SYNC_AFTER <= now);
        let chats: Vec<ChatId> = due.map(|(chat, _)| chat.clone()).collect();
        chats.iter().for_each(|chat| self.sync(chat));
    }

    fn sync(&mut self, chat: &ChatId) {
        if self.unsynced.remove(chat).is_none() {
            return;
        }
        if let Some(Err(error)) = self.open.get_mut(chat).map(Journal::sync) {
            tracing::error!("syncing the transcript of {chat}: {error}");
        }
    }
}

/// The clock, for what is written: the only other one is the loop's.
pub fn now() -> Timestamp {
    Timestamp(Utc::now().timestamp_millis())
}
