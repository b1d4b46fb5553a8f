//! Where lines stand in screen-reader mode: one column, in which each kind of line has rows of its own, so that nothing
//! else moves and is read again when one of them changes.

use ratatui::layout::Rect;

use crate::domain::event::Size;

/// Rows of the news and of the focus, where there is room.
const ROWS: u16 = 2;
/// Below this, both have one row.
const ROOMY: u16 = 12;
/// Surfaces are laid out in so many columns: wider ones put things beside each other, narrower ones cut what can be read
/// whole, since its lines are wrapped again.
const WIDE: u16 = 79;

/// From top to bottom.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReaderRows {
    /// Where the person is.
    pub title: Rect,
    /// What has changed.
    pub news: Rect,
    /// What the next key works on. The cursor stands here.
    pub focus: Rect,
    /// All else of the surface.
    pub lines: Rect,
    /// A terminal has the rows of both.
    pub terminal: Rect,
    /// The name of the surface, and the key that shows all keys.
    pub foot: Rect,
}

pub fn place(size: Size) -> ReaderRows {
    let wide = size.cols;
    let each = if size.rows < ROOMY { 1 } else { ROWS };
    let mut top = 0;
    let mut take = |rows: u16| {
        let height = rows.min(size.rows.saturating_sub(top));
        let area = Rect::new(0, top, wide, height);
        top += height;
        area
    };
    let (title, news, focus) = (take(1), take(each), take(each));
    let left = size.rows.saturating_sub(focus.bottom());
    let (lines, foot) = (take(left.saturating_sub(1)), take(1));
    let terminal = Rect {
        y: focus.y,
        height: focus.height + lines.height,
        ..focus
    };
    ReaderRows {
        title,
        news,
        focus,
        lines,
        terminal,
        foot,
    }
}

/// As large as a surface is laid out, its last row included. It is drawn nowhere: its lines are read off.
pub fn sheet(size: Size) -> Rect {
    let lines = place(size).lines;
    Rect::new(0, 0, WIDE, (lines.height + 1).min(size.rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_line_has_rows_of_its_own() {
        for rows in 0..60 {
            let placed = place(Size { cols: 80, rows });
            let parts = [placed.title, placed.news, placed.focus, placed.lines, placed.foot];
            for pair in parts.windows(2) {
                assert_eq!(pair[0].bottom(), pair[1].y, "{rows} rows");
            }
            assert_eq!(placed.foot.bottom(), rows);
            assert_eq!(placed.terminal.bottom(), placed.lines.bottom());
        }
    }
}
