//! "Reviewed up to here": what is newer is shown alone from then on. The same key once more, before anything else is done in
//! the tab, takes the mark back.

use super::data::ChangesView;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::work::{ReviewThen, ReviewWork};
use crate::model::ClientId;
use crate::model::review::DiffSet;
use crate::screen::State;
use crate::screen::keymap::{Action, ChangesAction, SheetAction};
use crate::screen::toast;
use crate::screen::view::Tone;

/// Marks the moment at which the shown comparison ends, or takes back the mark that was just made.
pub fn mark(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let (Some(chat), changes) = (view.chat.clone(), &mut view.changes) else {
        return Vec::new();
    };
    if let Some(number) = changes.marks.take_reviewed() {
        let work = ReviewWork::UnmarkReviewed(chat, number);
        return chat::work(&mut state.domain, Requester::screen(client), ReviewThen::Answer, work);
    }
    if let DiffSet::Commit(_) | DiffSet::With(_) = changes.set {
        let text =
            "What is shown is no moment of this chat: `c` compares something else, which can be marked as reviewed.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    let up_to = end(changes);
    let work = ReviewWork::MarkReviewed { chat, up_to };
    chat::work(&mut state.domain, Requester::screen(client), ReviewThen::Answer, work)
}

/// The checkpoint that is the later side of what is shown; none if that is now.
fn end(changes: &ChangesView) -> Option<u64> {
    match changes.set {
        DiffSet::Turn(turn) => {
            let all = &changes.overview.as_ref()?.checkpoints;
            let later = all.iter().skip_while(|checkpoint| checkpoint.turn != Some(turn));
            // Another turn begins, or a revert ends it.
            let mut ends = later.skip(1).filter(|checkpoint| checkpoint.ends_turn());
            ends.next().map(|checkpoint| checkpoint.number)
        }
        DiffSet::Between(_, to) => Some(to),
        DiffSet::LastPrompt
        | DiffSet::Since(_)
        | DiffSet::Base
        | DiffSet::Uncommitted
        | DiffSet::Commit(_)
        | DiffSet::With(_) => None,
    }
}

/// It is on disk.
pub fn marked(state: &mut State, client: ClientId, number: u64) {
    let key = |action| state.keymap.key(Action::Sheet(SheetAction::Changes(action)));
    let (mark, compare) = (key(ChangesAction::Reviewed), key(ChangesAction::CompareWith));
    let text = format!(
        "Reviewed up to checkpoint {number}: {mark} takes that back. {compare} goes to what is newer, \"since you reviewed\"."
    );
    tell(state, client, text);
    if let Some(view) = state.views.get_mut(&client) {
        view.changes.marks.reviewed(number);
    }
}

pub fn taken_back(state: &mut State, client: ClientId, before: Option<u64>) {
    let text = match before {
        Some(number) => format!("The mark is taken back: reviewed up to checkpoint {number}, as before."),
        None => "The mark is taken back: nothing is marked as reviewed.".into(),
    };
    tell(state, client, text);
}

fn tell(state: &mut State, client: ClientId, text: String) {
    toast::tell(state, client, text, Tone::Told);
    if let Some(view) = state.views.get_mut(&client) {
        view.changes.refresh();
        view.checkpoints.refresh();
    }
}
