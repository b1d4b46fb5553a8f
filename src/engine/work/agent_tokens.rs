//! The tokens of one start of an agent: good until it ends, or until it turns out that it can't be started.

use std::sync::Arc;

use crate::mcp::{Carried, Token, Tokens};
use crate::model::{ChatId, PaneEvent, Problem};

use super::super::services::Services;

/// Dropped, they are dead as well.
pub struct AgentTokens {
    chat: ChatId,
    /// For tools, and for hooks.
    pub tools: Token,
    pub hooks: Token,
    among: [Arc<Tokens>; 2],
}

impl AgentTokens {
    /// Those of the chat's last start are dead from here on.
    pub fn issue(services: &Services, chat: &ChatId, carried: Carried) -> Result<AgentTokens, Problem> {
        Ok(AgentTokens {
            chat: chat.clone(),
            tools: services.tokens.issue_as(chat, carried)?,
            hooks: services.hook_tokens.issue(chat)?,
            among: [services.tokens.clone(), services.hook_tokens.clone()],
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
            | PaneEvent::Clipboard(_)
            | PaneEvent::Progress(_)
            | PaneEvent::CommandBegan { .. }
            | PaneEvent::CommandEnded { .. } => {}
        }
    }

    fn end(&self) {
        let [tools, hooks] = &self.among;
        tools.end(&self.chat, &self.tools);
        hooks.end(&self.chat, &self.hooks);
    }
}

impl Drop for AgentTokens {
    fn drop(&mut self) {
        self.end();
    }
}
