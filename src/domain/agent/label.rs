//! Which of a chat's directories a tool call is about, judged by the paths in its input.

use std::path::Path;

use serde_json::Value;

use crate::model::{Chat, Happened, Kind};

use super::cwd;

/// Gives each call that begins the label of the directory that it touches; of several, the one named first. One that
/// names none is about the directory that the agent is in, else about the chat's first.
pub fn label(chat: &Chat, cwd: Option<&Path>, happened: &mut [Happened]) {
    let places = places(chat, cwd);
    let here = cwd.and_then(|cwd| cwd::project_at(chat, cwd));
    let here = here.or_else(|| chat.projects.first().map(|project| project.name.clone()));
    for what in happened {
        if let Happened::ToolStart { input, dir, .. } = what
            && dir.is_none()
        {
            *dir = touched(&places, input).or_else(|| here.clone());
        }
    }
}

/// How paths to a project begin, beside its name.
fn places<'c>(chat: &'c Chat, cwd: Option<&Path>) -> Vec<(String, &'c str)> {
    let mut places = Vec::new();
    for project in &chat.projects {
        let name = project.name.as_str();
        places.push((project.path.to_string_lossy().into_owned(), name));
        places.push((format!("projects/{name}"), name));
        let beside = project.path.parent().zip(cwd);
        if let Some(below) = beside.and_then(|(projects, cwd)| cwd.strip_prefix(projects).ok()) {
            places.push((format!("{}{name}", "../".repeat(below.components().count())), name));
        }
    }
    let linked = chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Local);
    places.extend(linked.map(|dir| (dir.origin.clone(), dir.name.as_str())));
    places
}

fn touched(places: &[(String, &str)], input: &Value) -> Option<String> {
    match input {
        Value::String(text) => first_named(places, text),
        Value::Array(values) => values.iter().find_map(|value| touched(places, value)),
        Value::Object(fields) => fields.values().find_map(|value| touched(places, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn first_named(places: &[(String, &str)], text: &str) -> Option<String> {
    let named = places
        .iter()
        .filter_map(|(path, name)| Some((names(text, path)?, *name)));
    named.min_by_key(|(at, _)| *at).map(|(_, name)| name.to_string())
}

/// Where a text names a path or something below it: `projects/grove` is not named by `projects/grove-2`.
fn names(text: &str, path: &str) -> Option<usize> {
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    text.match_indices(path)
        .find(|(at, _)| !text[at + path.len()..].starts_with(goes_on))
        .map(|(at, _)| at)
}
