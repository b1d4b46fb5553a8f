//! The engine's log, newest line last, on the whole screen.

use std::borrow::Cow;

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;

use crate::domain::chat;
use crate::domain::event::LogLine;
use crate::domain::state::Domain;
use crate::model::ChatId;
use crate::model::text::visible;

use super::super::hint::Hint;
use super::super::keymap::{Action, ScreenAction};
use super::super::scrollbar::{Extent, ScrollBar};
use super::super::surface::{InPane, Surface};
use super::super::wrap::wrap;
use super::tables::{KeySection, PAGE};
use super::{Around, Contract, Reply, page, place};

/// Columns before the words of a line: its time and its level.
pub const HEAD: u16 = 17;

#[derive(Default)]
pub struct Log {
    /// Rows back from the newest; 0 follows it.
    pub back: usize,
}

impl Log {
    /// Where its lines stand.
    pub fn inside(whole: Rect) -> Rect {
        whole.inner(place::FRAME)
    }

    /// All of it in rows, each with the line that begins there.
    pub fn rows(domain: &Domain, whole: Rect) -> Vec<(Option<&LogLine>, String)> {
        let wide = Log::inside(whole).width.saturating_sub(HEAD);
        let lines = domain.live.log.iter();
        let rows = lines.flat_map(|line| {
            let rows = wrap(&visible(&named(domain, &line.text)), wide.into());
            let head = std::iter::once(Some(line)).chain(std::iter::repeat(None));
            head.zip(rows)
        });
        rows.collect()
    }

    /// Rows of it that are seen.
    pub fn seen(whole: Rect) -> usize {
        usize::from(whole.height.saturating_sub(2))
    }
}

/// A line about a chat begins with its id, which stands nowhere else on the screen.
fn named<'l>(domain: &Domain, text: &'l str) -> Cow<'l, str> {
    let known = |id: &str| domain.disk.chats.get(&ChatId::parse(id)?);
    let about = text
        .split_once(": ")
        .and_then(|(id, rest)| Some((id, known(id)?, rest)));
    about.map_or(text.into(), |(id, chat, rest)| {
        format!("{} ({id}): {rest}", chat::label(domain, chat)).into()
    })
}

impl Contract for Log {
    /// It is scrolled from its end. The key that opens it closes it too.
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        if around.keymap.action(Surface::Sidebar(InPane::Agent), key) == Some(Action::Screen(ScreenAction::Log)) {
            return Reply::Close;
        }
        let seen = Log::seen(around.whole);
        let most = Log::rows(around.domain, around.whole).len().saturating_sub(seen);
        let mut at = most - self.back.min(most);
        let reply = page::press(&mut at, key, most, seen);
        self.back = most - at;
        reply
    }

    fn text(&self, around: &Around) -> Option<Rect> {
        Some(Log::inside(around.whole))
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let (seen, all) = (Log::seen(around.whole), Log::rows(around.domain, around.whole).len());
        let extent = Extent {
            first: all.saturating_sub(seen + self.back),
            seen,
            all,
        };
        vec![ScrollBar::on_frame(around.whole, Log::inside(around.whole), extent).silent()]
    }

    fn scroll_to(&mut self, bar: &ScrollBar, first: usize, _: &Around) {
        self.back = bar.extent.all.saturating_sub(bar.extent.seen + first);
    }

    fn keys(&self) -> Vec<KeySection> {
        vec![PAGE.section()]
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        page::hints()
    }
}
