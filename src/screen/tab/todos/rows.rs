//! What stands on the rows of the Todos tab, and where.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::domain::todo;
use crate::model::ChatId;
use crate::model::plan::StepState;
use crate::model::text::visible;
use crate::screen::State;
use crate::screen::layout;
use crate::screen::scrollbar::{Extent, ScrollBar};
use crate::screen::view::View;
use crate::screen::wrap::wrap;

/// What stands on a row of the list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TodoRow {
    /// Its place among the todos.
    Todo {
        at: usize,
        text: String,
        done: bool,
        depth: usize,
    },
    Gap,
    /// Whose plan follows, and how far it is.
    Heading(String),
    Step {
        text: String,
        state: StepState,
    },
}

/// A row as it is seen: one that is longer than the list is wide goes on below.
pub struct LaidTodo {
    pub row: TodoRow,
    pub is_further: bool,
}

/// Columns before and behind the words of a todo: a mark, its box, and a space at each side.
const BOX: usize = 6;
/// Columns before the words of a step, and behind them for its state.
const STEP: usize = 17;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TodosAreas {
    /// How many are done, and whether they come first.
    pub heading: Rect,
    pub list: Rect,
}

pub fn areas(view: &View) -> TodosAreas {
    let [heading, list] = Layout::vertical([Constraint::Length(2), Constraint::Min(0)]).areas(layout::above_foot(view));
    TodosAreas { heading, list }
}

/// All rows of the chat that is shown.
pub fn rows(state: &State, view: &View) -> Vec<TodoRow> {
    let Some(chat) = &view.chat else {
        return Vec::new();
    };
    let items = todo::of(&state.domain, chat).map(|todos| todos.items.as_slice());
    let items = items.unwrap_or_default().iter().enumerate();
    let mut rows: Vec<TodoRow> = items
        .map(|(at, item)| TodoRow::Todo {
            at,
            text: item.text.clone(),
            done: item.done,
            depth: item.depth,
        })
        .collect();
    let plan = state
        .domain
        .live
        .looked_at
        .plans
        .get(chat)
        .filter(|plan| !plan.steps.is_empty());
    if let Some(plan) = plan {
        if !rows.is_empty() {
            rows.push(TodoRow::Gap);
        }
        let known = state.domain.disk.chats.get(chat);
        let agent = known.map_or("its agent", |known| state.domain.disk.title_of(&known.record.llm));
        let heading = format!("Plan of {agent} · {} of {} done", plan.done(), plan.steps.len());
        rows.push(TodoRow::Heading(heading));
        rows.extend(plan.steps.iter().map(|step| TodoRow::Step {
            text: step.text.clone(),
            state: step.state,
        }));
    }
    rows
}

/// The same as the tab shows them, each todo and step whole.
pub fn laid(state: &State, view: &View) -> Vec<LaidTodo> {
    let wide = usize::from(areas(view).list.width);
    rows(state, view).iter().flat_map(|row| whole(row, wide)).collect()
}

fn whole(row: &TodoRow, wide: usize) -> Vec<LaidTodo> {
    let (text, beside) = match row {
        TodoRow::Todo { text, depth, .. } => (text, BOX + 2 * depth),
        TodoRow::Step { text, .. } => (text, STEP),
        TodoRow::Gap | TodoRow::Heading(_) => {
            return vec![LaidTodo {
                row: row.clone(),
                is_further: false,
            }];
        }
    };
    let lines = wrap(&visible(text), wide.saturating_sub(beside))
        .into_iter()
        .enumerate();
    let laid = |(line, words): (usize, String)| {
        let mut row = row.clone();
        match &mut row {
            TodoRow::Todo { text, .. } | TodoRow::Step { text, .. } => *text = words,
            TodoRow::Gap | TodoRow::Heading(_) => {}
        }
        LaidTodo {
            row,
            is_further: line > 0,
        }
    };
    lines.map(laid).collect()
}

/// As the tab is named above the pane; the agent's own plan counts where there is no list.
pub fn name(state: &State, chat: &ChatId) -> String {
    let todos = todo::of(&state.domain, chat).filter(|todos| !todos.items.is_empty());
    let plan = state
        .domain
        .live
        .looked_at
        .plans
        .get(chat)
        .filter(|plan| !plan.steps.is_empty());
    match (todos, plan) {
        (Some(todos), _) => format!("Todos {}/{}", todos.done(), todos.items.len()),
        (None, Some(plan)) => format!("Todos {}/{}", plan.done(), plan.steps.len()),
        (None, None) => "Todos".into(),
    }
}

pub fn bar(state: &State, view: &View) -> ScrollBar {
    let list = areas(view).list;
    let extent = Extent::of_rows(list, view.tabs.todos.top, laid(state, view).len());
    ScrollBar::within(list, extent)
}
