//! What a call changes in one file, in lines that tell which of their words changed.

use crate::model::changed_words::ChangedWords;
use crate::model::diff::{DiffLine, DiffSpan, FileKind, Hunk, LineKind, Syntax};

/// What a call changes in one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileEdit {
    pub path: String,
    /// Where the file is moved to.
    pub to: Option<String>,
    pub kind: FileKind,
    /// Lines have numbers where the call says which they are.
    pub hunks: Vec<Hunk>,
    /// Every place that reads like this is changed.
    pub is_everywhere: bool,
}

impl FileEdit {
    pub(super) fn new(path: impl Into<String>, kind: FileKind) -> FileEdit {
        FileEdit {
            path: path.into(),
            to: None,
            kind,
            hunks: Vec::new(),
            is_everywhere: false,
        }
    }

    /// It was written over another one, and this is what differs, each line with its sign.
    pub fn write_over(&mut self, diff: &str) {
        let line = |line: &'_ str| match line.split_at_checked(1) {
            Some(("+", _)) => LineKind::Added,
            Some(("-", _)) => LineKind::Removed,
            Some(_) | None => LineKind::Context,
        };
        let lines = diff.lines().filter(|text| !text.starts_with('\\'));
        let lines: Vec<(LineKind, &str)> = lines
            .map(|text| (line(text), text.get(1..).unwrap_or_default()))
            .collect();
        self.kind = FileKind::Modified;
        self.hunks = vec![marked("", &lines, &mut ChangedWords::default())];
    }

    /// Lines added and removed.
    pub fn amount(&self) -> (usize, usize) {
        let lines = || self.hunks.iter().flat_map(|hunk| &hunk.lines);
        let count = |kind| lines().filter(|line| line.kind == kind).count();
        (count(LineKind::Added), count(LineKind::Removed))
    }
}

/// A hunk whose lines tell which of their words changed.
pub(super) fn marked(heading: &str, lines: &[(LineKind, &str)], words: &mut ChangedWords) -> Hunk {
    let changed = words.of(lines);
    let lines = lines.iter().zip(changed).map(|((kind, text), parts)| {
        let span = |end: usize, is_changed| DiffSpan {
            end: u32::try_from(end).unwrap_or(u32::MAX),
            syntax: Syntax::Plain,
            is_changed,
        };
        let mut spans = Vec::new();
        for part in parts {
            spans.extend([span(part.start, false), span(part.end, true)]);
        }
        spans.retain(|span| span.end > 0);
        DiffLine {
            spans,
            ..line(*kind, text)
        }
    });
    hunk(heading, lines.collect())
}

pub(super) fn hunk(heading: &str, lines: Vec<DiffLine>) -> Hunk {
    Hunk {
        old: (0, 0),
        new: (0, 0),
        heading: heading.into(),
        lines,
    }
}

pub(super) fn line(kind: LineKind, text: &str) -> DiffLine {
    DiffLine {
        kind,
        old: None,
        new: None,
        text: text.into(),
        spans: Vec::new(),
        is_unended: false,
        is_staged: false,
    }
}
