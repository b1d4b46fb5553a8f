//! What a call does, in rows.

use serde_json::Value;

use crate::domain::approval::card::Tool;
use crate::domain::call::command::{self, CommandShade};
use crate::domain::call::{CallPart, FileEdit, TodoItem, numbered, parts};
use crate::model::diff::{DiffLine, FileKind, LineKind, Syntax};
use crate::permission::{Sort, sort_of};

use super::super::tab::transcript::flow::{flow, shown};
use super::super::tab::transcript::row::{Piece, Shade, TextInk, TextRow};
use super::super::wrap::width;
use super::fold::fold;
use super::places::SeenPlaces;

/// A longer name of an input stands in a row of its own.
const NAME: usize = 14;
/// Columns of a call's line beside what it is about: its signs, its name, how long it took.
const LINE: usize = 18;
/// Below this there is no room for numbers of lines.
const NUMBERED: usize = 36;

/// How a call is laid out.
#[derive(Clone, Copy)]
pub struct CallMeasure<'p> {
    pub width: usize,
    /// CallRows of each part of it; of more it is said how many they are.
    pub most: usize,
    /// The line above says what it is about.
    pub has_line: bool,
    pub places: &'p SeenPlaces,
    /// The number of the first line of what is replaced, if it is known.
    pub first: Option<u32>,
}

/// Everything that a call of this tool with this input does.
pub fn asked(tool: &str, input: &Value, how: CallMeasure<'_>) -> Vec<TextRow> {
    let parts: Vec<CallPart> = parts(tool, input)
        .into_iter()
        .map(
            |part| match (part, how.first.and_then(|first| numbered(input, first))) {
                (CallPart::Edit(edit), Some(hunks)) => CallPart::Edit(FileEdit { hunks, ..edit }),
                (part, _) => part,
            },
        )
        .collect();
    laid(&parts, sort_of(tool), how)
}

/// The same of a call that may have its end, which tells what a file was that it wrote over.
pub fn of_call(tool: &Tool, how: CallMeasure<'_>) -> Vec<TextRow> {
    let mut parts = parts(&tool.name, &tool.input);
    let is_whole = tool.output.is_none() && tool.cut.is_none();
    if tool.told.sort == Sort::Write && is_whole && tool.tells_diff {
        for part in &mut parts {
            if let CallPart::Edit(edit) = part {
                edit.write_over(&tool.preview);
            }
        }
    }
    laid(&parts, sort_of(&tool.name), how)
}

fn laid(parts: &[CallPart], sort: Sort, how: CallMeasure<'_>) -> Vec<TextRow> {
    let names = parts.iter().filter_map(|part| match part {
        CallPart::Input { name, .. } => Some(width(name)).filter(|wide| *wide <= NAME),
        CallPart::Why(_)
        | CallPart::Command(_)
        | CallPart::File(_)
        | CallPart::Edit(_)
        | CallPart::Prose(_)
        | CallPart::Todo(_) => None,
    });
    let mut rows = CallRows {
        how,
        sort,
        names: names.max().unwrap_or(0),
        are_many: parts.iter().filter(|part| matches!(part, CallPart::Edit(_))).count() > 1,
        rows: Vec::new(),
    };
    for part in parts {
        let before = rows.rows.len();
        rows.part(part);
        let more = (rows.rows.len() - before).saturating_sub(how.most);
        // A row that says that one more is left out would take its place.
        if more > 1 {
            rows.rows.truncate(before + how.most);
            rows.text(vec![Piece::new(format!("… {more} more rows"), TextInk::Accent)]);
        }
    }
    rows.rows
}

/// A line that is broken where the room ends, its indentation kept.
pub fn folded(pieces: Vec<Piece>, wide: usize) -> impl Iterator<Item = TextRow> {
    fold(pieces, wide).into_iter().map(TextRow::of)
}

struct CallRows<'p> {
    how: CallMeasure<'p>,
    sort: Sort,
    /// Columns for names of inputs.
    names: usize,
    /// Several files are changed.
    are_many: bool,
    rows: Vec<TextRow>,
}

