//! What the composer has workers find out.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::work::ShownRead;
use crate::model::ClientId;
use crate::model::compose::ComposerAsk;
use crate::screen::State;

pub(super) fn ask(state: &mut State, client: ClientId, ask: ComposerAsk) -> Vec<Effect> {
    let Some(chat) = state.views.get(&client).and_then(|view| view.composer.of.clone()) else {
        return Vec::new();
    };
    chat::show(&mut state.domain, client, ShownRead::Compose(chat, ask))
}

/// The home directory of the person at this client: templates of theirs lie there.
pub(super) fn person(state: &State, client: ClientId) -> Option<std::path::PathBuf> {
    state.views.get(&client)?.client.env.get("HOME").map(Into::into)
}
