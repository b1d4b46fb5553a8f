//! Which rows are in sight. Only what is in sight is laid out: what lies above or below it costs nothing.

use super::data::{LaidItem, RowSpot, SightFor, TranscriptView};
use super::item::{ItemKey, ItemKind, TranscriptItem};
use super::laid::{self, ItemMeasure};
use super::place;
use crate::screen::scrollbar::{Extent, ScrollBar};
use crate::screen::view::View;

/// Items that are kept laid out; a screen has fewer.
const KEPT: usize = 2_000;

/// Finds the rows in sight, if something has changed since. A view that reaches the end follows it from then on.
pub fn settle(view: &mut View) {
    let list = place::areas(view).list;
    let size = SightFor {
        revision: view.transcript.revision,
        width: place::text_width(view),
        height: list.height.into(),
    };
    let transcript = &mut view.transcript;
    if transcript.seen == Some(size) {
        return;
    }
    if transcript.laid.len() > KEPT {
        transcript.laid.clear();
    }
    let mut roll = Roll {
        transcript,
        width: size.width,
    };
    let sight = roll.find(size.height);
    transcript.sight = sight;
    transcript.seen = Some(SightFor {
        revision: transcript.revision,
        ..size
    });
}

/// Scrolls by rows: up where negative.
pub fn scroll(view: &mut View, by: isize) {
    let width = place::text_width(view);
    let transcript = &mut view.transcript;
    let Some(first) = transcript.sight.first().copied() else {
        return;
    };
    let mut roll = Roll { transcript, width };
    let top = roll.step(first, by);
    transcript.leave_end();
    transcript.top = Some(top);
    transcript.changed();
    settle(view);
}

/// Goes so far that the item is in sight: its beginning, where it does not fit.
pub fn reveal(view: &mut View, key: ItemKey) {
    let width = place::text_width(view);
    let height = usize::from(place::areas(view).list.height);
    let transcript = &mut view.transcript;
    let at = transcript.items.position(key);
    let mut roll = Roll { transcript, width };
    let rows = roll.height(at);
    let spot = |row| RowSpot { item: key, row };
    let last = rows.saturating_sub(1);
    let is_seen = |row: usize| roll.transcript.sight.contains(&spot(row));
    let top = match (is_seen(0), is_seen(last)) {
        (true, true) => return,
        // Above what is in sight, or too tall for it.
        (false, _) if rows >= height || roll.is_above(key) => spot(0),
        (true, false) if rows >= height => spot(0),
        _ => roll.step(spot(last), -isize::try_from(height.saturating_sub(1)).unwrap_or(0)),
    };
    transcript.leave_end();
    transcript.top = Some(top);
    transcript.changed();
    settle(view);
}

/// Goes so far that this row is in sight, with a few rows above it.
pub(super) fn reveal_row(view: &mut View, spot: RowSpot) {
    if view.transcript.sight.contains(&spot) {
        return;
    }
    let width = place::text_width(view);
    let above = place::areas(view).list.height / 3;
    let transcript = &mut view.transcript;
    let mut roll = Roll { transcript, width };
    let top = roll.step(spot, -isize::try_from(above).unwrap_or(0));
    transcript.leave_end();
    transcript.top = Some(top);
    transcript.changed();
    settle(view);
}

/// Lays an item out that may be far from what is in sight.
pub(super) fn lay(view: &mut View, key: ItemKey) {
    let width = place::text_width(view);
    let transcript = &mut view.transcript;
    let at = transcript.items.position(key);
    Roll { transcript, width }.height(at);
}

/// An item in the upper part of what is in sight.
pub fn show_at_top(view: &mut View, key: ItemKey) {
    let transcript = &mut view.transcript;
    transcript.leave_end();
    transcript.top = Some(RowSpot { item: key, row: 0 });
    transcript.changed();
    settle(view);
}

impl TranscriptView {
    /// What comes from now on is new.
    pub(super) fn leave_end(&mut self) {
        if self.top.is_none() {
            self.since = self.items.last;
        }
    }

    /// Whether it is shown at all.
    pub fn is_shown(&self, item: &TranscriptItem) -> bool {
        let is_unfolded = |by: Option<ItemKey>| by.is_none_or(|by| self.open.contains(&by));
        !item.is_delivered && is_unfolded(item.hidden_by) && is_unfolded(item.of)
    }
}

struct Roll<'v> {
    transcript: &'v mut TranscriptView,
    width: usize,
}

