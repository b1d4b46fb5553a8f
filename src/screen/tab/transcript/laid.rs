//! An item in rows. Done once for each item and width, when it comes in sight.

use super::data::{Thoughts, TranscriptLook};
use super::events;
use super::flow::{flow, shown};
use super::item::{AtWork, ItemKind, SubAgentSums, TranscriptItem};
use super::markdown;
use super::row::{Piece, Shade, TextInk, TextRow, TranscriptRow};
use crate::model::entry::{From, SubagentSaid};
use crate::model::text::count;
use crate::model::transcript::ColouredCode;
use crate::model::usage::short;
use crate::model::{Happened, LiveText};
use crate::screen::call::{self, CallMeasure, SeenPlaces};

/// Lines of an opened call's input and output each, of which the whole opens in its own window, and rows of a prompt that
/// is not open.
const LINES: usize = 60;

/// Stands where words are still arriving.
const CARET: &str = "▍";

/// How an item is to be laid out.
#[derive(Clone, Copy)]
pub(super) struct ItemMeasure {
    pub width: usize,
    pub is_open: bool,
    pub look: TranscriptLook,
    /// What stands above it is of the same few lines: nothing is left free between them.
    pub is_close: bool,
}

pub(super) fn rows(
    item: &TranscriptItem,
    how: ItemMeasure,
    places: &SeenPlaces,
    colours: &[ColouredCode],
) -> Vec<TranscriptRow> {
    // A bar stands before a sub-agent's words.
    let bar = if matches!(item.what, ItemKind::OfSubAgent(_)) {
        2
    } else {
        0
    };
    let how = ItemMeasure {
        width: how.width.saturating_sub(bar),
        ..how
    };
    let mut rows = Rows {
        how,
        places: places.at(item.key.seq),
        colours,
        rows: Vec::new(),
    };
    rows.item(item);
    rows.rows
}

struct Rows<'c> {
    how: ItemMeasure,
    places: &'c SeenPlaces,
    colours: &'c [ColouredCode],
    rows: Vec<TranscriptRow>,
}

