//! What is known of an agent, also once it has ended: its process, what it was heard to say, and what waits for it.

pub mod cwd;
pub mod keys;
pub mod left_commands;
mod moments;
pub mod open_sub_agents;
pub mod outbox;
pub mod own_calls;
pub mod quiescence;
pub mod reorder;
pub mod rest;
pub mod shell;
pub mod slow_start;
pub mod trouble;
pub mod turn;
pub mod typed_ahead;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::domain::approval::question::Question;
use crate::domain::event::Size;
use crate::domain::requester::Requester;
use crate::model::entry::From;
use crate::model::review::Back;
use crate::model::text::one_plain_line;
use crate::model::{
    Asks, Capabilities, ClientId, Happened, Ready, Reported, Sandbox, Signal, Source, Status, Timestamp,
};
use crate::term::Screen;

use super::dedup::Dedup;
use super::draft::Draft;
use cwd::CwdTracking;
use keys::PersonKeys;
use left_commands::LeftCommands;
use outbox::Outbox;
use quiescence::Quiescence;
use reorder::Reorder;
use rest::Rest;
use shell::ShellCommands;
use slow_start::SlowStart;
use turn::Turn;

/// How long a terminal keeps its size for an agent that does not say that it has taken up its session.
const STANDS_STILL_MS: u64 = 30_000;

/// Characters of its last words in what its parent is told.
pub(in crate::domain) const LAST_WORDS: usize = 300;

/// How the reason begins of an end without a beginning.
pub const COULD_NOT_START: &str = "could not start: ";

/// Why its status is that it has exited.
pub(super) const ENDED: &str = "its process has ended";

/// Whether an agent that was to resume a session goes on in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resume {
    /// Nothing tells of that.
    #[default]
    Unsaid,
    /// Its hook says that it reads the session back; its transcript would say by then that it has.
    Reading { until: Timestamp },
    /// Its transcript says so, and by then it has drawn it.
    TakenUp { drawn: Timestamp },
}

/// One agent's process and all that is heard of it.
pub struct Agent {
    pub process: Process,
    pub capabilities: Option<Capabilities>,
    /// The newest signal of each source.
    pub signals: BTreeMap<Source, Signal>,
    pub verdict: StatusVerdict,
    /// So many commands run on behind calls that have ended: what goes on while it is idle.
    pub background: u32,
    /// How many of them its transcript counts that never ran.
    pub left_commands: LeftCommands,
    /// A turn goes on, or was cut off and none has begun since: by its last status that tells.
    pub in_turn: bool,
    /// The end of a process cut a turn off, and none has begun since.
    pub interrupted: bool,
    pub since: Timestamp,
    pub started: Timestamp,
    /// When its screen was last looked at: for a question before its session, or for what a shell does.
    pub looked: Timestamp,
    /// When it was last looked for a dialog that is to be answered, while there is one.
    pub sought: Option<Timestamp>,
    /// When its screen came last: only what was looked at comes, and only if it changed.
    pub shown: Timestamp,
    /// How slow its start may be.
    pub slow_start: SlowStart,
    /// Something was written in its terminal, which was not looked at since, and which alone tells what it does.
    pub stirred: bool,
    pub outbox: Outbox,
    pub screen: Option<Arc<Screen>>,
    pub size: Size,
    /// The client whose pane decides the size: the last that typed.
    pub driver: Option<ClientId>,
    pub title: String,
    /// Its session has begun: what is typed is read by it, not by a dialog before it.
    pub session_began: bool,
    /// Nothing is typed before: it draws a conversation that it takes up, or closes a dialog that a key answered.
    pub composes_from: Timestamp,
    pub resume: Resume,
    /// Its terminal has another size than it should, until it has taken up its session.
    pub resize_held: bool,
    pub mcp_connected: bool,
    /// What its transcript said before its process was started is heard.
    pub read_up: bool,
    /// What a person has typed into its composer since its last prompt.
    pub draft: Draft,
    pub keys: PersonKeys,
    pub turn: Turn,
    /// What is to come of it though it counts as idle.
    pub quiescence: Quiescence,
    pub shell: ShellCommands,
    /// Its parent asked for what it does and has not heard of it: what the agent last said meanwhile.
    pub owed_report: Option<String>,
    /// Its parent was told that its CLI waits for a person before a session, or heard it as it waited for it.
    pub start_told: bool,
    /// It was given a prompt since it said how it stands.
    pub went_on: bool,
    /// What of it stands in the transcript, or is on its way there.
    pub dedup: Dedup,
    /// What waits for its transcript to be recorded in order.
    pub reorder: Reorder,
    /// What follows its end.
    pub at_end: Vec<AtEnd>,
    pub rest: Rest,
    /// How often it was started again since its server's port was taken.
    pub moved: u8,
    pub sandbox: Sandbox,
    pub cwd_tracking: CwdTracking,
    /// What it was started with, for starting it again; in memory only.
    pub env: BTreeMap<String, String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Process {
    Preparing,
    Running {
        pid: u32,
    },
    /// TERM is sent; its end is awaited.
    Stopping {
        pid: u32,
    },
    /// Stopped by parlour while it rested, until it is needed.
    Asleep,
    Ended {
        why: String,
    },
}

/// A status and the reasons for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusVerdict {
    pub status: Status,
    pub because: String,
}