impl Roll<'_> {
    /// From the top that is wanted; where nothing is, or less than a screen stands below it, from the end.
    fn find(&mut self, height: usize) -> Vec<RowSpot> {
        if let Some(top) = self.transcript.top {
            let at = self.transcript.items.position(top.item);
            let is_there = self
                .transcript
                .items
                .list()
                .get(at)
                .is_some_and(|item| item.key == top.item);
            let row = if is_there {
                top.row.min(self.height(at).saturating_sub(1))
            } else {
                0
            };
            let sight = self.down((at, row), height);
            let is_end = self.reaches_end(sight.last().copied());
            if sight.len() == height && !(is_end && self.transcript.window.at_end) {
                return sight;
            }
            if !self.transcript.window.at_end && !sight.is_empty() {
                // More is on its way.
                return sight;
            }
            self.transcript.top = None;
        }
        self.up_from_end(height)
    }

    fn reaches_end(&mut self, last: Option<RowSpot>) -> bool {
        let Some(last) = last else { return true };
        let at = self.transcript.items.position(last.item);
        if last.row + 1 < self.height(at) {
            return false;
        }
        (at + 1..self.transcript.items.list().len()).all(|at| self.height(at) == 0)
    }

    fn down(&mut self, from: (usize, usize), height: usize) -> Vec<RowSpot> {
        let mut sight = Vec::with_capacity(height);
        let (mut at, mut row) = from;
        while sight.len() < height && at < self.transcript.items.list().len() {
            let rows = self.height(at);
            let item = self.transcript.items.list()[at].key;
            let taken = (row..rows).take(height - sight.len());
            sight.extend(taken.map(|row| RowSpot { item, row }));
            (at, row) = (at + 1, 0);
        }
        sight
    }

    fn up_from_end(&mut self, height: usize) -> Vec<RowSpot> {
        let mut sight = Vec::with_capacity(height);
        for at in (0..self.transcript.items.list().len()).rev() {
            let rows = self.height(at);
            let item = self.transcript.items.list()[at].key;
            let taken = (0..rows).rev().take(height - sight.len());
            sight.extend(taken.map(|row| RowSpot { item, row }));
            if sight.len() >= height {
                break;
            }
        }
        sight.reverse();
        sight
    }

    /// The row so many rows below, or above; the first or last that there is.
    fn step(&mut self, from: RowSpot, by: isize) -> RowSpot {
        let mut at = self.transcript.items.position(from.item);
        let mut row = from.row;
        let mut left = by.unsigned_abs();
        while left > 0 {
            if by < 0 {
                let back = row.min(left);
                (row, left) = (row - back, left - back);
                if left == 0 {
                    break;
                }
                let Some(before) = (0..at).rev().find(|at| self.height(*at) > 0) else {
                    break;
                };
                (at, left) = (before, left - 1);
                row = self.height(at) - 1;
            } else {
                let below = self.height(at).saturating_sub(row + 1).min(left);
                (row, left) = (row + below, left - below);
                if left == 0 {
                    break;
                }
                let count = self.transcript.items.list().len();
                let Some(next) = (at + 1..count).find(|at| self.height(*at) > 0) else {
                    break;
                };
                (at, row, left) = (next, 0, left - 1);
            }
        }
        let item = self.transcript.items.list().get(at).map_or(from.item, |item| item.key);
        RowSpot { item, row }
    }

    fn is_above(&self, key: ItemKey) -> bool {
        self.transcript.sight.first().is_some_and(|first| key <= first.item)
    }

    /// How many rows an item has, laid out if it was not yet.
    fn height(&mut self, at: usize) -> usize {
        let Some(item) = self.transcript.items.list().get(at) else {
            return 0;
        };
        if !self.transcript.is_shown(item) {
            return 0;
        }
        let (key, revision) = (item.key, item.revision);
        if let Some(laid) = self.transcript.laid.get(&key)
            && laid.width == self.width
            && laid.revision == revision
        {
            return laid.rows.len();
        }
        let how = ItemMeasure {
            width: self.width,
            is_open: self.transcript.open.contains(&key),
            look: self.transcript.look,
            is_close: self.is_close(at),
        };
        let colours = self.transcript.colours.get(&key).map_or(&[][..], Vec::as_slice);
        let rows = laid::rows(item, how, &self.transcript.places, colours);
        let count = rows.len();
        let laid = LaidItem {
            width: self.width,
            revision,
            rows,
        };
        self.transcript.laid.insert(key, laid);
        count
    }

    fn is_close(&self, at: usize) -> bool {
        let list = &self.transcript.items.list()[..at];
        let above = list.iter().rev().find(|item| self.transcript.is_shown(item));
        above.is_some_and(|above| match above.what {
            ItemKind::Tool(_)
            | ItemKind::SubAgent(_)
            | ItemKind::OfSubAgent(_)
            | ItemKind::Event(_)
            | ItemKind::Unknown(_)
            | ItemKind::Thought(_)
            | ItemKind::AtWork(_)
            | ItemKind::Gap(_) => true,
            ItemKind::Prompt(_) | ItemKind::Said(_) | ItemKind::Hidden { .. } => false,
        })
    }
}

/// By items: rows are laid out only where they are seen. `None` while nothing of it is shown, or something else instead.
pub fn bar(view: &View) -> Option<ScrollBar> {
    let transcript = &view.transcript;
    if transcript.moment.is_some() || transcript.items.list().is_empty() {
        return None;
    }
    let place = |spot: Option<&RowSpot>| spot.map_or(0, |spot| transcript.items.position(spot.item));
    let (first, last) = (place(transcript.sight.first()), place(transcript.sight.last()));
    let before = usize::from(!transcript.begins_at_start());
    let extent = Extent {
        first: first + before,
        seen: last + 1 - first,
        all: transcript.items.list().len() + before,
    };
    Some(ScrollBar::within(place::areas(view).list, extent).silent())
}

/// What is above the items that are there is read as for any other way up.
pub fn scroll_to(view: &mut View, first: usize) {
    let before = usize::from(!view.transcript.begins_at_start());
    let items = view.transcript.items.list();
    if let Some(item) = items.get(first.saturating_sub(before)) {
        let key = item.key;
        show_at_top(view, key);
    }
}
