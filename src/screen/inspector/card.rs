//! The selected card in full: when it was, what it asked for, which files it touched, what came back.

use crate::domain::approval::card::{Card, CardSubject, Tool, ToolState};
use crate::domain::call::files;
use crate::model::Timestamp;
use crate::model::entry::ToolStatus;
use crate::screen::State;

use super::super::call::{self, CallMeasure, line};
use super::super::transcript::flow::{flow, shown};
use super::super::transcript::row::{Piece, Shade, TextInk, TextRow};
use super::super::view::View;
use super::{cards, places};

/// Rows of an input; nobody reads more of one here.
const MOST: usize = 2_000;
/// Files that are listed.
const FILES: usize = 50;

/// The card that is selected, the newest where none is.
pub fn shown_card<'s>(state: &'s State, view: &View) -> Option<&'s Card> {
    let cards = cards(state, view)?;
    match view.inspector.selected {
        Some(seq) => cards.iter().find(|card| card.seq == seq),
        None => cards.iter().next_back(),
    }
}

pub(super) fn rows(state: &State, view: &View, wide: usize) -> Vec<TextRow> {
    let mut rows = CardRows { wide, rows: Vec::new() };
    let Some(card) = shown_card(state, view) else {
        rows.say("No card yet.", TextInk::Dim);
        return rows.rows;
    };
    let zone = state.domain.live.facts.zone;
    let at = zone.wall(card.at).format("%Y-%m-%d %H:%M:%S").to_string();
    match &card.what {
        CardSubject::Prompt { text, .. } => {
            rows.head("Prompt");
            rows.fact("sent", &at);
            rows.gap();
            rows.say(text, TextInk::Text);
        }
        CardSubject::Interrupt { cause } => {
            rows.head("Interrupted");
            rows.fact("at", &at);
            rows.gap();
            rows.say(cause, TextInk::Text);
        }
        CardSubject::Error { place, message, hint } => {
            rows.head("Error");
            rows.fact("at", &at);
            rows.fact("in", place);
            rows.gap();
            rows.say(message, TextInk::Failed);
            rows.say(hint, TextInk::Dim);
        }
        CardSubject::Tool(tool) => rows.tool(state, view, (card, tool), &at),
    }
    rows.rows
}

struct CardRows {
    wide: usize,
    rows: Vec<TextRow>,
}

impl CardRows {
    fn tool(&mut self, state: &State, view: &View, (card, tool): (&Card, &Tool), at: &str) {
        let places = places(state, view);
        let told = line(&tool.told, tool.dir.as_deref(), &places);
        self.head(&format!("{} {}", tool.told.name, told.words));
        self.gap();
        self.fact("tool", &tool.name);
        self.fact("began", at);
        self.fact("state", &went(tool.state, card.at, state.domain.now));
        if let Some(ruling) = &tool.ruling {
            self.fact("answer", ruling);
        }
        if let Some(dir) = &tool.dir {
            self.fact("directory", dir);
        }
        if let Some(by) = &tool.parent {
            self.fact("by", &format!("sub-agent {by}"));
        }
        for (name, (path, _)) in std::iter::once("files")
            .chain(std::iter::repeat(""))
            .zip(files(&tool.name, &tool.input).into_iter().take(FILES))
        {
            self.fact(name, &places.whole(&path));
        }
        let how = CallMeasure {
            width: self.wide,
            most: MOST,
            has_line: false,
            places: &places,
        };
        self.gap();
        match view.inspector.is_raw {
            true => self.json(tool),
            false => self.rows.extend(call::asked(&tool.name, &tool.input, how)),
        }
        let back = call::came_back(tool, how);
        if !back.rows.is_empty() || back.more.is_some() {
            self.gap();
            self.title(&match &back.more {
                Some(more) => format!("Output: the first of {more}"),
                None => "Output".into(),
            });
            self.rows.extend(back.rows);
        }
        if let Some(cut) = back.cut {
            self.say(&cut, TextInk::Dim);
        }
    }

    /// The input as it was sent, names apart.
    fn json(&mut self, tool: &Tool) {
        let text = serde_json::to_string_pretty(&tool.input).unwrap_or_default();
        for line in text.lines().take(MOST) {
            let indent = line.len() - line.trim_start().len();
            let name = line[indent..].starts_with('"').then(|| line.find("\": ")).flatten();
            let (before, rest) = line.split_at(name.map_or(0, |end| end + 1));
            let pieces = [
                Piece::new(shown(before), TextInk::Accent),
                Piece::new(shown(rest), TextInk::Text),
            ];
            let pieces = pieces.into_iter().filter(|piece| !piece.text.is_empty()).collect();
            self.rows.extend(call::folded(pieces, self.wide));
        }
    }

    fn head(&mut self, words: &str) {
        let bold = Shade {
            bold: true,
            ..TextInk::Heading.shade()
        };
        for row in flow(&[Piece::new(shown(words), bold)], self.wide) {
            self.rows.push(TextRow::of(row));
        }
    }

    fn title(&mut self, words: &str) {
        self.rows.push(TextRow::of(vec![Piece::new(words, TextInk::Heading)]));
    }

    fn gap(&mut self) {
        self.rows.push(TextRow::default());
    }

    fn fact(&mut self, name: &str, words: &str) {
        for (at, row) in flow(
            &[Piece::new(shown(words), TextInk::Text)],
            self.wide.saturating_sub(NAME),
        )
        .into_iter()
        .enumerate()
        {
            let name = if at == 0 { name } else { "" };
            self.rows.push(TextRow::of(
                [vec![Piece::new(format!("{name:<NAME$}"), TextInk::Dim)], row].concat(),
            ));
        }
    }

    fn say(&mut self, words: &str, ink: TextInk) {
        for line in words.trim_end().lines() {
            for row in flow(&[Piece::new(shown(line), ink)], self.wide) {
                self.rows.push(TextRow::of(row));
            }
        }
    }
}

/// Columns of the names of facts.
const NAME: usize = 11;

fn went(state: ToolState, began: Timestamp, now: Timestamp) -> String {
    let seconds = |ms: u64| format!("{}.{:03} s", ms / 1_000, ms % 1_000);
    match state {
        ToolState::Running => format!("running for {}", seconds(now.ms_since(began))),
        ToolState::Asked => "a person is asked".into(),
        ToolState::Ended { status, ms } => {
            let what = match status {
                ToolStatus::Ok => "done",
                ToolStatus::Error => "failed",
                ToolStatus::Denied => "refused",
                ToolStatus::Interrupted => "interrupted",
                ToolStatus::Unknown => "nobody saw how it ended",
            };
            format!("{what} after {}", seconds(ms))
        }
    }
}
