//! The card of figures below the list of chats: what the selected chat takes, and how far it is.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::model::bytes;
use crate::model::figures::ChatFigures;
use crate::model::{Chat, ChatId, ClientId};
use crate::screen::State;

use super::need;
use super::view::View;
use super::wrap::width;
use super::{layout, usage};
use data::{Figures, MOST_LINES};

pub mod data;

/// A block of ports is so many.
const PORTS: u16 = 10;

/// Asks for what the card lacks, once somebody has stayed at the chat.
pub fn settle(state: &mut State, client: ClientId) -> Vec<Effect> {
    count_lines(state, client);
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let Some(chat) = view
        .chat
        .clone()
        .filter(|chat| layout::wants_figures(view) && view.sees(chat, state.domain.now))
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
        is_shown: known.is_some_and(|known| known.is_shown),
        lines: known.map_or(MOST_LINES, |known| known.lines),
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
        (figures.found, figures.is_shown) = (Some(found), true);
    }
    count_lines(state, client);
}

/// Notes how many lines there are to say. While the figures of a chat are looked for, there are as many as before: the list
/// does not jump while somebody moves through it.
fn count_lines(state: &mut State, client: ClientId) {
    let count = |view: &View| {
        let known = view.sidebar.figures.as_ref().filter(|known| known.found.is_some())?;
        let chat = state.domain.disk.chats.get(view.chat.as_ref()?)?;
        let lines = (*chat.id() == known.chat).then(|| lines(state, view, chat, usize::MAX))?;
        u16::try_from(lines.len()).ok()
    };
    let counted = state.views.get(&client).and_then(count);
    let figures = state
        .views
        .get_mut(&client)
        .and_then(|view| view.sidebar.figures.as_mut());
    if let (Some(figures), Some(counted)) = (figures, counted) {
        figures.lines = counted;
    }
}

/// Its lines, in so many columns: disk and ports, commits and pull request, cost, each if there is anything to say.
pub fn lines(state: &State, view: &View, chat: &Chat, room: usize) -> Vec<String> {
    let known = view.sidebar.figures.as_ref().filter(|known| known.chat == *chat.id());
    let found = known.and_then(|known| known.found);
    let disk = found.map(|found| {
        let more = if found.more { "more than " } else { "" };
        let bytes = format!("{more}{}", bytes::in_words(found.bytes));
        [format!("{bytes} on disk"), bytes]
    });
    let ports = chat
        .record
        .port
        .map(|port| format!("ports {port}–{}", port + PORTS - 1));
    let counted = |count: u64, [one, many, short]: [&str; 3]| match count {
        0 => None,
        1 => Some([format!("1 {one}"), format!("1 {short}")]),
        count => Some([format!("{count} {many}"), format!("{count} {short}")]),
    };
    let ahead = found.and_then(|found| counted(found.ahead, ["commit ahead", "commits ahead", "ahead"]));
    let changed = found.and_then(|found| counted(found.changed, ["file changed", "files changed", "changed"]));
    let pulls = &state.domain.live.branches.pulls;
    let pull = chat.projects.iter().find_map(|project| pulls.of(chat.id(), project));
    let pull = pull.map(|pull| pull.in_short());
    let same = |words: String| [words.clone(), words];
    let lines = [
        joined([disk, ports.map(same)], room),
        joined([ahead, changed, pull.map(same)], room),
        usage::in_short(&state.domain, chat.id()).unwrap_or_default(),
    ];
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}

/// In their long forms, or in the short ones where there is no room for those.
fn joined<const N: usize>(parts: [Option<[String; 2]>; N], room: usize) -> String {
    let (long, short): (Vec<String>, Vec<String>) =
        parts.into_iter().flatten().map(|[long, short]| (long, short)).unzip();
    let long = long.join(" · ");
    match width(&long) <= room {
        true => long,
        false => short.join(" · "),
    }
}
