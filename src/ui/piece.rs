//! Rows of shaded pieces, put into cells.

use std::ops::Range;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use unicode_segmentation::UnicodeSegmentation;

use crate::config::theme::Theme;
use crate::model::diff::{LineKind, Syntax};
use crate::model::search::Needle;
use crate::screen::tab::transcript::row::{Shade, TextInk, TextRow};
use crate::screen::wrap::grapheme_width;
use crate::term::ansi::AnsiInk;
use crate::term::{Colour, Underline};

use super::tab::changes;
use super::terminal;
use super::text::{after, put};

/// What is drawn of a row beside its pieces.
#[derive(Clone, Copy, Default)]
pub(super) struct RowLook<'l> {
    /// What stands out of it.
    pub needle: Option<&'l Needle>,
    /// Columns of what can be scrolled sideways that are scrolled away.
    pub left: usize,
}

/// Code that is wider than the screen is drawn past the columns that are scrolled away.
pub(super) fn draw(theme: &Theme, row: &TextRow, look: RowLook<'_>, area: Rect, buf: &mut Buffer) {
    let whole: String = row.pieces.iter().map(|piece| piece.text.as_str()).collect();
    let found: Vec<Range<usize>> = look
        .needle
        .map_or_else(Vec::new, |needle| needle.places(&whole).collect());
    let held = row.held.unwrap_or(row.pieces.len());
    let ground = row.ground.map_or(Style::new(), |kind| ground(theme, kind));
    let mut pen = Pen { area, skip: 0 };
    let mut from = 0;
    for (at, piece) in row.pieces.iter().enumerate() {
        if at == held && look.left > 0 {
            // Something is scrolled away, also of lines that end before.
            pen.skip = look.left + 1;
            pen.put_mark(buf, theme.dim);
        }
        // What stands before the sign is no part of the line.
        if matches!(piece.shade.ink, TextInk::DiffSign(_)) {
            buf.set_style(pen.area, ground);
        }
        let base = style(theme, piece.shade);
        for (part, is_found) in parts(&piece.text, from, &found) {
            let style = if is_found { base.patch(theme.found) } else { base };
            pen.put(buf, part, style);
        }
        from += piece.text.len();
    }
}

/// A piece that begins at this byte of its row, cut where something was found.
fn parts<'t>(piece: &'t str, from: usize, found: &[Range<usize>]) -> Vec<(&'t str, bool)> {
    let (mut parts, mut at) = (Vec::new(), 0);
    for place in found {
        let start = place.start.max(from) - from;
        let end = place.end.saturating_sub(from).min(piece.len());
        if start >= end {
            continue;
        }
        if let (Some(before), Some(within)) = (piece.get(at..start), piece.get(start..end)) {
            parts.extend([(before, false), (within, true)]);
            at = end;
        }
    }
    parts.push((piece.get(at..).unwrap_or_default(), false));
    parts
}

/// Writes from left to right, past the columns that are to be skipped.
struct Pen {
    area: Rect,
    skip: usize,
}

impl Pen {
    fn put_mark(&mut self, buf: &mut Buffer, style: Style) {
        let used = put(buf, self.area, "‹", style);
        self.area = after(self.area, used);
    }

    fn put(&mut self, buf: &mut Buffer, text: &str, style: Style) {
        let mut text = text;
        if self.skip > 0 {
            let mut end = 0;
            for grapheme in text.graphemes(true) {
                if self.skip == 0 {
                    break;
                }
                self.skip = self.skip.saturating_sub(grapheme_width(grapheme));
                end += grapheme.len();
            }
            text = &text[end..];
        }
        let used = put(buf, self.area, text, style);
        self.area = after(self.area, used);
    }
}

fn ground(theme: &Theme, kind: LineKind) -> Style {
    match kind {
        LineKind::Context => Style::new(),
        LineKind::Removed => theme.diff.removed_ground,
        LineKind::Added => theme.diff.added_ground,
    }
}

/// How a piece looks.
pub(super) fn style(theme: &Theme, shade: Shade) -> Style {
    let mut style = match shade.ink {
        TextInk::Text => theme.text,
        TextInk::Dim => theme.dim,
        TextInk::Accent => theme.accent,
        TextInk::Heading => theme.header,
        TextInk::Code => theme.syntax.string,
        TextInk::Link => theme.key,
        TextInk::Border => theme.border,
        TextInk::Failed => theme.failed,
        TextInk::Waiting => theme.waiting,
        TextInk::Running => theme.running,
        TextInk::Done => theme.unseen,
        TextInk::Syntax(syntax) => changes::syntax(theme, syntax, LineKind::Context),
        TextInk::Diff(kind, is_changed) => diff(theme, kind, is_changed),
        TextInk::DiffSign(LineKind::Context) => theme.text,
        TextInk::DiffSign(LineKind::Added) => theme.diff.added,
        TextInk::DiffSign(LineKind::Removed) => theme.diff.removed,
        TextInk::Terminal(ink) => printed(theme, ink),
    };
    let of = [
        (shade.bold, Modifier::BOLD),
        (shade.italic, Modifier::ITALIC),
        (shade.struck, Modifier::CROSSED_OUT),
    ];
    for (_, modifier) in of.into_iter().filter(|(is_so, _)| *is_so) {
        style = style.add_modifier(modifier);
    }
    style
}

fn diff(theme: &Theme, kind: LineKind, is_changed: bool) -> Style {
    let plain = changes::syntax(theme, Syntax::Plain, kind).patch(ground(theme, kind));
    match kind {
        LineKind::Added if is_changed => plain.patch(theme.diff.added_word),
        LineKind::Removed if is_changed => plain.patch(theme.diff.removed_word),
        LineKind::Added | LineKind::Removed | LineKind::Context => plain,
    }
}

/// In a program's own colours. Without colours only its attributes are kept.
pub(super) fn printed(theme: &Theme, ink: AnsiInk) -> Style {
    let mut style = theme.text;
    if *theme != Theme::plain() {
        if ink.foreground != Colour::Default {
            style = style.fg(terminal::colour(ink.foreground));
        }
        if ink.background != Colour::Default {
            style = style.bg(terminal::colour(ink.background));
        }
    }
    let underline = if ink.is_underlined {
        Underline::Single
    } else {
        Underline::None
    };
    style.add_modifier(terminal::modifier(ink.style, underline))
}
