//! What a person asked for may arrive when they have gone on. Whether it comes before their eyes then is decided here alone:
//! keys that are on their way to something else must not reach it. Where it may not come, whoever takes it in tells by a
//! toast what is ready and how to get there.

use crate::domain::state::ScreenRequest;
use crate::model::ChatId;
use crate::screen::State;

/// Where what arrives belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatePlace<'c> {
    /// It is a place of its own, as a new chat is.
    OfItsOwn,
    /// To whoever still looks at this chat.
    In(&'c ChatId),
}

/// Whether it may come before the eyes of whoever asked for it: since then they pressed, pasted and clicked nothing, look at
/// what it belongs to, and at nothing over it.
pub fn may_come(state: &State, request: ScreenRequest, place: LatePlace<'_>) -> bool {
    state.views.get(&request.client).is_some_and(|view| {
        let is_there = match place {
            LatePlace::OfItsOwn => true,
            LatePlace::In(chat) => view.chat.as_ref() == Some(chat),
        };
        is_there && view.attention.acts == request.asked && !view.surface().covers()
    })
}
