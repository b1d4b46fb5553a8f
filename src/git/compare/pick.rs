//! Takes over some lines of a difference and not the others, to the byte.

use std::collections::BTreeSet;

use super::hunks::{HunkOptions, RawLine, hunks};
use super::lines::TextLines;
use crate::model::diff::LineKind;
use crate::model::pick::PickedPart;

/// Chosen lines of a difference, by their numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChosenLines {
    pub removed: BTreeSet<u32>,
    pub added: BTreeSet<u32>,
    /// Where whole hunks were chosen, all that differs counts: compared with something else than what was shown, equal
    /// lines may be told apart in another way.
    pub old: Vec<HunkSpan>,
    pub new: Vec<HunkSpan>,
}

/// Some lines of one side, with the places before, between and after them: a place is the number of the line before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HunkSpan {
    first: u32,
    last: u32,
}

impl HunkSpan {
    /// From the first line and the number of lines, as hunks say them.
    fn of((start, count): (u32, u32)) -> HunkSpan {
        match count {
            0 => HunkSpan {
                first: start,
                last: start,
            },
            _ => HunkSpan {
                first: start - 1,
                last: start + count - 1,
            },
        }
    }

    fn has_line(self, number: u32) -> bool {
        self.first < number && number <= self.last
    }

    fn has_place(self, place: u32) -> bool {
        self.first <= place && place <= self.last
    }
}

/// Which side the result starts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PickWay {
    /// From the old side, with the chosen changes.
    Forth,
    /// From the new side, without the chosen changes.
    Back,
}

impl ChosenLines {
    /// None where a hunk or line that was chosen is not there, or did not change.
    pub fn of(
        old: &[u8],
        new: &[u8],
        how: HunkOptions,
        parts: &[PickedPart],
    ) -> Result<Option<ChosenLines>, git2::Error> {
        let (hunks, _) = hunks(old, new, how)?;
        let mut chosen = ChosenLines::default();
        for part in parts {
            let Some(hunk) = hunks.get(part.hunk) else {
                return Ok(None);
            };
            if part.lines.is_none() {
                chosen.old.push(HunkSpan::of(hunk.old));
                chosen.new.push(HunkSpan::of(hunk.new));
            }
            let (first, last) = part.lines.unwrap_or((0, hunk.lines.len().saturating_sub(1)));
            let Some(lines) = hunk.lines.get(first..last.saturating_add(1)) else {
                return Ok(None);
            };
            for line in lines {
                match line.kind {
                    LineKind::Context => {}
                    LineKind::Removed => chosen.removed.extend(line.old),
                    LineKind::Added => chosen.added.extend(line.new),
                }
            }
        }
        let is_any = !chosen.removed.is_empty() || !chosen.added.is_empty();
        Ok(is_any.then_some(chosen))
    }

    /// `seen` is how many lines of each side come before this one.
    fn has(&self, line: RawLine, seen: (u32, u32)) -> bool {
        let is_at = |number: Option<u32>, numbers: &BTreeSet<u32>, own: &[HunkSpan]| {
            number.is_some_and(|number| numbers.contains(&number) || own.iter().any(|span| span.has_line(number)))
        };
        let is_in = |other: &[HunkSpan], place| other.iter().any(|span| span.has_place(place));
        match line.kind {
            LineKind::Context => false,
            LineKind::Removed => is_at(line.old, &self.removed, &self.old) || is_in(&self.new, seen.1),
            LineKind::Added => is_at(line.new, &self.added, &self.new) || is_in(&self.old, seen.0),
        }
    }
}

/// The lines of `from` with these numbers, by their numbers in `to`. A line that `to` lacks is left out.
pub fn renumbered(from: &[u8], to: &[u8], numbers: &BTreeSet<u32>) -> Result<BTreeSet<u32>, git2::Error> {
    if from == to {
        return Ok(numbers.clone());
    }
    let (hunks, _) = hunks(from, to, whole())?;
    let same = hunks.iter().flat_map(|hunk| &hunk.lines);
    let same = same.filter(|line| line.old.is_some_and(|old| numbers.contains(&old)));
    Ok(same.filter_map(|line| line.new).collect())
}

/// The numbers of the lines of `from` that `to` has too.
pub fn kept(from: &[u8], to: &[u8]) -> Result<BTreeSet<u32>, git2::Error> {
    let (hunks, _) = hunks(from, to, whole())?;
    if hunks.is_empty() {
        return Ok((1..=TextLines::of(from).count()).collect());
    }
    let same = hunks.iter().flat_map(|hunk| &hunk.lines);
    Ok(same
        .filter(|line| line.new.is_some())
        .filter_map(|line| line.old)
        .collect())
}

/// One side, with or without the chosen lines of what differs.
pub fn picked(
    old: &[u8],
    new: &[u8],
    way: PickWay,
    ignore_whitespace: bool,
    chosen: &ChosenLines,
) -> Result<Vec<u8>, git2::Error> {
    let how = HunkOptions {
        ignore_whitespace,
        ..whole()
    };
    let (hunks, _) = hunks(old, new, how)?;
    if hunks.is_empty() {
        let side = match way {
            PickWay::Forth => old,
            PickWay::Back => new,
        };
        return Ok(side.to_vec());
    }
    let (old, new) = (TextLines::of(old), TextLines::of(new));
    let mut out = Vec::with_capacity(old.bytes().len().max(new.bytes().len()));
    let mut seen = (0, 0);
    for line in hunks.iter().flat_map(|hunk| &hunk.lines) {
        let is_chosen = chosen.has(*line, seen);
        seen = (line.old.unwrap_or(seen.0), line.new.unwrap_or(seen.1));
        let (before, after) = (
            line.old.map(|number| old.get(number)),
            line.new.map(|number| new.get(number)),
        );
        let kept = match (line.kind, way) {
            (LineKind::Context, PickWay::Forth) => before,
            (LineKind::Context, PickWay::Back) => after,
            (LineKind::Removed, PickWay::Forth) => before.filter(|_| !is_chosen),
            (LineKind::Removed, PickWay::Back) => before.filter(|_| is_chosen),
            (LineKind::Added, PickWay::Forth) => after.filter(|_| is_chosen),
            (LineKind::Added, PickWay::Back) => after.filter(|_| !is_chosen),
        };
        if let Some(kept) = kept.filter(|kept| !kept.is_empty()) {
            // What was the last line of one side, without an end, is not the last any more.
            if !out.is_empty() && !out.ends_with(b"\n") {
                let end: &[u8] = if old.has_carriage_returns() { b"\r\n" } else { b"\n" };
                out.extend_from_slice(end);
            }
            out.extend_from_slice(kept);
        }
    }
    Ok(out)
}

/// All lines, in one hunk.
fn whole() -> HunkOptions {
    HunkOptions {
        context: u32::MAX / 2,
        ignore_whitespace: false,
        most: usize::MAX,
    }
}
