//! The Todos tab: the checklist of a chat, and below it the plan that its agent keeps by a tool of its own.

pub mod data;
mod press;
mod rows;

pub use press::{hints, is_possible, look_up_plan, mouse, page, run, settle};
pub use rows::{LaidTodo, TodoRow, TodosAreas, areas, bar, laid, name, rows};
