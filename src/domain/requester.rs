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

/// How many keys, pastes and clicks a person has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ActCount(pub u64);

/// What a person asked for at a screen. It goes along with the work and comes back with its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScreenRequest {
    pub client: ClientId,
    /// The dialog that waits for the answer knows it by this number. `None` if nothing on the screen waits.
    pub number: Option<RequestId>,
    /// What they had done when they asked: who has done more since has gone on. Zero where the answer never comes before
    /// their eyes by itself.
    pub asked: ActCount,
}

impl From<ClientId> for ScreenRequest {
    fn from(client: ClientId) -> ScreenRequest {
        ScreenRequest {
            client,
            number: None,
            asked: ActCount::default(),
        }
    }
}

impl ScreenRequest {
    pub fn numbered(self, number: RequestId) -> ScreenRequest {
        ScreenRequest {
            number: Some(number),
            ..self
        }
    }

    /// They are one, whenever it was asked.
    fn is_same(self, other: ScreenRequest) -> bool {
        (self.client, self.number) == (other.client, other.number)
    }
}

impl Requester {
    /// A person who waits in no dialog for the answer.
    pub fn screen(client: ClientId) -> Requester {
        Requester::Screen(client.into())
    }

    /// It is this request, whenever it was asked.
    pub fn is_of(self, request: ScreenRequest) -> bool {
        matches!(self, Requester::Screen(own) if own.is_same(request))
    }

    /// It is this person, whatever they asked for.
    pub fn is_at(self, client: ClientId) -> bool {
        match self {
            Requester::Screen(request) => request.client == client,
            Requester::Call(_) | Requester::Launch(_) | Requester::Nobody => false,
        }
    }
}
