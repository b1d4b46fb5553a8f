//! How far the shell verbs of an agent reach: it reads its own chat, those below it and its parent, and changes its own
//! and those below. Which chats there are, and how each is, anyone may list. What it has started never runs in an
//! environment that the agent made up, and is no shell: what runs in one counts as a person's.

use crate::domain::state::Domain;
use crate::model::query::QueryRequest;
use crate::model::request::{By, ChatName, ChatRequest, ProjectRequest, Request, ServerRequest, TrashRequest};
use crate::model::review::{DiffAsk, DiffSet, ReviewAsk};
use crate::model::script::ScriptAsk;
use crate::model::{Chat, Problem};

use super::{family, tree};

/// What is done to the chat that a request names.
enum Aim {
    Reads,
    Changes,
    /// Its agent is started.
    Starts,
}

/// The request, where the chat that it names is one that whoever asks may name. Of any other it is told the same,
/// whether there is one of that name or not.
pub fn within(state: &Domain, by: &By, mut request: Request) -> Result<Request, Problem> {
    let By::Chat(caller) = by else {
        return Ok(request);
    };
    if let Some((aim, named)) = aim(&mut request) {
        let (around, doing, who) = match aim {
            Aim::Reads => (family::around(state, caller), "reading a chat", family::AROUND),
            Aim::Changes | Aim::Starts => (family::beneath(state, caller), "changing a chat", family::BENEATH),
        };
        let chat = family::find(state, &around, named, doing, who)?;
        if matches!(aim, Aim::Starts) && state.disk.chats.get(&chat).is_some_and(Chat::is_shell) {
            return Err(tree::no_shell("resuming a chat"));
        }
        *named = chat.to_string();
    }
    if let Request::Review { ask, .. } = &mut request
        && let Some(other) = other(ask)
    {
        *other = state.named(other)?.to_string();
    }
    if let Some(env) = request.environment() {
        *env = tree::environment(state, caller);
    }
    Ok(request)
}

fn aim(request: &mut Request) -> Option<(Aim, &mut ChatName)> {
    match request {
        Request::Chat(ask) => aim_at_chat(ask),
        Request::Query(QueryRequest::Turn { chat, .. } | QueryRequest::Look { chat }) => Some((Aim::Reads, chat)),
        Request::Project(ProjectRequest::OpenDir { chat, .. }) => Some((Aim::Changes, chat)),
        Request::Review { chat, .. }
        | Request::Keep { chat, .. }
        | Request::Project(ProjectRequest::Script {
            chat,
            ask: ScriptAsk::List,
        })
        | Request::Server(ServerRequest::List { chat, .. })
        // Without a yes, which is a person's, it says what would be lost.
        | Request::Trash(TrashRequest::Rm { chat, .. }) => Some((Aim::Reads, chat)),
        // These look at their sender themselves, name no chat, or are a person's alone.
        Request::Work { .. }
        | Request::Radar { .. }
        | Request::Usage { .. }
        | Request::Schedule { .. }
        | Request::Attach(_)
        | Request::Engine(_)
        | Request::Chats(_)
        | Request::Approval(_)
        | Request::Storage(_)
        | Request::Query(
            QueryRequest::Bind { .. }
            | QueryRequest::Unbind { .. }
            | QueryRequest::Asked { .. }
            | QueryRequest::Seen { .. }
            | QueryRequest::Interrupt { .. },
        )
        | Request::Server(ServerRequest::Switch { .. })
        | Request::Project(ProjectRequest::Script { .. } | ProjectRequest::Edit { .. })
        | Request::Trash(TrashRequest::UndoRm { .. } | TrashRequest::List | TrashRequest::Purge { .. }) => None,
    }
}

/// The chat that is compared with, or taken from.
fn other(ask: &mut ReviewAsk) -> Option<&mut ChatName> {
    match ask {
        ReviewAsk::Diff(DiffAsk {
            set: DiffSet::With(other),
            ..
        })
        | ReviewAsk::Opinion {
            set: DiffSet::With(other),
            ..
        }
        | ReviewAsk::Take { from: other, .. } => Some(other),
        ReviewAsk::Diff(_)
        | ReviewAsk::Opinion { .. }
        | ReviewAsk::Checkpoint
        | ReviewAsk::Checkpoints
        | ReviewAsk::Revert { .. }
        | ReviewAsk::UndoRevert { .. }
        | ReviewAsk::Stage(_)
        | ReviewAsk::Unstage(_)
        | ReviewAsk::Discard(_)
        | ReviewAsk::Attempts
        | ReviewAsk::Remark(_) => None,
    }
}

fn aim_at_chat(request: &mut ChatRequest) -> Option<(Aim, &mut ChatName)> {
    match request {
        ChatRequest::Todos { chat, changes, .. } => {
            let aim = if changes.is_empty() { Aim::Reads } else { Aim::Changes };
            Some((aim, chat))
        }
        ChatRequest::Wait { chat, .. }
        | ChatRequest::Screen { chat, .. }
        | ChatRequest::Events { chat, .. }
        | ChatRequest::Explain { chat }
        | ChatRequest::Template { chat, .. }
        | ChatRequest::Queue { chat, .. }
        | ChatRequest::Log { chat, .. } => Some((Aim::Reads, chat)),
        ChatRequest::Resume { chat, .. } => Some((Aim::Starts, chat)),
        ChatRequest::Rename { chat, .. } => Some((Aim::Changes, chat)),
        // Sending looks at its sender itself; the others are a person's alone.
        ChatRequest::Send { .. }
        | ChatRequest::Compact { .. }
        | ChatRequest::Stop { .. }
        | ChatRequest::Restart { .. }
        | ChatRequest::Set { .. }
        | ChatRequest::Mark { .. }
        | ChatRequest::Duplicate { .. } => None,
    }
}
