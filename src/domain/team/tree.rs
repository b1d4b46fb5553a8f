//! Chats that belong together: who is below whom, and who may write to whom.

use std::collections::BTreeMap;

use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::entry::From;
use crate::model::{Chat, ChatId, Handle, Problem, ScheduleId};

/// The chats right below one, oldest first.
pub fn children<'s>(state: &'s Domain, chat: &ChatId) -> impl Iterator<Item = &'s ChatId> {
    let is_child = |known: &&Chat| known.record.parent.as_ref() == Some(chat);
    let mut found: Vec<&Chat> = state.disk.chats.values().filter(is_child).collect();
    found.sort_by_key(|child| child.record.created);
    found.into_iter().map(Chat::id)
}

/// The chat right above one.
pub fn parent(state: &Domain, chat: &ChatId, doing: &str) -> Result<ChatId, Problem> {
    let known = state.disk.chats.get(chat);
    let parent = known.and_then(|known| known.record.parent.clone());
    let there = parent.filter(|parent| state.disk.chats.contains_key(parent));
    there.ok_or_else(|| {
        Problem::missing(
            doing,
            "this chat has no parent",
            "a person started it, or its parent is gone",
        )
    })
}

/// How many chats are above one.
pub fn depth(state: &Domain, chat: &ChatId) -> usize {
    let mut above = chat;
    for depth in 0..=state.disk.chats.len() {
        let parent = state.disk.chats.get(above).and_then(|chat| chat.record.parent.as_ref());
        match parent.filter(|parent| state.disk.chats.contains_key(parent)) {
            Some(parent) => above = parent,
            None => return depth,
        }
    }
    // A circle, which only hands can make: nothing may grow on it.
    usize::MAX - 1
}

/// Everything below a chat, deepest last.
pub fn below(state: &Domain, root: &ChatId) -> Vec<ChatId> {
    let mut found = vec![root.clone()];
    let mut next = 0;
    while let Some(parent) = found.get(next).cloned() {
        let children = state
            .disk
            .chats
            .values()
            .filter(|c| c.record.parent.as_ref() == Some(&parent));
        found.extend(
            children
                .map(|c| c.id().clone())
                .filter(|c| !found.contains(c))
                .collect::<Vec<_>>(),
        );
        next += 1;
    }
    found.split_off(1)
}

/// The tree whose schedules a chat shares. A run is of its schedule's tree, or, where a person made that, of a tree with
/// its other runs.
pub fn of_schedules(state: &Domain, chat: &ChatId) -> String {
    let root = root(state, chat);
    let Some(schedule) = state.disk.chats.get(root).and_then(schedule_of) else {
        return root.to_string();
    };
    let made_by = match state.disk.schedules.get(&schedule) {
        Some(Ok(schedule)) => schedule.tree.clone(),
        Some(Err(_)) | None => None,
    };
    made_by.unwrap_or_else(|| schedule.to_string())
}

/// The runs of the schedules that a chat shares.
pub fn runs(state: &Domain, chat: &ChatId) -> Vec<ChatId> {
    let tree = of_schedules(state, chat);
    let is_shared = |id: &ScheduleId| match state.disk.schedules.get(id) {
        Some(Ok(schedule)) => schedule.tree.as_ref() == Some(&tree),
        Some(Err(_)) | None => false,
    };
    let runs = state.disk.chats.values();
    let runs = runs.filter(|run| schedule_of(run).as_ref().is_some_and(is_shared));
    runs.map(|run| run.id().clone()).collect()
}

fn schedule_of(run: &Chat) -> Option<ScheduleId> {
    run.record.schedule.as_deref().and_then(ScheduleId::parse)
}

/// Every chat of a tree, with the handles that it answers to.
pub fn members(state: &Domain, root: &ChatId) -> BTreeMap<ChatId, Vec<Handle>> {
    let chats = std::iter::once(root.clone()).chain(below(state, root));
    let named = chats.filter_map(|id| {
        let chat = state.disk.chats.get(&id)?;
        Some((id, chat.record.handles().cloned().collect()))
    });
    named.collect()
}

/// Who a prompt to `chat` counts as coming from, where the agent of `sender` sends it. Agents speak within their tree,
/// and never into a shell: what runs there counts as a person's.
pub fn origin(state: &Domain, sender: Option<&ChatId>, chat: &ChatId) -> Result<From, Problem> {
    let Some(sender) = sender else {
        return Ok(From::Person);
    };
    let doing = format!("sending a prompt to {}", chat::handle(state, chat));
    let hint = "an agent may write to its parent, its children, and what else is in their tree";
    if root(state, sender) != root(state, chat) {
        let cause = format!(
            "the agent of {} sends it, and that is another tree",
            chat::handle(state, sender)
        );
        return Err(Problem::new(doing, cause, hint));
    }
    let known = state.disk.chats.get(chat);
    if known.is_some_and(|chat| chat.record.llm == "shell") {
        let cause = "an agent sends it, and a shell takes its commands from a person";
        return Err(Problem::new(doing, cause, "run the command yourself"));
    }
    let parent = known.and_then(|chat| chat.record.parent.as_ref());
    Ok(match parent == Some(sender) {
        true => From::Parent,
        false => From::Inbox,
    })
}

/// What is started on an agent's word runs in: never that agent's own environment, which holds what parlour gave to
/// that one and what it made up, but the one that its person had.
pub fn environment(state: &Domain, by: &ChatId) -> BTreeMap<String, String> {
    let agent = state.live.agents.get(by);
    agent.map(|agent| agent.env.clone()).unwrap_or_default()
}

/// An agent wants a shell. Whatever runs in one counts as a person's.
pub fn no_shell(doing: &str) -> Problem {
    let cause = "an agent asks for it, and a shell takes its commands from a person";
    Problem::new(doing, cause, "run the command yourself, or name an agent")
}

/// The topmost chat above one. Records can be edited by hand, so a circle is possible: it has no top.
pub fn root<'a>(state: &'a Domain, chat: &'a ChatId) -> &'a ChatId {
    let mut top = chat;
    for _ in 0..state.disk.chats.len() {
        let parent = state.disk.chats.get(top).and_then(|chat| chat.record.parent.as_ref());
        match parent.filter(|parent| state.disk.chats.contains_key(parent)) {
            Some(parent) => top = parent,
            None => return top,
        }
    }
    chat
}
