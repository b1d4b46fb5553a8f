//! What lies over the rest of a person's screen, as its [`Guard`] is told of it.

mod data;

use crate::model::ClientId;
use crate::screen::State;

use super::dialog::is_confirmation;
use super::view::{Mode, Tab, View};

use data::Layers;
pub use data::{Guard, PersonAct, QUIET_MS};

/// After every event: what has closed since the last one?
pub fn settle(state: &mut State, client: ClientId) {
    let now = state.domain.now;
    if let Some(view) = state.views.get_mut(&client) {
        let layers = over(view);
        view.over.guard.follow(layers, now);
    }
}

fn over(view: &View) -> Layers {
    Layers {
        schedules: view.over.automations.is_some(),
        copy: view.reading.copy.is_some(),
        dialog: view.over.dialog.as_ref().map(std::mem::discriminant),
        asks: view
            .over
            .dialog
            .as_ref()
            .is_some_and(|dialog| dialog.contract().asks_within()),
        keys: view.over.keys.is_some(),
        is_question: view
            .over
            .dialog
            .as_ref()
            .is_some_and(|dialog| dialog.contract().shown().is_some()),
        is_form: view
            .over
            .dialog
            .as_ref()
            .and_then(|dialog| dialog.contract().ask())
            .is_some_and(|ask| !is_confirmation(ask)),
        behind: Some(view.behind()),
        sheet: view.sheet_with_keys(),
        terminal: view.tab == Tab::Terminal && view.mode == Mode::Outside,
        inside: view.mode == Mode::Agent,
        replaced: view.mode == Mode::Outside && is_replaced(view),
        field: view.sidebar.filter.is_some()
            || view
                .over
                .dialog
                .as_ref()
                .is_some_and(|dialog| dialog.contract().is_typed_in()),
    }
}

/// Something is seen that `q` closes before it detaches.
fn is_replaced(view: &View) -> bool {
    let over = view.over.dialog.is_some() || view.over.automations.is_some() || view.reading.copy.is_some();
    over || view.tab != Tab::Terminal || view.shown_grid().is_some()
}
