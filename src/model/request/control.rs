//! Which requests are control: a person's to make, and no agent's.

use crate::model::queue::QueueAsk;
use crate::model::script::ScriptAsk;

use super::{
    ApprovalRequest, ChatRequest, ChatsRequest, EngineRequest, ProjectRequest, Request, ScheduleAsk, ServerRequest,
    TrashRequest,
};

impl Request {
    /// What destroys or ends something, and the screen, on which keys do: a person's to ask for, not an agent's.
    pub fn is_control(&self) -> bool {
        match self {
            Request::Attach(_) => true,
            Request::Engine(ask) => ask.is_control(),
            Request::Chats(ask) => ask.is_control(),
            Request::Chat(ask) => ask.is_control(),
            Request::Project(ask) => ask.is_control(),
            Request::Server(ask) => ask.is_control(),
            Request::Trash(ask) => ask.is_control(),
            Request::Approval(ask) => ask.is_control(),
            Request::Query(ask) => ask.is_control(),
            Request::Work { .. } => false,
            Request::Schedule { ask, .. } => !matches!(ask, ScheduleAsk::List | ScheduleAsk::Show { .. }),
            Request::Review { ask, .. } => ask.changes(),
            Request::Keep { ask, .. } => ask.changes(),
            // They tell of chats of other trees.
            Request::Radar { .. } | Request::Usage { .. } | Request::Storage(_) => true,
        }
    }
}

impl EngineRequest {
    fn is_control(&self) -> bool {
        match self {
            EngineRequest::KillEngine | EngineRequest::Settings => true,
            EngineRequest::Ping | EngineRequest::Hook { .. } | EngineRequest::Status => false,
        }
    }
}

impl ChatsRequest {
    fn is_control(&self) -> bool {
        match self {
            ChatsRequest::Demo(_) | ChatsRequest::DemoTeam(_) | ChatsRequest::ResumeAll { .. } => true,
            ChatsRequest::List | ChatsRequest::New(_) => false,
        }
    }
}

impl ChatRequest {
    fn is_control(&self) -> bool {
        match self {
            ChatRequest::Compact { .. }
            | ChatRequest::Stop { .. }
            | ChatRequest::Restart { .. }
            | ChatRequest::Set { .. }
            | ChatRequest::Mark { .. }
            | ChatRequest::Duplicate { .. } => true,
            ChatRequest::Send { .. }
            | ChatRequest::Wait { .. }
            | ChatRequest::Screen { .. }
            | ChatRequest::Events { .. }
            | ChatRequest::Explain { .. }
            | ChatRequest::Resume { .. }
            | ChatRequest::Rename { .. }
            | ChatRequest::Log { .. }
            | ChatRequest::Template { .. } => false,
            ChatRequest::Queue { ask, .. } => *ask != QueueAsk::List,
            // Whether todos come first is a person's to say.
            ChatRequest::Todos { first, .. } => first.is_some(),
        }
    }
}

impl ProjectRequest {
    fn is_control(&self) -> bool {
        match self {
            ProjectRequest::OpenDir { open, .. } => open.in_place,
            ProjectRequest::Script { ask, .. } => *ask != ScriptAsk::List,
            ProjectRequest::Edit { .. } => true,
        }
    }
}

impl ServerRequest {
    fn is_control(&self) -> bool {
        match self {
            // Asking it for its tools starts a program.
            ServerRequest::List { tools, .. } => *tools,
            ServerRequest::Switch { .. } => true,
        }
    }
}

impl TrashRequest {
    fn is_control(&self) -> bool {
        match self {
            TrashRequest::Rm { yes, .. } => *yes,
            TrashRequest::UndoRm { .. } | TrashRequest::Purge { .. } => true,
            TrashRequest::List => false,
        }
    }
}

impl ApprovalRequest {
    fn is_control(&self) -> bool {
        // Rules that are proposed tell what another chat's agent asks.
        !matches!(self, ApprovalRequest::List)
    }
}