/// What happens when the process has ended.
#[derive(Clone, Debug, PartialEq)]
pub enum AtEnd {
    Tell(Requester),
    Delete(Requester),
    /// Its clones are restored.
    Revert(Back, Requester),
    /// It rested, and is shown as it is until it is needed.
    Sleep,
    /// Start it again, with this environment where it is not empty.
    Restart(BTreeMap<String, String>, Requester),
}

impl Agent {
    /// Whether the answer to this question goes to the server of its CLI: it is about a call that the server told of.
    pub fn takes_by_server(&self, question: &Question) -> bool {
        let asks = self.capabilities.as_ref().map(|capabilities| &capabilities.asks);
        matches!(asks, Some(Asks::Keys { by_server: true, .. })) && self.turn.is_open(question.tool_id())
    }

    pub fn new(now: Timestamp, size: Size, env: BTreeMap<String, String>) -> Agent {
        Agent {
            process: Process::Preparing,
            capabilities: None,
            signals: BTreeMap::new(),
            verdict: StatusVerdict {
                status: Status::Starting,
                because: "it is being started".into(),
            },
            background: 0,
            left_commands: LeftCommands::default(),
            in_turn: false,
            interrupted: false,
            since: now,
            started: now,
            sought: None,
            shown: now,
            looked: now,
            slow_start: SlowStart::new(now),
            stirred: false,
            outbox: Outbox::default(),
            screen: None,
            size,
            driver: None,
            title: String::new(),
            session_began: false,
            composes_from: Timestamp(0),
            resume: Resume::default(),
            resize_held: false,
            mcp_connected: false,
            read_up: false,
            draft: Draft::default(),
            keys: PersonKeys::default(),
            turn: Turn::default(),
            quiescence: Quiescence::default(),
            owed_report: None,
            start_told: false,
            went_on: false,
            dedup: Dedup::default(),
            reorder: Reorder::default(),
            shell: ShellCommands::default(),
            at_end: Vec::new(),
            rest: Rest::default(),
            moved: 0,
            sandbox: Sandbox::NotAsked,
            cwd_tracking: CwdTracking::default(),
            env,
        }
    }

    pub fn is_live(&self) -> bool {
        !matches!(self.process, Process::Ended { .. } | Process::Asleep)
    }

