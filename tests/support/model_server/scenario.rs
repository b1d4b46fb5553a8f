//! What the model will say, as plain values: built in a test, or read from JSON.
//!
//! A [`Scenario`] holds scripts, a script turns, a turn [`Step`]s: the first answers a prompt, each later one the tool
//! results of the one before. Every string may hold `${cwd}` (where the agent CLI says it works), `${tool_result}` and
//! `${soon}` (a time some seconds from then).

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Scenario {
    /// The first script whose words stand in the conversation's first prompt plays, else the one without words.
    pub scripts: Vec<Script>,
    /// Answers to requests outside the conversation (titles, suggestions, summaries), by words in their prompt.
    pub asides: Vec<Aside>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Script {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_prompt: Option<String>,
    pub turns: Vec<Turn>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Aside {
    pub prompt: String,
    pub says: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Turn {
    /// Takes the turn out of the sequence: it plays for every prompt with these words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    pub steps: Vec<Step>,
}

/// One reply of the model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Step {
    pub says: Vec<Block>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// Between two pieces of the stream, in milliseconds; 0 sends all at once.
    pub pace: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input_tokens: Option<u64>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Block {
    Text {
        text: String,
    },
    Thinking {
        thinking: String,
    },
    ToolUse {
        name: String,
        input: Value,
    },
    /// Holds the reply here until the test opens the gate of this name. Ahead of everything else it holds a fault too;
    /// between two texts it holds the one text they make.
    Gate {
        gate: String,
    },
}

/// What goes wrong before the step's blocks play, `times` times; 0 is always.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Fault {
    Error {
        status: u16,
        kind: String,
        message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after: Option<u32>,
        #[serde(default = "once")]
        times: u32,
    },
    /// The connection ends after so many events of the stream.
    Drop {
        after: usize,
        #[serde(default = "once")]
        times: u32,
    },
}

impl Scenario {
    /// One script for whoever asks.
    pub fn of(turns: impl IntoIterator<Item = Turn>) -> Self {
        Self::default().script(None, turns)
    }

    /// Adds a script for conversations whose first prompt holds these words.
    pub fn beside(self, first_prompt: &str, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.script(Some(first_prompt.into()), turns)
    }

    pub fn aside(mut self, prompt: &str, says: &str) -> Self {
        self.asides.push(Aside {
            prompt: prompt.into(),
            says: says.into(),
        });
        self
    }

    fn script(mut self, first_prompt: Option<String>, turns: impl IntoIterator<Item = Turn>) -> Self {
        self.scripts.push(Script {
            first_prompt,
            turns: turns.into_iter().collect(),
        });
        self
    }
}

impl Turn {
    pub fn when(mut self, words: &str) -> Self {
        self.when = Some(words.into());
        self
    }
}

impl Step {
    pub fn fault(mut self, fault: Fault) -> Self {
        self.fault = Some(fault);
        self
    }

    pub fn pace(mut self, milliseconds: u64) -> Self {
        self.pace = milliseconds;
        self
    }

    pub fn input_tokens(mut self, count: u64) -> Self {
        self.input_tokens = Some(count);
        self
    }
}

impl Fault {
    pub fn times(&self) -> u32 {
        match self {
            Self::Error { times, .. } | Self::Drop { times, .. } => *times,
        }
    }
}

impl<const N: usize> From<[Block; N]> for Step {
    fn from(says: [Block; N]) -> Self {
        Self {
            says: says.into(),
            ..Self::default()
        }
    }
}

impl From<Block> for Step {
    fn from(block: Block) -> Self {
        [block].into()
    }
}

/// The replies to one prompt; each is a [`Step`], a block or an array of blocks.
#[macro_export]
macro_rules! turn {
    ($($step:expr),+ $(,)?) => {
        $crate::support::model_server::Turn { when: None, steps: vec![$($step.into()),+] }
    };
}
pub use turn;

pub fn text(text: &str) -> Block {
    Block::Text { text: text.into() }
}

pub fn thinking(thinking: &str) -> Block {
    Block::Thinking {
        thinking: thinking.into(),
    }
}

pub fn tool(name: &str, input: Value) -> Block {
    Block::ToolUse {
        name: name.into(),
        input,
    }
}

pub fn gate(name: &str) -> Block {
    Block::Gate { gate: name.into() }
}

fn once() -> u32 {
    1
}
