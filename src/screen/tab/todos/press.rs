//! Keys and the mouse in the Todos tab.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use super::data::TodosView;
use super::rows::{LaidTodo, TodoRow, areas, laid};
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::todo;
use crate::domain::work::{ChatThen, Read, ReadThen};
use crate::model::plan::AgentPlan;
use crate::model::todo::{Todo, TodoAt, TodoChange};
use crate::model::{ChatId, ClientId};
use crate::screen::State;
use crate::screen::dialog::TodoForm;
use crate::screen::hint::Hint;
use crate::screen::keymap::{Action, PaneSheet, SheetAction, TabAction, TodosAction};
use crate::screen::layout::holds;
use crate::screen::surface::Surface;
use crate::screen::view::{Focus, Mode, Tab, Tone, View};
use crate::screen::way::PageTurn;
use crate::screen::{dialogs, going, toast};

/// Rows a notch of the wheel scrolls.
const NOTCH: isize = 3;

pub fn run(state: &mut State, client: ClientId, action: TodosAction) -> Vec<Effect> {
    going::with_chat(state, client, |state, client, chat| {
        on_chat(state, client, &chat, action)
    })
}

fn on_chat(state: &mut State, client: ClientId, chat: &ChatId, action: TodosAction) -> Vec<Effect> {
    use TodosAction as A;
    match action {
        A::Check => {
            return on_selected(state, client, chat, |at, item| match item.done {
                true => Some(TodoChange::Uncheck { at }),
                false => Some(TodoChange::Check { at }),
            });
        }
        A::Remove => return remove(state, client, chat),
        A::PutBack => return put_back(state, client, chat),
        A::MoveDown => return shift(state, client, chat, 1),
        A::MoveUp => return shift(state, client, chat, -1),
        A::Add => {
            let form = TodoForm::add(&state.domain, chat);
            return dialogs::open(state, client, form);
        }
        A::Edit => {
            if let Some((at, item)) = selected(state, client, chat) {
                let form = TodoForm::edit(&state.domain, chat, (at, &item));
                return dialogs::open(state, client, form);
            }
        }
        A::TodosFirst => {
            let known = state.domain.disk.chats.get(chat);
            let first = known.is_some_and(|known| known.record.set.todos_first);
            let requester = Requester::screen(client);
            let wanted = (Vec::new(), Some(!first));
            return todo::change(
                &mut state.domain,
                chat.clone(),
                wanted,
                ChatThen::AnswerTodos,
                requester,
            );
        }
        A::Down => step(state, client, 1),
        A::Up => step(state, client, -1),
        A::PageDown => page(state, client, PageTurn::Down),
        A::PageUp => page(state, client, PageTurn::Up),
        A::First => step(state, client, isize::MIN / 2),
        A::Last => step(state, client, isize::MAX / 2),
        A::Close => {
            if let Some(view) = state.views.get_mut(&client) {
                view.show(Tab::Terminal);
            }
        }
    }
    Vec::new()
}

/// Whether there is something to work on, and else why not.
pub fn is_possible(view: &View, _: TodosAction) -> (bool, &'static str) {
    (view.sheet() == Some(PaneSheet::Todos), "the todos are not shown")
}

/// The keys that matter now.
pub fn hints(state: &State, view: &View) -> Vec<Hint> {
    use TodosAction as A;
    let surface = Surface::Sheet(PaneSheet::Todos);
    let act = |action| Action::Sheet(SheetAction::Todos(action));
    let key = |action, words| state.keymap.hint(surface, &[act(action)], words);
    let chat = view.chat.as_ref().and_then(|chat| state.domain.disk.chats.get(chat));
    let close = state
        .keymap
        .hint(surface, &[act(A::Close), TabAction::CloseTab.into()], "close")
        .way_out();
    let put_back = Some(key(A::PutBack, "put back")).filter(|_| !view.tabs.todos.removed.is_empty());
    if chat.is_none_or(|chat| chat.todos.items.is_empty()) {
        return [Some(key(A::Add, "add")), put_back, Some(close)]
            .into_iter()
            .flatten()
            .collect();
    }
    let first = match chat.is_some_and(|chat| chat.record.set.todos_first) {
        true => "hold nothing back",
        false => "todos first",
    };
    let moves = [A::MoveDown, A::MoveUp].map(act);
    let acts = vec![
        key(A::Check, "check"),
        key(A::Add, "add"),
        key(A::Edit, "edit"),
        key(A::Remove, "remove"),
    ];
    let others = [
        state.keymap.hint(surface, &moves, "move"),
        key(A::TodosFirst, first),
        close,
    ];
    acts.into_iter().chain(put_back).chain(others).collect()
}

