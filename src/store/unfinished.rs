//! What a transcript left open when its engine was killed: calls without an end, questions without an answer, and a turn.

use std::collections::HashSet;

use serde_json::Value;

use super::line::EVENTS;
use super::tail_reader::TailReader;
use super::{Error, Home, line};
use crate::model::entry::ToolStatus;
use crate::model::status::STOPPING;
use crate::model::{ChatId, Happened, Status};

/// Who asks in questions of parlour's own, about the setup that a repository brings.
const OF_PARLOUR: &str = "repository";

/// How it ends what is told of a program that ended with a shell, which ended with its engine.
const CUT_OFF: &str = " was cut off by the end of the engine";

/// How far back they are looked for. What an agent has open began in its last turn.
const FAR: usize = 20_000;

impl Home {
    /// The ends of what is open in the transcript up to the entry `last`, oldest first: what became of it is not known.
    /// A question of parlour's own stays open: it is asked again.
    /// Nothing where the last agent's end is known, which closed it.
    pub fn left_open(&self, chat: &ChatId, last: u64) -> Result<Vec<Happened>, Error> {
        let mut open = Open::default();
        self.read_back(chat, last, |what| open.take(what))?;
        // A question is answered before its call ends.
        let cut = open.in_turn == Some(true) && !open.interrupted;
        let Open { unanswered, ends, .. } = open;
        let cause = "the engine ended during its turn".to_string();
        let cut = cut.then_some(Happened::Interrupt { cause });
        let ends = ends.into_iter().rev().chain(cut);
        Ok(unanswered.into_iter().rev().chain(ends).collect())
    }

    /// What is told of a shell that its engine took along, up to the entry `last`: which program was at work in it. Nothing
    /// where none was, or where it is told.
    pub fn left_in_shell(&self, chat: &ChatId, last: u64) -> Result<Vec<Happened>, Error> {
        let mut cut = None;
        self.read_back(chat, last, |what| {
            if let Happened::Status { status, detail, .. } = what {
                let runs = status == "running" && !detail.is_empty() && detail != STOPPING;
                cut = runs.then_some(detail);
                return true;
            }
            matches!(what, Happened::Note { text } if text.ends_with(CUT_OFF))
        })?;
        let told = |program| Happened::Note {
            text: format!("{program}{CUT_OFF}"),
        };
        Ok(cut.map(told).into_iter().collect())
    }

    /// Hands over what happened up to the entry `last`, the newest first, until that is enough.
    fn read_back(&self, chat: &ChatId, last: u64, mut is_enough: impl FnMut(Happened) -> bool) -> Result<(), Error> {
        let Some(events) = self.record_dir(chat)?.open_file(EVENTS)? else {
            return Ok(());
        };
        let failed = |source| Error::Io {
            doing: "reading",
            path: self.record_path(chat).join(EVENTS),
            source,
        };
        for stretch in TailReader::new(&events).map_err(failed)?.take(FAR) {
            let line = stretch.map_err(failed)?.line.unwrap_or_default();
            let entry = line::parse(chat, &line).filter(|entry| entry.seq <= last);
            if entry.is_some_and(|entry| is_enough(entry.what)) {
                break;
            }
        }
        Ok(())
    }
}

/// Read backwards: an end comes before its beginning.
#[derive(Default)]
struct Open {
    ended: HashSet<String>,
    answered: HashSet<String>,
    unanswered: Vec<Happened>,
    ends: Vec<Happened>,
    in_turn: Option<bool>,
    /// Behind the last that tells of a turn: its end is told.
    interrupted: bool,
}

impl Open {
    /// Whether all before this is closed.
    fn take(&mut self, what: Happened) -> bool {
        match what {
            Happened::Status { status, .. } if ["exited", "hibernated"].contains(&status.as_str()) => return true,
            Happened::Status { status, detail, .. } => {
                // An agent that goes on from a turn that was cut says so itself, until its next one.
                let told = Status::is_interrupted(&detail);
                self.interrupted |= told && self.in_turn.is_none();
                self.in_turn = self.in_turn.or_else(|| Status::is_in_turn(&status, &detail));
            }
            Happened::Interrupt { .. } => self.interrupted |= self.in_turn.is_none(),
            Happened::ToolEnd { id, .. } => drop(self.ended.insert(id)),
            Happened::ToolStart { id, .. } => {
                let is_open = self.ended.insert(id.clone());
                let end = || Happened::tool_ended(id, ToolStatus::Unknown, String::new(), None);
                self.ends.extend(is_open.then(end));
            }
            Happened::Permission {
                id, tool, answer, by, ..
            } => {
                let is_news = self.answered.insert(id.clone());
                if is_news && answer == "asked" && by != OF_PARLOUR {
                    self.unanswered.push(Happened::Permission {
                        id,
                        tool,
                        input: Value::Null,
                        rule: None,
                        answer: "unknown".into(),
                        by: "nobody".into(),
                        reason: None,
                        given_once_written: false,
                    });
                }
            }
            Happened::Session { .. }
            | Happened::Prompt { .. }
            | Happened::Text { .. }
            | Happened::Thinking { .. }
            | Happened::Retry { .. }
            | Happened::Usage { .. }
            | Happened::Error { .. }
            | Happened::Compaction { .. }
            | Happened::Summary { .. }
            | Happened::Background { .. }
            | Happened::Message { .. }
            | Happened::Cwd { .. }
            | Happened::Subagent { .. }
            | Happened::SubagentText { .. }
            | Happened::Note { .. }
            | Happened::Revert { .. }
            | Happened::Unknown { .. } => {}
        }
        false
    }
}
