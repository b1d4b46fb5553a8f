//! The keys of the Todos tab.

use strum::{IntoStaticStr, VariantArray};

use super::line::{KeyLine, bind};

#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "camelCase", prefix = "todos.")]
pub enum TodosAction {
    Check,
    Add,
    Edit,
    Remove,
    PutBack,
    MoveDown,
    MoveUp,
    TodosFirst,
    Down,
    Up,
    PageDown,
    PageUp,
    First,
    Last,
    Close,
}

pub const TABLE: [KeyLine<TodosAction>; TodosAction::VARIANTS.len()] = {
    use TodosAction as A;
    [
        bind(A::Check, &["space", "enter"], "Check it off, or open it again", "check"),
        bind(A::Add, &["a"], "Add a todo", "add"),
        bind(A::Edit, &["e"], "Edit its words", "edit"),
        bind(A::Remove, &["x", "delete"], "Remove it", "remove"),
        bind(A::PutBack, &["u"], "Put back what was removed last", "put back"),
        bind(
            A::MoveDown,
            &["J", "shift+down"],
            "Move it down, with what is below it",
            "move down",
        ),
        bind(
            A::MoveUp,
            &["K", "shift+up"],
            "Move it up, with what is below it",
            "move up",
        ),
        bind(
            A::TodosFirst,
            &["f"],
            "Hold back done, push and pull request, or not",
            "todos first",
        ),
        bind(A::Down, &["j", "down"], "Todo below", "down"),
        bind(A::Up, &["k", "up"], "Todo above", "up"),
        bind(A::PageDown, &["pagedown"], "A page down", "page down"),
        bind(A::PageUp, &["pageup"], "A page up", "page up"),
        bind(A::First, &["g", "home"], "First todo", "first"),
        bind(A::Last, &["G", "end"], "Last todo", "last"),
        bind(A::Close, &["esc", "left"], "Back to the terminal", "close"),
    ]
};
