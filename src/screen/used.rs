//! The agent CLI of the chat that was made last at a screen: the next one is proposed with it.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::work::{ChatThen, ChatWork};
use crate::model::can_be_default;
use crate::screen::State;

/// Kept with what a screen leaves, for the screens after this one.
pub fn note(state: &mut State, llm: &str) -> Vec<Effect> {
    let disk = &mut state.domain.disk;
    let is_news = can_be_default(llm) && disk.left.llm.as_deref() != Some(llm);
    if !is_news || disk.read_only.is_some() {
        return Vec::new();
    }
    disk.left.llm = Some(llm.into());
    let work = ChatWork::KeepLeft(disk.left.clone());
    chat::work(&mut state.domain, Requester::Nobody, ChatThen::LeftKept, work)
}
