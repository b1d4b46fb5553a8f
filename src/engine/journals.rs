//! The one writer of all transcripts, of the prompts that wait and of inboxes: a thread, so that a slow disk never holds up the loop.
//!
//! Appends are carried out in order. Decisions are synced before they are told; what streams is synced a quarter of a
//! second after it was written, and nothing wakes the thread while nothing is written. What could not be written is held
//! (`retry_queue.rs`), and nothing newer of its chat is written before it.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use super::clock::now;
use crate::domain::Event;
use crate::domain::event::{DiskEvent, Outcome};
use crate::domain::work::{InboxJob, JournalDone, JournalWork};
use crate::model::chat::Pending;
use crate::model::{ChatId, Happened, Mark, Problem, Reported, ResultExt, WorkId};
use crate::store::{Error, Home, Journal};

use super::history::HistoryNotices;
use super::inbound::{Inbound, Sender};
use super::inboxes::{self, Inboxes};
use super::retry_queue::{PendingWrite, RetryQueue};
use super::write_probe::WriteProbe;

/// What may be lost with the power.
const SYNC_AFTER: Duration = Duration::from_millis(250);

/// Appends that wait. The loop hands out few at a time, and a disk this far behind is broken.
const QUEUED: usize = 4096;

/// Open transcripts; each holds three descriptors.
const OPEN: usize = 64;

enum JournalOrder {
    Append(WorkId, ChatId, Vec<Reported>, Option<Mark>),
    /// What the chat's agent has not got yet.
    Prompts(WorkId, ChatId, Vec<Pending>, Vec<String>),
    Inbox(WorkId, ChatId, InboxJob),
    /// The chat is being deleted: let go of its files.
    Forget(ChatId, SyncSender<()>),
    /// A worker tells of what it did, and waits until that is on disk.
    Tell(ChatId, Happened, SyncSender<()>),
    /// Somebody is about to read: say when all before this is written.
    Reached(SyncSender<()>),
}

/// The way to the thread. Dropping the last one ends it, with everything synced.
#[derive(Clone)]
pub struct Journals {
    orders: SyncSender<JournalOrder>,
    backlog: Backlog,
}

/// How much waits to be written. Who reads what is large goes on when it is little.
#[derive(Clone, Default)]
pub struct Backlog {
    count: Arc<AtomicUsize>,
    /// Chats of whose transcripts something could not be written.
    stuck: Arc<Mutex<HashSet<ChatId>>>,
}

impl Backlog {
    pub fn len(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// Nothing more is to be read for its transcript now: it would only be held as well.
    pub fn is_stuck(&self, chat: &ChatId) -> bool {
        self.stuck.lock().contains(chat)
    }

    fn stick(&self, chats: impl Iterator<Item = ChatId>) {
        *self.stuck.lock() = chats.collect();
    }

    fn count(&self) {
        self.count.fetch_add(1, Ordering::Relaxed);
    }

    fn count_down(&self) {
        // Whoever sees less waiting also sees what was written.
        self.count.fetch_sub(1, Ordering::Release);
    }
}

impl Journals {
    pub fn start(
        home: Arc<Home>,
        sender: Sender,
        history: HistoryNotices,
    ) -> std::io::Result<(Journals, JoinHandle<()>)> {
        let (orders, inbox) = sync_channel(QUEUED);
        let backlog = Backlog::default();
        let thread = std::thread::Builder::new().name("journals".into()).spawn({
            let backlog = backlog.clone();
            move || JournalWriter::new(home, sender, backlog, history).run(&inbox)
        })?;
        Ok((Journals { orders, backlog }, thread))
    }

    pub fn backlog(&self) -> Backlog {
        self.backlog.clone()
    }

