//! What a tool is made of: its schemas, and the ways between JSON and what parlour means by it.

use std::sync::Arc;

use rmcp::model::{JsonObject, Tool, ToolAnnotations};
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::model::ToolCall;

/// A tool and the two borders it has.
pub struct Offer {
    pub name: &'static str,
    pub tool: Tool,
    /// Arguments to a call.
    pub parse: fn(JsonObject) -> serde_json::Result<ToolCall>,
    /// The engine's answer to exactly what the schema promises.
    pub shape: fn(Value) -> serde_json::Result<Value>,
}

/// Models fill in what they do not mean with an empty string.
pub fn given(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.trim().is_empty())
}

/// Whether a tool changes anything.
#[derive(PartialEq)]
pub enum Reads {
    Only,
    No,
}

pub fn offer<In, Out>(name: &'static str, description: &'static str, reads: Reads) -> Offer
where
    In: DeserializeOwned + JsonSchema + Into<ToolCall>,
    Out: DeserializeOwned + Serialize + JsonSchema,
{
    let mut tool = Tool::new(name, description, Arc::new(schema::<In>(Nulls::Silent)))
        .with_raw_output_schema(Arc::new(schema::<Out>(Nulls::Promised)));
    if reads == Reads::Only {
        tool = tool.with_annotations(ToolAnnotations::new().read_only(true));
    }
    Offer {
        name,
        tool,
        parse: |arguments| serde_json::from_value::<In>(arguments.into()).map(In::into),
        shape: |answer| serde_json::to_value(serde_json::from_value::<Out>(answer)?),
    }
}

/// Whether a schema says that a value may be null. Arguments are left out instead, and some models
/// stumble over two types.
#[derive(Clone, Copy, PartialEq)]
enum Nulls {
    Silent,
    Promised,
}

/// A schema without what no model needs to read.
fn schema<T: JsonSchema>(nulls: Nulls) -> JsonObject {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    tidy(&mut schema, nulls);
    match schema {
        Value::Object(mut schema) => {
            // Some clients refuse an object that has none.
            schema.entry("properties").or_insert_with(|| json!({}));
            schema
        }
        _ => JsonObject::new(),
    }
}

fn tidy(schema: &mut Value, nulls: Nulls) {
    let Value::Object(keys) = schema else {
        return;
    };
    for noise in ["title", "format", "minimum", "default"] {
        keys.remove(noise);
    }
    if nulls == Nulls::Silent
        && let Some(Value::Array(types)) = keys.get("type")
        && let Some(first) = types.first().cloned()
    {
        keys.insert("type".into(), first);
    }
    if let Some(Value::Object(properties)) = keys.get_mut("properties") {
        properties.values_mut().for_each(|schema| tidy(schema, nulls));
    }
    if let Some(items) = keys.get_mut("items") {
        tidy(items, nulls);
    }
}
