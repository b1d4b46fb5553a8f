//! Where the parts of the Transcript tab are.

use ratatui::layout::{Constraint, Layout, Rect};

use crate::screen::composer;
use crate::screen::keymap::PaneSheet;
use crate::screen::layout;
use crate::screen::view::View;

/// Below this height of the tab, nothing stands at its foot.
const ROOM_FOR_COMPOSER: u16 = 8;
/// Columns before the text: what is selected, a sign, a gap.
pub const MARGIN: u16 = 3;
/// Columns of a time at the right.
pub const TIMES: u16 = 7;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TranscriptAreas {
    pub whole: Rect,
    pub list: Rect,
    /// What is searched for.
    pub search: Rect,
    /// Below it, where prompts are written.
    pub composer: Rect,
}

pub fn areas(view: &View) -> TranscriptAreas {
    let area = layout::arrange(view).beside.unwrap_or_else(|| layout::above_foot(view));
    let rows = match area.height {
        0..ROOM_FOR_COMPOSER => 0,
        _ => composer::place::height(view, area),
    };
    let searched = u16::from(view.transcript.search.has_row() && area.height > 2);
    let heights = [
        Constraint::Min(0),
        Constraint::Length(searched),
        Constraint::Length(rows),
    ];
    let [list, search, composer] = Layout::vertical(heights).areas(area);
    TranscriptAreas {
        whole: area,
        list,
        search,
        composer,
    }
}

/// Where the text of its items stands.
pub fn text(view: &View) -> Rect {
    let areas = areas(view);
    if view.transcript.moment.is_some() {
        return areas.whole;
    }
    let wide = u16::try_from(text_width(view)).unwrap_or(u16::MAX);
    Rect {
        x: areas.list.x + MARGIN.min(areas.list.width),
        width: wide,
        ..areas.list
    }
    .intersection(areas.list)
}

/// It is on the screen: as the tab that is shown, or beside the terminal.
pub fn is_shown(view: &View) -> bool {
    view.sheet() == Some(PaneSheet::Transcript) || layout::arrange(view).beside.is_some()
}

/// Columns that the text of an item has.
pub fn text_width(view: &View) -> usize {
    let times = if view.transcript.look.times { TIMES } else { 0 };
    usize::from(areas(view).list.width.saturating_sub(MARGIN + 1 + times))
}
