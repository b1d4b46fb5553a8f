//! What an agent asks about the chats that it makes: a table of contents.

use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::model::tool::TeamCall;
use crate::model::{CallId, ChatId, Problem};

use super::{dispatch, family, wait_for};

pub fn call(state: &mut Domain, chat: &ChatId, asked: TeamCall, call: CallId) -> Result<Vec<Effect>, Problem> {
    match asked {
        TeamCall::Dispatch(asked) => Ok(dispatch::begin(state, chat, asked, call)),
        TeamCall::GetStatus(named) => family::status(state, chat, &named, call),
        TeamCall::WaitFor(asked) => wait_for::begin(state, chat, asked, call),
        TeamCall::ListChildren(named) => family::children(state, chat, named.as_deref(), call),
        TeamCall::GetParentOutput(lines) => family::parent_output(state, chat, lines, call),
    }
}
