//! Commands that run on behind calls that have ended, as a transcript counts them.
//!
//! Codex CLI ends no command when its turn is interrupted. What it asked about and nobody allowed has the same words in
//! its transcript, and never ran; what was allowed beside it has them too, and its end is never told if it came before
//! that of the turn. Here alone it is known what was asked.

use crate::domain::approval::question::was_not_allowed;
use crate::model::Happened;
use crate::model::entry::ToolStatus;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftCommands {
    /// As the transcript told last.
    told: u32,
    /// Of these, those that a refusal ended.
    refused: u32,
    /// The call that ended last was refused, or a refusal of another one ended it.
    after_refusal: bool,
}

impl LeftCommands {
    /// With what is told of its end, and of the question about it. Its turn may have been broken off by a refusal.
    pub(in crate::domain::agent) fn call_ended(&mut self, told: &[Happened], is_broken_off: bool) {
        let is_denied = |end: &Happened| {
            matches!(
                end,
                Happened::ToolEnd {
                    status: ToolStatus::Denied,
                    ..
                }
            )
        };
        self.after_refusal = is_broken_off || told.iter().any(|told| is_denied(told) || was_not_allowed(told));
    }

    /// The transcript counts so many, of which so many run.
    pub(in crate::domain::agent) fn counted(&mut self, running: u32) -> u32 {
        if std::mem::take(&mut self.after_refusal) && running > self.told {
            self.refused += 1;
        }
        self.told = running;
        // One that was allowed may have gone on, and have ended now.
        self.refused = self.refused.min(running);
        running - self.refused
    }
}
