//! The tabs of the inspector beside the cards: rows that are read and scrolled.

use ratatui::layout::Rect;

use crate::domain::effect::Effect;
use crate::model::ClientId;
use crate::model::plan::StepState;
use crate::screen::State;

use super::super::layout::{self, Panel, holds};
use super::super::placed_tab::PlacedTab;
use super::super::tab::todos::{self, TodoRow};
use super::super::tab::transcript::flow::{flow, shown};
use super::super::tab::transcript::row::{Piece, TextInk, TextRow};
use super::super::usage::lines_of_chat;
use super::super::view::{Focus, Mode, View};
use super::super::wrap::width;
use super::data::{Inspector, InspectorTab, PageRow};
use super::{card, settings};

/// A todo that is open: its sign, and how its words look.
const OPEN: ((&str, TextInk), TextInk) = (("□ ", TextInk::Dim), TextInk::Text);

/// Room beside what is written.
pub const MARGIN: u16 = 1;

/// The rows of the tab that is shown; none of the cards.
pub fn rows(state: &State, view: &View, panel: &Panel) -> Vec<PageRow> {
    let wide = usize::from(panel.list.width.saturating_sub(2 * MARGIN));
    let text = |rows: Vec<TextRow>| rows.into_iter().map(PageRow::Text).collect();
    match view.inspector.tab {
        InspectorTab::Cards => Vec::new(),
        InspectorTab::Card => card::rows(state, view, wide),
        InspectorTab::Todos => text(todo_rows(state, view, wide)),
        InspectorTab::Usage => {
            let lines = view.chat.as_ref().map(|chat| lines_of_chat(&state.domain, chat, None));
            let lines = lines.into_iter().flatten().flat_map(|line| line.wrapped(wide));
            lines.map(PageRow::Usage).collect()
        }
        InspectorTab::Chat => settings::made(state, view, wide).rows,
    }
}

fn todo_rows(state: &State, view: &View, wide: usize) -> Vec<TextRow> {
    let mut rows = Vec::new();
    let mut put = |indent: usize, (sign, ink): (&str, TextInk), words: &str, shade: TextInk| {
        let before = width(sign) + indent;
        for (at, row) in flow(&[Piece::new(shown(words), shade)], wide.saturating_sub(before))
            .into_iter()
            .enumerate()
        {
            let first = match at {
                0 => vec![Piece::new(" ".repeat(indent), ink), Piece::new(sign, ink)],
                _ => vec![Piece::new(" ".repeat(before), ink)],
            };
            rows.push(TextRow::of([first, row].concat()));
        }
    };
    let listed = todos::rows(state, view);
    if listed.is_empty() {
        put(0, ("", TextInk::Dim), "No todos yet.", TextInk::Dim);
    }
    for row in listed {
        match row {
            TodoRow::Todo { text, done, depth, .. } => {
                let (sign, ink) = if done {
                    (("✓ ", TextInk::Done), TextInk::Dim)
                } else {
                    OPEN
                };
                put(depth * 2, sign, &text, ink);
            }
            TodoRow::Gap => put(0, ("", TextInk::Dim), " ", TextInk::Dim),
            TodoRow::Heading(words) => put(0, ("", TextInk::Dim), &words, TextInk::Heading),
            TodoRow::Step { text, state } => {
                let (sign, ink) = match state {
                    StepState::Done => (("✓ ", TextInk::Done), TextInk::Dim),
                    StepState::InProgress => (("▸ ", TextInk::Accent), TextInk::Text),
                    StepState::Pending => OPEN,
                    StepState::Dropped => (("· ", TextInk::Dim), TextInk::Dim),
                };
                put(0, sign, &text, ink);
            }
        }
    }
    rows
}

