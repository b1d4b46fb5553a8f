//! Schedules as they are on disk, what comes due of them, and the runs that go on.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::requester::Requester;
use crate::model::schedule::{How, Verdict};
use crate::model::{ChatId, ScheduleId, Timestamp, WorkId};

/// Prompts that wait for a moment, of all chats: made again when one of them changes.
#[derive(Default)]
pub struct TimedPrompts {
    pub(in crate::domain) revision: u64,
    pub(in crate::domain) next: Option<Timestamp>,
    /// Chats whose agents could not be started when their time came, and when each is tried again.
    pub(in crate::domain) put_off: BTreeMap<ChatId, Timestamp>,
}

#[derive(Default)]
pub struct Agenda {
    /// What runs start with: the engine's own environment. Nothing is begun before it is known.
    pub env: Option<BTreeMap<String, String>>,
    /// Runs from their claim to their result, by chat.
    pub runs: BTreeMap<ChatId, Underway>,
    /// When each schedule comes due next.
    pub(in crate::domain::schedule) next: BTreeMap<ScheduleId, Timestamp>,
    /// Decided, and on its way to disk: nothing further is decided of these meanwhile.
    pub(in crate::domain::schedule) writing: BTreeSet<ScheduleId>,
    /// Due, and waiting for this.
    pub(in crate::domain::schedule) held: BTreeMap<ScheduleId, HeldRun>,
    /// Nothing is written before this: the disk has just failed.
    pub(in crate::domain::schedule) patience: Option<Timestamp>,
    /// What the alarm was set to last.
    pub(in crate::domain::schedule) alarm: Option<Timestamp>,
    /// Prompts that wait for a moment.
    pub timed: TimedPrompts,
}

pub(in crate::domain::schedule) struct HeldRun {
    /// What it waits for.
    pub(in crate::domain::schedule) by: &'static str,
    /// What it waited for first, if it came due while the engine saw to it: that is no missing of it.
    pub(in crate::domain::schedule) in_time: Option<&'static str>,
}

impl Agenda {
    /// The moments from which deadlines are counted. When something comes due is a time of day.
    pub(in crate::domain) fn moments(&mut self) -> impl Iterator<Item = &mut Timestamp> {
        let Agenda {
            env: _,
            runs,
            next: _,
            writing: _,
            held,
            patience,
            alarm: _,
            timed,
        } = self;
        for run in held.values_mut() {
            let HeldRun { by: _, in_time: _ } = run;
        }
        let TimedPrompts {
            revision: _,
            next: _,
            put_off,
        } = timed;
        let runs = runs.values_mut().flat_map(|run| {
            let Underway {
                schedule: _,
                how: _,
                env: _,
                requester: _,
                stage: _,
                since,
                worked: _,
                quiet,
            } = run;
            [since].into_iter().chain(quiet)
        });
        runs.chain(patience).chain(put_off.values_mut())
    }

    /// Chats of runs whose agents are on their way.
    pub fn launching(&self) -> impl Iterator<Item = &ChatId> {
        let launching = |run: &Underway| matches!(run.stage, Stage::Launching(_));
        self.runs
            .iter()
            .filter(move |(_, run)| launching(run))
            .map(|(chat, _)| chat)
    }

    /// What a schedule that is due waits for.
    pub fn held(&self, id: &ScheduleId) -> Option<&'static str> {
        self.held.get(id).map(|held| held.by)
    }

    pub fn runs_of(&self, id: &ScheduleId) -> impl Iterator<Item = (&ChatId, &Underway)> {
        self.runs.iter().filter(move |(_, run)| run.schedule == *id)
    }

    pub fn is_patient(&self) -> bool {
        self.patience.is_some()
    }

    pub(in crate::domain::schedule) fn is_running(&self, id: &ScheduleId) -> bool {
        self.runs_of(id).next().is_some()
    }
}

/// A run on its way.
pub struct Underway {
    pub schedule: ScheduleId,
    pub how: How,
    /// What its agent starts with; in memory only.
    pub env: BTreeMap<String, String>,
    /// Who waits to hear which chat it is.
    pub requester: Requester,
    pub stage: Stage,
    /// Since when its agent runs.
    pub(in crate::domain::schedule) since: Timestamp,
    /// Its agent was seen at work with the prompt.
    pub(in crate::domain::schedule) worked: bool,
    /// Since when it rests without having been seen at work.
    pub(in crate::domain::schedule) quiet: Option<Timestamp>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Stage {
    /// The claim is on its way to disk.
    Claiming,
    Claimed,
    Launching(WorkId),
    Running,
    /// Its turn is over: what it declared is read, and the check runs.
    Checking,
    /// The result is still to be written.
    Judged(Verdict, String),
    /// It is on its way to disk.
    Ending(Verdict, String),
}

impl Stage {
    pub fn is_before_its_agent(&self) -> bool {
        matches!(self, Stage::Claiming | Stage::Claimed | Stage::Launching(_))
    }

    pub fn is_launched(&self) -> bool {
        !matches!(self, Stage::Claiming | Stage::Claimed)
    }
}

impl Underway {
    pub fn new(
        schedule: ScheduleId,
        how: How,
        env: BTreeMap<String, String>,
        requester: Requester,
        at: Timestamp,
    ) -> Underway {
        Underway {
            schedule,
            how,
            env,
            requester,
            stage: Stage::Claiming,
            since: at,
            worked: false,
            quiet: None,
        }
    }
}

/// After a decision could not be written.
pub(in crate::domain::schedule) const PATIENCE_MS: u64 = 30_000;
