//! One moment, two faces: from an item to what the terminal showed then, and back.

use super::data::ShownMoment;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::work::ShownRead;
use crate::model::{ChatId, ClientId, Timestamp};
use crate::screen::State;
use crate::screen::toast;
use crate::screen::view::Tone;
use crate::term::PastScreen;

/// Shows the terminal as it was at what is selected, at what is at the top of the screen where nothing is; or the
/// transcript again.
pub fn toggle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match view.transcript.moment.take() {
        Some(_) => Vec::new(),
        None => show(state, client),
    }
}

/// The same for what is selected by now, while a moment is shown.
pub fn follow(state: &mut State, client: ClientId) -> Vec<Effect> {
    let view = state.views.get(&client);
    match view.is_some_and(|view| view.transcript.moment.is_some()) {
        true => show(state, client),
        false => Vec::new(),
    }
}

pub(super) fn show(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let transcript = &mut view.transcript;
    let key = transcript.selected.or(transcript.sight.first().map(|spot| spot.item));
    let item = key.and_then(|key| transcript.items.get(key));
    let (Some(item), Some(chat)) = (item, view.chat.clone()) else {
        toast::tell(state, client, "Nothing was said yet.", Tone::Told);
        return Vec::new();
    };
    let moment = ShownMoment {
        at: item.at,
        turn: item.turn,
        screen: None,
    };
    let at = moment.at;
    transcript.moment = Some(moment);
    chat::show(&mut state.domain, client, ShownRead::Moment(chat, at))
}

/// What the terminal showed then; none where its record does not go back so far.
pub fn arrived(state: &mut State, client: ClientId, chat: &ChatId, (at, past): (Timestamp, Option<PastScreen>)) {
    let view = state.views.get_mut(&client);
    let Some(view) = view.filter(|view| view.transcript.of.as_ref() == Some(chat)) else {
        return;
    };
    if let Some(moment) = view.transcript.moment.as_mut().filter(|moment| moment.at == at) {
        moment.screen = Some(past);
    }
}
