//! The items of an agent's own list of things to do, as its tools write them.

use serde_json::Value;

use super::input::text;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TodoItem {
    pub text: String,
    pub is_done: bool,
    /// It is being worked on.
    pub is_current: bool,
}

/// The list that a call writes, where it is one.
pub(super) fn items(input: &Value) -> Option<Vec<TodoItem>> {
    let list = ["todos", "plan"].iter().find_map(|name| input.get(name)?.as_array())?;
    let items: Option<Vec<TodoItem>> = list.iter().map(item).collect();
    items.filter(|items| !items.is_empty())
}

fn item(value: &Value) -> Option<TodoItem> {
    let status = text(value, &["status"])?;
    Some(TodoItem {
        text: text(value, &["content", "step", "description", "title"])?.to_string(),
        is_done: matches!(status, "completed" | "done"),
        is_current: matches!(status, "in_progress" | "active"),
    })
}
