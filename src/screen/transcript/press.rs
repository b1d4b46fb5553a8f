//! Keys and the mouse in the Transcript tab.

use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};

use crate::domain::effect::Effect;
use crate::model::{ClientId, Happened};
use crate::screen::State;

use super::super::hint::Hint;
use super::super::keymap::{Action, PaneSheet, SheetAction, TranscriptAction};
use super::super::layout::holds;
use super::super::surface::Surface;
use super::super::toast;
use super::super::view::{Focus, Mode, Tab, Tone, View};
use super::data::{SoughtSpot, Thoughts, TranscriptView};
use super::item::{ItemKey, ItemKind, TranscriptItem};
use super::{place, sight};

/// Rows a notch of the wheel scrolls.
const NOTCH: isize = 3;

/// Carries out a command of the tab.
pub fn run(state: &mut State, client: ClientId, action: TranscriptAction) -> Vec<Effect> {
    use TranscriptAction as A;
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    match action {
        A::Open => open(view),
        A::Next => step(view, 1, |_| true),
        A::Previous => step(view, -1, |_| true),
        A::NextPrompt => step(view, 1, is_prompt),
        A::PreviousPrompt => step(view, -1, is_prompt),
        A::Down => sight::scroll(view, 1),
        A::Up => sight::scroll(view, -1),
        A::PageDown => page(view, 1),
        A::PageUp => page(view, -1),
        A::First => view.transcript.sought = Some(SoughtSpot::Start),
        A::Last => follow(view),
        A::Copy => return copy(state, client),
        A::Thoughts => {
            let look = &mut view.transcript.look;
            look.thoughts = match look.thoughts {
                Thoughts::Folded => Thoughts::Shown,
                Thoughts::Shown => Thoughts::Hidden,
                Thoughts::Hidden => Thoughts::Folded,
            };
            view.transcript.lay_again();
        }
        A::Times => {
            view.transcript.look.times = !view.transcript.look.times;
            view.transcript.lay_again();
        }
        A::Refresh => view.transcript = TranscriptView::looked_at(None, view.transcript.look),
        A::Close => view.show(Tab::Terminal),
    }
    Vec::new()
}

/// The keys that matter now.
pub fn hints(state: &State, view: &View) -> Vec<Hint> {
    use TranscriptAction as A;
    let surface = Surface::Sheet(PaneSheet::Transcript);
    let act = |action| Action::Sheet(SheetAction::Transcript(action));
    let key = |action, words| state.keymap.hint(surface, &[act(action)], words);
    let two = |first, second, words| state.keymap.hint(surface, &[act(first), act(second)], words);
    let mut hints = Vec::new();
    if view.transcript.top.is_some() {
        hints.push(key(A::Last, "newest"));
    }
    hints.push(two(A::Next, A::Previous, "select"));
    if view.transcript.selected.is_some() {
        hints.push(key(A::Open, "open"));
        hints.push(key(A::Copy, "copy"));
    }
    hints.push(two(A::PreviousPrompt, A::NextPrompt, "prompt"));
    hints.push(key(A::Thoughts, "thinking"));
    hints.push(key(A::Times, "times"));
    hints.push(key(A::Close, "close"));
    hints
}

/// Whether there is something to work on, and else why not.
pub fn is_possible(view: &View, action: TranscriptAction) -> (bool, &'static str) {
    use TranscriptAction as A;
    let is_shown = view.sheet() == Some(PaneSheet::Transcript);
    match action {
        A::Open | A::Copy => (is_shown && view.transcript.selected.is_some(), "nothing is selected"),
        A::Next
        | A::Previous
        | A::Down
        | A::Up
        | A::PageDown
        | A::PageUp
        | A::First
        | A::Last
        | A::NextPrompt
        | A::PreviousPrompt
        | A::Thoughts
        | A::Times
        | A::Refresh
        | A::Close => (is_shown, "the transcript is not shown"),
    }
}

fn is_prompt(item: &TranscriptItem) -> bool {
    matches!(item.what, ItemKind::Prompt(_))
}

/// Follows the newest again.
fn follow(view: &mut View) {
    let transcript = &mut view.transcript;
    transcript.selected = None;
    transcript.follow();
    sight::settle(view);
}

