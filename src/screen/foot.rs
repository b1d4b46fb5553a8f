//! The last row: where keys go, and which of them matter now. Drawing and the mouse ask here.

mod hints;

use std::borrow::Cow;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::approval::queue::waiting_beside;
use crate::domain::chat;
use crate::model::text::visible;
use crate::screen::State;

use super::dialog::Dialog;
use super::hint::{Hint, label};
use super::keymap::ChatsAction;
use super::layout::{self, holds};
use super::surface::Surface;
use super::view::{Tab, View};
use super::wrap::width;
use super::{mending, resuming, side};

pub use hints::hints;

/// What stands there.
pub struct Foot<'s> {
    pub badge: &'static str,
    /// What is typed goes to a program, or becomes a prompt.
    pub is_inside: bool,
    /// Which chat it is, where nothing else on the screen says so.
    pub name: Option<(&'s str, Rect)>,
    /// That a key did not count, in place of the hints.
    pub ignored: Option<&'s str>,
    /// All that ran when the engine ended can be resumed.
    pub offer: Option<FootPill>,
    /// Why the settings are not in force, or what troubles several chats, and where that stands.
    pub problem: Option<(Cow<'s, str>, Rect)>,
    /// The keys that lead to those chats.
    troubled: Vec<KeyEvent>,
    pub hints: Vec<(Hint, Rect)>,
    /// How many chats need a person, where nothing else on the screen says so.
    pub calls: Option<FootPill>,
    /// Behind the badge.
    pub rest: Rect,
}

/// The keys lead to the next of them.
pub struct FootPill {
    pub words: String,
    /// A person is needed.
    pub is_urgent: bool,
    pub keys: Vec<KeyEvent>,
    pub area: Rect,
}

pub fn arrange<'s>(state: &'s State, view: &'s View) -> Foot<'s> {
    let surface = view.surface();
    let area = layout::arrange(view).foot;
    let badge = badge(state, view);
    let mut foot = Foot {
        badge,
        is_inside: matches!(surface, Surface::Terminal | Surface::Composer | Surface::Queued),
        name: None,
        ignored: view.over.guard.says(),
        offer: None,
        problem: None,
        troubled: Vec::new(),
        hints: Vec::new(),
        calls: None,
        rest: after(area, width(badge) + 1),
    };
    foot.name = name(state, view, foot.rest);
    if let Some((_, place)) = &foot.name {
        foot.rest = after(foot.rest, usize::from(place.width) + 2);
    }
    foot.calls = calls(state, view, foot.rest);
    if let Some(calls) = &foot.calls {
        foot.rest.width = (calls.area.x - foot.rest.x).saturating_sub(1);
    }
    if let Some(words) = foot.ignored {
        // It answers a key that was pressed just now, and has to be read whole.
        if let Some(calls) = foot.calls.take_if(|_| width(words) > usize::from(foot.rest.width)) {
            foot.rest.width = calls.area.right() - foot.rest.x;
        }
        return foot;
    }
    foot.offer = offer(state, view, foot.rest);
    if let Some(offer) = &foot.offer {
        foot.rest.width = (offer.area.x - foot.rest.x).saturating_sub(1);
    }
    let mut rest = foot.rest;
    let disk = &state.domain.disk;
    let half = rest.width / 2;
    let settings = || settings_banner(&disk.settings_problem.as_ref()?.cause, half.into());
    let problem = disk
        .read_only
        .as_ref()
        .map(|problem| Cow::from(&problem.cause))
        .or_else(settings);
    let trouble = || {
        let shared = mending::shared(&state.domain)?;
        foot.troubled = state.keymap.leading(view.surface(), ChatsAction::NextTroubled.into());
        Some(Cow::from(format!("{}  {}", shared.words, label(&foot.troubled))))
    };
    if let Some(cause) = disk.write_trouble.banner().map(Cow::from).or(problem).or_else(trouble) {
        let half = after(rest, usize::from(half));
        let wide = width(&cause).min(half.width.into());
        let place = after(half, usize::from(half.width) - wide);
        rest.width = (place.x - rest.x).saturating_sub(1);
        foot.problem = Some((cause, place));
    }
    let mut place = rest;
    for hint in fitting(hints(state, view), rest.width.into()) {
        let wide = hint.width();
        let width = u16::try_from(wide).unwrap_or(u16::MAX);
        foot.hints.push((hint, Rect { width, ..place }));
        place = after(place, wide + 2);
    }
    foot
}

/// What is wrong in `config.json`, or where there is no room for that, where it is and what to do.
fn settings_banner(cause: &str, room: usize) -> Option<Cow<'_, str>> {
    let (what, _) = cause.rsplit_once("; ").unwrap_or((cause, ""));
    let (file, _) = what.split_once(": ").unwrap_or((what, ""));
    let file = if file.starts_with("config.json") {
        file
    } else {
        "config.json"
    };
    let shorter = [
        format!("{what}; correct it"),
        format!("{file} is broken: correct it"),
        format!("correct {file}"),
        "correct config.json".into(),
    ];
    let all = std::iter::once(Cow::from(cause)).chain(shorter.map(Cow::from));
    let mut fits = all.clone().filter(|words| width(&visible(words)) <= room);
    fits.next().or_else(|| all.last())
}

