//! What a person opened in place is read alone: keys that would change it, or need its past, say why they do nothing.

use super::data::ChangesView;
use crate::model::in_place;
use crate::model::{ClientId, review::Changes as Compared};
use crate::screen::State;
use crate::screen::toast;
use crate::screen::view::Tone;

/// Nothing but places is compared.
pub fn is_all(changes: &ChangesView) -> bool {
    changes
        .overview
        .as_ref()
        .is_some_and(|overview| are_all(&overview.changes))
}

pub(super) fn are_all(compared: &[Compared]) -> bool {
    !compared.is_empty() && compared.iter().all(|compared| compared.in_place)
}

/// The place that the selected row is in.
pub fn selected(changes: &ChangesView) -> Option<&Compared> {
    let key = changes.tree.selected.as_ref()?;
    let mut all = changes.overview.iter().flat_map(|overview| &overview.changes);
    all.find(|compared| compared.in_place && compared.project == key.project)
}

/// Tells why nothing is done, if all that is compared is in place.
pub(super) fn refuses_all(state: &mut State, client: ClientId) -> bool {
    let first = |changes: &ChangesView| {
        let overview = changes.overview.as_ref().filter(|_| is_all(changes))?;
        Some(sentence(&overview.changes.first()?.project))
    };
    refuses(state, client, first)
}

fn sentence(project: &str) -> String {
    in_place::why_not(project) + "."
}

/// The same, if what is selected is.
pub(super) fn refuses_selected(state: &mut State, client: ClientId) -> bool {
    refuses(state, client, |changes| Some(sentence(&selected(changes)?.project)))
}

/// The same of what needs earlier moments than the last commit.
pub(super) fn refuses_other_moments(state: &mut State, client: ClientId) -> bool {
    let why_not = format!("{}.", in_place::ONE_COMPARISON);
    refuses(state, client, |changes| is_all(changes).then_some(why_not))
}

/// The same of the selected file.
pub(super) fn refuses_origin(state: &mut State, client: ClientId) -> bool {
    let why_not = format!("{}.", in_place::ONE_COMPARISON);
    refuses(state, client, |changes| selected(changes).map(|_| why_not))
}

fn refuses(state: &mut State, client: ClientId, why_not: impl FnOnce(&ChangesView) -> Option<String>) -> bool {
    let told = state.views.get(&client).and_then(|view| why_not(&view.changes));
    let is_told = told.is_some();
    if let Some(text) = told {
        toast::tell(state, client, text, Tone::Told);
    }
    is_told
}
