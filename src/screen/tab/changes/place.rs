//! Where the parts of the Changes tab are.

use ratatui::layout::{Constraint, Layout, Rect};

use super::data::{ChangesPart, LinePlace};
use super::lines::{self, DiffRow};
use super::remarks;
use crate::screen::layout::{self, after, up_to};
use crate::screen::scrollbar::{Extent, ScrollBar};
use crate::screen::view::{Focus, Mode, View};

/// From this width on, the files stand beside the lines; but not while the lines stand side by side and need the room.
const ROOM_FOR_BOTH: u16 = 80;
/// From this height on, there is room for several conflicts.
const ROOM_FOR_CLASHES: u16 = 20;
const CLASHES: usize = 3;
/// From this width of the tab on, before and after stand side by side.
const ROOM_FOR_TWO: u16 = 140;
/// Below this width of the tab they never do: of each line there would be less than half to read.
const LEAST_FOR_TWO: u16 = 80;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangesAreas {
    /// The marks of the turns, and a row about the chosen one.
    pub timeline: Rect,
    /// What is compared, and how much differs.
    pub heading: Rect,
    /// Conflicts with other chats, one a row.
    pub clashes: Rect,
    /// Empty while only lines are shown.
    pub files: Rect,
    /// The line between the two.
    pub border: Rect,
    /// The name of the file that is shown.
    pub name: Rect,
    /// Empty while only files are shown.
    pub lines: Rect,
    /// What is searched for; empty while nothing is.
    pub search: Rect,
}

pub fn areas(view: &View) -> ChangesAreas {
    let area = layout::above_foot(view);
    let timeline_rows = if area.height >= 12 { 2 } else { 0 };
    let clash_rows = match area.height {
        ..6 => 0,
        6..ROOM_FOR_CLASHES => view.changes.tree.clashes.min(1),
        ROOM_FOR_CLASHES.. => view.changes.tree.clashes.min(CLASHES),
    };
    let [timeline, heading, clashes, body, search] = Layout::vertical([
        Constraint::Length(timeline_rows),
        Constraint::Length(u16::from(area.height >= 6)),
        Constraint::Length(clash_rows as u16),
        Constraint::Min(0),
        Constraint::Length(u16::from(view.changes.search.has_row())),
    ])
    .areas(area);
    let nothing = Rect {
        width: 0,
        height: 0,
        ..body
    };
    let with_name = |lines: Rect| {
        let name = Rect {
            height: lines.height.min(1),
            ..lines
        };
        let lines = Rect {
            y: lines.y + name.height,
            height: lines.height - name.height,
            ..lines
        };
        (name, lines)
    };
    let is_tight = is_side_by_side(view) && area.width < ROOM_FOR_TWO;
    let is_alone = is_tight && view.changes.part == ChangesPart::Lines;
    if area.width >= ROOM_FOR_BOTH && !is_alone {
        let wide = (area.width / 4).clamp(28, 48);
        let [files, border, lines] =
            Layout::horizontal([Constraint::Length(wide), Constraint::Length(1), Constraint::Min(0)]).areas(body);
        let (name, lines) = with_name(lines);
        return ChangesAreas {
            timeline,
            heading,
            clashes,
            files,
            border,
            name,
            lines,
            search,
        };
    }
    let (files, lines) = match view.changes.part {
        ChangesPart::Files => (body, nothing),
        ChangesPart::Lines => (nothing, body),
    };
    let (name, lines) = with_name(lines);
    ChangesAreas {
        timeline,
        heading,
        clashes,
        files,
        border: nothing,
        name,
        lines,
        search,
    }
}

/// Where text stands that may be marked: of lines without their numbers and signs, and where two stand side by side the
/// one that is clicked in this column.
pub fn texts(view: &View, x: u16) -> Vec<Rect> {
    let areas = areas(view);
    let whole = areas.lines;
    let half = whole.width / 2;
    let (side, numbers) = match is_side_by_side(view) {
        false => (whole, 2),
        true if x < whole.x + half => (up_to(whole, half.saturating_sub(1)), 1),
        true => (after(whole, half), 1),
    };
    let file = view.changes.file.as_ref();
    let digits = file.map_or(0, |file| lines::digits(file) + 1);
    let gutter = u16::try_from(digits * numbers + 1).unwrap_or(u16::MAX);
    vec![areas.files, areas.name, areas.heading, after(side, gutter), whole]
}

/// Plain keys work on this part.
pub fn has_keys(view: &View, part: ChangesPart) -> bool {
    view.changes.part == part && view.focus == Focus::Pane && view.mode == Mode::Outside
}

pub fn is_side_by_side(view: &View) -> bool {
    let width = layout::above_foot(view).width;
    can_be_side_by_side(view) && view.changes.look.side_by_side.unwrap_or(width >= ROOM_FOR_TWO)
}

pub fn can_be_side_by_side(view: &View) -> bool {
    layout::above_foot(view).width >= LEAST_FOR_TWO
}

/// The rows of the file that is shown, as they are shown.
pub fn rows(view: &View) -> Vec<DiffRow> {
    let changes = &view.changes;
    let file = changes.file.as_ref();
    file.map_or_else(Vec::new, |file| {
        let rows = lines::rows(file, is_side_by_side(view), &changes.folds);
        let width = areas(view).lines.width.saturating_sub(remarks::INDENT + 2);
        remarks::with_remarks(changes, file, rows, width.into())
    })
}

/// Where one begins in a file: at its first change, below the remarks that stand above it.
pub fn first(rows: &[DiffRow]) -> LinePlace {
    let is_line = |row: &DiffRow| !matches!(row, DiffRow::Remark(..));
    LinePlace {
        row: rows.iter().position(is_line).unwrap_or(0),
        ..LinePlace::default()
    }
}

/// The first row to show so that row `at` is seen.
pub fn reveal(top: usize, at: usize, height: usize) -> usize {
    top.max((at + 1).saturating_sub(height)).min(at)
}

/// The line that one is at, and the chosen ones, stay so where the rows are laid out otherwise than before.
fn follow(view: &mut View, rows: &[DiffRow]) {
    let changes = &mut view.changes;
    if changes.laid == rows {
        return;
    }
    let before = std::mem::replace(&mut changes.laid, rows.to_vec());
    let now = |row: usize| lines::row_of(rows, *before.get(row)?);
    let place = &mut changes.place;
    if let Some(row) = now(place.row) {
        place.top = place.top.saturating_add_signed(row as isize - place.row as isize);
        place.row = row;
    }
    changes.range = changes.range.and_then(now);
}

/// The row that one is at stays among the rows that there are, and in sight.
pub fn settle(view: &mut View) {
    let height = usize::from(areas(view).lines.height);
    let rows = rows(view);
    follow(view, &rows);
    let count = rows.len();
    let place = &mut view.changes.place;
    place.row = place.row.min(count.saturating_sub(1));
    place.top = place.top.min(count.saturating_sub(height));
    if height > 0 {
        place.top = reveal(place.top, place.row, height);
    }
}

/// What was gone to stands in the middle, unless it is in sight.
pub fn centre(view: &mut View) {
    let height = usize::from(areas(view).lines.height);
    let place = &mut view.changes.place;
    if !(place.top..place.top + height).contains(&place.row) {
        place.top = place.row.saturating_sub(height / 2);
    }
    settle(view);
}

/// In the last column of the lines, `room` of them are seen in.
pub fn lines_bar(view: &View, room: Rect, all: usize) -> ScrollBar {
    let extent = Extent::of_rows(room, view.changes.place.top, all);
    ScrollBar::within(room, extent).silent()
}
