//! The tokens of one start of an agent: good until it ends, or until it turns out that it can't be started.

use std::sync::Arc;

use crate::mcp::{Carried, Token, Tokens};
use crate::model::{ChatId, PaneEvent, Problem};

use super::super::services::Hands;

/// Dropped, they are dead as well.
pub struct Passes {
    chat: ChatId,
    /// For tools, and for hooks.
    pub tools: Token,
    pub hooks: Token,
    among: [Arc<Tokens>; 2],
}

impl Passes {
    /// Those of the chat's last start are dead from here on.
    pub fn issue(hands: &Hands, chat: &ChatId, carried: Carried) -> Result<Passes, Problem> {
        Ok(Passes {
            chat: chat.clone(),
            tools: hands.tokens.issue_as(chat, carried)?,
            hooks: hands.hook_tokens.issue(chat)?,
            among: [hands.tokens.clone(), hands.hook_tokens.clone()],
        })
    }

    /// What the agent's terminal says: with its process its tokens end, before anybody hears of it.
    pub fn hear(&self, said: &PaneEvent) {
        match said {
            PaneEvent::Exited { .. } | PaneEvent::FailedToStart { .. } => self.end(),
            PaneEvent::Started { .. }
            | PaneEvent::Changed
            | PaneEvent::Title(_)
            | PaneEvent::Bell
            | PaneEvent::Notify { .. }
            | PaneEvent::ParserFailed
            | PaneEvent::InputRefused
            | PaneEvent::Cwd(_)
            | PaneEvent::Progress(_) => {}
        }
    }

    fn end(&self) {
        let [tools, hooks] = &self.among;
        tools.end(&self.chat, &self.tools);
        hooks.end(&self.chat, &self.hooks);
    }
}

impl Drop for Passes {
    fn drop(&mut self) {
        self.end();
    }
}
