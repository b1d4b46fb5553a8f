//! The index is brought up to date: what transcripts hold beyond it is read on one thread and written on another.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;

use parking_lot::Mutex;

use super::Error;
use super::database::{Database, IndexUse, remove};
use super::read::{Behind, IndexBatch, behind, read};
use super::write::{dead, reached, write};
use crate::model::history::IndexProgress;
use crate::model::{ChatId, Timestamp};
use crate::store::Home;
use crate::sys::lock::FileLock;

/// Below the home.
const FILE: &str = "cache/history.db";
const LOCK: &str = "cache/history.lock";

/// With so many entries of chats that are gone, and as many of a hundred, the index is made again.
const DEAD: i64 = 20_000;
const DEAD_PERCENT: i64 = 30;

/// The index of a home's transcripts.
pub struct History {
    pub(super) home: Arc<Home>,
    pub(super) path: PathBuf,
    writer: Mutex<Option<Database>>,
    /// Open and not in use.
    readers: Mutex<Vec<Database>>,
    done: AtomicU64,
    whole: AtomicU64,
    /// Somebody found that it cannot be read.
    pub(super) is_damaged: AtomicBool,
}

/// What bringing it up to date came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaughtUp {
    Done,
    /// Nobody wanted it any more.
    Cancelled,
    /// Another process is at it.
    ByAnother,
}

impl History {
    pub fn new(home: Arc<Home>) -> History {
        // SQLite takes no path with a link in it, so that nobody leads it elsewhere.
        let root = home.path().canonicalize().unwrap_or_else(|_| home.path().into());
        History {
            path: root.join(FILE),
            home,
            writer: Mutex::default(),
            readers: Mutex::default(),
            done: AtomicU64::new(0),
            whole: AtomicU64::new(0),
            is_damaged: AtomicBool::new(false),
        }
    }

