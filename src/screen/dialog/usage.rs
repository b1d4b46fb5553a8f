//! What agents used of their models, on the whole screen: one chat in full, or all by day, project, model, CLI and chat.

use crossterm::event::KeyEvent;
use ratatui::layout::Rect;
use strum::VariantArray;

use crate::domain::notice::Done;
use crate::domain::usage::report::{self, UsageRow};
use crate::domain::work::{ShownContent, ShownRead};
use crate::model::usage::{UsageBy, UsageDetail};
use crate::model::{ChatId, RequestId};

use super::super::hint::Hint;
use super::super::keymap::{Action, ChatsAction};
use super::super::placed_tab::PlacedTab;
use super::super::scrollbar::{Extent, ScrollBar};
use super::super::surface::{InPane, Surface};
use super::super::usage::{UsageLine, lines_of_chat, lines_of_rows};
use super::super::wrap::width;
use super::tables::{KeySection, MoveKey, USAGE, UsageKey};
use super::{Around, Contract, Question, Reply, Wish};

/// What the page shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum UsageTab {
    Chat,
    Days,
    Projects,
    Models,
    Clis,
    Chats,
}

pub struct UsagePage {
    pub tab: UsageTab,
    /// Lines scrolled away; where the page is heard, the line that is read.
    pub scroll: usize,
    /// As they were made last.
    pub lines: Vec<UsageLine>,
    /// The chat that was shown when the page was opened.
    chat: Option<ChatId>,
    detail: Option<UsageDetail>,
    /// The request by which it is read.
    asked: Option<RequestId>,
    /// The sums of which the detail was asked for.
    detail_of: Option<u64>,
    /// What the lines were made of.
    made_of: Option<UsageMadeOf>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UsageMadeOf {
    /// Of the sums.
    revision: u64,
    tab: UsageTab,
    /// Up to which entry the chat's prompts were read.
    seq: Option<u64>,
    width: u16,
}

impl UsageTab {
    pub fn title(self) -> &'static str {
        match self {
            UsageTab::Chat => "This chat",
            UsageTab::Days => "Days",
            UsageTab::Projects => "Projects",
            UsageTab::Models => "Models",
            UsageTab::Clis => "CLIs",
            UsageTab::Chats => "Chats",
        }
    }

    fn by(self) -> Option<UsageBy> {
        match self {
            UsageTab::Chat => None,
            UsageTab::Days => Some(UsageBy::Day),
            UsageTab::Projects => Some(UsageBy::Project),
            UsageTab::Models => Some(UsageBy::Model),
            UsageTab::Clis => Some(UsageBy::Cli),
            UsageTab::Chats => Some(UsageBy::Chat),
        }
    }
}

impl UsagePage {
    pub fn new(chat: Option<ChatId>) -> UsagePage {
        UsagePage {
            tab: if chat.is_some() { UsageTab::Chat } else { UsageTab::Days },
            scroll: 0,
            lines: Vec::new(),
            chat,
            detail: None,
            asked: None,
            detail_of: None,
            made_of: None,
        }
    }

    /// The views there are, with their places on the second row of the page.
    pub fn tabs(&self, whole: Rect) -> Vec<PlacedTab<UsageTab>> {
        let mut x = whole.x + 2;
        let placed = self.there().into_iter().map(|tab| {
            let words = tab.title().to_string();
            let wide = u16::try_from(width(&words)).unwrap_or(u16::MAX);
            let area = Rect::new(x, whole.y + 1, wide, 1).intersection(whole);
            x = x.saturating_add(wide + 2);
            PlacedTab { tab, words, area }
        });
        placed.collect()
    }

    /// Where its lines lie.
    pub fn body(whole: Rect) -> Rect {
        Rect {
            x: whole.x + 2,
            y: whole.y + 3.min(whole.height),
            width: whole.width.saturating_sub(4),
            height: whole.height.saturating_sub(4),
        }
    }

    fn show(&mut self, tab: UsageTab) {
        if self.tab != tab {
            (self.tab, self.scroll) = (tab, 0);
        }
    }

    fn step(&mut self, by: isize) {
        let there = self.there();
        let count = isize::try_from(there.len()).unwrap_or(1);
        let at = there.iter().position(|tab| *tab == self.tab).unwrap_or(0);
        let next = (isize::try_from(at).unwrap_or(0) + by).rem_euclid(count);
        if let Some(tab) = usize::try_from(next).ok().and_then(|next| there.get(next)) {
            self.show(*tab);
        }
    }

    /// An empty line says nothing.
    fn pass_gap(&mut self, is_back: bool) {
        while self.lines.get(self.scroll) == Some(&UsageLine::Gap) && self.scroll > 0 {
            self.scroll = if is_back { self.scroll - 1 } else { self.scroll + 1 };
        }
        self.scroll = self.scroll.min(self.lines.len().saturating_sub(1));
    }

