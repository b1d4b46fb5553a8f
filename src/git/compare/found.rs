//! Which lines of a difference have some words in them.

use super::hunks::{HunkOptions, hunks};
use super::lines::TextLines;
use crate::model::diff::LineKind;
use crate::model::search::Needle;

/// How many of the lines that are shown have the words in them.
pub fn found(old: &[u8], new: &[u8], how: HunkOptions, needle: &Needle) -> Result<usize, git2::Error> {
    let (found, _) = hunks(old, new, how)?;
    let (old, new) = (TextLines::of(old), TextLines::of(new));
    let lines = found.iter().flat_map(|hunk| &hunk.lines);
    let has_words = |line: &&super::hunks::RawLine| {
        let raw = match line.kind {
            LineKind::Removed => old.get(line.old.unwrap_or_default()),
            LineKind::Context | LineKind::Added => new.get(line.new.unwrap_or_default()),
        };
        needle.is_in(&super::body::shown_text(raw, false))
    };
    Ok(lines.filter(has_words).count())
}
