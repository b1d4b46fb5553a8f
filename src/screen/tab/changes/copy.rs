//! Copies what differs as a patch, for somebody to apply elsewhere.

use super::data::ChangesPart;
use super::{ask, meant};
use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::model::detail::DetailWork;
use crate::model::pick::PickedPart;
use crate::screen::State;
use crate::screen::toast;
use crate::screen::view::{Tone, View};

/// The chosen lines or the hunk under the cursor; the whole file where there is none.
pub fn hunk(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let parts = match view.changes.part {
        ChangesPart::Lines => under_cursor(view),
        ChangesPart::Files => Vec::new(),
    };
    copy(state, client, parts)
}

pub fn file(state: &mut State, client: ClientId) -> Vec<Effect> {
    copy(state, client, Vec::new())
}

fn under_cursor(view: &View) -> Vec<PickedPart> {
    let Some(file) = &view.changes.file else {
        return Vec::new();
    };
    let (rows, are_chosen) = meant::meant(view);
    meant::parts(file, &rows, are_chosen)
}

fn copy(state: &mut State, client: ClientId, parts: Vec<PickedPart>) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let (Some(file), Some(chat)) = (view.changes.wanted_file(), view.chat.clone()) else {
        toast::tell(state, client, "No file is selected.", Tone::Told);
        return Vec::new();
    };
    ask::detail(state, client, &chat, DetailWork::Patch(file, parts))
}

/// The patch goes to the person's terminal.
pub fn arrived(state: &mut State, client: ClientId, text: String) -> Vec<Effect> {
    let hunks = text.lines().filter(|line| line.starts_with("@@ ")).count();
    let lines = text.lines().count();
    let what = match hunks {
        0 => "a patch without lines".to_string(),
        1 => "a patch of 1 hunk".to_string(),
        many => format!("a patch of {many} hunks"),
    };
    toast::tell(
        state,
        client,
        format!("Copied {what}, {lines} lines: `git apply` takes it."),
        Tone::Told,
    );
    vec![Effect::Clipboard(client, text)]
}