/// A name has so many columns at least, and a quarter of the row.
const NAME: u16 = 12;

/// Of a zoomed terminal, whose header is not there.
fn name<'s>(state: &'s State, view: &'s View, rest: Rect) -> Option<(&'s str, Rect)> {
    let is_alone = view.zoomed && view.surface() != Surface::Dialog;
    let chat = state.domain.disk.chats.get(view.chat.as_ref().filter(|_| is_alone)?)?;
    let room = NAME.max(rest.width / 4).min(rest.width);
    let name = chat::label(&state.domain, chat);
    let width = u16::try_from(width(&visible(name))).unwrap_or(room).min(room);
    Some((name, Rect { width, ..rest }))
}

/// Those for which there is room, in their order. The first is wanted most, then the ways out and the key that shows all
/// keys, then the others as they come.
fn fitting(hints: Vec<Hint>, room: usize) -> Vec<Hint> {
    let hints: Vec<Hint> = hints.into_iter().filter(|hint| !hint.label.is_empty()).collect();
    let mut wanted: Vec<usize> = (0..hints.len()).collect();
    wanted.sort_by_key(|at| *at > 0 && !hints[*at].is_kept());
    let (mut left, mut chosen) = (room + 2, Vec::new());
    for at in wanted {
        let wide = hints[at].width() + 2;
        if wide <= left {
            left -= wide;
            chosen.push(at);
        }
    }
    let numbered = hints.into_iter().enumerate();
    numbered
        .filter(|(at, _)| chosen.contains(at))
        .map(|(_, hint)| hint)
        .collect()
}

/// What a click on the last row presses.
pub fn keys_at(state: &State, view: &View, x: u16, y: u16) -> Vec<KeyEvent> {
    let foot = arrange(state, view);
    if let Some(calls) = foot.calls.filter(|calls| holds(calls.area, x, y)) {
        return calls.keys;
    }
    if let Some(offer) = foot.offer.filter(|offer| holds(offer.area, x, y)) {
        return offer.keys;
    }
    if foot.problem.is_some_and(|(_, area)| holds(area, x, y)) {
        return foot.troubled;
    }
    let clicked = foot.hints.iter().find(|(_, area)| holds(*area, x, y));
    clicked.map_or_else(Vec::new, |(hint, area)| hint.at(usize::from(x - area.x)).to_vec())
}