impl CallRows<'_> {
    fn part(&mut self, part: &CallPart) {
        match part {
            CallPart::Why(words) => {
                let is_told = self.sort == Sort::Task && self.has_told(words);
                if !is_told {
                    self.prose(words, TextInk::Dim.into());
                }
            }
            CallPart::Command(line) => self.command(line),
            CallPart::File(path) => {
                let path = self.how.places.whole(path);
                if !self.has_told(&path) {
                    self.folded(vec![Piece::new(shown(&path), TextInk::Text)]);
                }
            }
            CallPart::Edit(edit) => self.edit(edit),
            CallPart::Prose(words) => self.prose(words, TextInk::Text.into()),
            CallPart::Todo(item) => self.todo(item),
            CallPart::Input { name, value } => self.input(name, value),
        }
    }

    /// The line above says it whole.
    fn has_told(&self, words: &str) -> bool {
        self.how.has_line && width(words) + LINE <= self.how.width
    }

    fn text(&mut self, pieces: Vec<Piece>) {
        self.rows.push(TextRow::of(pieces));
    }

    fn folded(&mut self, pieces: Vec<Piece>) {
        for row in fold(pieces, self.how.width) {
            self.text(row);
        }
    }

    fn prose(&mut self, words: &str, shade: Shade) {
        for line in self.how.places.text(words).trim_end().lines() {
            for row in flow(&[Piece::new(shown(line), shade)], self.how.width) {
                self.text(row);
            }
        }
    }

    fn command(&mut self, line: &str) {
        let line = self.how.places.text(line);
        for line in command::lines(&line) {
            let mut pieces = Vec::new();
            let indent = "  ".repeat(line.indent);
            if line.indent > 0 {
                pieces.push(Piece::new(indent.as_str(), TextInk::Text));
            }
            pieces.extend(
                line.words
                    .iter()
                    .map(|(shade, text)| Piece::new(shown(text), ink(*shade))),
            );
            // Further rows stand further in.
            let further = format!("  {indent}");
            let rows = flow(&pieces, self.how.width.saturating_sub(further.len()));
            for (at, mut row) in rows.into_iter().enumerate() {
                if at > 0 {
                    row.insert(0, Piece::new(further.as_str(), TextInk::Text));
                }
                self.text(row);
            }
        }
    }

    fn todo(&mut self, item: &TodoItem) {
        let (sign, ink) = match (item.is_done, item.is_current) {
            (true, _) => ("✓ ", TextInk::Done),
            (false, true) => ("▸ ", TextInk::Accent),
            (false, false) => ("□ ", TextInk::Dim),
        };
        let words = if item.is_done { TextInk::Dim } else { TextInk::Text };
        let room = self.how.width.saturating_sub(2);
        for (at, row) in flow(&[Piece::new(shown(&item.text), words)], room)
            .into_iter()
            .enumerate()
        {
            let sign = if at == 0 { sign } else { "  " };
            self.text([vec![Piece::new(sign, ink)], row].concat());
        }
    }

    fn input(&mut self, name: &str, value: &str) {
        let value = match serde_json::from_str(value) {
            Ok(value @ (Value::Object(_) | Value::Array(_))) => {
                serde_json::to_string_pretty(&value).unwrap_or_default()
            }
            Ok(_) | Err(_) => self.how.places.text(value).into_owned(),
        };
        let name = shown(name);
        let room = self.how.width.saturating_sub(self.names + 2);
        let is_beside = width(&name) <= self.names && room >= 12;
        let (indent, room) = match is_beside {
            true => (self.names + 2, room),
            false => (2, self.how.width.saturating_sub(2)),
        };
        let mut first =
            is_beside.then(|| Piece::new(format!("{name}{}", " ".repeat(indent - width(&name))), TextInk::Dim));
        if !is_beside {
            self.text(vec![Piece::new(name, TextInk::Dim)]);
        }
        for line in value.trim_end().split('\n') {
            for row in fold(vec![Piece::new(shown(line), TextInk::Text)], room) {
                let before = first.take();
                let before = before.unwrap_or_else(|| Piece::new(" ".repeat(indent), TextInk::Text));
                self.text([vec![before], row].concat());
            }
        }
    }

    fn edit(&mut self, edit: &FileEdit) {
        self.edit_head(edit);
        let lines = || edit.hunks.iter().flat_map(|hunk| &hunk.lines);
        let last = lines().filter_map(number).max().filter(|_| self.how.width >= NUMBERED);
        let digits = last.map_or(0, |last| last.to_string().len());
        for (at, hunk) in edit.hunks.iter().enumerate() {
            if at > 0 || !hunk.heading.is_empty() {
                let heading = shown(&hunk.heading);
                self.text(vec![Piece::new(format!("⋯ {heading}").trim_end(), TextInk::Dim)]);
            }
            // What is left out is counted in rows, and a line has one at least.
            for line in &hunk.lines {
                self.edit_line(line, digits);
            }
        }
    }

    /// Which file it is, where that is not told above.
    fn edit_head(&mut self, edit: &FileEdit) {
        let path = self.how.places.whole(&edit.path);
        let what = match (&edit.to, edit.kind) {
            (Some(to), _) => format!("moved to {}", self.how.places.whole(to)),
            (None, FileKind::Deleted) => "deleted".into(),
            (None, _) if edit.is_everywhere => "everywhere".into(),
            (None, _) => String::new(),
        };
        let is_told = !self.are_many && self.has_told(&path);
        if is_told && what.is_empty() {
            return;
        }
        let bold = Shade {
            bold: true,
            ..TextInk::Text.shade()
        };
        let mut head = vec![Piece::new(shown(&path), bold)];
        if !what.is_empty() {
            head.push(Piece::new(format!(" {what}"), TextInk::Waiting));
        }
        if !self.how.has_line || self.are_many {
            head.extend(amount(edit.amount()));
        }
        self.folded(head);
    }

    fn edit_line(&mut self, line: &DiffLine, digits: usize) {
        let sign = match line.kind {
            LineKind::Context => " ",
            LineKind::Removed => "-",
            LineKind::Added => "+",
        };
        let mut before = Vec::new();
        if digits > 0 {
            let number = number(line).map_or(String::new(), |number| number.to_string());
            before.push(Piece::new(format!("{number:>digits$} "), TextInk::Border));
        }
        before.push(Piece::new(sign, TextInk::DiffSign(line.kind)));
        let taken = if digits > 0 { digits + 2 } else { 1 };
        let room = self.how.width.saturating_sub(taken);
        for (at, row) in fold(changed(line), room).into_iter().enumerate() {
            let before = match at {
                0 => before.clone(),
                _ => vec![Piece::new(" ".repeat(taken), TextInk::Border)],
            };
            self.rows.push(TextRow {
                ground: Some(line.kind),
                ..TextRow::of([before, row].concat())
            });
        }
    }
}

