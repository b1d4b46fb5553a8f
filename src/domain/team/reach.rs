//! How far the shell verbs of an agent reach: it reads its own chat, those below it and its parent, and changes its own
//! and those below. Which chats there are, and how each is, anyone may list.

use crate::domain::state::Domain;
use crate::model::Problem;
use crate::model::request::{By, ChatName, Request};
use crate::model::script::ScriptAsk;

use super::family;

/// What is done to the chat that a request names.
enum Aim {
    Reads,
    Changes,
}

/// The request, where the chat that it names is one that whoever asks may name. Of any other it is told the same,
/// whether there is one of that name or not.
pub fn within(state: &Domain, by: &By, mut request: Request) -> Result<Request, Problem> {
    if let (By::Chat(caller), Some((aim, named))) = (by, aim(&mut request)) {
        let (around, doing, who) = match aim {
            Aim::Reads => (family::around(state, caller), "reading a chat", family::AROUND),
            Aim::Changes => (family::beneath(state, caller), "changing a chat", family::BENEATH),
        };
        // As the shell names them, which knows beginnings of handles and `@main`.
        let known = state.find(named).ok().filter(|chat| around.contains(chat));
        let chat = known.map_or_else(|| family::find(state, &around, named, doing, who), Ok)?;
        *named = chat.to_string();
    }
    Ok(request)
}

fn aim(request: &mut Request) -> Option<(Aim, &mut ChatName)> {
    match request {
        Request::Wait { chat, .. }
        | Request::Screen { chat, .. }
        | Request::Events { chat, .. }
        | Request::Explain { chat }
        | Request::Servers { chat, .. }
        | Request::Log { chat, .. }
        | Request::Review { chat, .. }
        | Request::Script {
            chat,
            ask: ScriptAsk::List,
        }
        // Without a yes, which is a person's, it says what would be lost.
        | Request::Rm { chat, .. } => Some((Aim::Reads, chat)),
        Request::OpenDir { chat, .. } | Request::Resume { chat, .. } | Request::Rename { chat, .. } => {
            Some((Aim::Changes, chat))
        }
        // These look at their sender themselves, name no chat, or are a person's alone.
        Request::Send { .. }
        | Request::Work { .. }
        | Request::Schedule { .. }
        | Request::New(_)
        | Request::Ping
        | Request::Hook { .. }
        | Request::List
        | Request::Status
        | Request::Approvals
        | Request::Attach(_)
        | Request::Demo(_)
        | Request::DemoTeam(_)
        | Request::Approve { .. }
        | Request::Deny { .. }
        | Request::SwitchServer { .. }
        | Request::Stop { .. }
        | Request::Restart { .. }
        | Request::ResumeAll { .. }
        | Request::UndoRm { .. }
        | Request::Trash
        | Request::PurgeTrash { .. }
        | Request::Duplicate { .. }
        | Request::Script { .. }
        | Request::Edit { .. }
        | Request::KillEngine => None,
    }
}
