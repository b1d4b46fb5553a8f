//! Who asked for something.

use crate::model::{CallId, ClientId, WorkId};

/// Who asked for something, and so is told how it went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requester {
    /// A shell verb, an MCP tool or a hook: answered with a reply.
    Call(CallId),
    /// A person at a screen: told by what changes there, or by a toast.
    Screen(ClientId),
    /// The run of a schedule whose launch has this number.
    Launch(WorkId),
    /// The engine itself.
    Nobody,
}
