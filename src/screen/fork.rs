//! A chat made of an earlier moment of another one: the moment that a person looks at.

use crate::domain::duplicate;
use crate::domain::effect::Effect;
use crate::domain::state::Requester;
use crate::model::review::Point;
use crate::model::{ChatId, ClientId};

use super::changes::timeline;
use super::keymap::PaneSheet;
use super::state::State;
use super::view::{Tone, View};
use super::{inspector, toast};

/// The selected prompt among the cards, else the chosen turn in Changes, else the selected checkpoint.
pub fn moment(state: &State, view: &View) -> Option<Point> {
    if let Some(prompt) = inspector::chosen_prompt(state, view) {
        return Some(Point::Prompt(prompt));
    }
    match view.sheet()? {
        PaneSheet::Changes => timeline::chosen(&view.changes).map(Point::Turn),
        PaneSheet::Checkpoints => view.checkpoints.selected.map(Point::Checkpoint),
        PaneSheet::Work => None,
    }
}

pub fn fork(state: &mut State, client: ClientId, chat: &ChatId) -> Vec<Effect> {
    let found = state.views.get(&client).and_then(|view| {
        let at = moment(state, view)?;
        Some((at, view.env.clone()))
    });
    let Some((at, env)) = found else {
        let text = "Choose a turn in Changes, a checkpoint, or a prompt among the cards to fork from.";
        toast::tell(state, client, text, Tone::Told);
        return Vec::new();
    };
    let requester = Requester::screen(client);
    duplicate::begin(&mut state.domain, (chat, Some(at)), None, env, requester)
}
