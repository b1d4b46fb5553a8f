//! Sub-agents that began and of whose end nothing was heard. A CLI's turn may end before they do.

use std::collections::BTreeMap;

use crate::model::{Happened, HookEvent, Timestamp};

/// One of which nothing is heard for so long, and that has no call open, counts as gone: its end may never be told.
const SILENT_MS: u64 = 10 * 60_000;

#[derive(Default)]
pub struct OpenSubAgents {
    /// By id, with when each was heard of last.
    open: BTreeMap<String, Timestamp>,
    /// The turn has ended, and the agent works on as long as these do.
    pub goes_on: bool,
}

impl OpenSubAgents {
    pub fn hears(&mut self, told: &HookEvent, now: Timestamp) {
        if let HookEvent::SubagentStarted { id, .. } = told {
            self.open.insert(id.clone(), now);
        }
        if let HookEvent::SubagentEnded { id, .. } = told {
            self.open.remove(id);
        }
    }

    /// Its transcript tells what one of them does.
    pub fn reads(&mut self, what: &Happened, now: Timestamp) {
        let parent = match what {
            Happened::ToolStart { parent, .. } | Happened::Usage { parent, .. } => parent.as_ref(),
            Happened::SubagentText { parent, .. } => Some(parent),
            _ => None,
        };
        if let Some(parent) = parent {
            self.hears_from(parent, now);
        }
    }

    pub fn hears_from(&mut self, id: &str, now: Timestamp) {
        if let Some(at) = self.open.get_mut(id) {
            *at = now;
        }
    }

    pub fn holds(&self, id: &str) -> bool {
        self.open.contains_key(id)
    }

    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// How many are at work, of which some have a call open.
    pub fn count(&self, has_call: impl Fn(&str) -> bool, now: Timestamp) -> usize {
        let works = |(id, at): &(&String, &Timestamp)| now.ms_since(**at) < SILENT_MS || has_call(id);
        self.open.iter().filter(works).count()
    }

    /// When the next of them may have been silent for too long.
    pub fn until(&self, now: Timestamp) -> Option<Timestamp> {
        let ends = self.open.values().map(|at| at.plus_ms(SILENT_MS));
        ends.filter(|end| self.goes_on && *end > now).min()
    }

    pub fn forget(&mut self) {
        *self = OpenSubAgents::default();
    }

    /// The moments from which its deadlines are counted.
    pub fn moments(&mut self) -> impl Iterator<Item = &mut Timestamp> {
        self.open.values_mut()
    }
}
