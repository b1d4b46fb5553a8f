//! The JSON Schema of `config.json`, for editors that complete and check it.

use serde_json::{Map, Value, json};

use super::{MapOf, Setting, SettingKind, all};

/// Made from the table. Unknown keys are allowed, because the file keeps them.
pub fn schema() -> Value {
    let mut root = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "config.json of parlour",
        "description": "All keys are optional. Comments are allowed.",
        "type": "object",
        "properties": {
            "$schema": {"type": "string", "description": "Where this schema is, for your editor."},
            "v": {"type": "integer", "description": "The version of the file's form."},
        },
    });
    for setting in all() {
        insert(&mut root, &setting.path.split('.').collect::<Vec<_>>(), of(setting));
    }
    root
}

/// Puts it below the objects with these names.
fn insert(object: &mut Value, way: &[&str], schema: Value) {
    let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) else {
        return;
    };
    match way {
        [name] => {
            properties.insert((*name).into(), schema);
        }
        [group, rest @ ..] => {
            let below = properties
                .entry((*group).to_string())
                .or_insert_with(|| json!({"type": "object", "properties": {}}));
            insert(below, rest, schema);
        }
        [] => {}
    }
}

fn of(setting: &Setting) -> Value {
    let mut schema = match setting.kind {
        SettingKind::Switch => json!({"type": "boolean"}),
        SettingKind::Number(range) => {
            let kind = if range.is_whole { "integer" } else { "number" };
            let mut schema = json!({"type": kind, "minimum": plain(range.least)});
            if range.most < super::table::ANY {
                schema["maximum"] = plain(range.most);
            }
            schema
        }
        SettingKind::Choice(words) => json!({"enum": words}),
        SettingKind::Text => json!({"type": "string"}),
        SettingKind::List([]) => json!({"type": "array", "items": {"type": "string"}}),
        SettingKind::List(words) => json!({"type": "array", "items": {"enum": words}, "uniqueItems": true}),
        SettingKind::Map(of) => json!({"type": "object", "additionalProperties": entry(of)}),
    };
    let description = format!("{} It takes effect {}.", setting.about, setting.acts.words());
    schema["description"] = description.into();
    let default = setting.default_value();
    if !default.is_null() {
        schema["default"] = default.clone();
    }
    schema
}

/// 1.0 is written as 1.
fn plain(number: f64) -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "it is a whole number")]
    match number.fract() == 0.0 {
        true => Value::from(number as i64),
        false => Value::from(number),
    }
}

fn entry(of: MapOf) -> Value {
    let text = || json!({"type": "string"});
    let texts = || json!({"type": "array", "items": {"type": "string"}});
    let texts_by_name = || json!({"type": "object", "additionalProperties": {"type": "string"}});
    let price = || json!({"type": "number", "minimum": 0});
    match of {
        MapOf::Keys => text(),
        MapOf::Switches => json!({"type": "boolean"}),
        MapOf::Prices => json!({
            "type": "object",
            "required": ["input", "output"],
            "additionalProperties": false,
            "properties": {"input": price(), "output": price(), "cacheRead": price(), "cacheWrite": price()},
        }),
        MapOf::Servers => json!({
            "type": "object",
            "oneOf": [{"required": ["command"]}, {"required": ["url"]}],
            "properties": {
                "type": {"enum": ["stdio", "http"]},
                "command": text(), "args": texts(), "env": texts_by_name(),
                "url": {"type": "string", "pattern": "^https?://"}, "headers": texts_by_name(),
            },
        }),
        MapOf::Agents => json!({
            "type": "object",
            "required": ["command"],
            "properties": Map::from_iter([
                ("command".to_string(), text()),
                ("args".to_string(), texts()),
                ("resumeArgs".to_string(), texts()),
                ("env".to_string(), texts_by_name()),
                ("ready".to_string(), json!({"type": "string", "format": "regex"})),
                ("promptArg".to_string(), text()),
                ("instructionsFile".to_string(), text()),
                ("lacksTools".to_string(), json!({"type": "boolean"})),
                ("mcpConfig".to_string(), json!({
                    "type": "object",
                    "required": ["template"],
                    "properties": {"file": text(), "template": {}},
                })),
                ("transcript".to_string(), json!({
                    "type": "object",
                    "properties": {"format": {"enum": ["none", "jsonl"]}, "file": text(), "fields": texts_by_name()},
                })),
            ]),
        }),
    }
}
