//! The todos of the caller's chat.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::entry::{ToolOf, changes, reads};
use crate::model::todo::{TodoAt, TodoChange};

pub(super) fn tools() -> [ToolOf<TodoCall>; 2] {
    [
        ToolOf {
            name: "list_todos",
            does: "This chat's checklist (todos.md).",
            when: Some("with `update_todos`: the checklist that you and the person share"),
            ..reads::<ListTodos, TodoList, _>()
        },
        ToolOf {
            name: "update_todos",
            does: "Change the checklist, by the numbers of list_todos.",
            ..changes::<UpdateTodos, TodoList, _>()
        },
    ]
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TodoCall {
    List,
    Update(UpdateTodos),
}

#[derive(Deserialize, JsonSchema)]
struct ListTodos {}

/// What an agent changes at once: all of it or nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UpdateTodos {
    #[serde(default)]
    pub check: Vec<usize>,
    #[serde(default)]
    pub uncheck: Vec<usize>,
    #[serde(default)]
    pub remove: Vec<usize>,
    #[serde(default)]
    pub add: Vec<String>,
}

impl UpdateTodos {
    /// All numbers are those of the list before: what is removed goes from the end.
    pub fn changes(self) -> Vec<TodoChange> {
        let mut gone = self.remove;
        gone.sort_unstable();
        gone.dedup();
        let at = TodoAt::number;
        let check = self
            .check
            .into_iter()
            .map(|number| TodoChange::Check { at: at(number) });
        let uncheck = self
            .uncheck
            .into_iter()
            .map(|number| TodoChange::Uncheck { at: at(number) });
        let remove = gone
            .into_iter()
            .rev()
            .map(|number| TodoChange::Remove { at: at(number) });
        let add = self.add.into_iter().map(|text| TodoChange::Add { text });
        check.chain(uncheck).chain(remove).chain(add).collect()
    }
}

/// A line for each, with its number: agents read it as they read the file.
#[derive(Serialize, Deserialize, JsonSchema)]
struct TodoList {
    text: String,
}

impl From<ListTodos> for TodoCall {
    fn from(ListTodos {}: ListTodos) -> TodoCall {
        TodoCall::List
    }
}

impl From<UpdateTodos> for TodoCall {
    fn from(asked: UpdateTodos) -> TodoCall {
        TodoCall::Update(asked)
    }
}