/// The tabs as they are written above, with their places. Where there is no room for all names, only that of the one that
/// is shown is written out.
pub fn tabs(inspector: &Inspector, panel: &Panel) -> Vec<PlacedTab<InspectorTab>> {
    let named = |(number, tab): (usize, InspectorTab)| (tab, format!("{number} {}", tab.name()));
    let mut all: Vec<(InspectorTab, String)> = (1..).zip(InspectorTab::ALL).map(named).collect();
    let wide: usize = all.iter().map(|(_, text)| width(text) + 1).sum();
    if wide > usize::from(panel.title.width) {
        let others = all.iter_mut().filter(|(tab, _)| *tab != inspector.tab);
        others.for_each(|(_, text)| text.truncate(1));
    }
    let mut x = panel.title.x.saturating_add(1);
    let placed = all.into_iter().map(|(tab, words)| {
        let wide = u16::try_from(width(&words)).unwrap_or(0);
        let area = Rect {
            x,
            width: wide,
            ..panel.title
        }
        .intersection(panel.title);
        x = x.saturating_add(wide + 1);
        PlacedTab { tab, words, area }
    });
    placed.collect()
}

/// Shows a tab, and gives it the keys.
pub fn show(state: &mut State, client: ClientId, tab: InspectorTab) {
    if let Some(view) = state.views.get_mut(&client) {
        let inspector = &mut view.inspector;
        if inspector.tab != tab {
            (inspector.tab, inspector.scroll, inspector.came) = (tab, 0, None);
            inspector.setting = 0;
        }
        inspector.wanted = Some(true);
        (view.mode, view.focus, view.zoomed) = (Mode::Outside, Focus::Inspector, false);
    }
}

/// Scrolls what is shown, as far as there is more.
pub fn scroll(state: &mut State, client: ClientId, by: isize) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let Some(panel) = layout::arrange(view).inspector else {
        return;
    };
    let most = rows(state, view, &panel).len().saturating_sub(panel.list.height.into());
    if let Some(view) = state.views.get_mut(&client) {
        let scroll = view.inspector.scroll.min(most);
        view.inspector.scroll = scroll.saturating_add_signed(by).min(most);
    }
}

/// The first of so many rows that is seen.
pub fn first_row(scroll: usize, rows: usize, panel: &Panel) -> usize {
    scroll.min(rows.saturating_sub(panel.list.height.into()))
}

/// Back to the cards, or to the transcript that led here; from the cards to the terminal.
pub fn back(state: &mut State, client: ClientId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let came = view.inspector.came.is_some();
    match view.inspector.tab {
        InspectorTab::Card | InspectorTab::Todos | InspectorTab::Usage | InspectorTab::Chat if came => leave(view),
        InspectorTab::Cards => leave(view),
        InspectorTab::Card | InspectorTab::Todos | InspectorTab::Usage | InspectorTab::Chat => {
            view.inspector.tab = InspectorTab::Cards;
        }
    }
}

/// To the terminal, or to the transcript that led here, from whichever tab. Where the cards lie over it they are hidden.
pub fn leave(view: &mut View) {
    if let Some(came) = view.inspector.came.take() {
        (view.inspector.wanted, view.inspector.tab) = (came.wanted, came.tab);
    } else {
        view.inspector.tab = InspectorTab::Cards;
        step_aside(view);
    }
    view.focus = Focus::Pane;
}

/// What lies over the pane is hidden, for what is shown there now.
pub fn step_aside(view: &mut View) {
    if layout::arrange(view).inspector.is_some_and(|panel| panel.over) {
        view.inspector.wanted = Some(false);
    }
}

/// A click on one of the tabs.
pub fn click_tab(state: &mut State, client: ClientId, (x, y): (u16, u16)) -> Vec<Effect> {
    let tab = state.views.get(&client).and_then(|view| {
        let panel = layout::arrange(view).inspector?;
        let tabs = tabs(&view.inspector, &panel);
        tabs.into_iter().find(|tab| holds(tab.area, x, y))
    });
    if let Some(clicked) = tab {
        show(state, client, clicked.tab);
    }
    Vec::new()
}
