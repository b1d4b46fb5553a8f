//! Slow work, by the noun that it is about. Each noun's kinds of work stand in its own module, with what comes of them.

use crate::model::{CallId, ChatId};

pub use super::agent::work::{AgentDone, AgentThen, AgentWork, Arrival, StartedAgent};
pub use super::approval::work::{ApprovalDone, ApprovalThen, ApprovalWork, WantedQuestions};
pub use super::chat::work::{ChatDone, ChatThen, ChatWork, Choice, NewRecord};
pub use super::journal::work::{InboxJob, JournalDone, JournalThen, JournalWork};
pub use super::keep::work::{HeldClone, KeepDone, KeepThen, KeepWork, RadarScope};
pub use super::project::work::{ProjectDone, ProjectThen, ProjectWork};
pub use super::read::work::{
    EntriesShown, NamedBranches, Read, ReadDone, ReadThen, SettingNews, ShownContent, ShownRead,
};
pub use super::review::work::{RemarkWork, ReviewDone, ReviewThen, ReviewWork};
pub use super::schedule::work::{ScheduleDone, ScheduleThen, ScheduleWork};
pub use super::script::work::{Agreed, ScriptDone, ScriptThen, ScriptWork};
pub use super::server::work::{ServerDone, ServerThen, ServerWork};
pub use super::setting::work::{SettingDone, SettingThen, SettingTrial, SettingWork, TrialOf};
pub use super::storage::work::{StorageDone, StorageThen, StorageWork};
pub use super::team::work::{TeamDone, TeamThen, TeamWork};
pub use super::then::Then;
pub use super::trash::work::{TrashDone, TrashThen, TrashWork};
pub use super::usage::work::{UsageDone, UsageThen, UsageWork};

/// What a worker is to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    Chat(ChatWork),
    Trash(TrashWork),
    Storage(StorageWork),
    Journal(JournalWork),
    Agent(AgentWork),
    Project(ProjectWork),
    Team(TeamWork),
    Schedule(ScheduleWork),
    Script(ScriptWork),
    Approval(ApprovalWork),
    Server(ServerWork),
    Setting(SettingWork),
    Review(ReviewWork),
    Keep(KeepWork),
    Usage(UsageWork),
    Read(Read),
}

impl Work {
    /// Whether it changes anything on disk: in a home that is only read it is refused.
    pub fn writes(&self) -> bool {
        match self {
            Work::Chat(work) => work.writes(),
            Work::Trash(work) => work.writes(),
            Work::Storage(work) => work.writes(),
            Work::Agent(work) => work.writes(),
            Work::Team(work) => work.writes(),
            Work::Script(work) => work.writes(),
            Work::Approval(work) => work.writes(),
            Work::Server(work) => work.writes(),
            Work::Review(work) => work.writes(),
            Work::Keep(work) => work.writes(),
            Work::Usage(work) => work.writes(),
            Work::Setting(work) => work.writes(),
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
            Work::Review(ReviewWork::Opinion { new, .. }) => Some(&new.id),
            Work::Keep(work) => work.reaches_out_for(),
            Work::Chat(_)
            | Work::Trash(_)
            | Work::Storage(_)
            | Work::Journal(_)
            | Work::Agent(_)
            | Work::Project(_)
            | Work::Team(_)
            | Work::Schedule(_)
            | Work::Script(_)
            | Work::Approval(_)
            | Work::Server(_)
            | Work::Setting(_)
            | Work::Review(_)
            | Work::Usage(_)
            | Work::Read(_) => None,
        }
    }

    /// The call that hears of progress, or takes an answer in parts.
    pub fn call(&self) -> Option<CallId> {
        match self {
            Work::Project(ProjectWork::Open { call, .. } | ProjectWork::OpenFrom { call, .. }) => *call,
            Work::Read(Read::Entries { call, .. }) => Some(*call),
            Work::Chat(_)
            | Work::Trash(_)
            | Work::Storage(_)
            | Work::Journal(_)
            | Work::Agent(_)
            | Work::Project(_)
            | Work::Team(_)
            | Work::Schedule(_)
            | Work::Script(_)
            | Work::Approval(_)
            | Work::Server(_)
            | Work::Setting(_)
            | Work::Review(_)
            | Work::Keep(_)
            | Work::Usage(_)
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

/// Work and what follows it know their place among those of all nouns.
macro_rules! nouns {
    ($($noun:ident: $work:ty, $then:ty;)*) => {$(
        impl From<$work> for Work {
            fn from(work: $work) -> Work {
                Work::$noun(work)
            }
        }

        impl From<$then> for Then {
            fn from(then: $then) -> Then {
                Then::$noun(then)
            }
        }

        impl WorkKind for $work {
            type Then = $then;
        }
    )*};
}

nouns! {
    Chat: ChatWork, ChatThen;
    Trash: TrashWork, TrashThen;
    Storage: StorageWork, StorageThen;
    Journal: JournalWork, JournalThen;
    Agent: AgentWork, AgentThen;
    Project: ProjectWork, ProjectThen;
    Team: TeamWork, TeamThen;
    Schedule: ScheduleWork, ScheduleThen;
    Script: ScriptWork, ScriptThen;
    Approval: ApprovalWork, ApprovalThen;
    Server: ServerWork, ServerThen;
    Setting: SettingWork, SettingThen;
    Review: ReviewWork, ReviewThen;
    Keep: KeepWork, KeepThen;
    Usage: UsageWork, UsageThen;
    Read: Read, ReadThen;
}
