//! What a program that is gone left on its terminal: it is wrapped for the window that shows it, as a live one would be.

use crate::domain::auxiliary::Side;
use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::event::Size;
use crate::model::{ClientId, PaneId};
use crate::screen::State;

use super::layout;
use super::view::View;

/// Has it wrapped anew where it has another size. Of several windows the first decides; a full-screen program's picture
/// cannot be wrapped.
pub fn fit(state: &State, client: ClientId) -> Option<Effect> {
    let view = state.views.get(&client)?;
    let pane = view.pane()?;
    let screen = state.domain.live.screen(&pane)?;
    let own = layout::pane_size(view);
    let shows = |view: &View| view.pane().as_ref() == Some(&pane);
    let decides = state.views.iter().find(|(_, view)| shows(view))?.0 == &client;
    let wraps = own.cols >= 2 && own.rows >= 2 && !screen.modes.alt_screen;
    let fits = size(state, &pane) == Some(own);
    (is_kept(state, &pane) && decides && wraps && !fits).then(|| Effect::Pane(pane, PaneOrder::Resize(own)))
}

/// Nobody runs in it any more.
pub fn is_kept(state: &State, pane: &PaneId) -> bool {
    match pane {
        PaneId::Agent(chat) => !state.domain.status(chat).is_live(),
        PaneId::Side(number) => !state.domain.live.sides.get(number).is_some_and(Side::is_live),
    }
}

/// The size that it was written at, or wrapped for.
pub fn size(state: &State, pane: &PaneId) -> Option<Size> {
    let screen = state.domain.live.screen(pane)?;
    let rows = u16::try_from(screen.rows.len()).ok()?;
    Some(Size {
        cols: screen.cols,
        rows,
    })
}