    /// Takes what is to be written. It ends in `Done`.
    pub fn take(&self, work: WorkId, job: JournalWork) -> Result<(), Problem> {
        let order = match job {
            JournalWork::Append(chat, what, read) => JournalOrder::Append(work, chat, what, read),
            JournalWork::Prompts(chat, prompts, removed) => JournalOrder::Prompts(work, chat, prompts, removed),
            JournalWork::Inbox(chat, job) => JournalOrder::Inbox(work, chat, job),
        };
        let behind = |_| {
            let hint = "is the disk full or gone? `parlour doctor` looks";
            Problem::fault("writing a transcript", "the disk does not keep up").hinted(hint)
        };
        self.backlog.count();
        if let Err(error) = self.orders.try_send(order) {
            self.backlog.count_down();
            return Err(behind(error));
        }
        Ok(())
    }

    /// Returns when nothing of the chat's transcript is open any more. Blocks: for workers.
    pub fn forget(&self, chat: &ChatId) {
        self.have(|done| JournalOrder::Forget(chat.clone(), done));
    }

    /// Returns when all that was handed in before is in the files, be it synced or not: whoever was told that something
    /// happened also reads of it. Blocks where the thread is behind: for workers.
    pub fn catch_up(&self) {
        if self.backlog.len() > 0 {
            self.have(JournalOrder::Reached);
        }
    }

    /// Writes what a worker did; what cannot be written now is held as any other. Blocks: for workers.
    pub fn tell(&self, chat: &ChatId, what: Happened) {
        self.have(|done| JournalOrder::Tell(chat.clone(), what, done));
    }

    fn have(&self, order: impl FnOnce(SyncSender<()>) -> JournalOrder) {
        let (done, is_done) = sync_channel(1);
        if self.orders.send(order(done)).is_ok() {
            // The thread answers or is gone, and then nothing is open or to be written either.
            let _ = is_done.recv();
        }
    }
}

struct JournalWriter {
    home: Arc<Home>,
    sender: Sender,
    backlog: Backlog,
    open: HashMap<ChatId, Journal>,
    inboxes: Inboxes,
    /// Chats with lines that were written and not synced, and since when; of some that was tried, and failed.
    unsynced: HashMap<ChatId, Instant>,
    unsyncable: HashSet<ChatId>,
    held: RetryQueue,
    probe: WriteProbe,
    /// What was said last of all that could not be written.
    said: Option<(Vec<ChatId>, String)>,
    history: HistoryNotices,
}

impl JournalWriter {
    fn new(home: Arc<Home>, sender: Sender, backlog: Backlog, history: HistoryNotices) -> JournalWriter {
        JournalWriter {
            inboxes: Inboxes::new(home.clone()),
            home,
            sender,
            backlog,
            open: HashMap::new(),
            unsynced: HashMap::new(),
            unsyncable: HashSet::new(),
            held: RetryQueue::default(),
            probe: WriteProbe::default(),
            said: None,
            history,
        }
    }

