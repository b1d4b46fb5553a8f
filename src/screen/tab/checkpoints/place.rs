//! Where the parts of the Checkpoints tab are.

use ratatui::layout::{Constraint, Layout, Rect};

use super::detail;
use crate::screen::layout;
use crate::screen::scrollbar::{Extent, ScrollBar};
use crate::screen::view::View;

/// From this width of the tab on, what is told of the selected one stands beside the list.
const ROOM_FOR_BOTH: u16 = 120;
/// Below this height, there is only the list.
const ROOM_BELOW: u16 = 12;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckpointsAreas {
    /// How many there are, what they take on disk, when they are taken.
    pub heading: Rect,
    pub list: Rect,
    /// The line between the two.
    pub border: Rect,
    /// What is told of the selected one.
    pub detail: Rect,
}

pub fn areas(view: &View) -> CheckpointsAreas {
    let area = layout::above_foot(view);
    let heading_rows = if area.height >= ROOM_BELOW { 2 } else { 1 };
    let [heading, body] = Layout::vertical([Constraint::Length(heading_rows), Constraint::Min(0)]).areas(area);
    if area.width >= ROOM_FOR_BOTH {
        let [list, border, detail] =
            Layout::horizontal([Constraint::Fill(3), Constraint::Length(1), Constraint::Fill(2)]).areas(body);
        return CheckpointsAreas {
            heading,
            list,
            border,
            detail,
        };
    }
    if area.height < ROOM_BELOW {
        let nothing = Rect {
            width: 0,
            height: 0,
            ..body
        };
        return CheckpointsAreas {
            heading,
            list: body,
            border: nothing,
            detail: nothing,
        };
    }
    let [list, border, detail] =
        Layout::vertical([Constraint::Fill(1), Constraint::Length(1), Constraint::Fill(1)]).areas(body);
    CheckpointsAreas {
        heading,
        list,
        border,
        detail,
    }
}

/// Something is always selected, the newest at first, and no row is scrolled away that there is room for.
pub fn settle(view: &mut View) {
    let areas = areas(view);
    let points = &view.checkpoints;
    let count = points.newest_first().len();
    let selected = points.selected().map(|(_, checkpoint)| checkpoint.number);
    let selected = selected.or_else(|| points.newest_first().next().map(|newest| newest.number));
    let rows = detail::rows(view, usize::from(areas.detail.width)).len();
    let points = &mut view.checkpoints;
    points.selected = selected;
    points.top = points.top.min(count.saturating_sub(usize::from(areas.list.height)));
    let most = rows.saturating_sub(usize::from(areas.detail.height));
    points.detail_top = points.detail_top.min(most);
}

/// Scrolls so far that the selected one is seen.
pub fn reveal(view: &mut View) {
    let height = usize::from(areas(view).list.height);
    if let Some((at, _)) = view.checkpoints.selected() {
        view.checkpoints.top = view.checkpoints.top.max((at + 1).saturating_sub(height)).min(at);
    }
}

/// What is further down is said on the line below the list, where there is one.
pub fn bars(view: &View) -> Vec<ScrollBar> {
    let areas = areas(view);
    let points = &view.checkpoints;
    let extent = |first: usize, area: Rect, all: usize| Extent {
        first,
        seen: area.height.into(),
        all,
    };
    let list = ScrollBar::within(areas.list, extent(points.top, areas.list, points.newest_first().len()));
    let list = match areas.border.height {
        1 => list.with_foot(areas.border),
        _ => list,
    };
    let rows = detail::rows(view, usize::from(areas.detail.width)).len();
    let detail = ScrollBar::within(areas.detail, extent(points.detail_top, areas.detail, rows));
    vec![list, detail]
}
