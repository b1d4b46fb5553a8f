//! The todos of a chat: its checklist, which its agent and people change, and the plan that its agent keeps by a tool of
//! its CLI's own, which is only shown.

use serde_json::{Value, json};

use super::chat;
use super::effect::Effect;
use super::state::{Domain, Requester};
use super::work::{ChatThen, ChatWork};
use crate::model::plan::{AgentPlan, StepState};
use crate::model::todo::{Todo, TodoChange, Todos};
use crate::model::tool::TodoCall;
use crate::model::{ChatId, Entry, Problem};

/// A person or an agent reads the list, after these changes if there are any, and says whether todos come first.
pub fn change(
    state: &mut Domain,
    chat: ChatId,
    (changes, first): (Vec<TodoChange>, Option<bool>),
    then: ChatThen,
    requester: Requester,
) -> Vec<Effect> {
    if changes.is_empty() && first.is_none() {
        let answer = json(state, &chat);
        return super::reply::answer(state, requester, Ok(answer));
    }
    chat::work(state, requester, then, ChatWork::Todos { chat, changes, first })
}

/// An agent's own list.
pub fn tool(state: &mut Domain, chat: &ChatId, asked: TodoCall, requester: Requester) -> Vec<Effect> {
    let changes = match asked {
        TodoCall::List => Vec::new(),
        TodoCall::Update(update) => update.changes(),
    };
    change(state, chat.clone(), (changes, None), ChatThen::AnswerTodos, requester)
}

pub fn of<'s>(state: &'s Domain, chat: &ChatId) -> Option<&'s Todos> {
    state.disk.chats.get(chat).map(|known| &known.todos)
}

/// Why something is not done while todos are open that come first.
pub fn refusal(state: &Domain, chat: &ChatId, doing: &str) -> Option<Problem> {
    let known = state.disk.chats.get(chat)?;
    let open = known.todos.open_in_words().filter(|_| known.record.set.todos_first)?;
    let hint = "check them off in todos.md once they are done, or a person says --despite-todos";
    Some(Problem::busy(doing, open, hint))
}

/// The list of a chat as it is put before its agent.
pub fn as_prompt(state: &Domain, chat: &ChatId) -> String {
    of(state, chat).map(Todos::as_prompt).unwrap_or_default()
}

/// Something is in the transcript that may belong to the plan of its agent.
pub fn appended(state: &mut Domain, chat: &ChatId, entries: &[Entry]) {
    // What came before it was read is read with the rest.
    if let Some(plan) = state.live.looked_at.plans.get_mut(chat) {
        entries.iter().for_each(|entry| plan.take(&entry.what));
    }
}

/// The end of a transcript was read, for the plan in it.
pub fn read(state: &mut Domain, chat: ChatId, entries: &[Entry]) {
    let mut plan = AgentPlan::default();
    entries.iter().for_each(|entry| plan.take(&entry.what));
    state.live.looked_at.plans.insert(chat, plan);
}

/// As the shell and agents read it.
pub fn json(state: &Domain, chat: &ChatId) -> Value {
    let none = Todos::default();
    let todos = of(state, chat).unwrap_or(&none);
    let item = |(at, item): (usize, &Todo)| json!({"number": at + 1, "text": item.text, "done": item.done, "depth": item.depth});
    let items: Vec<Value> = todos.items.iter().enumerate().map(item).collect();
    let first = state
        .disk
        .chats
        .get(chat)
        .is_some_and(|known| known.record.set.todos_first);
    json!({
        "todos": items,
        "done": todos.done(),
        "text": numbered(todos),
        "first": first,
        "problem": todos.problem,
    })
}

/// A line for each, as agents read it.
fn numbered(todos: &Todos) -> String {
    let line = |(at, item): (usize, &Todo)| {
        let mark = if item.done { 'x' } else { ' ' };
        format!("{}. {}[{mark}] {}\n", at + 1, "  ".repeat(item.depth), item.text)
    };
    let lines: String = todos.items.iter().enumerate().map(line).collect();
    match (&todos.problem, lines.is_empty()) {
        (Some(problem), _) => format!("{lines}todos.md: {problem}\n"),
        (None, true) => "none\n".into(),
        (None, false) => lines,
    }
}

/// A step of an agent's own plan, in a word.
pub fn state_word(state: StepState) -> &'static str {
    match state {
        StepState::Pending => "to do",
        StepState::InProgress => "in progress",
        StepState::Done => "done",
        StepState::Dropped => "dropped",
    }
}
