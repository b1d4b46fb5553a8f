//! Calls of a CLI whose hooks give them no ids. Each is recorded as its hook tells it, under an id of parlour's own. Its
//! transcript tells the same call later, with the CLI's id and all that came of it.

use crate::domain::agent::open_tool::{LATE_MS, OWN, OpenTool, digest};
use crate::model::entry::ToolStatus;
use crate::model::server::OURS;
use crate::model::{Happened, Timestamp, tool_name};

/// Names that are kept; a call is told again by its transcript a moment later at most.
const NAMES: usize = 256;

/// Reasons that are kept: a CLI tells the end of a call right after its answer.
const FAILED: usize = 16;

/// Calls that are kept of which the transcript told nothing in time.
const ENDED: usize = 16;

/// What is known of such calls beside those that are open.
#[derive(Default)]
pub struct OwnCalls {
    /// The CLI's id of each, and ours.
    names: Vec<(String, String)>,
    /// Over, and not yet told by the transcript.
    ending: Vec<EndingCall>,
    /// Recorded as they were heard; the transcript may tell them yet.
    ended: Vec<OpenTool>,
    /// Calls of parlour's own tools that were answered by an error, by the tool's name, oldest first: the CLI has not told
    /// of their ends.
    failed: Vec<(String, String)>,
}

/// A call that is over. Its end is recorded when the transcript tells it, or a moment later as it was heard.
struct EndingCall {
    call: OpenTool,
    end: Happened,
    until: Timestamp,
}

/// The id of a tool whose beginning a hook told without one. It stands in the record, and so no other engine gives it again.
pub fn own_id(number: u64, now: Timestamp) -> String {
    format!("{OWN}{:x}-{number}", now.0)
}

impl OwnCalls {
    /// The same happening of a call that is recorded under an id of ours.
    pub(in crate::domain::agent) fn by_own_id(&mut self, mut what: Happened, open: &[OpenTool]) -> Happened {
        if let Happened::ToolStart {
            id,
            name,
            input,
            parent: None,
            ..
        } = &mut what
        {
            let input = digest(input);
            if let Some(own) = self.named(id).or_else(|| self.own_call(name, input, open)) {
                self.name(id, &own);
                *id = own;
            }
        } else if let Happened::ToolEnd { id, .. } = &mut what
            && let Some(own) = self.named(id)
        {
            *id = own;
        }
        what
    }

    /// A call of one of parlour's tools is answered by an error, in these words.
    pub(in crate::domain::agent) fn failed(&mut self, tool: String, why: String) {
        if self.failed.len() == FAILED {
            self.failed.remove(0);
        }
        self.failed.push((tool, why));
    }

    /// The end of a call of parlour's own, with the reason that parlour gave, where its CLI does not tell that.
    pub(in crate::domain::agent) fn with_reason(&mut self, mut what: Happened, open: &[OpenTool]) -> Happened {
        let Happened::ToolEnd {
            id,
            status: ToolStatus::Error,
            preview,
            ms,
            ..
        } = &what
        else {
            return what;
        };
        let ending = self.ending.iter().map(|ending| &ending.call);
        let called = open.iter().chain(ending).find(|call| call.id == *id);
        let tool = called.map(|call| tool_name::called(&call.name).into_owned());
        let is_it = |(failed, _): &(String, String)| tool.as_ref() == Some(&format!("{failed} · {OURS}"));
        let Some(at) = self.failed.iter().position(is_it) else {
            return what;
        };
        let (_, why) = self.failed.remove(at);
        // What it quotes may be escaped further on.
        let begins = why.split(':').next().unwrap_or_default();
        if !preview.contains(begins) {
            what = Happened::tool_ended(id.clone(), ToolStatus::Error, why, *ms);
        }
        what
    }

    /// The oldest that the transcript has not told. Somebody's hook may have changed its input: then what is over is told by
    /// its name.
    fn own_call(&self, name: &str, input: u64, open: &[OpenTool]) -> Option<String> {
        let ending = || self.ending.iter().map(|ending| &ending.call);
        let over = || self.ended.iter().chain(ending());
        let unnamed = |call: &&OpenTool| {
            call.is_recorded_as_own() && call.name == name && !self.names.iter().any(|(_, own)| *own == call.id)
        };
        let mut equal = over().chain(open).filter(unnamed);
        let found = equal
            .find(|call| call.input == input)
            .or_else(|| over().find(unnamed))?;
        Some(found.id.clone())
    }

    /// Holds the end of a call until its transcript tells it.
    pub(in crate::domain::agent) fn hold_end(&mut self, call: OpenTool, end: Happened, now: Timestamp) {
        let until = now.plus_ms(LATE_MS);
        self.ending.push(EndingCall { call, end, until });
    }

    /// Its transcript tells how a call ended whose end is held: both in one, and the call. What was refused was refused,
    /// whatever its CLI calls that.
    pub(in crate::domain::agent) fn release_end(
        &mut self,
        id: &str,
        mut told: Happened,
    ) -> Option<(OpenTool, Happened)> {
        let held = self.ending.extract_if(.., |ending| ending.call.id == id).next()?;
        if let (
            Happened::ToolEnd { status, ms, .. },
            Happened::ToolEnd {
                status: heard,
                ms: took,
                ..
            },
        ) = (&mut told, &held.end)
        {
            if *heard == ToolStatus::Denied {
                *status = ToolStatus::Denied;
            }
            *ms = ms.or(*took);
        }
        Some((held.call, told))
    }

    /// The ends of which the transcript has told nothing by now.
    pub(in crate::domain::agent) fn overdue_ends(&mut self, now: Timestamp) -> Vec<Happened> {
        let overdue: Vec<EndingCall> = self.ending.extract_if(.., |ending| ending.until <= now).collect();
        let mut ends = Vec::new();
        for EndingCall { call, end, .. } in overdue {
            if self.ended.len() == ENDED {
                self.ended.remove(0);
            }
            self.ended.push(call);
            ends.push(end);
        }
        ends
    }

    /// All of them: nothing more is told.
    pub(in crate::domain::agent) fn held_ends(&mut self) -> Vec<Happened> {
        self.ending.drain(..).map(|ending| ending.end).collect()
    }

    /// When the next of them is overdue.
    pub(in crate::domain::agent) fn ends_due(&self) -> Option<Timestamp> {
        self.ending.iter().map(|ending| ending.until).min()
    }

    /// The moments from which its deadlines are counted.
    pub(super) fn moments(&mut self) -> impl Iterator<Item = &mut Timestamp> {
        self.ending.iter_mut().map(|ending| &mut ending.until)
    }

    fn named(&self, id: &str) -> Option<String> {
        let mut known = self.names.iter().rev();
        known.find(|(known, _)| known == id).map(|(_, own)| own.clone())
    }

    fn name(&mut self, id: &str, own: &str) {
        if self.named(id).is_some() {
            return;
        }
        if self.names.len() == NAMES {
            self.names.remove(0);
        }
        self.names.push((id.into(), own.into()));
    }
}