impl Rows<'_> {
    fn item(&mut self, item: &TranscriptItem) {
        match &item.what {
            ItemKind::Prompt(entry) => {
                self.rows.push(TranscriptRow::Blank);
                if entry.what.begins_turn() {
                    self.rows.push(TranscriptRow::Turn);
                }
                if let Happened::Prompt { text, from, steer, .. } = &entry.what {
                    self.prompt(text, *from, if *steer { "↪" } else { ">" });
                }
            }
            ItemKind::Said(entry) => {
                self.rows.push(TranscriptRow::Blank);
                if let Happened::Text { text, .. } = &entry.what {
                    self.markdown(text);
                }
            }
            ItemKind::Thought(entry) => {
                if let Happened::Thinking { text, .. } = &entry.what {
                    self.thought(text);
                }
            }
            ItemKind::Tool(_) => self.tool(item),
            ItemKind::SubAgent(sums) => self.sub_agent(sums),
            ItemKind::OfSubAgent(entry) => {
                if let Happened::SubagentText { said, text, .. } = &entry.what {
                    self.of_sub_agent(*said, text);
                }
            }
            ItemKind::Event(entry) => {
                if let Happened::Summary { text, .. } = &entry.what {
                    self.summary(&entry.what, text);
                } else if let Some(words) = events::words(&entry.what) {
                    self.gap();
                    self.signed(words.sign, words.ink.shade(), &words.title, words.ink.shade());
                    for (text, ink) in words.lines {
                        self.plain(&text, ink.shade());
                    }
                }
            }
            ItemKind::Unknown(entries) => {
                let sign = if self.how.is_open { "▾" } else { "▸" };
                let title = events::unknown_title(entries.len());
                self.gap();
                self.signed(sign, TextInk::Dim.shade(), &title, TextInk::Dim.shade());
                let is_open = self.how.is_open;
                let lines = entries.iter().filter(|_| is_open);
                for line in lines.filter_map(|entry| events::unknown(&entry.what)) {
                    self.plain(&line, TextInk::Dim.shade());
                }
            }
            ItemKind::AtWork(AtWork::Writes(words)) => self.writes(words),
            ItemKind::AtWork(AtWork::WritesUnseen) => {
                self.gap();
                let words = "at work; what it writes is shown when it is whole";
                self.signed(CARET, TextInk::Running.shade(), words, TextInk::Dim.shade());
            }
            ItemKind::Gap(bytes) => {
                self.gap();
                let words = format!("{bytes} bytes of the record cannot be read");
                self.signed("!", TextInk::Failed.shade(), &words, TextInk::Failed.shade());
            }
            ItemKind::Hidden {
                prompts,
                reverts,
                entries,
            } => {
                let words = match (prompts, reverts) {
                    (0, 0) if *entries == 1 => "1 entry taken back".into(),
                    (0, 0) => format!("{entries} entries taken back"),
                    // What going back and its undo left: nothing is missing.
                    (0, 1) => "1 revert, undone".into(),
                    (0, many) => format!("{many} reverts, undone"),
                    (1, _) => "1 turn taken back".into(),
                    (many, _) => format!("{many} turns taken back"),
                };
                let sign = if self.how.is_open { "▾" } else { "▸" };
                self.rows.push(TranscriptRow::Blank);
                self.signed(sign, TextInk::Dim.shade(), &words, TextInk::Dim.shade());
            }
        }
    }

    /// Calls and what is told in a line stand close together.
    fn gap(&mut self) {
        if !self.how.is_close {
            self.rows.push(TranscriptRow::Blank);
        }
    }

    fn text(&mut self, pieces: Vec<Piece>) {
        self.rows.push(TranscriptRow::Text(TextRow::of(pieces)));
    }

    fn markdown(&mut self, text: &str) {
        for mut row in markdown::rows(text, self.how.width, self.colours) {
            row.pieces.insert(0, Piece::new("  ", TextInk::Text));
            row.held = row.held.map(|held| held + 1);
            self.rows.push(TranscriptRow::Text(row));
        }
    }

    fn plain(&mut self, text: &str, shade: Shade) {
        for line in text.trim_end().lines() {
            for row in flow(&[Piece::new(shown(line), shade)], self.how.width) {
                self.text(indented(row));
            }
        }
    }

    /// The sign stands before the first row.
    fn signed(&mut self, sign: &str, ink: Shade, text: &str, shade: Shade) {
        let mut first = true;
        for line in text.lines() {
            for row in flow(&[Piece::new(shown(line), shade)], self.how.width) {
                let row = match std::mem::take(&mut first) {
                    true => [vec![Piece::new(format!("{sign} "), ink)], row].concat(),
                    false => indented(row),
                };
                self.text(row);
            }
        }
    }

    fn prompt(&mut self, text: &str, from: From, sign: &str) {
        let who = match from {
            From::Person => "",
            From::Parent => "parent: ",
            From::Schedule => "schedule: ",
            From::Inbox => "inbox: ",
        };
        let bold = Shade {
            bold: true,
            ..TextInk::Accent.shade()
        };
        let mut first = true;
        let before = self.rows.len();
        for (at, line) in text.trim_end().lines().enumerate() {
            if !self.how.is_open && self.rows.len() >= before + LINES {
                let left = text.trim_end().lines().count() - at;
                self.text(vec![Piece::new(
                    format!("  … {} ▸", count(left, "more line")),
                    TextInk::Dim,
                )]);
                break;
            }
            let words = match first {
                true => vec![Piece::new(who, TextInk::Dim), Piece::new(shown(line), TextInk::Accent)],
                false => vec![Piece::new(shown(line), TextInk::Accent)],
            };
            for row in flow(&words, self.how.width) {
                let row = match std::mem::take(&mut first) {
                    true => [vec![Piece::new(format!("{sign} "), bold)], row].concat(),
                    false => indented(row),
                };
                self.text(row);
            }
        }
    }

    /// It is Markdown: some CLIs begin each thought with a title in asterisks.
    fn thought(&mut self, text: &str) {
        let is_whole = self.how.is_open || self.how.look.thoughts == Thoughts::Shown;
        if self.how.look.thoughts == Thoughts::Hidden && !self.how.is_open {
            return;
        }
        self.gap();
        let (text, first) = (text.trim(), text.trim().lines().next().unwrap_or_default());
        let mut rows = match is_whole {
            true => markdown::rows(text, self.how.width, self.colours),
            false => markdown::rows(first, self.how.width.saturating_sub(10), &[]),
        };
        if !is_whole && (rows.len() > 1 || text.len() > first.len()) {
            rows.truncate(1);
            rows.iter_mut()
                .for_each(|row| row.pieces.push(Piece::new(" …", TextInk::Dim)));
        }
        for (at, mut row) in rows.into_iter().enumerate() {
            // Nothing of it is as strong as what the agent says.
            for piece in &mut row.pieces {
                (piece.shade.ink, piece.shade.italic) = (TextInk::Dim, true);
            }
            let before = if at == 0 { "∴ " } else { "  " };
            row.pieces.insert(0, Piece::new(before, TextInk::Dim));
            row.held = row.held.map(|held| held + 1);
            self.rows.push(TranscriptRow::Text(row));
        }
    }

    /// Plainly, with a caret: it is laid out as Markdown when it is whole.
    fn writes(&mut self, words: &LiveText) {
        let thoughts = self.how.look.thoughts;
        if words.is_thought && thoughts == Thoughts::Hidden {
            return;
        }
        let text = words.text.trim();
        let text = match words.is_thought && thoughts == Thoughts::Folded {
            true => text.lines().next_back().unwrap_or_default(),
            false => text,
        };
        let shade = Shade {
            ink: if words.is_thought { TextInk::Dim } else { TextInk::Text },
            italic: words.is_thought,
            ..Shade::default()
        };
        self.rows.push(TranscriptRow::Blank);
        if words.before > 0 {
            self.plain("…", TextInk::Dim.shade());
        }
        let sign = if words.is_thought { "∴" } else { " " };
        self.signed(sign, TextInk::Dim.shade(), text, shade);
        if let Some(TranscriptRow::Text(last)) = self.rows.last_mut() {
            last.pieces.push(Piece::new(CARET, TextInk::Accent));
        }
    }

    fn sub_agent(&mut self, sums: &SubAgentSums) {
        let (sign, ink) = match sums.has_ended {
            true => ("✓", TextInk::Done),
            false => ("●", TextInk::Running),
        };
        let calls = match sums.calls {
            1 => "1 call".to_string(),
            many => format!("{many} calls"),
        };
        let fold = if self.how.is_open { "▾" } else { "▸" };
        self.gap();
        let mut row = vec![
            Piece::new(format!("{sign} "), ink),
            Piece::new("» ", TextInk::Accent),
            Piece::new(format!("{} ", shown(&sums.title())), TextInk::Text),
            Piece::new(format!("{calls} "), TextInk::Dim),
        ];
        if sums.failed > 0 {
            row.push(Piece::new(format!("· {} failed ", sums.failed), TextInk::Failed));
        }
        if !sums.used.is_zero() {
            row.push(Piece::new(format!("· {} tok ", short(sums.used.total())), TextInk::Dim));
        }
        row.push(Piece::new(fold, TextInk::Dim));
        self.text(row);
    }

    /// Folded, as it is long and tells again what stands above it.
    fn summary(&mut self, what: &Happened, text: &str) {
        self.gap();
        let fold = if self.how.is_open { "▾" } else { "▸" };
        if let Some(words) = events::words(what) {
            let title = format!("{} {fold}", words.title);
            self.signed(words.sign, words.ink.shade(), &title, words.ink.shade());
        }
        if self.how.is_open {
            let before = self.rows.len();
            self.markdown(text.trim());
            for row in self.rows.iter_mut().skip(before) {
                if let TranscriptRow::Text(row) = row {
                    row.pieces.iter_mut().for_each(|piece| piece.shade.ink = TextInk::Dim);
                }
            }
        }
    }

    /// Behind a bar, so that nobody takes it for the agent's own words.
    fn of_sub_agent(&mut self, said: SubagentSaid, text: &str) {
        let before = self.rows.len();
        match said {
            SubagentSaid::Asked => {
                self.gap();
                self.prompt(text, From::Person, ">");
            }
            SubagentSaid::Answered => {
                self.gap();
                self.markdown(text);
            }
            SubagentSaid::Thought => self.thought(text),
        }
        for row in self.rows.iter_mut().skip(before) {
            if let TranscriptRow::Text(row) = row {
                row.pieces.insert(0, Piece::new("│ ", TextInk::Border));
                row.held = row.held.map(|held| held + 1);
            }
        }
    }

    fn tool(&mut self, item: &TranscriptItem) {
        let Some((_, tool)) = item.tool() else { return };
        self.gap();
        self.rows.push(TranscriptRow::Card);
        if !self.how.is_open {
            return;
        }
        let how = CallMeasure {
            width: self.how.width.saturating_sub(4),
            most: LINES,
            has_line: true,
            places: self.places,
            first: None,
        };
        let asked = call::of_call(tool, how);
        self.below("    ", asked);
        let back = call::came_back(tool, how);
        self.below("  │ ", back.rows);
        for (words, ink) in [(back.cut, TextInk::Dim), (back.more, TextInk::Accent)] {
            if let Some(words) = words {
                self.below("  │ ", vec![TextRow::of(vec![Piece::new(words, ink)])]);
            }
        }
    }

    fn below(&mut self, before: &str, rows: Vec<TextRow>) {
        for mut row in rows {
            row.pieces.insert(0, Piece::new(before, TextInk::Border));
            self.rows.push(TranscriptRow::Text(row));
        }
    }
}

fn indented(row: Vec<Piece>) -> Vec<Piece> {
    [vec![Piece::new("  ", TextInk::Text)], row].concat()
}
