//! Screen-reader mode: the screen for a person who hears it, or feels it line by line.
//!
//! Only the surface that takes the keys is shown, as lines ([`place`] says where, `ui::reader` draws them). In place of toasts
//! that come and go there is *news* ([`data`]): whole sentences in a place of their own above the focus. They stay until a
//! key is pressed after there was time to hear them.

pub mod data;
pub mod place;

use crate::model::ClientId;
use crate::model::text::one_line;
use crate::screen::State;

/// After every event: what has changed is told to those who use this mode.
pub fn settle(state: &mut State, client: ClientId) {
    let now = state.domain.now;
    let Some(over) = state.views.get_mut(&client).map(|view| &mut view.over) else {
        return;
    };
    let Some(news) = &mut over.reader else {
        return;
    };
    for toast in over.toasts.drain(..) {
        news.tell(one_line(&toast.text, usize::MAX), now);
    }
    news.look(&state.domain);
}
