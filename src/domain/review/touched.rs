//! The files of a chat's clones that a call of a tool changes, by what stands in its input.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::model::path::normal;
use crate::model::{Chat, Kind};
use crate::permission::{Sort, edited, sort_of};

/// A call as its agent made it.
#[derive(Clone, Copy)]
pub struct MadeCall<'c> {
    pub tool: &'c str,
    pub input: &'c Value,
    /// The directory of the chat that it is about.
    pub dir: Option<&'c str>,
}

/// A file of a clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TouchedFile {
    pub project: String,
    pub path: PathBuf,
}

/// The files that a call changes by name, once each. A relative path is one of the clone that the call is about, unless it
/// leads into a clone from the chat's directory.
pub fn files(chat: &Chat, call: MadeCall<'_>) -> Vec<TouchedFile> {
    let mut found: Vec<TouchedFile> = Vec::new();
    for written in edited(call.tool, call.input) {
        let file = place(chat, call.dir, Path::new(&written));
        found.extend(file.filter(|file| !found.contains(file)));
    }
    found
}

fn place(chat: &Chat, dir: Option<&str>, written: &Path) -> Option<TouchedFile> {
    let clones = || chat.projects.iter().filter(|project| project.kind == Kind::Git);
    let at = |whole: PathBuf| {
        clones().find_map(|project| {
            let rest = whole.strip_prefix(normal(&project.path)).ok()?;
            Some(TouchedFile {
                project: project.name.clone(),
                path: rest.to_path_buf(),
            })
        })
    };
    if written.is_absolute() {
        return at(normal(written));
    }
    let named = clones().find(|project| Some(project.name.as_str()) == dir);
    let first = clones().next();
    let from_chat = first.and_then(|project| {
        let projects = normal(&project.path);
        at(normal(&projects.parent()?.parent()?.join(written)))
    });
    from_chat.or_else(|| at(normal(&named?.path.join(written))))
}

/// How certain it is that a call wrote or removed a line of this file, which says `text`. None: it did not touch the file, as
/// far as can be told.
pub fn likeness(chat: &Chat, call: MadeCall<'_>, file: &TouchedFile, text: &str) -> Option<TouchLikeness> {
    let has_text = !text.trim().is_empty() && says(call.input, text.trim());
    if files(chat, call).contains(file) {
        return Some(match has_text {
            true => TouchLikeness::EditsLine,
            false => TouchLikeness::EditsFile,
        });
    }
    let name = file.path.file_name()?.to_str()?;
    let is_command = sort_of(call.tool) == Sort::Bash;
    (is_command && says(call.input, name)).then_some(TouchLikeness::NamesFile)
}

/// From the least certain on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TouchLikeness {
    /// A command that names the file.
    NamesFile,
    EditsFile,
    /// An edit of the file in which the line's words stand.
    EditsLine,
}

fn says(input: &Value, words: &str) -> bool {
    match input {
        Value::String(text) => text.contains(words),
        Value::Array(values) => values.iter().any(|value| says(value, words)),
        Value::Object(fields) => fields.values().any(|value| says(value, words)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}
