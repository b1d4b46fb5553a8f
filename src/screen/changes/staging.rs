//! What is done with chosen lines: they are staged, unstaged, discarded, or taken from another chat.

use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::model::pick::PickAct;
use crate::model::review::DiffSet;
use crate::screen::State;

use super::super::dialog::{Discard, Discarded};
use super::super::view::Tone;
use super::super::{dialogs, toast};
use super::{discarded, meant, timeline, work};

pub fn stage(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    if let DiffSet::With(_) = view.changes.set {
        return done_with(state, client, PickAct::Take);
    }
    if view.changes.set != DiffSet::Uncommitted {
        view.changes.compare(DiffSet::Uncommitted);
        let text = "Compared with the last commit now: what is chosen there can be staged.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    let act = match meant::is_staged(view) {
        true => PickAct::Unstage,
        false => PickAct::Stage,
    };
    done_with(state, client, act)
}

/// Does this with what is chosen.
fn done_with(state: &mut State, client: ClientId, act: PickAct) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let picks = meant::picks(view);
    let Some(chat) = view.changes.of.clone().filter(|_| !picks.is_empty()) else {
        toast::tell(state, client, "No changed line is chosen.", Tone::Told);
        return Vec::new();
    };
    let requester = state.requester(client);
    let pick = |pick| work::pick(&mut state.domain, chat.clone(), (act, pick), requester);
    picks.into_iter().flat_map(pick).collect()
}

pub fn discard(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    if let DiffSet::With(_) = view.changes.set {
        let text = "What is shown is another chat's: `c` compares something of this one, which can be discarded.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    }
    let picks = meant::picks(view);
    let Some(chat) = view.changes.of.clone().filter(|_| !picks.is_empty()) else {
        toast::tell(state, client, "No changed line is chosen.", Tone::Told);
        return Vec::new();
    };
    let what = Discarded {
        heading: discarded::heading(&picks),
        lines: discarded::lines(&view.changes, &picks),
        when: timeline::before(&view.changes),
        picks,
    };
    let question = Discard::new(&state.domain, &chat, what);
    dialogs::open(state, client, question)
}
