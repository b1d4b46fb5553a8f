//! What the server asks of whoever runs the tools.

use futures::future::BoxFuture;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::ProgressReports;
use crate::model::tool::Equipped;
use crate::model::{ChatId, Problem, ToolCall};

/// The engine, as the server sees it. Every method answers at once; only the future of `call` takes time.
pub trait ToolHost: Send + Sync + 'static {
    /// Whose token this is, compared in constant time: see [`super::Tokens`].
    fn caller(&self, token: &str) -> Option<TokenHolder>;

    /// As [`ToolHost::caller`], of a token in the address, where few may be.
    fn caller_by_url(&self, token: &str) -> Option<TokenHolder>;

    /// Why a chat is not offered this tool; `None` where it is.
    fn withheld(&self, caller: &ChatId, tool: &str) -> Option<String>;

    /// Whether its agent needs tools for files and commands.
    fn equipped(&self, caller: &ChatId) -> Equipped;

    /// A chat has been told its tools: its agent can be given a prompt that needs them.
    fn connected(&self, caller: &ChatId);

    /// A call is answered by an error, in these words. Not every CLI keeps what its model is told of it.
    fn failed(&self, caller: &ChatId, tool: &str, why: &str);

    /// A request was turned away. Nobody's token stands behind most of them, so expect a flood.
    fn refused(&self, refusal: Refusal);

    /// Do what an agent asked for and answer with the tool's result, an object.
    ///
    /// `cancelled` fires when the caller takes the call back or is gone. When a call takes too long for
    /// its caller, `cancelled` stays silent: the work goes on, and the same call made again must share it. In
    /// every case the future is run to its end.
    fn call(
        &self,
        caller: ChatId,
        call: ToolCall,
        progress: ProgressReports,
        cancelled: CancellationToken,
    ) -> BoxFuture<'static, Result<Value, Problem>>;
}

/// Whoever a token was issued to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenHolder {
    pub chat: ChatId,
}

/// Why a request was turned away, for the record. Texts are the stranger's own, cut to one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A name that is not ours: a web page that had its own name point at this machine.
    Host(String),
    /// A web page.
    Origin(String),
    /// No live token.
    Token,
    /// A chat that says it is another.
    Caller { chat: ChatId, claimed: String },
}
