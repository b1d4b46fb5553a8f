//! What follows when a piece of work is done, by the noun that the work is about.

use super::agent::work::AgentThen;
use super::approval::work::ApprovalThen;
use super::chat::work::ChatThen;
use super::journal::work::JournalThen;
use super::keep::work::KeepThen;
use super::project::work::ProjectThen;
use super::read::work::ReadThen;
use super::requester::Requester;
use super::review::work::ReviewThen;
use super::schedule::work::ScheduleThen;
use super::script::work::ScriptThen;
use super::server::work::ServerThen;
use super::setting::work::SettingThen;
use super::storage::work::StorageThen;
use super::team::work::TeamThen;
use super::trash::work::TrashThen;
use super::usage::work::UsageThen;

pub struct Waiting {
    pub requester: Requester,
    pub then: Then,
}

/// What follows when a piece of work is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Then {
    Chat(ChatThen),
    Trash(TrashThen),
    Storage(StorageThen),
    Journal(JournalThen),
    Agent(AgentThen),
    Project(ProjectThen),
    Team(TeamThen),
    Schedule(ScheduleThen),
    Script(ScriptThen),
    Approval(ApprovalThen),
    Server(ServerThen),
    Setting(SettingThen),
    Review(ReviewThen),
    Keep(KeepThen),
    Usage(UsageThen),
    Read(ReadThen),
}
