//! What the mouse marks of the text of a page.

use ratatui::layout::Rect;

/// What is marked, or may be from a press on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextMark {
    /// It stays within these columns and rows.
    area: Rect,
    from: (u16, u16),
    /// Where the mouse went with the button down; `None` until it has moved.
    pub(in crate::screen) to: Option<(u16, u16)>,
    /// The button is down.
    pub(in crate::screen) is_held: bool,
}

impl TextMark {
    /// From a press there.
    pub(in crate::screen) fn new(area: Rect, from: (u16, u16)) -> TextMark {
        TextMark {
            area,
            from,
            to: None,
            is_held: true,
        }
    }

    /// The columns of each row that are marked: first row, and from where to where, both ends included.
    pub fn rows(&self) -> impl Iterator<Item = (u16, u16, u16)> {
        let area = self.area;
        let [first, last] = self.ends();
        let rows = if self.to.is_some() { first.1..last.1 + 1 } else { 0..0 };
        rows.map(move |y| {
            let from = if y == first.1 { first.0 } else { area.left() };
            let to = if y == last.1 { last.0 } else { area.right() - 1 };
            (y, from, to)
        })
    }

    /// As one reads: by row, then by column.
    fn ends(&self) -> [(u16, u16); 2] {
        let mut ends = [self.from, self.to.unwrap_or(self.from)];
        ends.sort_by_key(|(x, y)| (*y, *x));
        ends
    }

    pub(in crate::screen) fn carry(&mut self, (x, y): (u16, u16)) {
        let x = x.clamp(self.area.left(), self.area.right() - 1);
        let y = y.clamp(self.area.top(), self.area.bottom() - 1);
        // A click may slip by a cell.
        let is_drag = self.from.0.abs_diff(x) > 1 || self.from.1 != y;
        if self.to.is_some() || is_drag {
            self.to = Some((x, y));
        }
    }
}
