//! The last row: where keys go, and which of them matter now. Drawing and the mouse ask here.

mod hints;

use std::borrow::Cow;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::approval::queue::waiting_chats;
use crate::screen::State;

use super::dialog::Dialog;
use super::hint::{Hint, label};
use super::keymap::{ChatsAction, PaneSheet};
use super::layout::{self, holds};
use super::surface::Surface;
use super::view::View;
use super::wrap::width;
use super::{mending, resuming, side};

pub use hints::hints;

/// What stands there.
pub struct Foot<'s> {
    pub badge: &'static str,
    /// What is typed goes to a program, or becomes a prompt.
    pub is_inside: bool,
    /// Said in place of the hints.
    pub says: Option<Says<'s>>,
    /// Why the settings are not in force, or what troubles several chats, and where that stands.
    pub problem: Option<(Cow<'s, str>, Rect)>,
    /// The keys that lead to those chats.
    troubled: Vec<KeyEvent>,
    pub hints: Vec<(Hint, Rect)>,
    /// How many chats need a person, where nothing else on the screen says so.
    pub calls: Option<CallsPill>,
    /// Behind the badge.
    pub rest: Rect,
}

/// The keys lead to the next of them.
pub struct CallsPill {
    pub words: String,
    pub keys: Vec<KeyEvent>,
    pub area: Rect,
}

pub enum Says<'s> {
    /// A key did not count.
    Ignored(&'s str),
    /// All that ran when the engine ended can be resumed.
    Offer(String),
}

pub fn arrange<'s>(state: &'s State, view: &'s View) -> Foot<'s> {
    let surface = view.surface();
    let area = layout::arrange(view).foot;
    let badge = badge(state, view);
    let mut foot = Foot {
        badge,
        is_inside: matches!(surface, Surface::Terminal | Surface::Composer | Surface::Queued),
        says: None,
        problem: None,
        troubled: Vec::new(),
        hints: Vec::new(),
        calls: None,
        rest: after(area, width(badge) + 1),
    };
    foot.calls = calls(state, view, foot.rest);
    if let Some(calls) = &foot.calls {
        foot.rest.width = (calls.area.x - foot.rest.x).saturating_sub(1);
    }
    foot.says = match (view.over.guard.says(), view.over.offered) {
        (Some(words), _) => Some(Says::Ignored(words)),
        (None, Some(_)) if !matches!(surface, Surface::Dialog | Surface::Leader | Surface::Schedules) => {
            resuming::offer(state, view).map(Says::Offer)
        }
        (None, _) => None,
    };
    if foot.says.is_some() {
        return foot;
    }
    let mut rest = foot.rest;
    let disk = &state.domain.disk;
    let problem = disk.read_only.as_ref().or(disk.settings_problem.as_ref());
    let problem = problem.map(|problem| Cow::from(&problem.cause));
    let trouble = || {
        let shared = mending::shared(&state.domain)?;
        foot.troubled = state.keymap.leading(view.surface(), ChatsAction::NextTroubled.into());
        Some(Cow::from(format!("{}  {}", shared.words, label(&foot.troubled))))
    };
    if let Some(cause) = disk.write_trouble.banner().map(Cow::from).or(problem).or_else(trouble) {
        let half = after(rest, usize::from(rest.width / 2));
        let wide = width(&cause).min(half.width.into());
        let place = after(half, usize::from(half.width) - wide);
        rest.width = (place.x - rest.x).saturating_sub(1);
        foot.problem = Some((cause, place));
    }
    // Most wanted first: what does not fit is left out, but for the key that shows all keys of a dialog.
    let mut hints = hints(state, view);
    let kept = hints.pop_if(|_| surface == Surface::Dialog);
    let kept_wide = kept.as_ref().map_or(0, |hint| hint.width() + 2);
    let room = |rest: Rect, is_last: bool| usize::from(rest.width).saturating_sub(if is_last { 0 } else { kept_wide });
    let count = hints.len();
    for (at, hint) in hints.into_iter().chain(kept).enumerate() {
        let is_last = at == count;
        if hint.label.is_empty() || hint.width() > room(rest, is_last) {
            continue;
        }
        let wide = hint.width();
        let place = Rect {
            width: u16::try_from(wide).unwrap_or(u16::MAX),
            ..rest
        };
        foot.hints.push((hint, place));
        rest = after(rest, wide + 2);
    }
    foot
}

/// What a click on the last row presses.
pub fn keys_at(state: &State, view: &View, x: u16, y: u16) -> Vec<KeyEvent> {
    let foot = arrange(state, view);
    if let Some(calls) = foot.calls.filter(|calls| holds(calls.area, x, y)) {
        return calls.keys;
    }
    if foot.problem.is_some_and(|(_, area)| holds(area, x, y)) {
        return foot.troubled;
    }
    let clicked = foot.hints.iter().find(|(_, area)| holds(*area, x, y));
    clicked.map_or_else(Vec::new, |(hint, area)| hint.at(usize::from(x - area.x)).to_vec())
}

/// Where the sidebar is not there to say it.
fn calls(state: &State, view: &View, rest: Rect) -> Option<CallsPill> {
    let count = waiting_chats(&state.domain);
    if count == 0 || layout::arrange(view).sidebar.is_some() || view.surface() == Surface::Dialog {
        return None;
    }
    let keys = state.keymap.leading(view.surface(), ChatsAction::NextWaiting.into());
    let label = label(&keys);
    let needs = if count == 1 { "needs you" } else { "need you" };
    let forms = [
        format!("◆ {count} {needs}  {label}"),
        format!("◆ {count} {needs}"),
        format!("◆ {count}"),
    ];
    // The first keys of what one is in, its way out among them, come before.
    let first = hints(state, view).into_iter().filter(|hint| !hint.label.is_empty());
    let taken: usize = first.take(2).map(|hint| hint.width() + 2).sum();
    let room = usize::from(rest.width).saturating_sub(taken);
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
    Some(CallsPill { words, keys, area })
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
        Surface::Terminal => side::shown(state, view).map_or(" AGENT ", |(_, side)| side.badge()),
        Surface::Composer | Surface::Queued => " PROMPT ",
        Surface::Filter => " FILTER ",
        Surface::Search => " SEARCH ",
        Surface::Sheet(PaneSheet::Transcript) => " TRANSCRIPT ",
        Surface::Sheet(PaneSheet::Changes) => " CHANGES ",
        Surface::Sheet(PaneSheet::Checkpoints) => " CHECKPOINTS ",
        Surface::Sheet(PaneSheet::Work) => " WORK ",
        Surface::Sheet(PaneSheet::Todos) => " TODOS ",
        Surface::Pane(_) if view.shown_grid().is_some() => " GRID ",
        Surface::Pane(_) => " VIEW ",
        Surface::Inspector => " CARDS ",
        Surface::Start | Surface::Sidebar(_) => " SIDEBAR ",
    }
}
