//! What the keys of the viewer do.

use std::path::Path;

use crossterm::event::KeyEvent;

use crate::domain::edit;
use crate::model::output::{LinesAt, OpenedWith, OutputPlace, OutputWanted};
use crate::model::search::Needle;
use crate::model::text::visible;

use super::super::super::output::{MarkedLines, OutputSearch, RowShape};
use super::super::super::way::StepWay;
use super::super::tables::{OUTPUT, OutputKey, SEARCH, SearchKey};
use super::super::{Around, Field, OutputWish, Reply, Room, Wish};
use super::{Output, TypedFor};

/// Columns that a key scrolls sideways by.
pub(super) const SIDEWAYS: usize = 16;

impl Output {
    pub(super) fn turn(&mut self, key: KeyEvent, around: &Around) -> Reply {
        if self.typing.is_some() {
            return self.type_on(key, around);
        }
        let Some(key) = OUTPUT.command(key) else {
            return Reply::Stay;
        };
        self.said = None;
        let (shape, high) = self.shape(around.whole);
        let page = isize::try_from(high.saturating_sub(1).max(1)).unwrap_or(1);
        let half = isize::try_from((high / 2).max(1)).unwrap_or(1);
        match key {
            OutputKey::Close if self.marked.take().is_some() => {}
            OutputKey::Close => return Reply::Close,
            OutputKey::Search => self.ask_for(TypedFor::Search, ""),
            OutputKey::Line => self.ask_for(TypedFor::Line, ""),
            OutputKey::Save => self.ask_for(TypedFor::Save, &self.suggested(around.cwd)),
            OutputKey::Next => self.go_on(StepWay::Forward),
            OutputKey::Previous => self.go_on(StepWay::Back),
            OutputKey::Up => self.step(-1, shape, high),
            OutputKey::Down => self.step(1, shape, high),
            OutputKey::PageUp => self.step(-page, shape, high),
            OutputKey::PageDown => self.step(page, shape, high),
            OutputKey::HalfUp => self.step(-half, shape, high),
            OutputKey::HalfDown => self.step(half, shape, high),
            OutputKey::First => self.wanted = Some(LinesAt::After(0)),
            OutputKey::Last => self.wanted = Some(LinesAt::Before(u64::MAX)),
            OutputKey::Wrap => {
                let top = self.window.top_byte();
                (self.is_wrapped, self.left) = (!self.is_wrapped, 0);
                self.window.show(top);
            }
            OutputKey::Left => self.left = self.left.saturating_sub(SIDEWAYS),
            OutputKey::Right if !self.is_wrapped => self.left += SIDEWAYS,
            OutputKey::Right => self.said = Some("w cuts long lines, to be scrolled sideways".into()),
            OutputKey::Select => self.select(),
            OutputKey::Copy => return self.copy(),
            OutputKey::Edit | OutputKey::Pager if self.window.is_empty() => {}
            OutputKey::Edit if edit::running(around.domain, &self.chat, OpenedWith::Editor).is_some() => {
                self.said = Some("your editor is open in this chat already: end it first".into());
            }
            OutputKey::Edit => return self.open_beside(OpenedWith::Editor),
            OutputKey::Pager => return self.open_beside(OpenedWith::Pager),
        }
        Reply::Stay
    }

    fn ask_for(&mut self, what: TypedFor, text: &str) {
        let mut field = Field::new(text, Room::Line);
        field.to_end();
        self.typing = Some((what, field));
    }

    /// A name that is free, most likely.
    fn suggested(&self, cwd: &Path) -> String {
        let name = self.of.file.rsplit('/').next().unwrap_or_default();
        let path = cwd.join(format!("output-{name}.txt"));
        path.to_string_lossy().into_owned()
    }

    fn step(&mut self, by: isize, shape: RowShape, high: usize) {
        let Some(marked) = &mut self.marked else {
            return self.window.scroll(by, shape, high);
        };
        let line = self.window.line_from(marked.at.0, by);
        marked.at = (line, self.window.end_of(line));
        self.window.bring(line, shape, high);
    }

