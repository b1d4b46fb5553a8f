//! What waits for a verdict: calls for their verdict, local calls of agents, and setups of repositories.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use serde_json::Value;

use crate::domain::event::Caller;
use crate::model::local_call::{LocalJob, Root};
use crate::model::script::Proposal;
use crate::model::{CallId, ChatId, HookEvent, LocalCall, Mark, Problem, Streamed, Timestamp, WorkId};

use super::question::{Decision, Question};

/// What waits to be judged or approved.
#[derive(Default)]
pub struct PendingApprovals {
    /// Setup commands of repositories that wait for a person's approval.
    pub setups: Vec<PendingSetup>,
    /// Texts that programs want in a person's clipboard.
    pub clipboards: PendingCopies,
    /// What agents do, until it is judged.
    pub judging: Judging,
    /// Files and commands that agents without tools of their own asked for.
    pub local_calls: Vec<PendingCall>,
}

/// A local call from its call to its answer.
pub struct PendingCall {
    pub(in crate::domain::approval) number: WorkId,
    pub(in crate::domain::approval) chat: ChatId,
    /// That of its tool in the transcript.
    pub(in crate::domain::approval) id: String,
    pub(in crate::domain::approval) local_job: LocalJob,
    pub(in crate::domain::approval) stage: LocalCallStage,
    pub(in crate::domain::approval) hears: Hears,
    pub(in crate::domain::approval) since: Timestamp,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::domain::approval) enum LocalCallStage {
    /// A person is asked.
    Asked,
    /// Its directory is at work on another.
    Queued,
    Running,
    Over(Result<Value, Problem>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::domain::approval) enum Hears {
    Call(CallId),
    /// Its caller was told that it takes longer, and is to call again.
    Later,
    Nobody,
}

/// By chat, what waits there.
#[derive(Default)]
pub struct Judging(pub(in crate::domain::approval) BTreeMap<ChatId, VecDeque<Held>>);

pub(in crate::domain::approval) struct Held {
    pub(in crate::domain::approval) what: JudgedCall,
    pub(in crate::domain::approval) since: Timestamp,
    /// The worker that judges it.
    pub(in crate::domain::approval) work: Option<WorkId>,
    /// What became of who waits for its answer.
    pub(in crate::domain::approval) caller: Option<Caller>,
}

pub(in crate::domain::approval) enum JudgedCall {
    Hook(CallId, Vec<HookEvent>),
    LocalCall(CallId, LocalCall),
    /// What the CLI's own server says: nobody waits for an answer.
    Stream(Vec<Streamed>, Option<Mark>),
}

/// A setup that waits for a person's word.
pub struct PendingSetup {
    pub chat: ChatId,
    pub(in crate::domain::approval) proposal: Proposal,
    pub question: Question,
}

/// What programs want in a person's clipboard, by chat.
#[derive(Default)]
pub struct PendingCopies {
    pub(in crate::domain::approval) pending: Vec<PendingCopy>,
    /// What a person said once for a chat, until the engine ends.
    pub(in crate::domain::approval) answers: BTreeMap<ChatId, Decision>,
    /// How many texts were asked about.
    pub(in crate::domain::approval) asked: u64,
    /// It was said of these that nothing is copied.
    pub(in crate::domain::approval) told: BTreeSet<ChatId>,
}

pub struct PendingCopy {
    pub chat: ChatId,
    pub(in crate::domain::approval) text: String,
    pub question: Question,
}

impl PendingApprovals {
    /// The moments from which deadlines are counted.
    pub(in crate::domain) fn moments(&mut self) -> impl Iterator<Item = &mut Timestamp> {
        let PendingApprovals {
            setups,
            clipboards,
            judging,
            local_calls,
        } = self;
        let PendingCopies {
            pending,
            answers: _,
            asked: _,
            told: _,
        } = clipboards;
        let setups = setups.iter_mut().flat_map(|setup| {
            let PendingSetup {
                chat: _,
                proposal: _,
                question,
            } = setup;
            question.moments()
        });
        let copies = pending.iter_mut().flat_map(|copy| {
            let PendingCopy {
                chat: _,
                text: _,
                question,
            } = copy;
            question.moments()
        });
        let judging = judging.0.values_mut().flatten().map(|held| {
            let Held {
                what: _,
                since,
                work: _,
                caller: _,
            } = held;
            since
        });
        let calls = local_calls.iter_mut().map(|call| {
            let PendingCall {
                number: _,
                chat: _,
                id: _,
                local_job: _,
                stage: _,
                hears: _,
                since,
            } = call;
            since
        });
        setups.chain(copies).chain(judging).chain(calls)
    }
}

/// How long an answer is kept for the same call, in milliseconds.
const KEPT_MS: u64 = 600_000;

impl PendingCall {
    pub(super) fn is_over(&self) -> bool {
        matches!(self.stage, LocalCallStage::Over(_))
    }

    pub(super) fn is_stale(&self, now: Timestamp) -> bool {
        self.is_over() && now.ms_since(self.since) > KEPT_MS
    }

    pub(super) fn is_shared_by(&self, chat: &ChatId, local_call: &LocalCall) -> bool {
        self.hears == Hears::Later && self.chat == *chat && self.local_job.local_call == *local_call
    }

    pub(super) fn is_in(&self, chat: &ChatId, root: &Root) -> bool {
        self.chat == *chat && self.local_job.root == *root
    }
}
