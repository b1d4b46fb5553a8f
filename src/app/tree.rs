//! Chats that belong together: who is below whom, and who may write to whom.

use std::collections::BTreeMap;

use crate::model::entry::From;
use crate::model::{ChatId, Problem};

use super::chat;
use super::state::State;

/// Everything below a chat, deepest last.
pub fn below(state: &State, root: &ChatId) -> Vec<ChatId> {
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

/// Who a prompt to `chat` counts as coming from, where the agent of `sender` sends it. Agents speak within their tree,
/// and never into a shell: what runs there counts as a person's.
pub fn origin(state: &State, sender: Option<&ChatId>, chat: &ChatId) -> Result<From, Problem> {
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

/// What an agent that is sent a prompt is started with: never another agent's own environment, which holds what parlour
/// gave to that one, but the one that its person had.
pub fn environment(state: &State, sender: Option<&ChatId>, env: BTreeMap<String, String>) -> BTreeMap<String, String> {
    match sender {
        Some(sender) => {
            let agent = state.live.agents.get(sender);
            agent.map(|agent| agent.env.clone()).unwrap_or_default()
        }
        None => env,
    }
}

/// The topmost chat above one. Records can be edited by hand, so a circle is possible: it has no top.
fn root<'a>(state: &'a State, chat: &'a ChatId) -> &'a ChatId {
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