fn number(line: &DiffLine) -> Option<u32> {
    line.new.or(line.old)
}

/// A line's text, what changed of it apart.
fn changed(line: &DiffLine) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut from = 0;
    let plain = TextInk::Diff(line.kind, false);
    for span in &line.spans {
        let to = usize::try_from(span.end).unwrap_or(usize::MAX).min(line.text.len());
        if let Some(text) = line.text.get(from..to) {
            pieces.push(Piece::new(shown(text), TextInk::Diff(line.kind, span.is_changed)));
        }
        from = to;
    }
    pieces.push(Piece::new(shown(line.text.get(from..).unwrap_or_default()), plain));
    pieces.retain(|piece| !piece.text.is_empty());
    pieces
}

/// ` +3 −1`
pub fn amount((added, removed): (usize, usize)) -> Vec<Piece> {
    let mut pieces = Vec::new();
    if added > 0 {
        pieces.push(Piece::new(format!(" +{added}"), TextInk::DiffSign(LineKind::Added)));
    }
    if removed > 0 {
        pieces.push(Piece::new(format!(" −{removed}"), TextInk::DiffSign(LineKind::Removed)));
    }
    pieces
}

fn ink(shade: CommandShade) -> TextInk {
    match shade {
        CommandShade::Plain => TextInk::Text,
        CommandShade::Program => TextInk::Syntax(Syntax::Function),
        CommandShade::Operator => TextInk::Syntax(Syntax::Keyword),
        CommandShade::Quoted => TextInk::Syntax(Syntax::String),
        CommandShade::Comment => TextInk::Syntax(Syntax::Comment),
    }
}
