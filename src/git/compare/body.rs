//! The difference of two contents, as it is shown.

use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;

use super::hunks::{HunkOptions, RawHunk, RawLine, hunks};
use super::lines::TextLines;
use super::syntax::{Coloured, colour};
use crate::model::changed_words::ChangedWords;
use crate::model::diff::{DiffBody, DiffLine, DiffSpan, Hunk, LineKind, Syntax};

/// Lines of a difference; nobody reads more of one file.
pub const MOST_LINES: usize = 20_000;
/// Characters of a line; the rest of a longer one is not shown.
const LONGEST: usize = 2_000;
/// git looks at as many bytes.
const TELLING: usize = 8_000;

pub struct BodyOptions<'a> {
    /// By which the language is known.
    pub path: &'a Path,
    pub context: u32,
    pub ignore_whitespace: bool,
}

/// As git tells binary files.
pub fn is_binary(content: &[u8]) -> bool {
    memchr::memchr(0, &content[..content.len().min(TELLING)]).is_some()
}

/// What differs between two texts. A side that is not there is empty.
pub fn body(old: &[u8], new: &[u8], how: &BodyOptions<'_>) -> Result<DiffBody, git2::Error> {
    let options = HunkOptions {
        context: how.context,
        ignore_whitespace: how.ignore_whitespace,
        most: MOST_LINES,
    };
    let (found, cut) = hunks(old, new, options)?;
    let (old, new) = (TextLines::of(old), TextLines::of(new));
    let has_returns = |lines: &TextLines<'_>| lines.is_empty() || lines.has_carriage_returns();
    let mut shown = Shown {
        old: &old,
        new: &new,
        has_returns: has_returns(&old) && has_returns(&new),
        words: ChangedWords::default(),
    };
    let mut coloured = colour(how.path, &old, &new, &found).into_iter();
    let hunks = found
        .into_iter()
        .map(|hunk| shown.hunk(hunk, coloured.next().unwrap_or_default()));
    Ok(DiffBody::Lines {
        hunks: hunks.collect(),
        cut,
    })
}

struct Shown<'a> {
    old: &'a TextLines<'a>,
    new: &'a TextLines<'a>,
    /// All lines end with a carriage return: it is part of their ends. Where only some have it, that is a difference.
    has_returns: bool,
    words: ChangedWords,
}

impl<'a> Shown<'a> {
    fn hunk(&mut self, hunk: RawHunk, coloured: Vec<Vec<Coloured>>) -> Hunk {
        let texts: Vec<Cow<'a, str>> = hunk.lines.iter().map(|line| self.text(*line)).collect();
        let kinds = hunk.lines.iter().map(|line| line.kind);
        let changed = self
            .words
            .of(&kinds.zip(texts.iter().map(|text| &**text)).collect::<Vec<_>>());
        let mut coloured = coloured.into_iter();
        let lines = hunk.lines.iter().zip(texts).zip(changed);
        let lines = lines.map(|((line, text), changed)| DiffLine {
            kind: line.kind,
            old: line.old,
            new: line.new,
            spans: spans(&text, &coloured.next().unwrap_or_default(), &changed),
            text: text.into_owned(),
            is_unended: !self.raw(*line).ends_with(b"\n"),
            is_staged: false,
        });
        Hunk {
            old: hunk.old,
            new: hunk.new,
            lines: lines.collect(),
            heading: hunk.heading,
        }
    }

    fn raw(&self, line: RawLine) -> &'a [u8] {
        match line.kind {
            LineKind::Removed => self.old.get(line.old.unwrap_or_default()),
            LineKind::Context | LineKind::Added => self.new.get(line.new.unwrap_or_default()),
        }
    }

    fn text(&self, line: RawLine) -> Cow<'a, str> {
        shown_text(self.raw(line), self.has_returns)
    }
}

/// As much of a line as is shown, without its end.
pub(super) fn shown_text(raw: &[u8], has_return: bool) -> Cow<'_, str> {
    let text = raw.strip_suffix(b"\n").unwrap_or(raw);
    let text = text.strip_suffix(b"\r").filter(|_| has_return).unwrap_or(text);
    // A character has four bytes at most.
    let text = String::from_utf8_lossy(&text[..text.len().min((LONGEST + 1) * 4)]);
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text,
    }
}

/// Both ways of dividing a text in one. None where all of it is plain.
fn spans(text: &str, coloured: &[Coloured], changed: &[Range<usize>]) -> Vec<DiffSpan> {
    let mut ends: Vec<usize> = coloured.iter().map(|(end, _)| *end).collect();
    ends.extend(changed.iter().flat_map(|part| [part.start, part.end]));
    ends.push(text.len());
    ends.retain(|end| *end > 0 && *end <= text.len() && text.is_char_boundary(*end));
    ends.sort_unstable();
    ends.dedup();
    let mut spans: Vec<DiffSpan> = Vec::with_capacity(ends.len());
    let (mut colours, mut parts) = (coloured.iter().peekable(), changed.iter().peekable());
    let mut start = 0;
    for end in ends {
        while colours.next_if(|(until, _)| *until <= start).is_some() {}
        while parts.next_if(|part| part.end <= start).is_some() {}
        let syntax = colours.peek().map_or(Syntax::Plain, |(_, syntax)| *syntax);
        let is_changed = parts.peek().is_some_and(|part| part.start <= start);
        start = end;
        let end = u32::try_from(end).unwrap_or(u32::MAX);
        match spans.last_mut() {
            Some(last) if last.syntax == syntax && last.is_changed == is_changed => last.end = end,
            Some(_) | None => spans.push(DiffSpan {
                end,
                syntax,
                is_changed,
            }),
        }
    }
    let is_plain = |span: &DiffSpan| span.syntax == Syntax::Plain && !span.is_changed;
    match spans.iter().all(is_plain) {
        true => Vec::new(),
        false => spans,
    }
}
