//! Whether the chat that is shown has clones, or other repositories that can be compared.

use crate::model::chat::Project;
use crate::model::{Chat, Kind};
use crate::screen::State;

use super::view::View;

/// There are clones in which something can change.
pub fn has_clones(state: &State, view: &View) -> bool {
    let is_clone = |chat: &Chat| chat.record.dirs.iter().any(|dir| dir.kind == Kind::Git);
    shown(state, view).is_some_and(is_clone)
}

/// There are clones, or a person opened a repository in place.
pub fn has_repositories(state: &State, view: &View) -> bool {
    // Of what is no repository neither is known.
    let is_repository = |project: &Project| project.branch.is_some() || project.commit.is_some();
    let in_place = |chat: &Chat| chat.projects.iter().any(is_repository);
    has_clones(state, view) || shown(state, view).is_some_and(in_place)
}

fn shown<'s>(state: &'s State, view: &View) -> Option<&'s Chat> {
    view.chat.as_ref().and_then(|chat| state.domain.disk.chats.get(chat))
}
