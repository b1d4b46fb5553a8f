//! The settings file of a custom CLI, made from the template in `config.json`.
//!
//! JSON and TOML are filled value by value and merged into what is there already, so a person's edits in the chat stay.
//! Any other text is filled as text and belongs to parlour until somebody changes it.

use std::path::Path;

use data_encoding::HEXLOWER;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use toml_edit::{DocumentMut, Item, Table, TableLike};

use super::placeholders::{TOKEN, URL, Values, names};
use crate::agents::merge;
use crate::fs::Dir;
use crate::model::Problem;
use crate::model::agent::McpConfig;

/// In the record: the hash of the text that was written last.
const WRITTEN: &str = "template.sha256";
const MOST_BYTES: u64 = 4 << 20;

/// Whether the CLI can be told the token only as a part of the address.
pub(super) fn token_in_url(config: &McpConfig) -> bool {
    names(&config.template, URL) && !names(&config.template, TOKEN)
}

pub(super) fn write(dir: &Dir, record: &Dir, file: &str, config: &McpConfig, values: &Values) -> Result<(), Problem> {
    if let Some(parent) = Path::new(file).parent().filter(|parent| !parent.as_os_str().is_empty()) {
        dir.create_dir(parent).map_err(|e| merge::refused(file, &e))?;
    }
    let is_toml = file.ends_with(".toml");
    let parsed = match &config.template {
        Value::String(text) if is_toml => toml::from_str(text).map_err(|e| bad(file, e.to_string()))?,
        Value::String(text) if file.ends_with(".json") => {
            serde_json::from_str(text).map_err(|e| bad(file, e.to_string()))?
        }
        Value::String(text) => return write_text(dir, record, file, &values.fill(text)),
        other => other.clone(),
    };
    let Value::Object(mut wanted) = parsed else {
        return Err(bad(file, "it is neither an object nor a text".into()));
    };
    wanted.values_mut().for_each(|value| values.fill_value(value));
    match is_toml {
        true => merge::edit_toml(dir, file, |root: &mut DocumentMut| {
            merge_toml(root.as_table_mut(), &wanted)
        }),
        false => merge::edit(dir, file, |root| {
            merge_json(root, wanted);
            Ok(())
        }),
    }
}

fn bad(file: &str, why: String) -> Problem {
    Problem::new(
        format!("writing {file}"),
        format!("its template: {why}"),
        "correct mcpConfig in config.json",
    )
}

fn merge_json(into: &mut Map<String, Value>, wanted: Map<String, Value>) {
    for (key, value) in wanted {
        match (into.get_mut(&key), value) {
            (Some(Value::Object(inner)), Value::Object(more)) => merge_json(inner, more),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

fn merge_toml(into: &mut dyn TableLike, wanted: &Map<String, Value>) -> Result<(), String> {
    for (key, value) in wanted {
        match value {
            Value::Object(more) => {
                let inner = into.entry(key).or_insert_with(|| Item::Table(Table::new()));
                let inner = inner
                    .as_table_like_mut()
                    .ok_or_else(|| format!("`{key}` is not a table"))?;
                merge_toml(inner, more)?;
            }
            Value::Null => return Err(format!("`{key}` is null, and TOML has no such value")),
            plain => {
                let spelled = toml::Value::try_from(plain).map_err(|e| e.to_string())?.to_string();
                let new: toml_edit::Value = spelled.parse().map_err(|e: toml_edit::TomlError| e.to_string())?;
                let same = |old: &Item| {
                    old.as_value()
                        .is_some_and(|old| old.to_string().trim() == new.to_string().trim())
                };
                if !into.get(key).is_some_and(same) {
                    into.insert(key, Item::Value(new));
                }
            }
        }
    }
    Ok(())
}

fn write_text(dir: &Dir, record: &Dir, file: &str, text: &str) -> Result<(), Problem> {
    let refused = |e| merge::refused(file, &e);
    let found = dir.read(file, MOST_BYTES).map_err(refused)?;
    let known = record.read(WRITTEN, 100).map_err(refused)?.unwrap_or_default();
    let is_ours = |found: &Vec<u8>| hash(found).into_bytes() == known || found == text.as_bytes();
    if found.as_ref().is_some_and(|found| !is_ours(found)) {
        let hint = "remove it, and it is made from the template again; its token is not the one of this start";
        return Err(Problem::new(
            format!("writing {file}"),
            "somebody else made or changed it",
            hint,
        ));
    }
    // First what is told of it: a start that is cut off between the two is made good by the next.
    record.write_atomic(WRITTEN, hash(text.as_bytes())).map_err(refused)?;
    dir.write_atomic(file, text).map_err(refused)
}

fn hash(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}