    /// The place of the view that is shown among those there are, and their number.
    pub fn place(&self) -> (usize, usize) {
        let there = self.there();
        let at = there.iter().position(|tab| *tab == self.tab);
        (at.unwrap_or(0), there.len())
    }

    /// The views there are.
    fn there(&self) -> Vec<UsageTab> {
        let there = UsageTab::VARIANTS.iter().copied();
        there
            .filter(|tab| *tab != UsageTab::Chat || self.chat.is_some())
            .collect()
    }

    fn make(&mut self, around: &Around) {
        let domain = around.domain;
        let lines = match (self.tab.by(), &self.chat) {
            (None, Some(chat)) => lines_of_chat(domain, chat, self.detail.as_ref()),
            (by, _) => {
                let by = by.unwrap_or_default();
                let rows: Vec<UsageRow> = report::rows(domain, by, None);
                lines_of_rows(domain, by, &rows)
            }
        };
        let wide = usize::from(UsagePage::body(around.whole).width);
        self.lines = lines.into_iter().flat_map(|line| line.wrapped(wide)).collect();
    }
}

impl Contract for UsagePage {
    /// The key that opens it closes it too.
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        if around.keymap.action(Surface::Sidebar(InPane::Agent), key) == Some(Action::Chats(ChatsAction::Usage)) {
            return Reply::Close;
        }
        let seen = usize::from(UsagePage::body(around.whole).height);
        let most = self.lines.len().saturating_sub(if around.is_heard { 1 } else { seen });
        let at = self.scroll.min(most);
        let next = match USAGE.command(key) {
            Some(UsageKey::Close) => return Reply::Close,
            Some(UsageKey::Next) => {
                self.step(1);
                return Reply::Stay;
            }
            Some(UsageKey::Before) => {
                self.step(-1);
                return Reply::Stay;
            }
            Some(UsageKey::Move(key)) => key.go(at, most, seen),
            None => at,
        };
        self.scroll = next;
        if around.is_heard {
            self.pass_gap(self.scroll < at);
        }
        Reply::Stay
    }

    fn click(&mut self, at: (u16, u16), around: &Around) -> Reply {
        let tabs = self.tabs(around.whole);
        if let Some(clicked) = tabs.iter().find(|tab| tab.area.contains(at.into())) {
            self.show(clicked.tab);
        }
        Reply::Stay
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let body = UsagePage::body(around.whole);
        let (seen, all) = (usize::from(body.height), self.lines.len());
        let first = self.scroll.min(all.saturating_sub(seen));
        vec![ScrollBar::on_frame(around.whole, body, Extent { first, seen, all })]
    }

    fn scroll_to(&mut self, _: &ScrollBar, first: usize, _: &Around) {
        self.scroll = first;
    }

    fn keys(&self) -> Vec<KeySection> {
        vec![USAGE.section()]
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        vec![
            USAGE.hint(&[UsageKey::Close], "close").way_out(),
            USAGE.hint(&[UsageKey::Next, UsageKey::Before], "view"),
            USAGE.hint(&[MoveKey::Up, MoveKey::Down].map(UsageKey::Move), "scroll"),
            USAGE.hint(&[UsageKey::Move(MoveKey::PageDown)], "page"),
        ]
    }

    /// What each prompt used is read once the page shows it, and again where more was used since.
    fn settle(&mut self, around: &Around) -> Reply {
        let revision = around.domain.live.usage.revision;
        let seq = self.detail.as_ref().map(|detail| detail.seq);
        let made_of = Some(UsageMadeOf {
            revision,
            tab: self.tab,
            seq,
            width: around.whole.width,
        });
        if self.made_of != made_of {
            self.made_of = made_of;
            self.make(around);
        }
        let is_due = self.tab == UsageTab::Chat && self.asked.is_none() && self.detail_of != Some(revision);
        let Some(chat) = self.chat.as_ref().filter(|_| is_due) else {
            return Reply::Stay;
        };
        self.detail_of = Some(revision);
        Reply::Submit(Wish::Know(Question::Shown(ShownRead::Usage(chat.clone()))))
    }

    fn begun(&mut self, _: &Wish, request: RequestId, _: crate::model::Timestamp) {
        self.asked = Some(request);
    }

    fn awaits(&self, request: RequestId) -> bool {
        self.asked == Some(request)
    }

    fn answered(&mut self, _: RequestId, done: &Done, around: &Around) -> Reply {
        self.asked = None;
        if let Done::Shown(ShownContent::Usage(chat, detail)) = done
            && self.chat.as_ref() == Some(chat)
        {
            self.detail = Some(detail.clone());
            self.make(around);
        }
        Reply::Stay
    }

    /// What is known without it stays to be read.
    fn failed(&mut self, _: RequestId, _: crate::model::Problem) {
        self.asked = None;
    }
}