/// Where the sidebar is not there to say it. The chat that is shown says so itself, and no key leads on to it.
fn calls(state: &State, view: &View, rest: Rect) -> Option<FootPill> {
    let here = match view.tab {
        Tab::Terminal | Tab::Sheet(_) => view.chat.as_ref(),
        Tab::Side(_) => None,
    };
    let count = waiting_beside(&state.domain, here);
    if layout::arrange(view).sidebar.is_some() || view.surface() == Surface::Dialog {
        return None;
    }
    let keys = state.keymap.leading(view.surface(), ChatsAction::NextWaiting.into());
    let label = label(&keys);
    if count == 0 {
        return unseen(state, view, rest, keys);
    }
    let needs = if count == 1 { "needs you" } else { "need you" };
    let forms = [
        format!("◆ {count} {needs}  {label}"),
        format!("◆ {count} {needs}"),
        format!("◆ {count}"),
    ];
    // The first keys of what one is in, its way out among them, come before. That it is a person who is needed is said in
    // words rather than the second of them.
    let hints = hints(state, view);
    let taken = |wanted| {
        let first = hints.iter().filter(|hint| !hint.label.is_empty()).take(wanted);
        first.map(|hint| hint.width() + 2).sum::<usize>()
    };
    let room = |wanted| usize::from(rest.width).saturating_sub(taken(wanted));
    let wanted = if view.zoomed { 1 } else { 2 };
    match width(&forms[1]) <= room(wanted) {
        true => at_right(rest, room(wanted), &forms, keys),
        false => at_right(rest, room(1), &forms[1..], keys),
    }
}

/// How many chats are done, failed or rang since they were looked at.
fn unseen(state: &State, view: &View, rest: Rect, keys: Vec<KeyEvent>) -> Option<FootPill> {
    let others = view.sidebar.chats().filter(|chat| Some(*chat) != view.chat.as_ref());
    let count = others.filter(|chat| state.domain.live.unseen.contains(*chat)).count();
    let forms = [format!("{count} unseen  {}", label(&keys)), format!("{count} unseen")];
    let pill = at_right(rest, usize::from(rest.width) / 2, &forms, keys).filter(|_| count > 0)?;
    Some(FootPill {
        is_urgent: false,
        ..pill
    })
}

/// For a while after it came, beside the keys of what one is in.
fn offer(state: &State, view: &View, rest: Rect) -> Option<FootPill> {
    let covers = matches!(view.surface(), Surface::Dialog | Surface::Leader | Surface::Schedules);
    view.over.offered.filter(|_| !covers)?;
    let keys = state.keymap.leading(view.surface(), ChatsAction::ResumeAll.into());
    let forms = resuming::offer(state, &label(&keys))?;
    at_right(rest, usize::from(rest.width) * 3 / 5, &forms, keys)
}

/// The first form for which there is room, at the right end.
fn at_right(rest: Rect, room: usize, forms: &[String], keys: Vec<KeyEvent>) -> Option<FootPill> {
    let words = forms
        .iter()
        .find(|form| width(form) <= room)
        .or(forms.last())
        .cloned()?;
    let wide = u16::try_from(width(&words)).unwrap_or(u16::MAX).min(rest.width);
    let area = Rect {
        x: rest.right() - wide,
        width: wide,
        ..rest
    };
    Some(FootPill {
        words,
        is_urgent: true,
        keys,
        area,
    })
}

fn after(area: Rect, columns: usize) -> Rect {
    let columns = u16::try_from(columns).unwrap_or(u16::MAX).min(area.width);
    Rect {
        x: area.x + columns,
        width: area.width - columns,
        ..area
    }
}

fn badge(state: &State, view: &View) -> &'static str {
    match view.surface() {
        Surface::Dialog if matches!(view.over.dialog, Some(Dialog::Rename(_))) => " RENAME ",
        Surface::Dialog => " DIALOG ",
        Surface::Schedules => " SCHEDULES ",
        Surface::Copy => " COPY ",
        Surface::Links => " LINKS ",
        Surface::Leader => " LEADER ",
        Surface::Terminal => match side::shown(state, view) {
            Some((_, side)) => side.badge(),
            None if state.shows_shell(view) => " SHELL ",
            None => " AGENT ",
        },
        Surface::Composer | Surface::Queued => " PROMPT ",
        Surface::Filter => " FILTER ",
        Surface::Search => " SEARCH ",
        Surface::Sheet(sheet) => sheet.badge(),
        Surface::Pane(_) if view.shown_grid().is_some() => " GRID ",
        Surface::Pane(_) => " VIEW ",
        Surface::Inspector => " CARDS ",
        Surface::Start | Surface::Sidebar(_) => " SIDEBAR ",
    }
}
