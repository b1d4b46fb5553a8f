//! Who asked for something.

use crate::model::{CallId, ClientId, RequestId, WorkId};

/// Who asked for something, and so is told how it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requester {
    /// A shell verb, an MCP tool or a hook: answered with a reply.
    Call(CallId),
    /// A person at a screen: told by what changes there, or by a toast.
    Screen(ScreenRequest),
    /// The run of a schedule whose launch has this number.
    Launch(WorkId),
    /// The engine itself.
    Nobody,
}

/// What a person asked for at a screen. It goes along with the work and comes back with its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenRequest {
    pub client: ClientId,
    /// The dialog that waits for the answer knows it by this number. `None` if nothing on the screen waits.
    pub number: Option<RequestId>,
}

impl From<ClientId> for ScreenRequest {
    fn from(client: ClientId) -> ScreenRequest {
        ScreenRequest { client, number: None }
    }
}

impl Requester {
    /// A person who waits in no dialog for the answer.
    pub fn screen(client: ClientId) -> Requester {
        Requester::Screen(client.into())
    }

    /// It is this person, whatever they asked for.
    pub fn is_at(self, client: ClientId) -> bool {
        match self {
            Requester::Screen(request) => request.client == client,
            Requester::Call(_) | Requester::Launch(_) | Requester::Nobody => false,
        }
    }
}
