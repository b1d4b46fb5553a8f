//! The index is brought up to date: what transcripts hold beyond it is read and written, each of its files on a thread of
//! its own.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;

use super::Error;
use super::database::{Database, IndexUse};
use super::read::{Behind, ChatStep, IndexReach, behind, read};
use super::shards::{self, shard_of};
use super::write::{dead_in, reached, write};
use crate::model::history::IndexProgress;
use crate::model::{ChatId, Timestamp};
use crate::store::Home;
use crate::sys::lock::FileLock;

/// Below the home.
const LOCK: &str = "cache/history.lock";

/// With so many entries of chats that are gone, and as many of a hundred, the index is made again.
const DEAD: i64 = 20_000;
const DEAD_PERCENT: i64 = 30;

/// The index of a home's transcripts.
pub struct History {
    pub(super) home: Arc<Home>,
    pub(super) paths: Vec<PathBuf>,
    /// All files, or none.
    writer: Mutex<Vec<Database>>,
    /// Open and not in use.
    readers: Mutex<Vec<Vec<Database>>>,
    done: AtomicU64,
    whole: AtomicU64,
    chats_done: AtomicU64,
    chats: AtomicU64,
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
            paths: shards::paths(&root),
            home,
            writer: Mutex::default(),
            readers: Mutex::default(),
            done: AtomicU64::new(0),
            whole: AtomicU64::new(0),
            chats_done: AtomicU64::new(0),
            chats: AtomicU64::new(0),
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
        shards::is_part(name) || LOCK.strip_prefix("cache/") == Some(name)
    }

    /// Removes it: whoever wants it next makes it again.
    pub fn forget(&self) -> Result<(), Error> {
        self.remake(&mut self.writer.lock())
    }

    fn remake(&self, writer: &mut Vec<Database>) -> Result<(), Error> {
        writer.clear();
        self.readers.lock().clear();
        shards::remove_all(&self.paths)?;
        self.is_damaged.store(false, Ordering::Relaxed);
        Ok(())
    }

    fn try_catch_up(
        &self,
        writer: &mut Vec<Database>,
        chats: Option<&[ChatId]>,
        now: Timestamp,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<CaughtUp, Error> {
        if self.is_damaged.load(Ordering::Relaxed) {
            return Err(Error::Damaged("a search found it so".into()));
        }
        let mut chats = chats;
        if writer.is_empty() || !writer.iter().all(Database::is_there) {
            writer.clear();
            if !self.paths.iter().all(|path| path.exists()) {
                tracing::info!("there is no search index: it is made");
                // What is left of one that was deleted belongs to no other.
                shards::remove_all(&self.paths)?;
                chats = None;
            }
            *writer = self.writers()?;
        }
        if chats.is_none() && self.is_mostly_dead(writer)? {
            tracing::info!("much of the search index is of chats that are gone: it is made again");
            self.remake(writer)?;
            *writer = self.writers()?;
        }
        let known = all_reached(writer)?;
        let behind = self.behind(chats, &known)?;
        if chats.is_none() {
            let whole = behind
                .iter()
                .map(|behind| behind.length.saturating_sub(behind.from.upto))
                .sum();
            self.done.store(0, Ordering::Relaxed);
            self.chats_done.store(0, Ordering::Relaxed);
            self.chats.store(behind.len() as u64, Ordering::Relaxed);
            self.whole.store(whole, Ordering::Relaxed);
        }
        self.add(writer, behind, now, is_cancelled)
    }

    fn writers(&self) -> Result<Vec<Database>, Error> {
        let opened = shards::open(&self.paths, IndexUse::Writing)?;
        opened.ok_or_else(|| Error::Damaged("it can't be opened".into()))
    }

    /// Those that were written to last come first: they are looked for most.
    fn behind(&self, chats: Option<&[ChatId]>, known: &HashMap<ChatId, IndexReach>) -> Result<Vec<Behind>, Error> {
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
        found.sort_by_key(|behind| Reverse(behind.changed));
        Ok(found)
    }

    fn add(
        &self,
        writer: &mut [Database],
        behind: Vec<Behind>,
        now: Timestamp,
        is_cancelled: &(dyn Fn() -> bool + Sync),
    ) -> Result<CaughtUp, Error> {
        let mut each: Vec<Vec<Behind>> = writer.iter().map(|_| Vec::new()).collect();
        for one in behind {
            each[shard_of(&one.chat)].push(one);
        }
        let has_failed = AtomicBool::new(false);
        let is_over = || is_cancelled() || has_failed.load(Ordering::Relaxed);
        let fill = |database, behind| {
            let filled = self.fill(database, behind, now, &is_over);
            has_failed.fetch_or(filled.is_err(), Ordering::Relaxed);
            filled
        };
        let todo = writer.iter_mut().zip(each).filter(|(_, behind)| !behind.is_empty());
        std::thread::scope(|scope| {
            let fill = &fill;
            let threads: Vec<_> = todo
                .map(|(database, behind)| scope.spawn(move || fill(database, behind)))
                .collect();
            let filled = threads
                .into_iter()
                .map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
            filled.collect::<Result<Vec<()>, Error>>()
        })?;
        Ok(match is_cancelled() {
            true => CaughtUp::Cancelled,
            false => CaughtUp::Done,
        })
    }

    fn fill(
        &self,
        database: &mut Database,
        behind: Vec<Behind>,
        now: Timestamp,
        is_over: &dyn Fn() -> bool,
    ) -> Result<(), Error> {
        let mut written = Ok(());
        let lengths: HashMap<ChatId, u64> = behind
            .iter()
            .map(|behind| (behind.chat.clone(), behind.length))
            .collect();
        let is_whole = |step: &&ChatStep| {
            lengths
                .get(&step.chat)
                .is_some_and(|length| step.reached.upto >= *length)
        };
        read(&self.home, behind, &mut |batch| {
            if is_over() {
                return false;
            }
            written = write(database, batch, now);
            self.done.fetch_add(batch.read, Ordering::Relaxed);
            let whole = batch.chats.iter().filter(is_whole).count();
            self.chats_done.fetch_add(whole as u64, Ordering::Relaxed);
            written.is_ok()
        });
        written
    }

    fn is_mostly_dead(&self, writer: &[Database]) -> Result<bool, Error> {
        let there = self.home.ids()?;
        let kept = self.home.list_trash()?;
        let is_gone = |chat: &ChatId| !there.contains(chat) && !kept.iter().any(|trashed| trashed.id == *chat);
        let (mut dead, mut all) = (0, 0);
        for database in writer {
            let (dead_here, all_here) = dead_in(database, is_gone)?;
            (dead, all) = (dead + dead_here, all + all_here);
        }
        Ok(dead >= DEAD && dead * 100 >= all * DEAD_PERCENT)
    }

    /// How far making it has come, while that is under way in this process.
    pub fn progress(&self) -> Option<IndexProgress> {
        let chats = self.chats.load(Ordering::Relaxed);
        let progress = IndexProgress {
            done: self.done.load(Ordering::Relaxed),
            whole: self.whole.load(Ordering::Relaxed),
            chats_done: self.chats_done.load(Ordering::Relaxed).min(chats),
            chats,
        };
        (progress.whole > progress.done).then_some(progress)
    }

    /// How far it has come, by what is on disk: for who does not make it.
    pub fn lag(&self) -> Result<Option<IndexProgress>, Error> {
        let Some(reader) = self.reader()? else {
            return Ok(None);
        };
        let known = all_reached(&reader)?;
        self.put_back(reader);
        let mut progress = IndexProgress::default();
        for chat in self.home.ids()? {
            let length = length(&self.home, &chat);
            let reached = known.get(&chat).map_or(0, |known| known.upto.min(length));
            progress.whole += length;
            progress.done += reached;
            progress.chats += 1;
            progress.chats_done += u64::from(reached == length);
        }
        Ok((progress.whole > progress.done).then_some(progress))
    }

    /// None where there is no index yet.
    pub(super) fn reader(&self) -> Result<Option<Vec<Database>>, Error> {
        let kept = self.readers.lock().pop();
        match kept.filter(|kept| kept.iter().all(Database::is_there)) {
            Some(kept) => Ok(Some(kept)),
            None => shards::open(&self.paths, IndexUse::Reading),
        }
    }

    pub(super) fn put_back(&self, reader: Vec<Database>) {
        let mut readers = self.readers.lock();
        if readers.len() < 4 {
            readers.push(reader);
        }
    }
}

fn all_reached(shards: &[Database]) -> Result<HashMap<ChatId, IndexReach>, Error> {
    let mut all = HashMap::new();
    for database in shards {
        all.extend(reached(database)?);
    }
    Ok(all)
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
    pub(super) fn writer(&self) -> parking_lot::MutexGuard<'_, Vec<Database>> {
        self.writer.lock()
    }
}
