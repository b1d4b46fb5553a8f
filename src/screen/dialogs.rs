//! The dialog that is open over a person's screen: it is opened here, and shows what failed. What it does is said by its
//! [`super::dialog::Contract`]; what reaches it, in [`input`].

pub mod input;

use crate::domain::effect::Effect;
use crate::domain::state::ScreenRequest;
use crate::model::{ClientId, Problem, RequestId};

use super::dialog::Dialog;
use super::state::State;
use super::toast;
use super::view::{Tone, View};

pub fn open(state: &mut State, client: ClientId, dialog: impl Into<Dialog>) -> Vec<Effect> {
    if let Some(view) = state.views.get_mut(&client) {
        view.over.dialog = Some(dialog.into());
    }
    Vec::new()
}

/// It failed: the dialog that waits for it shows that and keeps what was typed; else a toast does.
pub fn failed(state: &mut State, request: ScreenRequest, problem: Problem) {
    let view = state.views.get_mut(&request.client);
    let waits = |view: &&mut View| request.number.is_some_and(|number| awaits(view, number));
    match (
        view.filter(waits).and_then(|view| view.over.dialog.as_mut()),
        request.number,
    ) {
        (Some(dialog), Some(number)) => dialog.contract_mut().failed(number, problem),
        (_, _) => toast::tell(state, request.client, problem.to_string(), Tone::Failed),
    }
}

fn awaits(view: &View, request: RequestId) -> bool {
    view.over
        .dialog
        .as_ref()
        .is_some_and(|dialog| dialog.contract().awaits(request))
}
