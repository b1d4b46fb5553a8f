//! What a tool is made of.

use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::arguments::{SchemaOf, read, schema};

/// Arguments to a call.
type Parse<Call> = Box<dyn Fn(Map<String, Value>) -> serde_json::Result<Call> + Send + Sync>;

/// A line of the table, of a tool that becomes such a call. [`changes`] and [`reads`] fill in what follows from its types.
pub struct ToolOf<Call> {
    pub name: &'static str,
    /// What it does, as the MCP server says it.
    pub does: &'static str,
    /// When to use it, as `AGENTS.md` says it. A tool without has its place in another one's line.
    pub when: Option<&'static str>,
    pub reads: Reads,
    /// The schemas of what goes in and what comes out.
    pub arguments: fn() -> Map<String, Value>,
    pub answer: fn() -> Map<String, Value>,
    pub parse: Parse<Call>,
    /// The engine's answer to exactly what the schema promises.
    pub shape: fn(Value) -> serde_json::Result<Value>,
}

/// Whether a tool changes anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reads {
    Only,
    No,
}

impl<Call: 'static> ToolOf<Call> {
    /// The same tool in the table of all topics.
    pub(super) fn within<All: 'static>(self, topic: fn(Call) -> All) -> ToolOf<All> {
        let parse = self.parse;
        ToolOf {
            name: self.name,
            does: self.does,
            when: self.when,
            reads: self.reads,
            arguments: self.arguments,
            answer: self.answer,
            parse: Box::new(move |arguments| parse(arguments).map(topic)),
            shape: self.shape,
        }
    }
}

/// A tool that changes something. Name and words are the table's to say.
pub(super) fn changes<In, Out, Call>() -> ToolOf<Call>
where
    In: DeserializeOwned + JsonSchema + Into<Call>,
    Out: DeserializeOwned + Serialize + JsonSchema,
{
    ToolOf {
        name: "",
        does: "",
        when: None,
        reads: Reads::No,
        arguments: || schema::<In>(SchemaOf::Arguments),
        answer: || schema::<Out>(SchemaOf::Answer),
        parse: Box::new(|arguments| read::<In>(arguments).map(In::into)),
        shape: |answer| serde_json::to_value(serde_json::from_value::<Out>(answer)?),
    }
}

/// A tool that only reads.
pub(super) fn reads<In, Out, Call>() -> ToolOf<Call>
where
    In: DeserializeOwned + JsonSchema + Into<Call>,
    Out: DeserializeOwned + Serialize + JsonSchema,
{
    ToolOf {
        reads: Reads::Only,
        ..changes::<In, Out, Call>()
    }
}
