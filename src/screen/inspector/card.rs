//! The selected card in full: when it was, what it asked for, which files it touched, what came back.

use crate::domain::approval::card::{Card, CardSubject, SubAgentWords, Tool, ToolState};
use crate::domain::call::files;
use crate::domain::usage;
use crate::model::Timestamp;
use crate::model::entry::{SubagentSaid, ToolStatus};
use crate::model::usage::short;
use crate::screen::State;

use super::super::call::{self, CallMeasure, line};
use super::super::tab::transcript::flow::{flow, shown};
use super::super::tab::transcript::markdown;
use super::super::tab::transcript::row::{Piece, Shade, TextInk, TextRow};
use super::super::view::View;
use super::data::PageRow;
use super::shelf::{cards, places, shown_card};

/// Rows of an input; nobody reads more of one here.
const MOST: usize = 2_000;
/// Files that are listed.
const FILES: usize = 50;

pub(super) fn rows(state: &State, view: &View, wide: usize) -> Vec<PageRow> {
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
    rows: Vec<PageRow>,
}

impl CardRows {
    fn tool(&mut self, state: &State, view: &View, (card, tool): (&Card, &Tool), at: &str) {
        let places = places(state, view);
        let places = places.at(card.seq);
        let told = line(&tool.told, tool.dir.as_deref(), places);
        self.head(&format!("{} {}", tool.told.name, told.words));
        self.gap();
        self.fact("tool", &tool.name);
        self.fact("began", at);
        self.fact("state", &went(tool, card.at, state.domain.now));
        if let Some(ruling) = &tool.ruling {
            self.fact("answer", ruling);
        }
        if let Some(dir) = &tool.dir {
            self.fact("directory", dir);
        }
        if let Some(by) = &tool.parent {
            self.fact("by", &format!("sub-agent {}", name_of(state, view, by)));
        }
        if let Some(of) = &tool.sub_agent {
            self.sub_agent_facts(state, view, of);
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
            places,
            first: None,
        };
        self.gap();
        match view.inspector.is_raw {
            true => self.json(tool),
            false => self.text(call::of_call(tool, how)),
        }
        if let Some(of) = &tool.sub_agent {
            self.sub_agent_talk(state, view, of, tool.input["prompt"].as_str());
        }
        let back = call::came_back(tool, how);
        if !back.rows.is_empty() || back.more.is_some() {
            self.gap();
            self.title(&match &back.more {
                Some(more) => format!("Output: the first of {more}"),
                None => "Output".into(),
            });
            self.text(back.rows);
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
            self.text(call::folded(pieces, self.wide));
        }
    }

    /// What became of the sub-agent that has its work from the call, and what it used.
    fn sub_agent_facts(&mut self, state: &State, view: &View, id: &str) {
        let Some(one) = cards(state, view).and_then(|cards| cards.sub_agents.get(id)) else {
            return;
        };
        let went = if one.has_ended { "ended" } else { "at work" };
        self.fact("sub-agent", &format!("{}, {went}", name_of(state, view, id)));
        if !one.used.is_empty() {
            let cost = usage::cost(&state.domain, &one.used);
            let tokens = short(one.used.tokens().total());
            self.fact("used", &format!("{tokens} tokens · {}", cost.words()));
        }
    }

    /// Its own transcript: what it called and said, in order, and what it was asked beyond what its call says.
    fn sub_agent_talk(&mut self, state: &State, view: &View, id: &str, prompt: Option<&str>) {
        let Some(cards) = cards(state, view) else {
            return;
        };
        let is_its = |card: &&Card| matches!(&card.what, CardSubject::Tool(tool) if tool.parent.as_deref() == Some(id));
        let calls: Vec<u64> = cards.iter().filter(is_its).map(|card| card.seq).collect();
        let words = cards.sub_agents.get(id).map_or(&[][..], |one| &one.words);
        if calls.is_empty() && words.is_empty() {
            return;
        }
        self.gap();
        self.title(&match calls.len() {
            1 => "It made 1 call".to_string(),
            many => format!("It made {many} calls"),
        });
        let mut told: Vec<(u64, Option<&SubAgentWords>)> = calls.into_iter().map(|seq| (seq, None)).collect();
        let is_news = |words: &&SubAgentWords| words.said != SubagentSaid::Asked || Some(words.text.as_str()) != prompt;
        told.extend(words.iter().filter(is_news).map(|words| (words.seq, Some(words))));
        told.sort_by_key(|(seq, _)| *seq);
        for (seq, words) in told {
            match words {
                None => self.rows.push(PageRow::Call(seq)),
                Some(words) => match words.said {
                    SubagentSaid::Asked => self.quoted("> ", &words.text, TextInk::Accent),
                    SubagentSaid::Answered => self.markdown("  ", &words.text, None),
                    SubagentSaid::Thought => self.markdown("∴ ", &words.text, Some(TextInk::Dim)),
                },
            }
        }
    }

