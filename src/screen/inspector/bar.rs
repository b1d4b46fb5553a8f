//! The bar beside the inspector, and what a drag of its thumb shows.

use ratatui::layout::Rect;

use crate::model::ClientId;
use crate::screen::State;

use super::super::layout::Panel;
use super::super::scrollbar::{Extent, ScrollBar};
use super::super::view::View;
use super::data::InspectorTab;
use super::{RowKind, cards, first_row, page, places, rows};

/// On the border at the left: what is written reaches to the right edge.
pub fn bar(state: &State, view: &View, panel: &Panel) -> Option<ScrollBar> {
    let high = usize::from(panel.list.height);
    let (first, all) = match view.inspector.tab {
        InspectorTab::Cards => {
            let rows = rows(
                cards(state, view)?,
                &view.inspector,
                &places(state, view),
                panel.list.width.into(),
            );
            (first_row(&view.inspector, rows.len(), high), rows.len())
        }
        InspectorTab::Card | InspectorTab::Todos | InspectorTab::Usage | InspectorTab::Chat => {
            let all = page::rows(state, view, panel).len();
            (page::first_row(view.inspector.scroll, all, panel), all)
        }
    };
    let track = Rect {
        y: panel.list.y,
        height: panel.list.height,
        width: panel.border.width.min(1),
        ..panel.border
    };
    let seen = high;
    let bar = ScrollBar::on_line(track, panel.list, Extent { first, seen, all });
    Some(match view.inspector.tab {
        InspectorTab::Cards => bar.silent(),
        InspectorTab::Card | InspectorTab::Todos | InspectorTab::Usage | InspectorTab::Chat => bar,
    })
}

/// The thumb of its bar was dragged. Of the cards, one that is seen then is selected.
pub fn scroll_to(state: &mut State, client: ClientId, bar: &ScrollBar, first: usize) {
    let Some(view) = state.views.get(&client) else {
        return;
    };
    let cards = cards(state, view).filter(|_| view.inspector.tab == InspectorTab::Cards);
    let seen = cards.map(|cards| {
        let places = places(state, view);
        let rows = rows(cards, &view.inspector, &places, bar.list.width.into());
        let seen = rows.iter().skip(first).take(bar.extent.seen);
        let heads: Vec<u64> = seen
            .filter(|row| row.kind == RowKind::Head)
            .map(|row| row.card)
            .collect();
        heads
    });
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let inspector = &mut view.inspector;
    match seen {
        Some(heads) => {
            inspector.top = first;
            let is_seen = inspector.selected.is_some_and(|selected| heads.contains(&selected));
            if !is_seen {
                inspector.selected = heads.first().copied().or(inspector.selected);
            }
        }
        None => inspector.scroll = first,
    }
}
