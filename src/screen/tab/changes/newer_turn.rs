//! A turn that begins while a person is in the lines of the one before it: what they read stays, and they are told.

use super::data::{ChangesPart, ChangesView};
use super::timeline;
use crate::model::review::{DiffSet, Overview};
use crate::screen::view::View;

/// If `overview` came by itself and begins with another turn than the one that is read, that one is compared from now on,
/// and nothing else is shown. Says whether it is so.
pub(super) fn keeps_place(view: &mut View, overview: &Overview) -> bool {
    let is_reading = is_reading(view);
    let changes = &mut view.changes;
    let last = timeline::last_turn(&overview.checkpoints);
    let newest = |overview: &Overview| {
        overview
            .checkpoints
            .iter()
            .filter_map(|checkpoint| checkpoint.turn)
            .max()
    };
    let comes_back = std::mem::take(&mut changes.newer.comes_back);
    let is_news = changes.overview.as_ref().is_some_and(|before| last > newest(before));
    if comes_back && is_news && matches!(changes.set, DiffSet::Turn(_)) {
        (changes.turn, changes.part) = (None, ChangesPart::Files);
        changes.compare(DiffSet::LastPrompt);
        return true;
    }
    if comes_back && is_news {
        // Whatever is compared, the newest one is chosen.
        changes.turn = None;
    }
    if changes.newer.keeps {
        // One that was taken back is not new.
        changes.newer.turn = last.filter(|last| changes.turn.is_none_or(|read| *last > read));
        return false;
    }
    let Some(before) = changes.overview.as_ref().filter(|before| differs(before)) else {
        return false;
    };
    let (Some(read), true) = (timeline::last_turn(&before.checkpoints), last > newest(before)) else {
        return false;
    };
    if changes.set != DiffSet::LastPrompt || !is_reading {
        return false;
    }
    changes.compare(DiffSet::Turn(read));
    changes.turn = Some(read);
    (changes.newer.turn, changes.newer.keeps) = (last, true);
    true
}

/// There are lines to read.
fn differs(overview: &Overview) -> bool {
    overview.changes.iter().any(|clone| !clone.files.is_empty())
}

/// A person has gone into what is compared, and did not just ask for it.
fn is_reading(view: &View) -> bool {
    let ChangesView {
        newer,
        goal,
        part,
        search,
        ..
    } = &view.changes;
    let is_in = *part == ChangesPart::Lines || search.is_on() || newer.has_sent || view.over.dialog.is_some();
    is_in && newer.is_shown && goal.is_none()
}
