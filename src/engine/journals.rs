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
use super::inboxes::Inboxes;
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
    /// Chats with lines that were written and not synced, and since when.
    unsynced: HashMap<ChatId, Instant>,
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
                // However much waits to be written.
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
                    let outcome = self
                        .inboxes
                        .carry_out(&chat, job)
                        .map_or_else(Outcome::Failed, Outcome::Journal);
                    self.done(work, outcome);
                }
                Ok(JournalOrder::Forget(chat, done)) => {
                    self.sync(&chat);
                    self.open.remove(&chat);
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
                    self.probe.look(&self.home, self.held.due().is_some());
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
    /// over it for good.
    fn append_or_hold(&mut self, chat: &ChatId, mut piece: PendingWrite) -> Outcome {
        if self.held.has(chat) {
            let problem = self.held.hold(chat, piece, None);
            return Outcome::Journal(JournalDone::Unwritten(problem));
        }
        match self.append(chat, &mut piece) {
            Ok(done) => Outcome::Journal(done),
            Err(error @ Error::NoChat(_)) => {
                let doing = format!("writing the transcript of {chat}");
                Outcome::Failed(Problem::of(doing, &error).hinted("it was deleted meanwhile"))
            }
            Err(error) => {
                self.probe.failed(chat, &error);
                let problem = self.held.hold(chat, piece, Some(unwritten(chat, &error)));
                self.backlog.stick(self.held.chats());
                Outcome::Failed(problem)
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
        if let Err(error) = &changed {
            self.probe.failed(chat, error);
        }
        let doing = format!("keeping the prompts of {chat}");
        Ok(JournalDone::Kept(Box::new(changed.doing(&*doing)?)))
    }

    fn make_room(&mut self) {
        if self.open.len() >= OPEN {
            let chats: Vec<ChatId> = self.open.keys().cloned().collect();
            chats.iter().for_each(|chat| self.sync(chat));
            self.open.clear();
        }
    }

    /// What is due soon is synced along with what is due.
    fn sync_all(&mut self) {
        let unsynced = std::mem::take(&mut self.unsynced);
        let journals = self.open.iter_mut().filter(|(chat, _)| unsynced.contains_key(*chat));
        let journals = journals.map(|(_, journal)| journal).collect();
        for (chat, error) in Journal::sync_all(&self.home, journals) {
            tracing::error!("syncing the transcript of {chat}: {error}");
        }
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

fn unwritten(chat: &ChatId, error: &Error) -> Problem {
    let hint = "it is kept and written once that works again; `parlour doctor` says more";
    Problem::of(format!("writing the transcript of {chat}"), error).hinted(hint)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::model::{Happened, Timestamp};
    use crate::store::{ChatCreation, Line, Surroundings};

    #[test]
    fn whoever_catches_up_reads_all_that_was_handed_in_before() {
        let root = tempfile::tempdir().unwrap();
        let home = Arc::new(Home::open(&root.path().join("home")).unwrap());
        let chat = chat(&home);
        let (sender, _inbox) = Sender::channel(Arc::default());
        let (journals, thread) = Journals::start(home.clone(), sender, HistoryNotices::unheard()).unwrap();
        let note = |number: u64| Happened::Note {
            text: format!("note {number}"),
        };
        for round in 1..=3 {
            for number in 0..200 {
                let job = JournalWork::Append(chat.clone(), vec![note(number).into()], None);
                journals.take(WorkId(number), job).unwrap();
            }
            journals.catch_up();
            assert_eq!(home.lines_after(&chat, 0).unwrap().count(), 200 * round);
        }
        drop(journals);
        thread.join().unwrap();
    }

    fn chat(home: &Home) -> ChatId {
        let creation = ChatCreation {
            id: ChatId::from_bits(1),
            name: "Talk".into(),
            handle: None,
            llm: "demo".into(),
            role: None,
            parent: None,
            schedule: None,
            disabled_servers: Vec::new(),
            to_open: 0,
            created: Timestamp(0),
            templates: Vec::new(),
            around: Surroundings::default(),
            skills: Vec::new(),
        };
        home.create(creation).unwrap().record.id
    }

    #[test]
    fn what_could_not_be_written_is_written_in_order_once_it_can_and_said_once() {
        let folder = tempfile::tempdir().unwrap();
        let home = Arc::new(Home::open(&folder.path().join("home")).unwrap());
        let chat = chat(&home);
        let events = home.record_path(&chat).join("events.jsonl");
        let (sender, mut inbox) = Sender::channel(Arc::default());
        let (journals, thread) = Journals::start(home.clone(), sender, HistoryNotices::unheard()).unwrap();
        let mut told = Vec::new();
        let mut said = || loop {
            match inbox.blocking_recv() {
                Some(Inbound::Event(Event::Done(work, outcome))) => return (work.0, outcome),
                Some(Inbound::Event(Event::Disk(DiskEvent::Unwritten(unwritten)))) => told.push(unwritten),
                _ => panic!("the writer tells of nothing else"),
            }
        };
        let append = |number: u64| {
            let text = number.to_string();
            let what = vec![Happened::Text { id: text.clone(), text }.into()];
            let read = Some(Mark {
                file: "s.jsonl".into(),
                to: number,
            });
            let job = JournalWork::Append(chat.clone(), what, read);
            assert_eq!(journals.take(WorkId(number), job), Ok(()));
        };

        fs::create_dir(&events).unwrap();
        append(1);
        assert!(matches!(said(), (1, Outcome::Failed(_))));
        assert!(journals.backlog().is_stuck(&chat));
        append(2);
        assert!(matches!(said(), (2, Outcome::Journal(JournalDone::Unwritten(_)))));
        fs::remove_dir(&events).unwrap();
        assert!(matches!(said(), (1, Outcome::Journal(JournalDone::Appended(..)))));
        assert!(matches!(said(), (2, Outcome::Journal(JournalDone::Appended(..)))));
        append(3);
        assert!(matches!(said(), (3, Outcome::Journal(JournalDone::Appended(..)))));
        assert!(!journals.backlog().is_stuck(&chat) && journals.backlog().len() == 0);
        drop(journals);
        thread.join().unwrap();
        let [Some((chats, _)), None] = &told[..] else {
            panic!("{told:?}");
        };
        assert_eq!(*chats, std::slice::from_ref(&chat));
        let lines = home.tail(&chat, 10).unwrap().into_iter();
        let marks = lines.filter_map(|line| match line {
            Line::Entry(entry) => entry.read.map(|mark| mark.to),
            Line::Gap { .. } => None,
        });
        assert_eq!(marks.collect::<Vec<_>>(), [1, 2, 3]);
    }
}
