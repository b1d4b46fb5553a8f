//! The engine as the MCP server sees it.

use std::sync::{Arc, PoisonError, RwLock};

use futures::future::BoxFuture;
use serde_json::Value;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::app::Event;
use crate::app::event::Heard;
use crate::mcp::{Caller, Progress, Refusal, Switchboard, Tokens};
use crate::model::{CallId, ChatId, Problem, ToolCall};

use super::inbound::{Inbound, Sender};

pub struct Board {
    pub tokens: Arc<Tokens>,
    pub sender: Sender,
    /// `mcp.tools` of the settings; `None` offers all.
    pub offered: Arc<RwLock<Option<Vec<String>>>>,
}

impl Switchboard for Board {
    fn caller(&self, token: &str) -> Option<Caller> {
        self.tokens.owner(token).map(|chat| Caller { chat })
    }

    fn tools(&self, _caller: &ChatId) -> Option<Vec<String>> {
        self.offered.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn connected(&self, caller: &ChatId) {
        let event = Event::Heard(caller.clone(), Heard::McpConnected);
        self.sender.send(Inbound::Event(event));
    }

    fn refused(&self, refusal: Refusal) {
        match refusal {
            Refusal::Caller { chat, claimed } => {
                let what = format!("a call with this chat's token said it was from {claimed}: refused");
                self.sender
                    .send(Inbound::Event(Event::Heard(chat, Heard::Refused(what))));
            }
            Refusal::Host(name) => tracing::warn!("a request for host {name:?} was refused"),
            Refusal::Origin(name) => tracing::warn!("a request of the web page {name:?} was refused"),
            Refusal::Token => tracing::info!("a request without a live token was refused"),
        }
    }

    fn call(
        &self,
        caller: ChatId,
        call: ToolCall,
        progress: Progress,
        cancelled: CancellationToken,
    ) -> BoxFuture<'static, Result<Value, Problem>> {
        let sender = self.sender.clone();
        Box::pin(async move {
            let (answer, answered) = oneshot::channel();
            let number = sender.number();
            sender.send(Inbound::Tool {
                number,
                chat: caller,
                call,
                answer,
                progress,
            });
            let ending = || Problem::new("calling a tool", "parlour is ending", "call again when it runs");
            tokio::select! {
                answer = answered => answer.unwrap_or_else(|_| Err(ending())),
                () = cancelled.cancelled() => {
                    sender.send(Inbound::Abandoned(CallId(number)));
                    Err(Problem::new("calling a tool", "the call was taken back", ""))
                }
            }
        })
    }
}
