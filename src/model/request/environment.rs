//! The environment that a request carries, in which something is started.

use std::collections::BTreeMap;

use crate::model::remark::RemarkAsk;
use crate::model::review::ReviewAsk;
use crate::model::script::ScriptAsk;

use super::{ChatRequest, ChatsRequest, ProjectRequest, Request, ServerRequest};

type RequestEnv = BTreeMap<String, String>;

impl Request {
    /// It is a claim of whoever asks, and right where that is a person.
    pub fn environment(&mut self) -> Option<&mut RequestEnv> {
        match self {
            Request::Chats(ask) => of_chats(ask),
            Request::Chat(ask) => of_chat(ask),
            Request::Project(
                ProjectRequest::Edit { env, .. }
                | ProjectRequest::Script {
                    ask: ScriptAsk::Start { env, .. },
                    ..
                },
            )
            | Request::Server(ServerRequest::List { env, .. })
            | Request::Schedule { env, .. } => Some(env),
            Request::Review { ask, .. } => of_review(ask),
            Request::Project(
                ProjectRequest::OpenDir { .. }
                | ProjectRequest::Script {
                    ask: ScriptAsk::List | ScriptAsk::Approve { .. } | ScriptAsk::Stop { .. },
                    ..
                },
            )
            | Request::Server(ServerRequest::Switch { .. })
            // The screen's is the terminal's of a person, always.
            | Request::Attach(_)
            | Request::Engine(_)
            | Request::Trash(_)
            | Request::Storage(_)
            | Request::Approval(_)
            | Request::Query(_)
            | Request::Work { .. }
            | Request::Keep { .. }
            | Request::Radar { .. }
            | Request::Usage { .. } => None,
        }
    }
}

fn of_chats(ask: &mut ChatsRequest) -> Option<&mut RequestEnv> {
    match ask {
        ChatsRequest::New(new) | ChatsRequest::Demo(new) | ChatsRequest::DemoTeam(new) => Some(&mut new.env),
        ChatsRequest::ResumeAll { env } => Some(env),
        ChatsRequest::List => None,
    }
}

fn of_chat(ask: &mut ChatRequest) -> Option<&mut RequestEnv> {
    match ask {
        ChatRequest::Send { env, .. }
        | ChatRequest::Compact { env, .. }
        | ChatRequest::Resume { env, .. }
        | ChatRequest::Restart { env, .. }
        | ChatRequest::Duplicate { env, .. } => Some(env),
        ChatRequest::Wait { .. }
        | ChatRequest::Screen { .. }
        | ChatRequest::Events { .. }
        | ChatRequest::Explain { .. }
        | ChatRequest::Stop { .. }
        | ChatRequest::Rename { .. }
        | ChatRequest::Set { .. }
        | ChatRequest::Mark { .. }
        | ChatRequest::Log { .. }
        | ChatRequest::Template { .. }
        | ChatRequest::Queue { .. }
        | ChatRequest::Todos { .. } => None,
    }
}

fn of_review(ask: &mut ReviewAsk) -> Option<&mut RequestEnv> {
    match ask {
        ReviewAsk::Revert { env, .. }
        | ReviewAsk::UndoRevert { env, .. }
        | ReviewAsk::Opinion { env, .. }
        | ReviewAsk::Remark(RemarkAsk::Send { env, .. }) => Some(env),
        ReviewAsk::Checkpoint
        | ReviewAsk::Checkpoints
        | ReviewAsk::Diff(_)
        | ReviewAsk::Stage(_)
        | ReviewAsk::Unstage(_)
        | ReviewAsk::Discard(_)
        | ReviewAsk::Take { .. }
        | ReviewAsk::Attempts
        | ReviewAsk::Remark(RemarkAsk::List | RemarkAsk::Add(_) | RemarkAsk::Change { .. }) => None,
    }
}
