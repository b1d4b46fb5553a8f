//! Which lines of two contents differ, by their numbers alone.

use git2::{DiffLineType, DiffOptions, Patch};

use crate::model::diff::LineKind;

/// How two contents are compared.
#[derive(Debug, Clone, Copy)]
pub struct HunkOptions {
    /// Unchanged lines around each change.
    pub context: u32,
    pub ignore_whitespace: bool,
    /// Lines beyond this many are only counted.
    pub most: usize,
}

pub struct RawHunk {
    pub old: (u32, u32),
    pub new: (u32, u32),
    pub heading: String,
    pub lines: Vec<RawLine>,
}

/// A line by its number on the sides that have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RawLine {
    pub kind: LineKind,
    pub old: Option<u32>,
    pub new: Option<u32>,
}

/// Returns the hunks, and how many lines of them are left out.
pub fn hunks(old: &[u8], new: &[u8], how: HunkOptions) -> Result<(Vec<RawHunk>, usize), git2::Error> {
    let mut options = DiffOptions::new();
    options
        .context_lines(how.context)
        .ignore_whitespace(how.ignore_whitespace)
        .indent_heuristic(true)
        .force_text(true);
    let patch = Patch::from_buffers(old, None, new, None, Some(&mut options))?;
    let (mut hunks, mut left, mut cut) = (Vec::new(), how.most, 0);
    for at in 0..patch.num_hunks() {
        let (head, count) = patch.hunk(at)?;
        if left == 0 {
            cut += patch.num_lines_in_hunk(at)?;
            continue;
        }
        let mut lines = Vec::with_capacity(count.min(left));
        for line in 0..count {
            let line = patch.line_in_hunk(at, line)?;
            let kind = match line.origin_value() {
                DiffLineType::Context => LineKind::Context,
                DiffLineType::Addition => LineKind::Added,
                DiffLineType::Deletion => LineKind::Removed,
                // What says that a line has no end: the line itself shows that.
                _ => continue,
            };
            match left {
                0 => cut += 1,
                _ => {
                    left -= 1;
                    let (old, new) = (line.old_lineno(), line.new_lineno());
                    lines.push(RawLine { kind, old, new });
                }
            }
        }
        hunks.push(RawHunk {
            old: (head.old_start(), head.old_lines()),
            new: (head.new_start(), head.new_lines()),
            heading: heading(head.header()),
            lines,
        });
    }
    Ok((hunks, cut))
}

/// What follows the second `@@`.
fn heading(header: &[u8]) -> String {
    let text = String::from_utf8_lossy(header);
    let rest = text.strip_prefix("@@").and_then(|rest| rest.split_once("@@"));
    rest.map_or(String::new(), |(_, heading)| heading.trim().to_owned())
}