/// The selected todo, as it is meant when it is changed.
fn selected(state: &State, client: ClientId, chat: &ChatId) -> Option<(TodoAt, Todo)> {
    let at = state.views.get(&client)?.tabs.todos.selected;
    let item = todo::of(&state.domain, chat)?.items.get(at)?.clone();
    let text = Some(item.text.clone());
    Some((TodoAt { number: at + 1, text }, item))
}

fn on_selected(
    state: &mut State,
    client: ClientId,
    chat: &ChatId,
    change: impl FnOnce(TodoAt, Todo) -> Option<TodoChange>,
) -> Vec<Effect> {
    let change = selected(state, client, chat).and_then(|(at, item)| change(at, item));
    let changes: Vec<TodoChange> = change.into_iter().collect();
    if changes.is_empty() {
        return Vec::new();
    }
    let requester = Requester::screen(client);
    todo::change(
        &mut state.domain,
        chat.clone(),
        (changes, None),
        ChatThen::AnswerTodos,
        requester,
    )
}

fn remove(state: &mut State, client: ClientId, chat: &ChatId) -> Vec<Effect> {
    if let (Some((at, item)), Some(view)) = (selected(state, client, chat), state.views.get_mut(&client)) {
        view.tabs.todos.removed.push((at.number, item));
    }
    on_selected(state, client, chat, |at, _| Some(TodoChange::Remove { at }))
}

/// What this person removed last here. The key brings a deleted chat back elsewhere, and never here.
fn put_back(state: &mut State, client: ClientId, chat: &ChatId) -> Vec<Effect> {
    let view = state.views.get_mut(&client);
    let Some((number, item)) = view.and_then(|view| view.tabs.todos.removed.pop()) else {
        toast::tell(state, client, "Nothing was removed here.", Tone::Told);
        return Vec::new();
    };
    let change = TodoChange::PutBack { number, item };
    let requester = Requester::screen(client);
    todo::change(
        &mut state.domain,
        chat.clone(),
        (vec![change], None),
        ChatThen::AnswerTodos,
        requester,
    )
}

/// Past the next one that is indented as far, in its place among those that are indented below the same one.
fn shift(state: &mut State, client: ClientId, chat: &ChatId, by: isize) -> Vec<Effect> {
    let Some(items) = todo::of(&state.domain, chat).map(|todos| &todos.items) else {
        return Vec::new();
    };
    let Some(at) = state.views.get(&client).map(|view| view.tabs.todos.selected) else {
        return Vec::new();
    };
    let Some(depth) = items.get(at).map(|item| item.depth) else {
        return Vec::new();
    };
    let block = |from: usize| 1 + items[from + 1..].iter().take_while(|item| item.depth > depth).count();
    let (moved, target) = match by {
        ..0 => {
            let above = items[..at].iter().rposition(|item| item.depth <= depth);
            let Some(above) = above.filter(|above| items[*above].depth == depth) else {
                return Vec::new();
            };
            (at, above)
        }
        0.. => {
            let below = at + block(at);
            if items.get(below).is_none_or(|item| item.depth != depth) {
                return Vec::new();
            }
            // The one below goes up past it.
            (below, at)
        }
    };
    let text = Some(items[moved].text.clone());
    let wanted = TodoChange::Move {
        at: TodoAt {
            number: moved + 1,
            text,
        },
        to: target + 1,
    };
    let requester = Requester::screen(client);
    todo::change(
        &mut state.domain,
        chat.clone(),
        (vec![wanted], None),
        ChatThen::AnswerTodos,
        requester,
    )
}

fn step(state: &mut State, client: ClientId, by: isize) {
    if let Some(view) = state.views.get_mut(&client) {
        view.tabs.todos.selected = view.tabs.todos.selected.saturating_add_signed(by);
    }
    keep_possible(state, client, true);
}

/// A page up or down, or half of one.
pub fn page(state: &mut State, client: ClientId, turn: PageTurn) {
    let height = state.views.get(&client).map_or(0, |view| areas(view).list.height);
    // A row or two stay, to read on from.
    step(state, client, turn.rows(height, 2));
}

