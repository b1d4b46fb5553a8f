//! Lines that were read are put where they are looked at.

use crate::model::output::{LinesAt, OutputPage};
use crate::model::text::visible;

use super::super::super::wrap::width;
use super::super::{Around, place};
use super::Output;
use super::turning::SIDEWAYS;

impl Output {
    pub(super) fn arrived(&mut self, page: OutputPage, at: &LinesAt, around: &Around) {
        let (shape, high) = self.shape(around.whole);
        let is_jump = match at {
            LinesAt::After(from) => *from != self.window.to || self.window.is_empty(),
            LinesAt::Before(to) => *to != self.window.from || self.window.is_empty(),
            LinesAt::Line(_) => true,
            LinesAt::Next(..) | LinesAt::Last(..) => {
                let Some(found) = page.found else {
                    self.missed(at);
                    return;
                };
                if std::mem::take(&mut self.search.is_around) {
                    self.said = Some(in_words(at).into());
                }
                self.found(page, (found, at), around);
                return;
            }
        };
        let number = page.number;
        self.window.take(page, at);
        if !is_jump {
            return;
        }
        match at {
            LinesAt::After(_) | LinesAt::Next(..) | LinesAt::Last(..) => {}
            LinesAt::Before(_) => self.window.show_end(shape, high),
            LinesAt::Line(line) => {
                let held = number.map_or(0, |number| line.saturating_sub(number));
                let by = isize::try_from(held).unwrap_or(isize::MAX);
                let line = self.window.line_from(self.window.from, by);
                self.window.show_place((line, 0), shape, high / 3);
                self.search.found = None;
            }
        }
        if let Some(marked) = &mut self.marked {
            // What is selected goes on up to there.
            let line = match at {
                LinesAt::Before(_) => self.window.line_from(self.window.to, 0),
                LinesAt::After(_) | LinesAt::Line(_) | LinesAt::Next(..) | LinesAt::Last(..) => self.window.top_byte(),
            };
            marked.at = (line, self.window.end_of(line));
        }
    }

    /// What is not found this way is looked for from the other end.
    fn missed(&mut self, at: &LinesAt) {
        let around = match at {
            LinesAt::Next(words, from) if *from > 0 => Some(LinesAt::Next(words.clone(), 0)),
            LinesAt::Last(words, to) if *to < self.window.whole => Some(LinesAt::Last(words.clone(), u64::MAX)),
            LinesAt::Next(..) | LinesAt::Last(..) | LinesAt::After(_) | LinesAt::Before(_) | LinesAt::Line(_) => None,
        };
        if let Some(around) = around.filter(|_| !self.search.is_around) {
            (self.wanted, self.search.is_around) = (Some(around), true);
            return;
        }
        if self.window.is_empty() {
            self.wanted = Some(LinesAt::After(0));
        }
        self.said = Some(format!("{} is nowhere in it", visible(&self.search.words)));
    }

    fn found(&mut self, page: OutputPage, (found, at): (u64, &LinesAt), around: &Around) {
        let line = page
            .line_with(found)
            .and_then(|line| page.lines.get(line))
            .map(|line| line.at);
        self.window.take(page, at);
        let line = line.unwrap_or(self.window.from);
        self.search.found = Some((line, found));
        let place = self.place_of(line, found);
        if !self.is_wrapped {
            self.bring_sideways(line, place, around);
        }
        let (shape, high) = self.shape(around.whole);
        self.window.show_place((line, place), shape, high / 3);
        if let Some(marked) = &mut self.marked {
            marked.at = (line, self.window.end_of(line));
        }
    }

    /// Where in the text that is shown of a line the words of this byte stand.
    fn place_of(&self, line: u64, found: u64) -> usize {
        let (Some(held), Some(shown), Some(needle)) =
            (self.window.line(line), self.window.shown(line), &self.search.needle)
        else {
            return 0;
        };
        let into = usize::try_from(found.saturating_sub(held.at + held.before)).unwrap_or(0);
        let before = held.text.get(..into).map_or(0, |before| needle.places(before).count());
        needle.places(&shown.text).nth(before).map_or(0, |place| place.start)
    }

    fn bring_sideways(&mut self, line: u64, start: usize, around: &Around) {
        let wide = place::size(place::output(around.whole)).0.saturating_sub(self.gutter());
        let before = self.window.shown(line).and_then(|shown| shown.text.get(..start));
        let column = before.map_or(0, width);
        if column < self.left || column + SIDEWAYS > self.left + wide {
            self.left = column.saturating_sub(wide / 3);
        }
    }
}

/// A search that went around.
fn in_words(at: &LinesAt) -> &'static str {
    match at {
        LinesAt::Last(..) => "from the end: above there is no more",
        LinesAt::Next(..) | LinesAt::After(_) | LinesAt::Before(_) | LinesAt::Line(_) => {
            "from the top: below there is no more"
        }
    }
}
