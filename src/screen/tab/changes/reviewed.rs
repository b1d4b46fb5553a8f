//! "Reviewed up to here": what is newer is shown alone from then on.

use super::data::ChangesView;
use super::timeline;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::work::{ReviewThen, ReviewWork};
use crate::model::ClientId;
use crate::model::review::DiffSet;
use crate::screen::State;
use crate::screen::toast;
use crate::screen::view::Tone;

/// Marks the moment at which the shown comparison ends.
pub fn mark(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let (Some(chat), changes) = (view.chat.clone(), &view.changes) else {
        return Vec::new();
    };
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
            let next = timeline::marks(changes).into_iter().find(|mark| mark.turn == turn + 1);
            next.map(|mark| mark.number)
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
    let text = format!("Reviewed up to checkpoint {number}. `c` goes to what is newer, \"since you reviewed\".");
    toast::tell(state, client, text, Tone::Told);
    if let Some(view) = state.views.get_mut(&client) {
        view.changes.refresh();
        view.checkpoints.refresh();
    }
}
