//! The index of all transcripts is kept up to date by a thread beside the loop. Whoever writes to a transcript tells it
//! so, and what came within a moment is added together. Nothing wakes it while nothing is written.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::clock::now;
use crate::history::{CaughtUp, Error, History};
use crate::model::history::{HistoryAsk, HistoryPage, IndexProgress};
use crate::model::{ChatId, Problem};
use crate::store::Home;
use crate::sys;

/// What is written within this time is added at once: found within a second, it has to be read and written too.
const GATHERED: Duration = Duration::from_millis(300);

enum IndexNotice {
    Begin,
    Grown(ChatId),
    All,
    End,
}

/// Tells the thread what there is to be added.
#[derive(Clone)]
pub struct HistoryNotices(Sender<IndexNotice>);

impl HistoryNotices {
    /// All chats are loaded: reading their transcripts before would keep that up.
    pub fn begin(&self) {
        let _ = self.0.send(IndexNotice::Begin);
    }

    /// This transcript has more than before, or is another one.
    pub fn grown(&self, chat: &ChatId) {
        // At the end nobody listens, and the next start looks by itself.
        let _ = self.0.send(IndexNotice::Grown(chat.clone()));
    }

    /// For tests that search nothing.
    #[cfg(test)]
    pub fn unheard() -> HistoryNotices {
        HistoryNotices(channel().0)
    }
}

/// The index, and the way to the thread.
pub struct HistoryKeeper {
    index: Arc<History>,
    pub notices: HistoryNotices,
    ends: Arc<AtomicBool>,
}

impl HistoryKeeper {
    /// All that was written while no engine ran is added once [`HistoryNotices::begin`] says so.
    pub fn start(home: Arc<Home>) -> std::io::Result<(HistoryKeeper, JoinHandle<()>)> {
        let index = Arc::new(History::new(home));
        let ends = Arc::new(AtomicBool::new(false));
        let (notices, heard) = channel();
        let thread = std::thread::Builder::new().name("history".into()).spawn({
            let (index, ends) = (index.clone(), ends.clone());
            move || {
                HistoryThread {
                    index,
                    ends,
                    said: None,
                }
                .run(&heard)
            }
        })?;
        let keeper = HistoryKeeper {
            index,
            notices: HistoryNotices(notices),
            ends,
        };
        Ok((keeper, thread))
    }

    /// What is in the index by now.
    pub fn find(&self, ask: &HistoryAsk, is_cancelled: &dyn Fn() -> bool) -> Result<HistoryPage, Problem> {
        let found = self.index.find(ask, is_cancelled);
        match &found {
            Ok(page) if page.pending.is_none() => {}
            // It is gone, or it cannot be read: whoever asks has it made.
            Ok(_) if self.index.progress().is_some() => {}
            Ok(_) | Err(Error::Damaged(_)) => {
                let _ = self.notices.0.send(IndexNotice::All);
            }
            Err(_) => {}
        }
        match found {
            Err(Error::Damaged(_)) => Ok(HistoryPage {
                pending: Some(IndexProgress::default()),
                ..HistoryPage::default()
            }),
            found => found.map_err(|error| error.problem("searching the transcripts")),
        }
    }

    /// Removes the index. It is made again with the next search or entry.
    pub fn forget(&self) -> Result<(), Problem> {
        let removed = self.index.forget();
        removed.map_err(|error| error.problem("removing the search index"))
    }

    /// The thread ends soon.
    pub fn end(&self) {
        self.ends.store(true, Ordering::Relaxed);
        let _ = self.notices.0.send(IndexNotice::End);
    }
}

struct HistoryThread {
    index: Arc<History>,
    ends: Arc<AtomicBool>,
    /// What went wrong last: it is said once.
    said: Option<String>,
}

impl HistoryThread {
    fn run(mut self, heard: &Receiver<IndexNotice>) {
        while let Ok(first) = heard.recv() {
            if matches!(first, IndexNotice::Begin) {
                sys::give_way();
                self.catch_up(None);
                sys::give_back();
                continue;
            }
            let until = Instant::now() + GATHERED;
            let mut next = Ok(first);
            let (mut grown, mut all) = (BTreeSet::new(), false);
            loop {
                match next {
                    Ok(IndexNotice::Grown(chat)) => drop(grown.insert(chat)),
                    Ok(IndexNotice::All | IndexNotice::Begin) => all = true,
                    Ok(IndexNotice::End) | Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => break,
                }
                next = heard.recv_timeout(until.saturating_duration_since(Instant::now()));
            }
            let grown: Vec<ChatId> = grown.into_iter().collect();
            self.catch_up((!all).then_some(&grown));
        }
    }

    fn catch_up(&mut self, chats: Option<&[ChatId]>) {
        let ends = || self.ends.load(Ordering::Relaxed);
        match self.index.catch_up(chats, now(), &ends) {
            Ok(CaughtUp::Done) => self.said = None,
            Ok(CaughtUp::Cancelled) => {}
            Ok(CaughtUp::ByAnother) => tracing::info!("another parlour brings the search index up to date"),
            Err(error) => {
                let why = error.to_string();
                if self.said.as_ref() != Some(&why) {
                    tracing::warn!("the search index is not up to date: {why}");
                }
                self.said = Some(why);
            }
        }
    }
}