    fn select(&mut self) {
        if self.marked.take().is_some() || self.window.is_empty() {
            return;
        }
        let found = self.search.found.map(|(line, _)| line);
        let top = self.window.top_byte();
        let line = found.filter(|line| *line >= top).unwrap_or(top);
        self.mark(line);
    }

    pub(super) fn mark(&mut self, line: u64) {
        let line = (line, self.window.end_of(line));
        self.marked = match self.marked {
            Some(marked) => Some(MarkedLines { at: line, ..marked }),
            None => Some(MarkedLines { anchor: line, at: line }),
        };
    }

    pub(super) fn seek_for(&mut self, words: &str) {
        self.search = OutputSearch {
            words: words.into(),
            needle: Needle::of(words),
            found: None,
            is_around: false,
        };
    }

    /// To the next place of the words, or the one before.
    fn go_on(&mut self, way: StepWay) {
        let words = self.search.words.clone();
        if words.is_empty() {
            self.ask_for(TypedFor::Search, "");
            return;
        }
        let found = self.search.found.map(|(_, at)| at);
        self.search.is_around = false;
        self.wanted = Some(match way {
            StepWay::Forward => LinesAt::Next(words, found.map_or(self.window.top_byte(), |at| at + 1)),
            StepWay::Back => LinesAt::Last(words, found.unwrap_or(self.window.top_byte())),
        });
    }

    fn type_on(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let (shape, high) = self.shape(around.whole);
        let page = isize::try_from(high.saturating_sub(1).max(1)).unwrap_or(1);
        let Some((what, field)) = &mut self.typing else {
            return Reply::Stay;
        };
        match SEARCH.command(key) {
            Some(SearchKey::Cancel) => self.typing = None,
            Some(SearchKey::Search) => {
                let (what, text) = (*what, field.text());
                self.typing = None;
                return self.typed(what, text.trim_end(), around);
            }
            Some(SearchKey::PageUp) => self.step(-page, shape, high),
            Some(SearchKey::PageDown) => self.step(page, shape, high),
            None => drop(field.press(key)),
        }
        Reply::Stay
    }

    fn typed(&mut self, what: TypedFor, text: &str, around: &Around) -> Reply {
        match what {
            TypedFor::Search => {
                self.seek_for(text);
                if self.search.needle.is_some() {
                    self.wanted = Some(LinesAt::Next(text.into(), self.window.top_byte()));
                }
            }
            TypedFor::Line => match text.trim().parse::<u64>() {
                Ok(line) => self.wanted = Some(LinesAt::Line(line.saturating_sub(1))),
                Err(_) if text.trim().is_empty() => {}
                Err(_) => self.said = Some(format!("{} is no number of a line", visible(text))),
            },
            TypedFor::Save if text.is_empty() => {}
            TypedFor::Save => {
                let path = match text.strip_prefix("~/") {
                    Some(below) => around.domain.disk.person.join(below),
                    None => around.cwd.join(text),
                };
                return self.take(OutputWanted::Save(path));
            }
        }
        Reply::Stay
    }

    fn copy(&mut self) -> Reply {
        let (from, to) = match &self.marked {
            Some(marked) => marked.stretch(),
            None => (0, u64::MAX),
        };
        self.take(OutputWanted::Text(from, to))
    }

    fn take(&mut self, wanted: OutputWanted) -> Reply {
        match self.taking {
            Some(_) => Reply::Stay,
            None => self.wish(wanted),
        }
    }

    fn open_beside(&self, with: OpenedWith) -> Reply {
        let top = self.marked.map_or(self.window.top_byte(), |marked| marked.stretch().0);
        let line = self.window.number_at(top).map_or(1, |number| number + 1);
        Reply::Leave(Wish::Output(OutputWish::Open(OutputPlace {
            chat: self.chat.clone(),
            file: self.of.file.clone(),
            line: u32::try_from(line).unwrap_or(u32::MAX),
            with,
        })))
    }
}