    /// The sign stands before the first row.
    fn quoted(&mut self, sign: &str, words: &str, ink: TextInk) {
        let lines = words.trim_end().lines();
        let rows = lines.flat_map(|line| flow(&[Piece::new(shown(line), ink)], self.wide.saturating_sub(2)));
        let rows: Vec<Vec<Piece>> = rows.collect();
        for (at, row) in rows.into_iter().enumerate() {
            let before = Piece::new(if at == 0 { sign } else { "  " }, ink);
            self.text([TextRow::of([vec![before], row].concat())]);
        }
    }

    /// As [`Self::quoted`]: what an agent wrote, in one ink where it is not as strong as what it says.
    fn markdown(&mut self, sign: &str, words: &str, ink: Option<TextInk>) {
        let rows = markdown::rows(words.trim(), self.wide.saturating_sub(2), &[]);
        for (at, mut row) in rows.into_iter().enumerate() {
            if let Some(ink) = ink {
                row.pieces.iter_mut().for_each(|piece| piece.shade.ink = ink);
            }
            let before = if at == 0 { sign } else { "  " };
            row.pieces.insert(0, Piece::new(before, TextInk::Dim));
            self.text([TextRow::of(row.pieces)]);
        }
    }

    fn head(&mut self, words: &str) {
        let bold = Shade {
            bold: true,
            ..TextInk::Heading.shade()
        };
        let rows = flow(&[Piece::new(shown(words), bold)], self.wide);
        self.text(rows.into_iter().map(TextRow::of));
    }

    fn title(&mut self, words: &str) {
        self.text([TextRow::of(vec![Piece::new(words, TextInk::Heading)])]);
    }

    fn gap(&mut self) {
        self.text([TextRow::default()]);
    }

    fn text(&mut self, rows: impl IntoIterator<Item = TextRow>) {
        self.rows.extend(rows.into_iter().map(PageRow::Text));
    }

    fn fact(&mut self, name: &str, words: &str) {
        let rows = flow(
            &[Piece::new(shown(words), TextInk::Text)],
            self.wide.saturating_sub(NAME),
        );
        for (at, row) in rows.into_iter().enumerate() {
            let name = if at == 0 { name } else { "" };
            let before = vec![Piece::new(format!("{name:<NAME$}"), TextInk::Dim)];
            self.text([TextRow::of([before, row].concat())]);
        }
    }

    fn say(&mut self, words: &str, ink: TextInk) {
        for line in words.trim_end().lines() {
            let rows = flow(&[Piece::new(shown(line), ink)], self.wide);
            self.text(rows.into_iter().map(TextRow::of));
        }
    }
}

/// As a sub-agent is called.
fn name_of<'s>(state: &'s State, view: &View, id: &'s str) -> &'s str {
    let one = cards(state, view).and_then(|cards| cards.sub_agents.get(id));
    one.map_or(id, |one| if one.name.is_empty() { id } else { &one.name })
}

/// Columns of the names of facts.
const NAME: usize = 11;

fn went(tool: &Tool, began: Timestamp, now: Timestamp) -> String {
    let seconds = |ms: u64| format!("{}.{:03} s", ms / 1_000, ms % 1_000);
    match tool.state {
        ToolState::Running => format!("running for {}", seconds(tool.ran(began, now))),
        ToolState::Asked => "a person is asked".into(),
        ToolState::Ended { status, ms } => {
            let what = match status {
                ToolStatus::Ok => "done",
                ToolStatus::Error => "failed",
                ToolStatus::Denied => "refused",
                ToolStatus::Interrupted => "interrupted",
                ToolStatus::Unknown => return "nobody saw how it ended".into(),
            };
            format!("{what} after {}", seconds(ms))
        }
    }
}
