//! A vendor's HTTP, between its bodies and our [`Prompt`] and [`Reply`].
//!
//! A new one is one more file and one more line in [`DIALECTS`].

use serde_json::Value;

use super::anthropic::Anthropic;
use super::chat_completions::ChatCompletions;
use super::gemini::Gemini;
use super::responses::Responses;
use super::scenario::{Block, Step};

pub const DIALECTS: &[&(dyn Dialect + Sync)] = &[
    &Anthropic,
    &ChatCompletions,
    &Responses,
    &Gemini { streams: true },
    &Gemini { streams: false },
];

pub trait Dialect {
    /// Whether a POST to this path asks for a reply.
    fn generates(&self, path: &str) -> bool;
    fn parse(&self, body: &Value) -> Prompt;
    fn whole(&self, reply: &Reply) -> Value;
    fn stream(&self, reply: &Reply) -> Vec<Beat>;
    fn error(&self, kind: &str, message: &str) -> Value;
    /// What the dialect offers beside replies: lists of models, counts of tokens.
    fn beside(&self, path: &str, body: &Value) -> Option<Value>;
}

/// What a request says, whatever its dialect.
#[derive(Clone, Debug, Default)]
pub struct Prompt {
    pub model: String,
    pub stream: bool,
    pub system: String,
    pub first_user: String,
    pub last_user: String,
    pub tools: Vec<String>,
    /// Of the newest message.
    pub tool_results: Vec<String>,
    /// The newest message carries tool results and nothing was interrupted: the turn goes on.
    pub continues: bool,
    /// An answer to a request outside the conversation.
    pub aside: Option<&'static str>,
    /// Equal for equal conversations, so that a second try is known as such.
    pub conversation: String,
}

/// A step with its strings filled in, on its way out.
pub struct Reply {
    pub id: String,
    pub model: String,
    pub step: Step,
}

/// One thing to do while streaming.
#[derive(Debug, PartialEq)]
pub enum Beat {
    Event(String),
    Gate(String),
    Cut,
}

impl Prompt {
    /// Agent CLIs tell the model where they work: "Working directory: /x", in one spelling or another.
    pub fn directory(&self) -> Option<&str> {
        [&self.system, &self.first_user].into_iter().find_map(|said| {
            let (_, rest) = said.split_once("orking directory")?;
            let path = rest
                .lines()
                .next()?
                .trim_start_matches([':', ' ', '`', '*'])
                .trim_end_matches(['`', '.', ' ']);
            path.starts_with('/').then_some(path)
        })
    }
}

impl Reply {
    /// The gates that stand before the first thing said.
    pub fn leading_gates(&self) -> impl Iterator<Item = &str> {
        self.step.says.iter().map_while(|block| match block {
            Block::Gate { gate } => Some(gate.as_str()),
            Block::Text { .. } | Block::Thinking { .. } | Block::ToolUse { .. } => None,
        })
    }
}