    /// Adds what is new in these transcripts, or in all. `is_cancelled` is asked now and then.
    pub fn catch_up(
        &self,
        chats: Option<&[ChatId]>,
        now: Timestamp,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<CaughtUp, Error> {
        self.home.writable()?;
        self.home.dir().create_dir("cache").map_err(crate::store::Error::from)?;
        // All of it takes long, and is not done twice at once.
        let lock = match chats {
            None => match FileLock::try_acquire(&self.home.path().join(LOCK)) {
                Ok(Some(lock)) => Some(lock),
                Ok(None) => return Ok(CaughtUp::ByAnother),
                // A file system that has none.
                Err(_) => None,
            },
            Some(_) => None,
        };
        let mut writer = self.writer.lock();
        let result = self.try_catch_up(&mut writer, chats, now, is_cancelled);
        let result = match result {
            Err(Error::Damaged(why)) => {
                tracing::warn!("the search index can't be read, and is made again: {why}");
                self.remake(&mut writer)?;
                self.try_catch_up(&mut writer, None, now, is_cancelled)
            }
            other => other,
        };
        self.whole.store(0, Ordering::Relaxed);
        drop(lock);
        result
    }

    /// Whether a file of the cache is one of the index.
    pub fn is_part(name: &str) -> bool {
        [FILE, LOCK]
            .iter()
            .any(|own| own.strip_prefix("cache/").is_some_and(|own| name.starts_with(own)))
    }

    /// Removes it: whoever wants it next makes it again.
    pub fn forget(&self) -> Result<(), Error> {
        self.remake(&mut self.writer.lock())
    }

    fn remake(&self, writer: &mut Option<Database>) -> Result<(), Error> {
        *writer = None;
        self.readers.lock().clear();
        remove(&self.path)?;
        self.is_damaged.store(false, Ordering::Relaxed);
        Ok(())
    }

    fn try_catch_up(
        &self,
        writer: &mut Option<Database>,
        chats: Option<&[ChatId]>,
        now: Timestamp,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<CaughtUp, Error> {
        if self.is_damaged.load(Ordering::Relaxed) {
            return Err(Error::Damaged("a search found it so".into()));
        }
        let mut chats = chats;
        if writer.as_ref().is_none_or(|database| !database.is_there()) {
            *writer = None;
            if !self.path.exists() {
                tracing::info!("there is no search index: it is made");
                // What is left of one that was deleted belongs to no other.
                remove(&self.path)?;
                chats = None;
            }
            *writer = Database::open(&self.path, IndexUse::Writing)?;
        }
        if chats.is_none() && self.is_mostly_dead(writer.as_ref())? {
            tracing::info!("much of the search index is of chats that are gone: it is made again");
            self.remake(writer)?;
            *writer = Database::open(&self.path, IndexUse::Writing)?;
        }
        let Some(database) = writer.as_mut() else {
            return Err(Error::Damaged("it can't be opened".into()));
        };
        let known = reached(database)?;
        let behind = self.behind(chats, &known)?;
        let size = |behind: &Behind| behind.file.metadata().map_or(0, |found| found.len());
        if chats.is_none() {
            let whole = behind
                .iter()
                .map(|behind| size(behind).saturating_sub(behind.from.upto))
                .sum();
            self.done.store(0, Ordering::Relaxed);
            self.whole.store(whole, Ordering::Relaxed);
        }
        self.add(database, behind, now, is_cancelled)
    }

    /// Those that were written to last come first: they are looked for most.
    fn behind(
        &self,
        chats: Option<&[ChatId]>,
        known: &HashMap<ChatId, super::read::IndexReach>,
    ) -> Result<Vec<Behind>, Error> {
        let all;
        let chats = match chats {
            Some(chats) => chats,
            None => {
                all = self.home.ids()?;
                &all
            }
        };
        let found = chats
            .iter()
            .filter_map(|chat| behind(&self.home, chat, known.get(chat)));
        let mut found: Vec<Behind> = found.collect();
        let changed = |behind: &Behind| behind.file.metadata().and_then(|found| found.modified()).ok();
        found.sort_by_cached_key(|behind| Reverse(changed(behind)));
        Ok(found)
    }

    fn add(
        &self,
        database: &mut Database,
        behind: Vec<Behind>,
        now: Timestamp,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<CaughtUp, Error> {
        if behind.is_empty() {
            return Ok(CaughtUp::Done);
        }
        let (batches, taken) = sync_channel::<IndexBatch>(0);
        std::thread::scope(|scope| {
            // Dropped when writing fails, which ends the reading.
            let taken = taken;
            let home = &self.home;
            scope.spawn(move || {
                read(home, behind, &mut |batch| {
                    !is_cancelled() && batches.send(batch).is_ok()
                })
            });
            for batch in &taken {
                if is_cancelled() {
                    return Ok(CaughtUp::Cancelled);
                }
                let bytes = batch.read;
                write(database, batch, now)?;
                self.done.fetch_add(bytes, Ordering::Relaxed);
            }
            Ok(if is_cancelled() {
                CaughtUp::Cancelled
            } else {
                CaughtUp::Done
            })
        })
    }

    fn is_mostly_dead(&self, writer: Option<&Database>) -> Result<bool, Error> {
        let Some(database) = writer else { return Ok(false) };
        let there = self.home.ids()?;
        let kept = self.home.list_trash()?;
        let is_gone = |chat: &ChatId| !there.contains(chat) && !kept.iter().any(|trashed| trashed.id == *chat);
        let (dead, all) = dead(database, is_gone)?;
        Ok(dead >= DEAD && dead * 100 >= all * DEAD_PERCENT)
    }

    /// How far making it has come, while that is under way in this process.
    pub fn progress(&self) -> Option<IndexProgress> {
        let (done, whole) = (self.done.load(Ordering::Relaxed), self.whole.load(Ordering::Relaxed));
        (whole > done).then_some(IndexProgress { done, whole })
    }

    /// How far it has come, by what is on disk: for who does not make it.
    pub fn lag(&self) -> Result<Option<IndexProgress>, Error> {
        let Some(reader) = self.reader()? else {
            return Ok(None);
        };
        let known = reached(&reader)?;
        self.put_back(reader);
        let mut progress = IndexProgress::default();
        for chat in self.home.ids()? {
            let length = length(&self.home, &chat);
            progress.whole += length;
            progress.done += known.get(&chat).map_or(0, |known| known.upto.min(length));
        }
        Ok((progress.whole > progress.done).then_some(progress))
    }

    /// None where there is no index yet.
    pub(super) fn reader(&self) -> Result<Option<Database>, Error> {
        let kept = self.readers.lock().pop();
        match kept.filter(Database::is_there) {
            Some(kept) => Ok(Some(kept)),
            None => Database::open(&self.path, IndexUse::Reading),
        }
    }

    pub(super) fn put_back(&self, reader: Database) {
        let mut readers = self.readers.lock();
        if readers.len() < 4 {
            readers.push(reader);
        }
    }
}

fn length(home: &Home, chat: &ChatId) -> u64 {
    let path = Path::new(crate::store::EVENTS);
    let found = home.record_dir(chat).ok().and_then(|dir| dir.open_file(path).ok()?);
    found
        .and_then(|file| file.metadata().ok())
        .map_or(0, |found| found.len())
}

#[cfg(test)]
impl History {
    pub(super) fn writer(&self) -> parking_lot::MutexGuard<'_, Option<Database>> {
        self.writer.lock()
    }
}