/// Selects the next item of a kind, from what is selected if that is in sight, else from what is in sight.
fn step(view: &mut View, by: isize, is_meant: fn(&TranscriptItem) -> bool) {
    let transcript = &view.transcript;
    let seen = |key: &ItemKey| transcript.sight.iter().any(|spot| spot.item == *key);
    let selected = transcript.selected.filter(seen);
    let (first, last) = (transcript.sight.first(), transcript.sight.last());
    let (Some(first), Some(last)) = (first, last) else {
        return;
    };
    let list = transcript.items.list();
    let is_there = |item: &&TranscriptItem| transcript.is_shown(item) && transcript.has_rows(item) && is_meant(item);
    let found = match (selected, by < 0) {
        (Some(key), false) => list[transcript.items.position(key)..].iter().skip(1).find(is_there),
        (Some(key), true) => list[..transcript.items.position(key)].iter().rev().find(is_there),
        // The newest first, where one begins to look.
        (None, true) => list[..transcript.items.position(last.item) + 1]
            .iter()
            .rev()
            .find(is_there),
        (None, false) => list[transcript.items.position(first.item)..].iter().find(is_there),
    };
    let Some(key) = found.map(|item| item.key) else {
        return;
    };
    view.transcript.selected = Some(key);
    sight::reveal(view, key);
}

fn open(view: &mut View) {
    let transcript = &mut view.transcript;
    let Some(key) = transcript.selected else { return };
    if !transcript.open.remove(&key) {
        transcript.open.insert(key);
    }
    transcript.lay_again();
    sight::settle(view);
    sight::reveal(view, key);
}

fn page(view: &mut View, by: isize) {
    let height = place::areas(view).list.height;
    // A row or two stay, to read on from.
    let rows = isize::try_from(height.saturating_sub(2).max(1)).unwrap_or(1);
    sight::scroll(view, by * rows);
}

/// A page up or down, by the keys that scroll a terminal.
pub fn scroll_page(state: &mut State, client: ClientId, by: isize) {
    if let Some(view) = state.views.get_mut(&client) {
        page(view, by);
    }
}

fn copy(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let item = view.transcript.selected.and_then(|key| view.transcript.items.get(key));
    let Some(text) = item.and_then(text_of) else {
        toast::tell(state, client, "Select something to copy first.", Tone::Told);
        return Vec::new();
    };
    let lines = match text.lines().count() {
        1 => "1 line".to_string(),
        many => format!("{many} lines"),
    };
    toast::tell(state, client, format!("Copied {lines}."), Tone::Told);
    vec![Effect::Clipboard(client, clean(&text))]
}

/// Whoever pastes it into a shell must not set anything loose.
fn clean(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .collect()
}

/// An item as a person would send it on.
fn text_of(item: &TranscriptItem) -> Option<String> {
    match &item.what {
        ItemKind::Prompt(entry) | ItemKind::Said(entry) | ItemKind::Thought(entry) | ItemKind::Event(entry) => {
            match &entry.what {
                Happened::Prompt { text, .. } | Happened::Text { text, .. } | Happened::Thinking { text, .. } => {
                    Some(text.clone())
                }
                other => super::events::words(other).map(|words| {
                    let below = words.lines.into_iter().map(|(line, _)| line);
                    [words.title].into_iter().chain(below).collect::<Vec<_>>().join("\n")
                }),
            }
        }
        ItemKind::Tool(_) => item.tool().map(|(_, tool)| match tool.preview.is_empty() {
            true => format!("{} {}", tool.name, tool.summary),
            false => format!("{} {}\n{}", tool.name, tool.summary, tool.preview),
        }),
        ItemKind::SubAgent(_) | ItemKind::Gap(_) | ItemKind::Hidden { .. } => None,
    }
}

/// A click selects; the wheel scrolls.
pub fn mouse(state: &mut State, client: ClientId, event: MouseEvent) -> Vec<Effect> {
    let Some(view) = state.views.get_mut(&client) else {
        return Vec::new();
    };
    let list = place::areas(view).list;
    match event.kind {
        MouseEventKind::ScrollUp => sight::scroll(view, -NOTCH),
        MouseEventKind::ScrollDown => sight::scroll(view, NOTCH),
        MouseEventKind::Down(MouseButton::Left) => {
            (view.mode, view.focus) = (Mode::Outside, Focus::Pane);
            if holds(list, event.column, event.row) {
                let row = usize::from(event.row - list.y);
                let clicked = view.transcript.sight.get(row).map(|spot| spot.item);
                let again = clicked.is_some() && clicked == view.transcript.selected;
                view.transcript.selected = clicked;
                if again {
                    open(view);
                }
            }
        }
        _ => {}
    }
    Vec::new()
}
