//! What a program tells its terminal, at a pace that the loop can bear.
//!
//! The first signal passes at once; then they gather for a while, and where a newer one replaces an older only the
//! newest is told.

use std::time::{Duration, Instant};

use crate::model::PaneEvent;
use crate::term::{Effects, Progress, PromptMark, TerminalSignal};

/// Ten times a second is as often as a person could read a title.
const PACE: Duration = Duration::from_millis(100);

#[derive(Default)]
pub(super) struct Notices {
    /// Bounded by [`Effects::signal`].
    pending: Effects,
    told: Option<Instant>,
}

impl Notices {
    pub(super) fn add(&mut self, signals: Vec<TerminalSignal>) {
        signals.into_iter().for_each(|signal| self.pending.signal(signal));
    }

    /// When the next ones are due, if any wait.
    pub(super) fn due(&self) -> Option<Instant> {
        let told = self.told.filter(|_| !self.pending.signals.is_empty());
        told.map(|told| told + PACE)
    }

    /// What to tell now.
    pub(super) fn take(&mut self, now: Instant) -> Vec<PaneEvent> {
        let early = self.told.is_some_and(|told| now < told + PACE);
        if early || self.pending.signals.is_empty() {
            return Vec::new();
        }
        self.told = Some(now);
        self.pending.signals.drain(..).filter_map(event).collect()
    }
}

/// What the loop is told of a signal. Of the marks of a shell those around a command are for somebody.
fn event(signal: TerminalSignal) -> Option<PaneEvent> {
    Some(match signal {
        TerminalSignal::Title(title) => PaneEvent::Title(title),
        TerminalSignal::Bell => PaneEvent::Bell,
        TerminalSignal::Notify { title, body } => PaneEvent::Notify { title, body },
        TerminalSignal::Cwd(path) => PaneEvent::Cwd(path),
        TerminalSignal::Progress(Progress::None | Progress::Indeterminate) => PaneEvent::Progress(None),
        TerminalSignal::Progress(Progress::Running(done) | Progress::Failed(done) | Progress::Paused(done)) => {
            PaneEvent::Progress(Some(done))
        }
        TerminalSignal::ParserFailed => PaneEvent::ParserFailed,
        TerminalSignal::Clipboard(text) => PaneEvent::Clipboard(text),
        TerminalSignal::Mark(PromptMark::CommandEnd { code, is_ours }) => {
            PaneEvent::CommandEnded { code: code?, is_ours }
        }
        TerminalSignal::Mark(PromptMark::OutputStart { is_ours }) => PaneEvent::CommandBegan { is_ours },
        TerminalSignal::Mark(PromptMark::PromptStart | PromptMark::PromptEnd) => return None,
    })
}
