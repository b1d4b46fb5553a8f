//! Changing a JSON or TOML file that others write too: only what is ours, and nothing at all where it cannot be read.

use serde_json::{Map, Value};
use toml_edit::DocumentMut;

use crate::fs::{self, Dir};
use crate::model::Problem;

/// Settings files are a few KB; what is larger is not one.
const MOST_BYTES: u64 = 4 << 20;

/// Lets `change` edit the object in `file`, which may be missing, and writes it where something changed. A file that
/// does not parse, or that has another shape than `change` expects, stays as it is.
pub(super) fn edit(
    dir: &Dir,
    file: &str,
    change: impl FnOnce(&mut Map<String, Value>) -> Result<(), String>,
) -> Result<(), Problem> {
    let bytes = dir.read(file, MOST_BYTES).map_err(|e| refused(file, &e))?;
    let before = match bytes.as_deref() {
        None => Map::new(),
        Some(bytes) if bytes.trim_ascii().is_empty() => Map::new(),
        Some(bytes) => serde_json::from_slice(bytes).map_err(|e| left_alone(file, e))?,
    };
    let mut after = before.clone();
    change(&mut after).map_err(|why| left_alone(file, Shape(why)))?;
    if after == before && bytes.is_some() {
        return Ok(());
    }
    write(dir, file, &Value::Object(after))
}

/// As [`edit`], with the comments and the order of a TOML file kept.
pub(super) fn edit_toml(
    dir: &Dir,
    file: &str,
    change: impl FnOnce(&mut DocumentMut) -> Result<(), String>,
) -> Result<(), Problem> {
    let bytes = dir
        .read(file, MOST_BYTES)
        .map_err(|e| refused(file, &e))?
        .unwrap_or_default();
    let before = String::from_utf8(bytes).map_err(|e| left_alone(file, e))?;
    let mut document: DocumentMut = before.parse().map_err(|e: toml_edit::TomlError| left_alone(file, e))?;
    change(&mut document).map_err(|why| left_alone(file, Shape(why)))?;
    let after = document.to_string();
    if after == before {
        return Ok(());
    }
    dir.write_atomic(file, after).map_err(|e| refused(file, &e))
}

/// It has another shape than what is to be changed in it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Shape(String);

fn left_alone(file: &str, error: impl std::error::Error + Send + Sync + 'static) -> Problem {
    let hint = format!("{file} is left as it is; repair or remove it, then start the agent again");
    Problem::of(format!("writing {file}"), &anyhow::Error::new(error)).hinted(hint)
}

pub(super) fn write(dir: &Dir, file: &str, value: &Value) -> Result<(), Problem> {
    let mut text = format!("{value:#}");
    text.push('\n');
    dir.write_atomic(file, text).map_err(|e| refused(file, &e))
}

pub(super) fn refused(file: &str, error: &fs::Error) -> Problem {
    let hint = match error.is_blocked() {
        true => "remove the link, then start the agent again",
        false => "",
    };
    Problem::of(format!("writing {file}"), error).hinted(hint)
}

/// The object under `key`, made where it is missing.
pub(super) fn object<'a>(map: &'a mut Map<String, Value>, key: &str) -> Result<&'a mut Map<String, Value>, String> {
    map.entry(key)
        .or_insert_with(|| Value::Object(Map::new()))
        .as_object_mut()
        .ok_or_else(|| format!("`{key}` is not an object"))
}

/// Sees to it that the list under `key` holds `word`.
pub(super) fn include(map: &mut Map<String, Value>, key: &str, word: &str) -> Result<(), String> {
    let list = map
        .entry(key)
        .or_insert_with(|| Value::Array(Vec::new()))
        .as_array_mut()
        .ok_or_else(|| format!("`{key}` is not a list"))?;
    if !list.iter().any(|item| item == word) {
        list.push(word.into());
    }
    Ok(())
}
