//! Commands that run on though the calls that began them have ended: Codex CLI ends none of them with a turn, be it
//! interrupted.

use std::collections::HashSet;

use crate::model::Happened;

#[derive(Default)]
pub(super) struct LeftRunning {
    /// Those that run on, by their process; by their call where that was interrupted, which tells no process.
    background: HashSet<String>,
    /// Calls of commands that have not ended.
    calls: HashSet<String>,
    /// Processes and calls that have ended, of which a call may say a moment later that they run.
    gone: HashSet<String>,
}

impl LeftRunning {
    pub(super) fn begins(&mut self, call: &str) {
        self.calls.insert(call.into());
    }

    /// A call ended: it names a process that runs on behind it, or was interrupted. What is told if one more runs.
    pub(super) fn call_ended(&mut self, call: &str, process: Option<&str>, is_cut: bool) -> Option<Happened> {
        let is_command = self.calls.remove(call);
        let left = process.or(Some(call).filter(|_| is_command && is_cut))?;
        let is_news = !self.gone.contains(left) && self.background.insert(left.into());
        is_news.then(|| self.told())
    }

    /// A command ended. What is told if it ran behind its call.
    pub(super) fn ended(&mut self, process: &str, call: &str) -> Option<Happened> {
        let mut ran = false;
        for name in [process, call] {
            ran |= self.background.remove(name);
            self.gone.insert(name.into());
        }
        ran.then(|| self.told())
    }

    fn told(&self) -> Happened {
        let running = u32::try_from(self.background.len()).unwrap_or(u32::MAX);
        Happened::Background { running }
    }
}
