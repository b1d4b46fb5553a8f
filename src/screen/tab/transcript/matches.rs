//! From one match of a search to the next within an item: an answer may be longer than the screen.

use super::data::{RowSpot, TranscriptView};
use super::found::FoundMatch;
use super::item::{ItemKey, TranscriptItem};
use super::row::TranscriptRow;
use super::sight;
use super::targets;
use super::wants::{JumpKind, JumpWay};
use crate::screen::call;
use crate::screen::view::View;

/// Which match of an item is gone to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhichMatch {
    First,
    Last,
    Nth(usize),
    /// That in the row that has most of the words.
    Fullest,
}

/// What is next on a way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NextMatch {
    /// It is in this item.
    In(ItemKey, WhichMatch),
    /// It is in none that stands before this item, or behind it, and not in this one.
    Beyond(ItemKey),
}

/// From the match that was gone to last if it is in sight; from what is selected if that is; else from what is in sight.
pub(super) fn next(transcript: &TranscriptView, way: JumpWay) -> Option<NextMatch> {
    let held = transcript.held();
    let last = transcript.search.sought.as_ref().and_then(|sought| sought.found.at);
    let last = last.filter(|last| Some(last.item) == held);
    if let Some(FoundMatch { item, nth }) = last {
        let rows = rows(transcript, item);
        let is_seen = |row: &usize| transcript.sight.contains(&RowSpot { item, row: *row });
        match (rows.get(nth), way) {
            (Some(row), JumpWay::On) if is_seen(row) && nth + 1 < rows.len() => {
                return Some(NextMatch::In(item, WhichMatch::Nth(nth + 1)));
            }
            (Some(row), JumpWay::Back) if is_seen(row) && nth > 0 => {
                return Some(NextMatch::In(item, WhichMatch::Nth(nth - 1)));
            }
            (Some(row), _) if !is_seen(row) => {}
            (Some(_) | None, _) => return Some(NextMatch::Beyond(item)),
        }
    } else if let Some(item) = held {
        let is_match = transcript
            .items
            .get(item)
            .is_some_and(|item| is_match(transcript, item));
        return Some(match (way, is_match) {
            (JumpWay::On, true) => NextMatch::In(item, WhichMatch::First),
            (JumpWay::On, false) | (JumpWay::Back, _) => NextMatch::Beyond(item),
        });
    }
    let edge = match way {
        JumpWay::On => transcript.sight.first(),
        JumpWay::Back => transcript.sight.last(),
    };
    let edge = *edge?;
    let rows = rows(transcript, edge.item);
    let nth = match way {
        JumpWay::On => rows.iter().position(|row| *row >= edge.row),
        JumpWay::Back => rows.iter().rposition(|row| *row <= edge.row),
    };
    if let Some(nth) = nth {
        return Some(NextMatch::In(edge.item, WhichMatch::Nth(nth)));
    }
    let is_folded = rows.is_empty() && last.is_none();
    let item = transcript.items.get(edge.item).filter(|_| is_folded);
    Some(match item.is_some_and(|item| is_match(transcript, item)) {
        true => NextMatch::In(edge.item, WhichMatch::First),
        false => NextMatch::Beyond(edge.item),
    })
}

fn is_match(transcript: &TranscriptView, item: &TranscriptItem) -> bool {
    targets::is_place(transcript, JumpKind::Match, item)
}

/// Goes there: what holds it is opened where it is folded away.
pub(super) fn go(view: &mut View, key: ItemKey, which: WhichMatch) {
    let transcript = &mut view.transcript;
    transcript.selected = Some(key);
    targets::bring_out(transcript, key);
    sight::settle(view);
    sight::lay(view, key);
    unfold(view, key);
    let rows = rows(&view.transcript, key);
    let nth = match which {
        WhichMatch::First => 0,
        WhichMatch::Last => rows.len().saturating_sub(1),
        WhichMatch::Nth(nth) => nth,
        WhichMatch::Fullest => fullest(&view.transcript, key, &rows),
    };
    if let Some(sought) = &mut view.transcript.search.sought {
        sought.found.at = Some(FoundMatch { item: key, nth });
    }
    match rows.get(nth) {
        Some(row) => sight::reveal_row(view, RowSpot { item: key, row: *row }),
        None => sight::reveal(view, key),
    }
}

/// Opens what has more of the words than are seen.
fn unfold(view: &mut View, key: ItemKey) {
    let transcript = &view.transcript;
    let seen = rows(transcript, key).len();
    let item = transcript.items.get(key);
    let all = item.map_or(0, |item| targets::matches(transcript, item));
    if seen >= all || transcript.open.contains(&key) {
        return;
    }
    let count = |view: &View| view.transcript.laid.get(&key).map_or(0, |laid| laid.rows.len());
    let before = count(view);
    view.transcript.open.insert(key);
    view.transcript.laid.remove(&key);
    sight::lay(view, key);
    if count(view) == before {
        view.transcript.open.remove(&key);
        return;
    }
    view.transcript.changed();
    sight::settle(view);
}

/// The row of each match in an item as it is laid out, from top to bottom.
fn rows(transcript: &TranscriptView, key: ItemKey) -> Vec<usize> {
    let (Some(sought), Some(laid)) = (&transcript.search.sought, transcript.laid.get(&key)) else {
        return Vec::new();
    };
    let mut rows = Vec::new();
    for row in 0..laid.rows.len() {
        let text = text(transcript, RowSpot { item: key, row });
        rows.extend(sought.needle.places(&text).map(|_| row));
    }
    rows
}

fn fullest(transcript: &TranscriptView, key: ItemKey, rows: &[usize]) -> usize {
    let Some(sought) = &transcript.search.sought else {
        return 0;
    };
    let kinds = |row: usize| sought.needle.kinds_in(&text(transcript, RowSpot { item: key, row }));
    let most = rows.iter().map(|row| kinds(*row)).max().unwrap_or(0);
    rows.iter().position(|row| kinds(*row) == most).unwrap_or(0)
}

fn text(transcript: &TranscriptView, spot: RowSpot) -> String {
    match transcript.row(spot) {
        Some(TranscriptRow::Text(text)) => text.pieces.iter().map(|piece| piece.text.as_str()).collect(),
        Some(TranscriptRow::Card) => {
            let item = transcript.items.get(spot.item);
            let places = transcript.places.at(spot.item.seq);
            item.and_then(TranscriptItem::tool)
                .map_or_else(String::new, |(_, tool)| {
                    let line = call::line(&tool.told, tool.dir.as_deref(), places);
                    format!("{} {}", tool.told.name, line.words)
                })
        }
        Some(TranscriptRow::Blank | TranscriptRow::Turn) | None => String::new(),
    }
}
