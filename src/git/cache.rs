//! The bare caches, one an origin, and the queue at each.
//!
//! Calls for one origin share fetches: a fetch that began after a call asked has all that the call could want, one that
//! had already begun may not. So of many calls at once, one fetches, and the rest share the fetch after it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::{Condvar, Mutex, MutexGuard};

use super::fetch::{Fetch, Freshness, ORIGIN, SOURCE};
use super::run::{GitProgress, GitStage};
use super::{Error, Origin};
use crate::fs::{Dir, DirEntryKind};

/// How often a waiting call looks whether it was cancelled.
const GLANCE: Duration = Duration::from_millis(100);

/// A URL that is longer is none.
const LONGEST_ORIGIN: u64 = 8 << 10;

#[derive(Debug)]
pub struct Caches {
    path: PathBuf,
    queues: Mutex<HashMap<PathBuf, Arc<Queue>>>,
}

/// Where a cached repository came from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CachedOrigin {
    /// What its clones have for their remote.
    pub url: String,
    /// The checkout on this machine that it was fetched from.
    pub source: Option<PathBuf>,
    /// Where it lies among the caches.
    pub path: PathBuf,
}

#[derive(Debug, Default)]
struct Queue {
    state: Mutex<QueueState>,
    /// Woken when a fetch ends.
    ended: Condvar,
}

#[derive(Debug, Default)]
struct QueueState {
    /// Fetches begun so far; the last of them is under way while `running`.
    begun: u64,
    running: bool,
    /// Clones that are being made of it.
    uses: usize,
    /// The newest fetch that ended, and how.
    last: Option<(u64, Result<Freshness, Arc<Error>>)>,
}

