//! Has an agent CLI copy the conversation of a chat: whole, or up to before one of its prompts.

use crate::agents::{self, Adapter, Env, Fork, LookedBack, Parent};
use crate::engine::services::Services;
use crate::model::{Chat, ChatId, EarlierPrompt, Problem, ProblemKind};

/// What is copied.
pub struct TalkCopy<'a> {
    pub of: &'a Chat,
    /// The chat that goes on with it.
    pub into: &'a ChatId,
    /// None: all of it.
    pub before: Option<&'a EarlierPrompt>,
    pub env: &'a Env,
}

impl TalkCopy<'_> {
    /// The session of which it is made.
    pub fn session(&self) -> Option<&str> {
        let left = self.before.and_then(|before| before.session.as_deref());
        left.or_else(|| session(self.of))
    }

    /// Nothing where its CLI cannot do it.
    fn with<T>(
        &self,
        services: &Services,
        run: impl FnOnce(&dyn Adapter, &Parent) -> Result<T, Problem>,
    ) -> Result<Option<T>, Problem> {
        let adapter = agents::find(&self.of.record.llm, &services.settings());
        let can = |adapter: &dyn Adapter| self.before.is_none() || adapter.goes_back();
        let Some(adapter) = adapter.filter(|adapter| can(&**adapter)) else {
            return Ok(None);
        };
        let parent = Parent {
            session: self.session().unwrap_or_default(),
            record: &services.home.record_path(self.of.id()),
            into: &services.home.record_path(self.into),
            dir: &services.home.chat_path(self.into),
            before: self.before,
            env: self.env,
        };
        run(&*adapter, &parent).map(Some)
    }
}

pub fn copy(services: &Services, wanted: &TalkCopy<'_>) -> Result<Fork, Problem> {
    let made = wanted.with(services, |adapter, parent| adapter.fork(parent))?;
    Ok(made.unwrap_or(Fork::Impossible))
}

/// Whether its CLI could make that copy, with something in it. Nothing is made.
pub fn can_be_made(services: &Services, wanted: &TalkCopy<'_>) -> Result<bool, Problem> {
    match wanted.with(services, |adapter, parent| adapter.look_back(parent)) {
        Ok(found) => Ok(found == Some(LookedBack::Talk)),
        Err(problem) if problem.kind == ProblemKind::Missing => Ok(false),
        Err(problem) => Err(problem),
    }
}

/// A chat whose copy has not begun yet goes on in the one that it was made of.
pub fn session(chat: &Chat) -> Option<&str> {
    chat.session().or(chat.record.origin.forked.as_deref())
}
