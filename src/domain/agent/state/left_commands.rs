//! Commands that run on behind calls that have ended, as a transcript counts them.
//!
//! Codex CLI ends no command when its turn is interrupted. What it asked about and nobody allowed has the same words in
//! its transcript, and never ran: here alone it is known what was asked.

use crate::model::entry::ToolStatus;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftCommands {
    /// As the transcript told last.
    told: u32,
    never_ran: u32,
    /// The call that ended last was refused.
    after_refusal: bool,
}

impl LeftCommands {
    pub(in crate::domain::agent) fn call_ended(&mut self, status: ToolStatus) {
        self.after_refusal = status == ToolStatus::Denied;
    }

    /// The transcript counts so many, of which so many run.
    pub(in crate::domain::agent) fn counted(&mut self, running: u32) -> u32 {
        if std::mem::take(&mut self.after_refusal) && running > self.told {
            self.never_ran += 1;
        }
        self.told = running;
        running.saturating_sub(self.never_ran)
    }
}
