//! The card of figures below the list of chats: what the selected chat takes, and how far it is.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::model::bytes;
use crate::model::figures::ChatFigures;
use crate::model::{Chat, ChatId, ClientId};
use crate::screen::State;

use super::need;
use super::view::View;
use super::{layout, usage};
use data::Figures;

pub mod data;

/// A block of ports is so many.
const PORTS: u16 = 10;

/// Asks for what the card lacks, once somebody has stayed at the chat.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let Some(chat) = view
        .chat
        .clone()
        .filter(|chat| has_card(view) && view.sees(chat, state.domain.now))
    else {
        return Vec::new();
    };
    let need = need::of(&state.domain, &chat);
    let known = view.sidebar.figures.as_ref();
    if known.is_some_and(|known| known.chat == chat && known.need == need) {
        return Vec::new();
    }
    let before = known.filter(|known| known.chat == chat).and_then(|known| known.found);
    let figures = Figures {
        chat: chat.clone(),
        need,
        found: before,
    };
    if let Some(view) = state.views.get_mut(&client) {
        view.sidebar.figures = Some(figures);
    }
    chat::show(&mut state.domain, client, crate::domain::work::ShownRead::Figures(chat))
}

pub fn arrived(state: &mut State, client: ClientId, chat: &ChatId, found: ChatFigures) {
    let figures = state
        .views
        .get_mut(&client)
        .and_then(|view| view.sidebar.figures.as_mut());
    if let Some(figures) = figures.filter(|figures| figures.chat == *chat) {
        figures.found = Some(found);
    }
}

fn has_card(view: &View) -> bool {
    layout::arrange(view).sidebar.is_some_and(|bar| bar.card.height > 0)
}

/// Its lines: disk and ports, commits and pull request, cost.
pub fn lines(state: &State, view: &View, chat: &Chat) -> [String; 3] {
    let known = view.sidebar.figures.as_ref().filter(|known| known.chat == *chat.id());
    let found = known.and_then(|known| known.found);
    let joined = |parts: Vec<Option<String>>| parts.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let disk = found.map(|found| {
        let more = if found.more { "more than " } else { "" };
        format!("{more}{} on disk", bytes::in_words(found.bytes))
    });
    let ports = chat
        .record
        .port
        .map(|port| format!("ports {port}–{}", port + PORTS - 1));
    let counted = |count: u64, one: &str, many: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {many}")),
    };
    let ahead = found.and_then(|found| counted(found.ahead, "commit ahead", "commits ahead"));
    let changed = found.and_then(|found| counted(found.changed, "file changed", "files changed"));
    let pulls = &state.domain.live.branches.pulls;
    let pull = chat.projects.iter().find_map(|project| pulls.of(chat.id(), project));
    [
        joined(vec![disk, ports]),
        joined(vec![ahead, changed, pull.map(|pull| pull.in_short())]),
        usage::in_short(&state.domain, chat.id()).unwrap_or_default(),
    ]
}
