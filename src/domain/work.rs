//! Slow work, by the noun that it is about. Each noun's kinds of work stand in its own module, with what comes of them.

use crate::model::{CallId, ChatId};

pub use super::agent::work::{AgentWork, Arrival};
pub use super::approval::work::{ApprovalDone, ApprovalThen, ApprovalWork};
pub use super::chat::work::{ChatWork, Choice, NewRecord};
pub use super::journal::work::{InboxJob, JournalWork};
pub use super::keep::work::{KeepDone, KeepThen, KeepWork};
pub use super::project::work::ProjectWork;
pub use super::read::work::{EntriesShown, Read, ReadDone, ReadThen};
pub use super::review::work::{RemarkWork, ReviewDone, ReviewThen, ReviewWork};
pub use super::schedule::work::{ScheduleDone, ScheduleThen, ScheduleWork};
pub use super::script::work::{Agreed, ScriptDone, ScriptThen, ScriptWork};
pub use super::server::work::{ServerDone, ServerThen, ServerWork};
pub use super::team::work::TeamWork;
pub use super::then::Then;
pub use super::trash::work::{TrashDone, TrashThen, TrashWork};

/// What a worker is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    Chat(ChatWork),
    Trash(TrashWork),
    Journal(JournalWork),
    Agent(AgentWork),
    Project(ProjectWork),
    Team(TeamWork),
    Schedule(ScheduleWork),
    Script(ScriptWork),
    Approval(ApprovalWork),
    Server(ServerWork),
    Review(ReviewWork),
    Keep(KeepWork),
    Read(Read),
}

impl Work {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            Work::Chat(work) => work.writes(),
            Work::Trash(work) => work.writes(),
            Work::Agent(work) => work.writes(),
            Work::Team(work) => work.writes(),
            Work::Script(work) => work.writes(),
            Work::Approval(work) => work.writes(),
            Work::Server(work) => work.writes(),
            Work::Review(work) => work.writes(),
            Work::Keep(work) => work.writes(),
            Work::Journal(_) | Work::Project(_) | Work::Schedule(_) => true,
            Work::Read(_) => false,
        }
    }

    /// The chat that this reaches out for: to a remote, or to programs of others, which may never answer.
    pub fn opens_for(&self) -> Option<&ChatId> {
        match self {
            Work::Chat(ChatWork::Duplicate { new, .. }) => Some(&new.id),
            Work::Project(ProjectWork::Open { chat, .. } | ProjectWork::OpenFrom { chat, .. })
            | Work::Server(ServerWork::List { chat, .. }) => Some(chat),
            Work::Keep(work) => work.reaches_out_for(),
            Work::Chat(_)
            | Work::Trash(_)
            | Work::Journal(_)
            | Work::Agent(_)
            | Work::Project(_)
            | Work::Team(_)
            | Work::Schedule(_)
            | Work::Script(_)
            | Work::Approval(_)
            | Work::Server(_)
            | Work::Review(_)
            | Work::Read(_) => None,
        }
    }

    /// The call that hears of progress, or takes an answer in parts.
    pub fn call(&self) -> Option<CallId> {
        match self {
            Work::Project(ProjectWork::Open { call, .. }) => *call,
            Work::Project(ProjectWork::OpenFrom { call, .. }) | Work::Read(Read::Entries { call, .. }) => Some(*call),
            Work::Chat(_)
            | Work::Trash(_)
            | Work::Journal(_)
            | Work::Agent(_)
            | Work::Project(_)
            | Work::Team(_)
            | Work::Schedule(_)
            | Work::Script(_)
            | Work::Approval(_)
            | Work::Server(_)
            | Work::Review(_)
            | Work::Keep(_)
            | Work::Read(_) => None,
        }
    }
}

/// A result does not belong to the work that was given out.
#[derive(Debug)]
pub struct ForeignResult;

/// A noun's kinds of work, with what may follow them.
pub trait WorkKind: Into<Work> {
    type Then: Into<Then>;
}

impl From<ChatWork> for Work {
    fn from(work: ChatWork) -> Work {
        Work::Chat(work)
    }
}

impl From<TrashWork> for Work {
    fn from(work: TrashWork) -> Work {
        Work::Trash(work)
    }
}

impl From<JournalWork> for Work {
    fn from(work: JournalWork) -> Work {
        Work::Journal(work)
    }
}

impl From<AgentWork> for Work {
    fn from(work: AgentWork) -> Work {
        Work::Agent(work)
    }
}

impl From<ProjectWork> for Work {
    fn from(work: ProjectWork) -> Work {
        Work::Project(work)
    }
}

impl From<TeamWork> for Work {
    fn from(work: TeamWork) -> Work {
        Work::Team(work)
    }
}

impl From<ScheduleWork> for Work {
    fn from(work: ScheduleWork) -> Work {
        Work::Schedule(work)
    }
}

impl From<ScriptWork> for Work {
    fn from(work: ScriptWork) -> Work {
        Work::Script(work)
    }
}

impl From<ApprovalWork> for Work {
    fn from(work: ApprovalWork) -> Work {
        Work::Approval(work)
    }
}

impl From<ServerWork> for Work {
    fn from(work: ServerWork) -> Work {
        Work::Server(work)
    }
}

impl From<ReviewWork> for Work {
    fn from(work: ReviewWork) -> Work {
        Work::Review(work)
    }
}

impl From<KeepWork> for Work {
    fn from(work: KeepWork) -> Work {
        Work::Keep(work)
    }
}

impl From<Read> for Work {
    fn from(work: Read) -> Work {
        Work::Read(work)
    }
}

impl WorkKind for ChatWork {
    type Then = Then;
}

impl WorkKind for TrashWork {
    type Then = TrashThen;
}

impl From<TrashThen> for Then {
    fn from(then: TrashThen) -> Then {
        Then::Trash(then)
    }
}

impl WorkKind for JournalWork {
    type Then = Then;
}

impl WorkKind for AgentWork {
    type Then = Then;
}

impl WorkKind for ProjectWork {
    type Then = Then;
}

impl WorkKind for TeamWork {
    type Then = Then;
}

impl WorkKind for ScheduleWork {
    type Then = ScheduleThen;
}

impl From<ScheduleThen> for Then {
    fn from(then: ScheduleThen) -> Then {
        Then::Schedule(then)
    }
}

impl WorkKind for ScriptWork {
    type Then = ScriptThen;
}

impl From<ScriptThen> for Then {
    fn from(then: ScriptThen) -> Then {
        Then::Script(then)
    }
}

impl WorkKind for ApprovalWork {
    type Then = ApprovalThen;
}

impl From<ApprovalThen> for Then {
    fn from(then: ApprovalThen) -> Then {
        Then::Approval(then)
    }
}

impl WorkKind for ServerWork {
    type Then = ServerThen;
}

impl From<ServerThen> for Then {
    fn from(then: ServerThen) -> Then {
        Then::Server(then)
    }
}

impl WorkKind for ReviewWork {
    type Then = ReviewThen;
}

impl From<ReviewThen> for Then {
    fn from(then: ReviewThen) -> Then {
        Then::Review(then)
    }
}

impl WorkKind for KeepWork {
    type Then = KeepThen;
}

impl From<KeepThen> for Then {
    fn from(then: KeepThen) -> Then {
        Then::Keep(then)
    }
}

impl WorkKind for Read {
    type Then = ReadThen;
}

impl From<ReadThen> for Then {
    fn from(then: ReadThen) -> Then {
        Then::Read(then)
    }
}
