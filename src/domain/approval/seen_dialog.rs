//! Several dialogs of a CLI stand in line, and a person answers one of them in the terminal. No hook tells of that before
//! its command has ended, or all of them have; but the next dialog takes its place.

use crate::domain::agent::state::Agent;
use crate::model::{Asks, Timestamp};

use super::dialog;
use super::question::SeenDialog;

/// The agent's terminal has just shown something.
pub(super) fn look(agent: &mut Agent, now: Timestamp) {
    if agent.turn.unsettled().nth(1).is_none() {
        return;
    }
    let asks = agent.capabilities.as_ref().map(|capabilities| &capabilities.asks);
    let (Some(screen), Some(Asks::Keys { begins, shows, .. })) = (&agent.screen, asks) else {
        return;
    };
    let Some(shown) = dialog::asked(&screen.text(), (begins, *shows), agent.turn.unsettled()) else {
        return;
    };
    let shown = shown.id.clone();
    let mut is_one_gone = false;
    for question in agent.turn.asking_mut() {
        match (question.id == shown, question.dialog) {
            (true, SeenDialog::Unseen) => question.dialog = SeenDialog::Shown,
            (true, SeenDialog::Shown | SeenDialog::TypedAt) | (false, SeenDialog::Unseen) => {}
            (false, SeenDialog::Shown) => question.dialog = SeenDialog::Unseen,
            (false, SeenDialog::TypedAt) => {
                question.close(now);
                is_one_gone = true;
            }
        }
    }
    if is_one_gone {
        agent.asks_on(now);
    }
}
