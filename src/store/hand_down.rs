//! What a fork has of the transcript of the chat that it was made of.

use super::outputs;
use super::{Error, Home, Journal, Line};
use crate::model::{ChatId, Happened, Reported};

/// Entries that are written at once.
const AT_ONCE: usize = 500;

impl Home {
    /// Copies what is shown of a transcript into that of another chat, which has none yet, up to an entry that stays out.
    /// Tells the number of the last entry that was written.
    pub fn hand_down(&self, from: &ChatId, until: Option<u64>, into: &ChatId) -> Result<u64, Error> {
        let mut journal = Journal::open(self, into)?;
        let (theirs, ours) = (self.record_dir(from)?, self.record_dir(into)?);
        let mut told: Vec<Reported> = Vec::new();
        let mut last = 0;
        let mut write = |told: &mut Vec<Reported>| -> Result<(), Error> {
            let now = told.last().and_then(|told| told.at).unwrap_or_default();
            let written = journal.append_read(now, told, None)?;
            last = written.last().map_or(last, |entry| entry.seq);
            Ok(())
        };
        for line in self.lines(from)? {
            let line = line.map_err(|source| self.reading(from, source))?;
            let Line::Entry(entry) = line else { continue };
            if until.is_some_and(|until| entry.seq >= until) {
                break;
            }
            if !is_talk(&entry.what) {
                continue;
            }
            if let Happened::ToolEnd { output: Some(name), .. } = &entry.what {
                outputs::copy(&theirs, name, &ours)?;
            }
            told.push(Reported {
                at: Some(entry.ts),
                what: entry.what,
            });
            if told.len() == AT_ONCE {
                write(&mut told)?;
            }
        }
        if !told.is_empty() {
            write(&mut told)?;
        }
        journal.sync()?;
        Ok(last)
    }
}

/// What was said and done. How the other agent fared, and where it went back to, is no part of it.
fn is_talk(what: &Happened) -> bool {
    match what {
        Happened::Prompt { .. }
        | Happened::Text { .. }
        | Happened::Thinking { .. }
        | Happened::ToolStart { .. }
        | Happened::ToolEnd { .. }
        | Happened::Compaction { .. }
        | Happened::Summary { .. }
        | Happened::Cwd { .. }
        | Happened::Subagent { .. }
        | Happened::SubagentText { .. } => true,
        Happened::Session { .. }
        | Happened::Retry { .. }
        | Happened::Permission { .. }
        | Happened::Usage { .. }
        | Happened::Status { .. }
        | Happened::Error { .. }
        | Happened::Background { .. }
        | Happened::Message { .. }
        | Happened::Interrupt { .. }
        | Happened::Note { .. }
        | Happened::Revert { .. }
        | Happened::Unknown { .. } => false,
    }
}