    /// Its process is gone, and neither time nor another chat's event changes anything of it.
    pub fn is_settled(&self) -> bool {
        let is_done = self.at_end.is_empty() && self.owed_report.is_none() && !self.stirred && !self.resize_held;
        let is_written = self.reorder.is_empty() && self.outbox.is_settled();
        !self.is_live()
            && is_done
            && is_written
            && self.keys.held.is_empty()
            && self.keys.before_start.is_empty()
            && self.turn.is_settled()
    }

    /// It has ended, and neither rests nor is its chat being deleted.
    pub(super) fn is_over(&self) -> bool {
        let deleted = self.at_end.iter().any(|then| matches!(then, AtEnd::Delete(_)));
        !self.is_live() && !self.sleeps() && !deleted
    }

    pub fn pid(&self) -> Option<u32> {
        match self.process {
            Process::Running { pid } | Process::Stopping { pid } => Some(pid),
            Process::Preparing | Process::Asleep | Process::Ended { .. } => None,
        }
    }

    /// A dialog of its own takes what is typed: a person is to answer it, or a rule does.
    pub(super) fn shows_dialog(&self) -> bool {
        matches!(self.verdict.status, Status::NeedsYou(_)) || self.turn.is_answered_by_rule()
    }

    /// It takes up its session, and would hang where its terminal were resized. A dialog is for a person to read.
    pub(super) fn must_stand_still(&self, now: Timestamp) -> bool {
        let fragile = self.rest.resumes
            && self
                .capabilities
                .as_ref()
                .is_some_and(|capabilities| capabilities.steady);
        let takes_up = self.awaits_session() || now < self.composes_from;
        fragile && takes_up && !self.shows_dialog() && self.is_live() && now.ms_since(self.started) < STANDS_STILL_MS
    }

    /// It reads its session back. Killed now, Gemini CLI leaves less of it than there was.
    pub fn is_taking_up(&self, now: Timestamp) -> bool {
        matches!(self.resume, Resume::Reading { until } if now < until)
    }

    /// It reads its session back, or has yet to draw it.
    pub(super) fn draws_session(&self, now: Timestamp) -> bool {
        self.is_taking_up(now) || matches!(self.resume, Resume::TakenUp { drawn } if now < drawn)
    }

    /// Its hooks would tell that its session began, and have not.
    pub fn awaits_session(&self) -> bool {
        let by_hooks = |capabilities: &Capabilities| matches!(capabilities.ready, Ready::Hooks | Ready::Composer);
        self.capabilities.as_ref().is_some_and(by_hooks) && !self.session_began
    }

    /// Its parent waits for what comes of a prompt, which it need not have yet.
    pub(in crate::domain) fn is_owed_to_parent(&self) -> bool {
        let queued = self.outbox.queue.iter().map(|queued| queued.prompt.from);
        let along = self.outbox.went_along.iter().map(|given| given.from);
        self.owed_report.is_some() || queued.chain(along).any(|from| from == From::Parent)
    }

    /// What it has got: a prompt of its parent is owed a report.
    pub(in crate::domain) fn note_report(&mut self, told: &[Reported]) {
        for told in told {
            if let Happened::Prompt { from, .. } = &told.what {
                self.went_on = true;
                let owed = *from == From::Parent || self.owed_report.is_some();
                self.owed_report = owed.then(String::new);
            }
            if let (Happened::Text { text, .. }, Some(words)) = (&told.what, &mut self.owed_report) {
                *words = one_plain_line(text, LAST_WORDS);
            }
        }
    }

    /// It did not run, and this is said of it from now on.
    pub(in crate::domain) fn end_as(&mut self, why: String, now: Timestamp) -> Happened {
        self.process = Process::Ended { why: why.clone() };
        self.verdict = StatusVerdict {
            status: Status::Exited(why),
            because: ENDED.into(),
        };
        self.since = now;
        self.verdict.told()
    }
}

impl StatusVerdict {
    pub fn told(&self) -> Happened {
        Happened::Status {
            status: self.status.word().into(),
            detail: self.status.detail().into(),
            cause: self.because.clone(),
        }
    }
}