/// A click selects, one on the selected todo checks it; the wheel scrolls.
pub fn mouse(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let list = areas(view).list;
    match event.kind {
        MouseEventKind::ScrollUp => view.tabs.todos.top = view.tabs.todos.top.saturating_add_signed(-NOTCH),
        MouseEventKind::ScrollDown => view.tabs.todos.top = view.tabs.todos.top.saturating_add_signed(NOTCH),
        MouseEventKind::Down(MouseButton::Left) if holds(list, event.column, event.row) => {
            (view.mode, view.focus) = (Mode::Outside, Focus::Pane);
            let clicked = view.tabs.todos.top + usize::from(event.row - list.y);
            let before = view.tabs.todos.selected;
            if let Some(TodoRow::Todo { at, .. }) = state
                .views
                .get(&client)
                .and_then(|view| laid(state, view).into_iter().nth(clicked))
                .map(|laid| laid.row)
            {
                if at == before {
                    return run(state, client, TodosAction::Check);
                }
                if let Some(view) = state.views.get_mut(&client) {
                    view.tabs.todos.selected = at;
                }
            }
        }
        _ => {}
    }
    keep_possible(state, client, false);
    Vec::new()
}

/// After each event: what is selected is there, and the plan of the agent is asked for once.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let shown = state
        .views
        .get_mut(&client)
        .filter(|view| view.sheet() == Some(PaneSheet::Todos));
    let Some((view, chat)) = shown.and_then(|view| view.chat.clone().map(|chat| (view, chat))) else {
        return Vec::new();
    };
    if view.tabs.todos.of.as_ref() != Some(&chat) {
        view.tabs.todos = TodosView {
            of: Some(chat.clone()),
            ..TodosView::default()
        };
    }
    keep_selected(state, client, &chat);
    look_up_plan(state, chat)
}

/// The todo that was selected last stays so, wherever it stands by now: others come and go above it.
fn keep_selected(state: &mut State, client: ClientId, chat: &ChatId) {
    let items = todo::of(&state.domain, chat).map_or(&[][..], |todos| todos.items.as_slice());
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let todos = &mut view.tabs.todos;
    let before = todos.selected;
    if let Some((_, text)) = todos.kept.take().filter(|(at, _)| *at == before) {
        let same = items.iter().enumerate().filter(|(_, item)| item.text == text);
        let nearest = same.map(|(at, _)| at).min_by_key(|at| at.abs_diff(before));
        todos.selected = nearest.unwrap_or(before);
    }
    let has_moved = todos.selected != before;
    keep_possible(state, client, has_moved);
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let todos = &mut view.tabs.todos;
    let text = todo::of(&state.domain, chat).and_then(|list| list.items.get(todos.selected));
    todos.kept = text.map(|item| (todos.selected, item.text.clone()));
}

/// Has the plan of an agent read, once.
pub fn look_up_plan(state: &mut State, chat: ChatId) -> Vec<Effect> {
    let plans = &mut state.domain.live.looked_at.plans;
    if plans.contains_key(&chat) {
        return Vec::new();
    }
    plans.insert(chat.clone(), AgentPlan::default());
    chat::work(&mut state.domain, Requester::Nobody, ReadThen::Plan, Read::Tail(chat))
}

/// A todo is selected that is there, and no row is scrolled away that there is room for.
fn keep_possible(state: &mut State, client: ClientId, reveal: bool) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let all = laid(state, view);
    let of = |laid: &LaidTodo| match laid.row {
        TodoRow::Todo { at, .. } => Some(at),
        TodoRow::Gap | TodoRow::Heading(_) | TodoRow::Step { .. } => None,
    };
    let todos = all.iter().filter_map(of).max().map_or(0, |last| last + 1);
    let height = usize::from(areas(view).list.height);
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let todo_view = &mut view.tabs.todos;
    todo_view.selected = todo_view.selected.min(todos.saturating_sub(1));
    if reveal {
        let is_selected = |laid: &LaidTodo| of(laid) == Some(todo_view.selected);
        let first = all.iter().position(is_selected).unwrap_or(0);
        let last = all.iter().rposition(is_selected).unwrap_or(0);
        // Behind the last todo stands the agent's plan, which is seen where there is room.
        todo_view.top = todo_view.top.max((last + 1).saturating_sub(height)).min(first);
    }
    todo_view.top = todo_view.top.min(all.len().saturating_sub(height));
}