    fn run(mut self, inbox: &Receiver<JournalOrder>) {
        loop {
            let sync = self.unsynced.values().min().map(|since| *since + SYNC_AFTER);
            let due = [sync, self.held.due(), self.probe.due()].into_iter().flatten().min();
            let order = match due.map(|due| due.saturating_duration_since(Instant::now())) {
                None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
                // A sync that is due comes before further appends.
                Some(Duration::ZERO) => Err(RecvTimeoutError::Timeout),
                Some(rest) => inbox.recv_timeout(rest),
            };
            match order {
                Ok(JournalOrder::Append(work, chat, what, read)) => {
                    let outcome = self.append_or_hold(&chat, PendingWrite { work, what, read });
                    self.done(work, outcome);
                }
                Ok(JournalOrder::Prompts(work, chat, prompts, removed)) => {
                    // What is told of a prompt once this is written is told of its entry too.
                    self.sync(&chat);
                    let kept = self.keep(&chat, prompts, &removed);
                    let outcome = kept.map_or_else(Outcome::Failed, Outcome::Journal);
                    self.done(work, outcome);
                }
                Ok(JournalOrder::Inbox(work, chat, job)) => {
                    let kept = self.keep_messages(&chat, job);
                    let outcome = kept.map_or_else(Outcome::Failed, Outcome::Journal);
                    self.done(work, outcome);
                }
                Ok(JournalOrder::Forget(chat, done)) => {
                    self.sync(&chat);
                    self.open.remove(&chat);
                    self.unsynced.remove(&chat);
                    self.unsyncable.remove(&chat);
                    self.inboxes.forget(&chat);
                    self.held.forget(&chat);
                    self.backlog.stick(self.held.chats());
                    // Whoever asked may have given up.
                    let _ = done.send(());
                }
                Ok(JournalOrder::Tell(chat, what, done)) => {
                    let (what, read) = (vec![what.into()], None);
                    // Nobody waits for it.
                    let work = WorkId(u64::MAX);
                    let outcome = self.append_or_hold(&chat, PendingWrite { work, what, read });
                    if let Outcome::Journal(JournalDone::Appended(..)) = outcome {
                        self.sender.send(Inbound::Event(Event::Done(work, outcome)));
                    }
                    let _ = done.send(());
                }
                Ok(JournalOrder::Reached(done)) => {
                    let _ = done.send(());
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.write_held();
                    self.sync_all();
                    let waits = self.held.due().is_some() || !self.unsyncable.is_empty();
                    self.probe.look(&self.home, waits);
                }
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.say_what_is_unwritten();
        }
        self.held.now();
        self.write_held();
        self.sync_all();
    }

    /// At every screen, as long as it is so.
    fn say_what_is_unwritten(&mut self) {
        let failed = self.probe.told();
        if failed != self.said {
            self.said.clone_from(&failed);
            self.sender
                .send(Inbound::Event(Event::Disk(DiskEvent::Unwritten(failed))));
        }
    }

    fn done(&self, work: WorkId, outcome: Outcome) {
        self.backlog.count_down();
        self.sender.send(Inbound::Event(Event::Done(work, outcome)));
    }

    /// What fails is answered so, and kept to be written when that works again: the marks of what comes later would pass
    /// over it for good. But for decisions: who is told that one is not written does not give it.
    fn append_or_hold(&mut self, chat: &ChatId, mut piece: PendingWrite) -> Outcome {
        if self.held.has(chat) {
            let decided = piece.take_decisions_back();
            let problem = self.held.hold(chat, piece, None);
            return Outcome::Journal(JournalDone::Unwritten(decided.told(problem)));
        }
        match self.append(chat, &mut piece) {
            Ok(done) => Outcome::Journal(done),
            Err(error @ Error::NoChat(_)) => {
                let doing = format!("writing the transcript of {chat}");
                Outcome::Failed(Problem::of(doing, &error).hinted("it was deleted meanwhile"))
            }
            Err(error) => {
                self.probe.failed(chat, &error);
                // Be there nothing left in it: half a line may stand in the file.
                let decided = piece.take_decisions_back();
                let problem = self.held.hold(chat, piece, Some(unwritten(chat, &error)));
                self.backlog.stick(self.held.chats());
                Outcome::Failed(decided.told(problem))
            }
        }
    }

    /// In the order in which it happened, of each chat as far as it goes.
    fn write_held(&mut self) {
        let due = self.held.take_due();
        if due.is_empty() {
            return;
        }
        for (chat, pieces) in due {
            let mut pieces = pieces.into_iter();
            while let Some(mut piece) = pieces.next() {
                let event = match self.append(&chat, &mut piece) {
                    Ok(done) => Event::Done(piece.work, Outcome::Journal(done)),
                    Err(Error::NoChat(_)) => break,
                    Err(error) => {
                        self.probe.failed(&chat, &error);
                        let rest = [piece].into_iter().chain(pieces).collect();
                        self.held.put_back(&chat, rest, unwritten(&chat, &error));
                        break;
                    }
                };
                self.sender.send(Inbound::Event(event));
            }
        }
        self.backlog.stick(self.held.chats());
    }

    /// What was appended is no longer in the piece.
    fn append(&mut self, chat: &ChatId, piece: &mut PendingWrite) -> Result<JournalDone, Error> {
        // A backup was put back, or the folder was moved away: what is written there from now on nobody would read.
        if self.open.get(chat).is_some_and(|journal| !journal.is_in(&self.home)) {
            self.open.remove(chat);
            self.unsynced.remove(chat);
            self.unsyncable.remove(chat);
        }
        if !self.open.contains_key(chat) {
            self.make_room();
        }
        let journal = match self.open.entry(chat.clone()) {
            Entry::Occupied(open) => open.into_mut(),
            Entry::Vacant(place) => place.insert(Journal::open(&self.home, chat)?),
        };
        let entries = journal.append_read(now(), &mut piece.what, piece.read.as_ref())?;
        self.unsynced.entry(chat.clone()).or_insert_with(Instant::now);
        self.history.grown(chat);
        Ok(JournalDone::Appended(chat.clone(), entries))
    }

    fn keep(&mut self, chat: &ChatId, prompts: Vec<Pending>, removed: &[String]) -> Result<JournalDone, Problem> {
        let changed = self.home.change(chat, |record| record.keep(prompts, removed));
        // One that is being deleted has no record any more, and its disk is well.
        if let Some(error) = changed.as_ref().err().filter(|error| error.is_io()) {
            self.probe.failed(chat, error);
        }
        let doing = format!("keeping the prompts of {chat}");
        Ok(JournalDone::Kept(Box::new(changed.doing(&*doing)?)))
    }

    fn keep_messages(&mut self, chat: &ChatId, job: InboxJob) -> Result<JournalDone, Problem> {
        let writes = job != InboxJob::Look;
        let done = self.inboxes.carry_out(chat, job);
        if let Some(error) = done.as_ref().err().filter(|error| writes && error.is_io()) {
            self.probe.failed(chat, error);
        }
        done.map_err(|error| inboxes::problem(chat, &error))
    }

    fn make_room(&mut self) {
        if self.open.len() >= OPEN {
            let chats: Vec<ChatId> = self.open.keys().cloned().collect();
            chats.iter().for_each(|chat| self.sync(chat));
            // Only its own journal knows what of it is not synced.
            self.open.retain(|chat, _| self.unsynced.contains_key(chat));
        }
    }

    /// What is due soon is synced along with what is due.
    fn sync_all(&mut self) {
        let unsynced = std::mem::take(&mut self.unsynced);
        let journals = self.open.iter_mut().filter(|(chat, _)| unsynced.contains_key(*chat));
        let journals = journals.map(|(_, journal)| journal).collect();
        self.unsyncable.clear();
        for (chat, error) in Journal::sync_all(&self.home, journals) {
            self.unsynced_still(&chat, &error);
        }
    }

    fn sync(&mut self, chat: &ChatId) {
        if self.unsynced.remove(chat).is_none() {
            return;
        }
        self.unsyncable.remove(chat);
        if let Some(Err(error)) = self.open.get_mut(chat).map(Journal::sync) {
            self.unsynced_still(chat, &error);
        }
    }

    /// Lines that were acknowledged may be lost with the power: it is said, and tried again.
    fn unsynced_still(&mut self, chat: &ChatId, error: &Error) {
        tracing::error!("syncing the transcript of {chat}: {error}");
        if let Err(Error::NoChat(_)) = self.home.record_dir(chat) {
            self.open.remove(chat);
            return;
        }
        self.probe.failed(chat, error);
        self.unsynced.insert(chat.clone(), Instant::now());
        self.unsyncable.insert(chat.clone());
    }
}

fn unwritten(chat: &ChatId, error: &Error) -> Problem {
    let hint = "it is kept and written once that works again; `parlour doctor` says more";
    Problem::of(format!("writing the transcript of {chat}"), error).hinted(hint)
}

#[cfg(test)]
mod tests;
