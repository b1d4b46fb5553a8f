//! Arguments of tools: their schemas, and how they are read.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde::de::{DeserializeOwned, Error};
use serde_json::{Map, Value, json};

/// Whether a schema is of arguments or of an answer. Arguments are left out and never null, because some models stumble
/// over two types. What an answer always has is in it, whether or not its schema says so: each model reads all schemas
/// before it does anything.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum SchemaOf {
    Arguments,
    Answer,
}

/// Arguments are read as strictly as their schema says: a misspelt one is answered with the right names instead of
/// being ignored, and what a type has beside (for a person, say) no agent can set.
pub(super) fn read<In: DeserializeOwned + JsonSchema>(mut arguments: Map<String, Value>) -> serde_json::Result<In> {
    keep_known(&mut arguments, &schema::<In>(SchemaOf::Arguments))?;
    serde_json::from_value(arguments.into())
}

/// Refuses what the schema does not name. Models fill in what they do not mean with null or an empty string.
fn keep_known(arguments: &mut Map<String, Value>, schema: &Map<String, Value>) -> serde_json::Result<()> {
    let known = schema.get("properties").and_then(Value::as_object);
    let of = |name: &str| known.and_then(|known| known.get(name));
    if let Some(odd) = arguments.keys().find(|name| of(name).is_none()) {
        let names: Vec<String> = known
            .into_iter()
            .flatten()
            .map(|(name, _)| format!("`{name}`"))
            .collect();
        let why = match names.is_empty() {
            true => "there are no fields".to_string(),
            false => format!("expected one of {}", names.join(", ")),
        };
        return Err(Error::custom(format!("unknown field `{odd}`, {why}")));
    }
    let required = schema.get("required").and_then(Value::as_array);
    let must = |name: &String| required.is_some_and(|all| all.iter().any(|one| one == name));
    let is_meant = |value: &Value| !value.is_null() && value.as_str().is_none_or(|text| !text.trim().is_empty());
    arguments.retain(|name, value| must(name) || is_meant(value));
    for (name, value) in arguments {
        let items = of(name).and_then(|schema| schema["items"].as_object());
        if let (Some(items), Value::Array(values)) = (items.filter(|items| items.contains_key("properties")), value) {
            let objects = values.iter_mut().filter_map(Value::as_object_mut);
            objects.into_iter().try_for_each(|object| keep_known(object, items))?;
        }
    }
    Ok(())
}

/// A schema without what no model needs to read.
pub(super) fn schema<T: JsonSchema>(of: SchemaOf) -> Map<String, Value> {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    tidy(&mut schema, of);
    match schema {
        Value::Object(mut schema) => {
            // Some clients refuse an object that has none.
            schema.entry("properties").or_insert_with(|| json!({}));
            schema.retain(|key, _| key != "description");
            schema
        }
        _ => Map::new(),
    }
}

fn tidy(schema: &mut Value, of: SchemaOf) {
    let Value::Object(keys) = schema else {
        return;
    };
    for noise in ["title", "format", "minimum", "default"] {
        keys.remove(noise);
    }
    if of == SchemaOf::Answer {
        keys.remove("required");
        keys.remove("additionalProperties");
    } else {
        if let Some(Value::Array(types)) = keys.get("type")
            && let Some(first) = types.first().cloned()
        {
            keys.insert("type".into(), first);
        }
        if let Some(Value::Array(words)) = keys.get_mut("enum") {
            words.retain(|word| !word.is_null());
        }
        if keys.get("type").is_some_and(|of| of == "object") {
            keys.insert("additionalProperties".into(), false.into());
        }
    }
    if let Some(Value::Object(properties)) = keys.get_mut("properties") {
        properties.values_mut().for_each(|schema| tidy(schema, of));
    }
    if let Some(items) = keys.get_mut("items") {
        tidy(items, of);
        // What a type is, its file says; what it is for is said where it is used.
        if let Value::Object(items) = items {
            items.retain(|key, _| key != "description");
        }
    }
}
