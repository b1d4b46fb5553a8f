//! Has an agent CLI copy the conversation of a chat: whole, or up to before one of its prompts.

use crate::agents::{self, Env, Fork, Parent};
use crate::engine::services::Services;
use crate::model::{Chat, ChatId, EarlierPrompt, Problem};

/// What is copied.
pub struct TalkCopy<'a> {
    pub of: &'a Chat,
    /// The chat that goes on with it.
    pub into: &'a ChatId,
    /// None: all of it.
    pub before: Option<&'a EarlierPrompt>,
    pub env: &'a Env,
}

pub fn copy(services: &Services, wanted: &TalkCopy<'_>) -> Result<Fork, Problem> {
    let adapter = agents::find(&wanted.of.record.llm, &services.settings());
    let can = |adapter: &dyn agents::Adapter| wanted.before.is_none() || adapter.goes_back();
    let Some(adapter) = adapter.filter(|adapter| can(&**adapter)) else {
        return Ok(Fork::Impossible);
    };
    adapter.fork(&Parent {
        session: session(wanted.of).unwrap_or_default(),
        record: &services.home.record_path(wanted.of.id()),
        into: &services.home.record_path(wanted.into),
        dir: &services.home.chat_path(wanted.into),
        before: wanted.before,
        env: wanted.env,
    })
}

/// A chat whose copy has not begun yet goes on in the one that it was made of.
pub fn session(chat: &Chat) -> Option<&str> {
    chat.session().or(chat.record.origin.forked.as_deref())
}
