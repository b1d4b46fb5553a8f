//! What the pane shows of a chat: its terminal, the work of its tree, or a terminal beside. Named on the line above it.

use ratatui::layout::Rect;

use crate::domain::auxiliary::{self, AuxiliaryProgram, Side};
use crate::domain::team::atom;
use crate::model::atom::AtomStatus;
use crate::model::text::visible;
use crate::model::{Chat, Kind};
use crate::screen::State;

use super::layout;
use super::view::{Tab, View};
use super::wrap::width;

/// The tabs as they are written, with their places; none while there is nothing but the terminal.
pub fn tabs(state: &State, view: &View) -> Vec<(Tab, String, Rect)> {
    let Some(chat) = view.chat.as_ref().filter(|_| are_shown(state, view)) else {
        return Vec::new();
    };
    let work = match atom::graph(&state.domain, chat)
        .map(|graph| graph.atoms().map(|(_, atom)| atom.status).collect::<Vec<_>>())
    {
        Some(all) if !all.is_empty() => {
            let done = all.iter().filter(|status| **status == AtomStatus::Done).count();
            format!(" Work {done}/{} ", all.len())
        }
        Some(_) | None => " Work ".to_string(),
    };
    let mut named = vec![(Tab::Terminal, " Terminal ".to_string())];
    if has_changes(state, view) {
        named.push((Tab::Changes, " Changes ".to_string()));
    }
    if is_planned(state, view) {
        named.push((Tab::Work, work));
    }
    let is_run = |side: &Side| matches!(side.what, AuxiliaryProgram::Run { .. });
    let alone = auxiliary::of_chat(&state.domain, chat)
        .filter(|(_, side)| is_run(side))
        .count()
        < 2;
    let sides = auxiliary::of_chat(&state.domain, chat);
    named.extend(sides.map(|(number, side)| (Tab::Side(number), format!(" {} ", side.label(alone)))));
    let rule = layout::arrange(view).rule;
    let mut x = rule.x.saturating_add(2);
    let mut placed = Vec::new();
    for (tab, text) in named {
        let wide = u16::try_from(width(&visible(&text))).unwrap_or(u16::MAX);
        let area = Rect { x, width: wide, ..rule }.intersection(rule);
        x = x.saturating_add(wide + 1);
        placed.push((tab, text, area));
    }
    placed
}

/// Where the focus goes from the pane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ahead {
    Tab(Tab),
    Inspector,
    Sidebar,
}

pub fn ahead(state: &State, view: &View) -> Ahead {
    match next(state, view) {
        Some(tab) => Ahead::Tab(tab),
        None if layout::arrange(view).inspector.is_some() => Ahead::Inspector,
        None => Ahead::Sidebar,
    }
}

/// The tab after the one that is shown. A tab with a key of its own is not on the way from the terminal to the cards.
fn next(state: &State, view: &View) -> Option<Tab> {
    let all = tabs(state, view);
    let mut round = all.iter().map(|(tab, ..)| *tab).filter(|tab| *tab != Tab::Changes);
    round.find(|tab| *tab == view.tab)?;
    round.next()
}

/// Whether there is more than a terminal to show.
fn are_shown(state: &State, view: &View) -> bool {
    let beside = |chat| auxiliary::of_chat(&state.domain, chat).next().is_some();
    is_planned(state, view) || has_changes(state, view) || view.chat.as_ref().is_some_and(beside)
}

/// There are clones in which something can change.
fn has_changes(state: &State, view: &View) -> bool {
    let chat = view.chat.as_ref().and_then(|chat| state.domain.disk.chats.get(chat));
    let is_clone = |chat: &Chat| chat.record.dirs.iter().any(|dir| dir.kind == Kind::Git);
    view.tab == Tab::Changes || chat.is_some_and(is_clone)
}

fn is_planned(state: &State, view: &View) -> bool {
    let graph = view.chat.as_ref().and_then(|chat| atom::graph(&state.domain, chat));
    view.tab == Tab::Work || graph.is_some_and(|graph| !graph.molecules.is_empty())
}
