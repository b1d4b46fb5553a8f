//! The engine as the MCP server sees it.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::BoxFuture;
use parking_lot::{Mutex, RwLock};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;

use crate::domain::Event;
use crate::domain::event::Observed;
use crate::mcp::{ProgressReports, Refusal, TokenHolder, Tokens, ToolHost};
use crate::model::tool::Equipped;
use crate::model::{CallId, ChatId, Problem, ToolCall};

use super::inbound::{Inbound, Sender};
use super::services::LeftOut;

/// A flood of strangers must not push all else out of the log: this much time passes between two lines of a kind.
const QUIET: Duration = Duration::from_secs(1);

pub struct EngineToolHost {
    pub tokens: Arc<Tokens>,
    pub sender: Sender,
    /// `mcp.tools` of the settings; `None` offers all.
    pub offered: Arc<RwLock<Option<Vec<String>>>>,
    /// Chats whose agents have no tools of their own.
    pub bare: Arc<RwLock<BTreeSet<ChatId>>>,
    pub left_out: LeftOut,
    pub strangers: Strangers,
}

/// Who was turned away, a count for each kind of reason.
#[derive(Default)]
pub struct Strangers {
    hosts: Mutex<TurnedCall>,
    pages: Mutex<TurnedCall>,
    tokens: Mutex<TurnedCall>,
}

#[derive(Default)]
struct TurnedCall {
    said: Option<Instant>,
    since: u64,
}

impl TurnedCall {
    /// What to say of one more, if anything yet; it names those of whom nothing was said.
    fn away(&mut self, what: &str, now: Instant) -> Option<String> {
        if self.said.is_some_and(|said| now.duration_since(said) < QUIET) {
            self.since += 1;
            return None;
        }
        self.said = Some(now);
        match std::mem::take(&mut self.since) {
            0 => Some(what.to_owned()),
            others => Some(format!("{what}, and {others} like it before")),
        }
    }
}

fn turned(kind: &Mutex<TurnedCall>, what: &str) {
    let mut kind = kind.lock();
    if let Some(line) = kind.away(what, Instant::now()) {
        tracing::warn!("{line}");
    }
}

impl ToolHost for EngineToolHost {
    fn caller(&self, token: &str) -> Option<TokenHolder> {
        self.tokens.owner(token).map(|chat| TokenHolder { chat })
    }

    fn caller_by_url(&self, token: &str) -> Option<TokenHolder> {
        self.tokens.owner_in_url(token).map(|chat| TokenHolder { chat })
    }

    fn withheld(&self, caller: &ChatId, tool: &str) -> Option<String> {
        let offered = self.offered.read();
        let named = |names: &Vec<String>| names.iter().any(|name| name == tool);
        if !offered.as_ref().is_none_or(named) {
            return Some("mcp.tools in config.json leaves it out".into());
        }
        let left_out = self.left_out.read();
        let mut left_out = left_out.get(caller).into_iter().flatten();
        let why = left_out.find(|(name, _)| name == tool).map(|(_, why)| *why);
        why.map(str::to_string)
    }

    fn equipped(&self, caller: &ChatId) -> Equipped {
        let bare = self.bare.read();
        match bare.contains(caller) {
            true => Equipped::Bare,
            false => Equipped::WithTools,
        }
    }

    fn connected(&self, caller: &ChatId) {
        let event = Event::Observed(caller.clone(), Observed::McpConnected);
        self.sender.send(Inbound::Event(event));
    }

    fn failed(&self, caller: &ChatId, tool: &str, why: &str) {
        let failed = Observed::CallFailed {
            tool: tool.to_owned(),
            why: why.to_owned(),
        };
        self.sender
            .send(Inbound::Event(Event::Observed(caller.clone(), failed)));
    }

    fn refused(&self, refusal: Refusal) {
        match refusal {
            Refusal::Caller { chat, claimed } => {
                let what = format!("a call with this chat's token said it was from {claimed}: refused");
                self.sender
                    .send(Inbound::Event(Event::Observed(chat, Observed::Refused(what))));
            }
            Refusal::Host(name) => turned(
                &self.strangers.hosts,
                &format!("a request for host {name:?} was refused"),
            ),
            Refusal::Origin(name) => turned(
                &self.strangers.pages,
                &format!("a request of the web page {name:?} was refused"),
            ),
            Refusal::Token => turned(&self.strangers.tokens, "a request without a live token was refused"),
        }
    }

    fn call(
        &self,
        caller: ChatId,
        call: ToolCall,
        progress: ProgressReports,
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
                progress: progress.clone(),
            });
            tokio::pin!(answered);
            let ending = || Problem::busy("calling a tool", "parlour is ending", "call again when it runs");
            // The caller was told that it takes longer, and is to call again.
            let given_up = tokio::select! {
                answer = &mut answered => return answer.unwrap_or_else(|_| Err(ending())),
                () = cancelled.cancelled() => false,
                () = progress.closed() => true,
            };
            if given_up && !cancelled.is_cancelled() {
                sender.send(Inbound::Unheard(CallId(number)));
            }
            tokio::select! {
                answer = answered => answer.unwrap_or_else(|_| Err(ending())),
                () = cancelled.cancelled() => {
                    sender.send(Inbound::Abandoned(CallId(number)));
                    Err(Problem::new("calling a tool", "the call was taken back", "call it again if you still want it"))
                }
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_one_line_a_second_with_a_count() {
        let mut turned = TurnedCall::default();
        let began = Instant::now();
        let at = |ms| began + Duration::from_millis(ms);
        assert_eq!(turned.away("no", at(0)), Some("no".into()));
        assert!((1..1000).all(|ms| turned.away("no", at(ms)).is_none()));
        assert_eq!(turned.away("no", at(1000)), Some("no, and 999 like it before".into()));
        assert_eq!(turned.away("no", at(2500)), Some("no".into()));
    }
}
