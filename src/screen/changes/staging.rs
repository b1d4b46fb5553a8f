//! What is done with chosen lines: they are staged, unstaged and discarded.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::domain::work::{ReviewThen, ReviewWork};
use crate::model::ClientId;
use crate::model::pick::{Pick, PickAct};
use crate::model::review::DiffSet;
use crate::screen::State;

use super::super::dialog::{Dialog, Discard};
use super::super::toast;
use super::super::view::Tone;
use super::meant;

pub fn stage(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
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
    let picks = meant::picks(view);
    if picks.is_empty() {
        toast::tell(state, client, "No changed line is chosen.", Tone::Told);
        return Vec::new();
    }
    let mut effects = Vec::new();
    for pick in picks {
        effects.extend(carry_out(state, client, act, pick));
    }
    effects
}

/// Does this with what is chosen, as the person at this screen asks for.
pub fn carry_out(state: &mut State, client: ClientId, act: PickAct, pick: Pick) -> Vec<Effect> {
    let Some(chat) = state.views.get(&client).and_then(|view| view.changes.of.clone()) else {
        return Vec::new();
    };
    let then = ReviewThen::Marked(chat.clone());
    let work = ReviewWork::Pick(chat, act, pick);
    chat::work(&mut state.domain, Requester::screen(client), then, work)
}

pub fn discard(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let picks = meant::picks(view);
    let Some(chat) = view.changes.of.clone().filter(|_| !picks.is_empty()) else {
        return toast::tell(state, client, "No changed line is chosen.", Tone::Told);
    };
    let lines: usize = picks
        .iter()
        .map(|pick| pick.parts.iter().filter(|part| part.lines.is_some()).count())
        .sum();
    let question = Discard::new(state, chat, picks, lines);
    if let Some(view) = state.views.get_mut(&client) {
        view.dialog = Some(Dialog::Discard(Box::new(question)));
    }
}
