//! Which of a chat's directories a tool call is about, judged by the paths in its input.

use serde_json::Value;

use crate::model::{Chat, Happened, Project};

/// Gives each call that begins the label of the directory that it touches; of several, the one named first.
pub fn label(chat: &Chat, happened: &mut [Happened]) {
    for what in happened {
        if let Happened::ToolStart { input, dir, .. } = what
            && dir.is_none()
        {
            *dir = touched(&chat.projects, input);
        }
    }
}

fn touched(projects: &[Project], input: &Value) -> Option<String> {
    match input {
        Value::String(text) => first_named(projects, text),
        Value::Array(values) => values.iter().find_map(|value| touched(projects, value)),
        Value::Object(fields) => fields.values().find_map(|value| touched(projects, value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

fn first_named(projects: &[Project], text: &str) -> Option<String> {
    let place = |project: &Project| {
        let absolute = project.path.to_string_lossy();
        let relative = format!("projects/{}", project.name);
        let places = [names(text, &absolute), names(text, &relative)];
        places.into_iter().flatten().min()
    };
    let named = projects.iter().filter_map(|project| Some((place(project)?, project)));
    named
        .min_by_key(|(place, _)| *place)
        .map(|(_, project)| project.name.clone())
}

/// Where a text names a path or something below it: `projects/grove` is not named by `projects/grove-2`.
fn names(text: &str, path: &str) -> Option<usize> {
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    text.match_indices(path)
        .find(|(at, _)| !text[at + path.len()..].starts_with(goes_on))
        .map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Kind, Mode};
    use serde_json::json;

    fn project(name: &str) -> Project {
        Project {
            name: name.into(),
            path: format!("/home/mia/.parlour/chats/a/projects/{name}").into(),
            kind: Kind::Git,
            mode: Mode::Rw,
            branch: None,
            pr: None,
        }
    }

    #[test]
    fn a_call_goes_to_the_directory_that_it_names_first() {
        let projects = [project("grove"), project("grove-2"), project("docs")];
        let cases = [
            (
                json!({ "file_path": "/home/mia/.parlour/chats/a/projects/grove-2/src/a.rs" }),
                Some("grove-2"),
            ),
            (json!({ "command": "cd projects/docs && cp a ../grove" }), Some("docs")),
            (json!({ "command": ["ls", "projects/grove"] }), Some("grove")),
            (json!({ "content": "projects/groves" }), None),
            (json!({ "command": "cargo test" }), None),
        ];
        for (input, expected) in cases {
            assert_eq!(touched(&projects, &input).as_deref(), expected, "{input}");
        }
    }
}