impl Caches {
    /// The caches in `root`, which is `bare/` of a home.
    pub fn new(root: Dir) -> Result<Caches, Error> {
        // Clones that borrow name this path, from wherever they are.
        let path = root
            .path()
            .canonicalize()
            .map_err(|e| Error::io("finding", root.path(), e))?;
        Ok(Caches {
            path,
            queues: Mutex::default(),
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Opened for each use, and made where it is missing: somebody may have removed it meanwhile.
    pub(super) fn root(&self) -> Result<Dir, Error> {
        Ok(Dir::open_or_create(&self.path)?)
    }

    /// Where the cache of an origin lies, or would lie.
    pub fn path_of(&self, origin: &Origin) -> PathBuf {
        self.path.join(&origin.cache)
    }

    /// Where the cached repositories came from.
    pub fn origins(&self) -> Vec<CachedOrigin> {
        let mut origins = Vec::new();
        let Ok(root) = self.root() else {
            return origins;
        };
        let mut folders = vec![PathBuf::from(".")];
        while let Some(folder) = folders.pop() {
            for entry in root.entries(&folder).unwrap_or_default() {
                let path = match folder.as_os_str() == "." {
                    true => PathBuf::from(&entry.name),
                    false => folder.join(&entry.name),
                };
                match root.read(path.join(ORIGIN), LONGEST_ORIGIN) {
                    Ok(Some(url)) => origins.extend(String::from_utf8(url).map(|url| CachedOrigin {
                        source: self.source(&path),
                        path: path.clone(),
                        url,
                    })),
                    Ok(None) if entry.kind == DirEntryKind::Dir && !is_cache(&path) => folders.push(path),
                    // Not ours, or on its way out: nothing to offer.
                    Ok(None) | Err(_) => {}
                }
            }
        }
        origins.sort();
        origins
    }

    /// The checkout that a cache was made from.
    fn source(&self, cache: &Path) -> Option<PathBuf> {
        let source = self.root().ok()?.read(cache.join(SOURCE), LONGEST_ORIGIN).ok()??;
        Some(PathBuf::from(String::from_utf8(source).ok()?))
    }

    /// Removes these caches, each in one step into `bin`. Whoever wants to clone from one waits meanwhile, and makes it
    /// again. One that is being fetched or cloned stays.
    pub fn remove(&self, bin: &Dir, is_unused: impl Fn(&CachedOrigin) -> bool) -> Result<(), Error> {
        let root = self.root()?;
        let held: Vec<_> = self
            .origins()
            .into_iter()
            .filter_map(|cached| Some((self.hold(&cached.path)?, cached)))
            .collect();
        for (_turn, cached) in held.iter().filter(|(_, cached)| is_unused(cached)) {
            let away = format!("pruned-{}", uuid::Uuid::new_v4().simple());
            root.rename(&cached.path, bin, &away)?;
            bin.remove_tree(&away)?;
        }
        Ok(())
    }

    /// The turn at a cache, unless somebody has it.
    fn hold(&self, cache: &Path) -> Option<QueueTurn> {
        let queue = self.queue(cache);
        let mut state = queue.state.lock();
        if state.running || state.uses > 0 {
            return None;
        }
        state.running = true;
        drop(state);
        Some(QueueTurn(queue))
    }

    /// A clone is made of this cache as long as the result lives: from before its fetch until the clone stands where
    /// whoever removes caches looks for those that borrow from them.
    pub(super) fn begin_use(&self, cache: &Path) -> CacheUse {
        let queue = self.queue(cache);
        queue.state.lock().uses += 1;
        CacheUse(queue)
    }

    fn queue(&self, cache: &Path) -> Arc<Queue> {
        Arc::clone(self.queues.lock().entry(cache.to_owned()).or_default())
    }

    /// Which directory the cache of an origin is.
    pub(super) fn inode(&self, origin: &Origin) -> Result<Option<u64>, Error> {
        let found = self.root()?.metadata(&origin.cache)?;
        Ok(found.map(|found| found.inode))
    }

    /// Makes the cache of `fetch` anew if it cannot be read back. Whether it is another than the one that was read: somebody
    /// may have done so meanwhile.
    pub(super) fn mend(&self, fetch: &Fetch<'_>, read: Option<u64>) -> Result<bool, Error> {
        let queue = self.queue(&fetch.origin.cache);
        let mut state = queue.state.lock();
        while state.running {
            wait(&queue, &mut state, fetch)?;
        }
        state.running = true;
        drop(state);
        let _turn = QueueTurn(queue);
        match self.inode(fetch.origin)? {
            None => Ok(false),
            now if now != read => Ok(true),
            Some(_) if !fetch.is_damaged()? => Ok(false),
            Some(_) => {
                tracing::warn!("{}: damaged, and fetched anew", self.path_of(fetch.origin).display());
                let failed = |why: Error| match why.is_cancelled() {
                    true => why,
                    false => Error::Damaged {
                        path: self.path_of(fetch.origin),
                        why: Arc::new(why),
                    },
                };
                fetch.renew().map(|()| true).map_err(failed)
            }
        }
    }

    /// Has the cache of `fetch` brought up to date, by this call or by one that began after it asked.
    pub(super) fn refresh(&self, fetch: &Fetch<'_>) -> Result<Freshness, Error> {
        let queue = self.queue(&fetch.origin.cache);
        let mut state = queue.state.lock();
        let asked = state.begun;
        loop {
            match &state.last {
                // Another call's cancel is not ours.
                Some((number, outcome)) if *number > asked && !is_cancelled(outcome) => {
                    return outcome.clone().map_err(Error::Shared);
                }
                _ => {}
            }
            if !state.running {
                break;
            }
            wait(&queue, &mut state, fetch)?;
        }
        state.running = true;
        state.begun += 1;
        let number = state.begun;
        drop(state);
        // Also when the fetch panics: the others must not wait for ever.
        let turn = QueueTurn(Arc::clone(&queue));
        let outcome = fetch.refresh().map_err(Arc::new);
        queue.state.lock().last = Some((number, outcome.clone()));
        drop(turn);
        outcome.map_err(Error::Shared)
    }
}

/// Until the one that is under way has ended, or for a moment.
fn wait(queue: &Queue, state: &mut MutexGuard<'_, QueueState>, fetch: &Fetch<'_>) -> Result<(), Error> {
    (fetch.progress)(GitProgress {
        stage: GitStage::Waiting,
        percent: None,
    });
    fetch.cancel.check()?;
    queue.ended.wait_for(state, GLANCE);
    Ok(())
}

fn is_cancelled(outcome: &Result<Freshness, Arc<Error>>) -> bool {
    outcome.as_ref().is_err_and(|error| error.is_cancelled())
}

pub(super) struct CacheUse(Arc<Queue>);

impl Drop for CacheUse {
    fn drop(&mut self) {
        self.0.state.lock().uses -= 1;
    }
}

struct QueueTurn(Arc<Queue>);

impl Drop for QueueTurn {
    fn drop(&mut self) {
        self.0.state.lock().running = false;
        self.0.ended.notify_all();
    }
}

/// Folders above caches are named after hosts and owners; a cache ends in `.git`.
fn is_cache(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "git")
}
