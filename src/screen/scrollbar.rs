//! A bar beside what is longer than its place: where its thumb stands, and where a thumb that is dragged leads.
//!
//! Drawing and the mouse both ask here. `ui/scrollbar.rs` draws it, `screen/scrolling.rs` says which there are.

use std::ops::Range;

use ratatui::layout::Rect;

/// What is seen of something long, in rows, bytes or whatever it is counted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub first: usize,
    pub seen: usize,
    pub all: usize,
}

impl Extent {
    /// Of as many rows as the list has, so many in all.
    pub fn of_rows(list: Rect, first: usize, all: usize) -> Extent {
        let seen = list.height.into();
        Extent { first, seen, all }
    }

    /// How much lies below what is seen.
    pub fn below(self) -> usize {
        self.all.saturating_sub(self.first.saturating_add(self.seen))
    }

    /// The last first.
    fn most(self) -> usize {
        self.all.saturating_sub(self.seen)
    }
}

/// A thumb that is held by the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HeldBar {
    /// Which one.
    pub track: Rect,
    /// How far below its top.
    pub grip: u16,
}

/// Columns of a frame's foot that its corners keep.
const CORNER: u16 = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScrollBar {
    pub track: Rect,
    /// What it scrolls.
    pub list: Rect,
    pub extent: Extent,
    /// Where it is said how much lies below; no room where that is not said.
    pub foot: Rect,
    /// Beside the thumb its place is for something else: a border that is dragged, text.
    pub is_shared: bool,
}

impl ScrollBar {
    /// On the right border of a frame, beside the list within it. What lies below is said in the frame's foot.
    pub fn on_frame(frame: Rect, list: Rect, extent: Extent) -> ScrollBar {
        let track = Rect {
            x: frame.right().saturating_sub(1),
            width: frame.width.min(1),
            ..list
        };
        let foot = Rect {
            x: frame.x + CORNER.min(frame.width),
            y: frame.bottom().saturating_sub(1),
            width: frame.width.saturating_sub(2 * CORNER),
            height: frame.height.min(1),
        };
        ScrollBar {
            track,
            list,
            extent,
            foot,
            is_shared: false,
        }
    }

    /// In the last column of a list. What lies below is said in its last row.
    pub fn within(list: Rect, extent: Extent) -> ScrollBar {
        let foot = Rect {
            y: list.bottom().saturating_sub(1),
            height: list.height.min(1),
            ..list
        };
        ScrollBar {
            foot,
            is_shared: true,
            ..ScrollBar::on_frame(list, list, extent)
        }
    }

    /// In a free column, or on a line.
    pub fn on_line(track: Rect, list: Rect, extent: Extent) -> ScrollBar {
        ScrollBar {
            track,
            is_shared: false,
            ..ScrollBar::within(list, extent)
        }
    }

    /// What lies below is said somewhere else.
    pub fn with_foot(self, foot: Rect) -> ScrollBar {
        ScrollBar { foot, ..self }
    }

    /// What lies below is not said.
    pub fn silent(self) -> ScrollBar {
        self.with_foot(Rect::default())
    }

    /// There is more than its place shows.
    pub fn is_needed(&self) -> bool {
        self.extent.all > self.extent.seen && !self.track.is_empty()
    }

    /// The rows of the thumb.
    pub fn thumb(&self) -> Range<u16> {
        let (high, all) = (usize::from(self.track.height), self.extent.all.max(1));
        let long = rounded(self.extent.seen, high, all).clamp(1, high.max(1));
        let top = rounded(self.extent.first.min(self.extent.most()), high, all).min(high.saturating_sub(long));
        let row = |at: usize| self.track.y.saturating_add(u16::try_from(at).unwrap_or(u16::MAX));
        row(top)..row(top + long)
    }

    /// Where the button went down in it: how far below the top of the thumb. Beside the thumb, its middle comes there.
    pub fn grip(&self, (x, y): (u16, u16)) -> Option<u16> {
        let thumb = self.thumb();
        if !self.is_needed() || !self.track.contains((x, y).into()) {
            return None;
        }
        match thumb.contains(&y) {
            true => Some(y - thumb.start),
            false if self.is_shared => None,
            false => Some((thumb.end - thumb.start) / 2),
        }
    }

    /// What is selected in a list that begins at this row, where such a list scrolls only as far as its selection has it.
    pub fn selection(&self, first: usize, before: usize) -> usize {
        let last_seen = first + self.extent.seen.saturating_sub(1);
        match first {
            0 => before.min(last_seen),
            _ => last_seen,
        }
    }

    /// What is first once the thumb is dragged to that row by this grip.
    pub fn led_to(&self, y: u16, grip: u16) -> usize {
        let thumb = self.thumb();
        let room = self.track.height.saturating_sub(thumb.end - thumb.start);
        let top = y.saturating_sub(grip).saturating_sub(self.track.y);
        match top {
            0 => 0,
            top if top >= room => self.extent.most(),
            top => rounded(self.extent.all, top.into(), self.track.height.into()).min(self.extent.most()),
        }
    }
}

/// `a * b / c`, to the nearest.
fn rounded(a: usize, b: usize, c: usize) -> usize {
    a.saturating_mul(b).saturating_add(c / 2) / c.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bar(first: usize, seen: usize, all: usize) -> ScrollBar {
        ScrollBar::on_frame(
            Rect::new(0, 0, 40, 12),
            Rect::new(1, 1, 38, 10),
            Extent { first, seen, all },
        )
    }

    #[test]
    fn a_thumb_stands_at_the_ends_when_the_list_does() {
        assert_eq!(bar(0, 10, 100).thumb(), 1..2);
        assert_eq!(bar(90, 10, 100).thumb(), 10..11);
        assert_eq!(bar(5, 10, 20).thumb(), 4..9);
        assert!(!bar(0, 10, 10).is_needed());
    }

    #[test]
    fn a_thumb_that_is_dragged_to_where_it_stands_stays_and_reaches_both_ends() {
        for all in [11, 20, 57, 100, 4_000] {
            for first in (0..=all - 10).step_by(7) {
                let bar = bar(first, 10, all);
                let top = bar.thumb().start;
                let moved = ScrollBar {
                    extent: Extent {
                        first: bar.led_to(top, 0),
                        ..bar.extent
                    },
                    ..bar
                };
                assert_eq!(moved.thumb(), bar.thumb(), "{first} of {all}");
            }
            assert_eq!(bar(3, 10, all).led_to(0, 0), 0);
            assert_eq!(bar(3, 10, all).led_to(30, 0), all - 10);
        }
    }

    #[test]
    fn where_its_place_is_shared_only_the_thumb_is_taken() {
        let list = Rect::new(0, 0, 20, 10);
        let extent = Extent {
            first: 0,
            seen: 10,
            all: 40,
        };
        let (own, shared) = (bar(0, 10, 40), ScrollBar::within(list, extent));
        assert_eq!((shared.grip((19, 1)), shared.grip((19, 8))), (Some(1), None));
        assert_eq!(
            (own.grip((39, 1)), own.grip((39, 8)), own.grip((38, 1))),
            (Some(0), Some(1), None)
        );
    }
}
