//! The scripts, checks, commands and editors that run now: stopped by their number, by their chat, or all at the
//! engine's end.

use std::collections::BTreeMap;
use std::time::Duration;

use parking_lot::{Condvar, Mutex};

use crate::model::{ChatId, WorkId};

use super::author::Author;

/// From TERM to KILL two seconds pass, and a supervisor that does not answer is killed four later.
const ALL_END_WITHIN: Duration = Duration::from_secs(10);

#[derive(Debug, Default)]
pub struct Scripts {
    state: Mutex<RunningScript>,
    /// One has ended.
    ended: Condvar,
}

#[derive(Debug, Default)]
struct RunningScript {
    scripts: BTreeMap<WorkId, EngineScript>,
    /// The engine ends: nothing is begun any more.
    over: bool,
}

struct EngineScript {
    chat: ChatId,
    author: Author,
    /// From its beginning on.
    halt: Option<Halting>,
    halted: bool,
    /// From its start on.
    pid: Option<u32>,
}

/// Ends one, however it is run.
pub type Halting = Box<dyn Fn() + Send>;

/// Why one has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It was stopped.
    Wanted,
    ByItself,
}

impl EngineScript {
    fn stop(&mut self) {
        self.halted = true;
        if let Some(halt) = &self.halt {
            halt();
        }
    }
}

impl std::fmt::Debug for EngineScript {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Script")
            .field("chat", &self.chat)
            .finish_non_exhaustive()
    }
}

impl Scripts {
    /// One is on its way: a stop that comes before it has begun is not lost.
    pub fn expect(&self, number: WorkId, chat: &ChatId, author: Author) {
        let mut running = self.state.lock();
        let script = EngineScript {
            chat: chat.clone(),
            author,
            halt: None,
            halted: running.over,
            pid: None,
        };
        running.scripts.insert(number, script);
    }

    /// It begins, and is ended like this; at once where that was wanted meanwhile.
    pub fn begin(&self, number: WorkId, halt: Halting) {
        if let Some(script) = self.state.lock().scripts.get_mut(&number) {
            script.halt = Some(halt);
            if script.halted {
                script.stop();
            }
        }
    }

    /// It runs, as this process.
    pub fn started(&self, number: WorkId, pid: u32) {
        if let Some(script) = self.state.lock().scripts.get_mut(&number) {
            script.pid = Some(pid);
        }
    }

    /// The processes of those that run, and on whose word each acts.
    pub fn authors(&self) -> Vec<(u32, Author)> {
        let running = self.state.lock();
        let scripts = running.scripts.values();
        scripts
            .filter_map(|script| Some((script.pid?, script.author.clone())))
            .collect()
    }

    pub fn end(&self, number: WorkId) -> Ending {
        let script = self.state.lock().scripts.remove(&number);
        self.ended.notify_all();
        match script {
            Some(script) if script.halted => Ending::Wanted,
            Some(_) | None => Ending::ByItself,
        }
    }

    pub fn stop(&self, number: WorkId) {
        if let Some(script) = self.state.lock().scripts.get_mut(&number) {
            script.stop();
        }
    }

    /// Stops all of a chat and waits for their end.
    pub fn end_of(&self, chat: &ChatId) {
        self.end_where(|script| script.chat == *chat);
    }

    pub fn end_all(&self) {
        self.state.lock().over = true;
        self.end_where(|_| true);
    }

    fn end_where(&self, is_one: impl Fn(&EngineScript) -> bool) {
        let mut running = self.state.lock();
        let ones = running.scripts.values_mut().filter(|script| is_one(script));
        ones.for_each(EngineScript::stop);
        let left = |running: &mut RunningScript| running.scripts.values().any(&is_one);
        // What is not gone by then its supervisor ends.
        self.ended.wait_while_for(&mut running, left, ALL_END_WITHIN);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[test]
    fn a_stop_that_comes_before_the_beginning_is_not_lost() {
        let scripts = Scripts::default();
        let chat = ChatId::parse("aaaaaaaaaa").unwrap();
        let begin = |number: WorkId| {
            let told = Arc::new(AtomicBool::new(false));
            let hears = told.clone();
            scripts.begin(number, Box::new(move || hears.store(true, Ordering::SeqCst)));
            told.load(Ordering::SeqCst)
        };
        for number in [1, 2].map(WorkId) {
            scripts.expect(number, &chat, Author::Chat(chat.clone()));
        }
        scripts.stop(WorkId(1));
        assert_eq!([1, 2].map(WorkId).map(begin), [true, false]);
        scripts.started(WorkId(2), 7);
        assert_eq!(scripts.authors(), [(7, Author::Chat(chat))]);
        assert_eq!(
            [1, 2].map(|number| scripts.end(WorkId(number))),
            [Ending::Wanted, Ending::ByItself]
        );
        assert!(scripts.authors().is_empty());
    }
}
