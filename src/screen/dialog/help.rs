//! All keys, from the tables that they are bound by: those of the surface one comes from first, found as one types, and
//! run from here.

mod columns;
mod content;

use crossterm::event::KeyEvent;

use super::super::hint::Hint;
use super::super::keymap::{Action, ScreenAction};
use super::super::scrollbar::{Extent, ScrollBar};
use super::super::surface::{InPane, Surface};
use super::tables::{self, HELP, HelpKey, KeySection, MoveKey};
use super::{Around, Contract, Field, Reply, Room};

pub use columns::{PlacedHelp, place};
pub use content::{HelpEntry, HelpLine};

/// Lines that the wheel scrolls by.
const WHEEL: usize = 3;

pub struct Help {
    /// What is looked for.
    pub field: Field,
    /// Which of the keys that are found is chosen, down the first column, then the next.
    pub at: Option<usize>,
    /// Lines scrolled away.
    pub scroll: usize,
}

impl Default for Help {
    fn default() -> Help {
        Help {
            field: Field::new("", Room::Line),
            at: None,
            scroll: 0,
        }
    }
}

impl Help {
    pub fn placed(&self, around: &Around) -> PlacedHelp {
        place(around, &self.field.text())
    }

    /// Other words find other keys, and the best of them is chosen.
    fn change(&mut self, around: &Around, change: impl FnOnce(&mut Field)) {
        let before = self.field.text();
        change(&mut self.field);
        if self.field.text() == before {
            return;
        }
        self.scroll = 0;
        let placed = self.placed(around);
        self.at = placed.best().filter(|_| !self.field.is_empty());
        self.follow(&placed);
    }

    fn step(&mut self, around: &Around, key: HelpKey) {
        let placed = self.placed(around);
        let page = usize::from(placed.list.height).max(1);
        self.scroll = match key {
            HelpKey::Move(MoveKey::PageDown) => (self.scroll + page).min(placed.most_scrolled()),
            HelpKey::Move(MoveKey::PageUp) => self.scroll.saturating_sub(page),
            _ => self.scroll,
        };
        self.at = placed.step(self.at, key);
        self.follow(&placed);
    }

    /// What is chosen is in sight.
    fn follow(&mut self, placed: &PlacedHelp) {
        let Some((_, row)) = self.at.and_then(|at| placed.spot(at)) else {
            return;
        };
        let page = usize::from(placed.list.height).max(1);
        // With the heading above it.
        self.scroll = self
            .scroll
            .min(row.saturating_sub(1))
            .max((row + 1).saturating_sub(page));
    }

    /// A command that cannot be run from here stays chosen: why is written below.
    fn run(&self, around: &Around) -> Reply {
        let placed = self.placed(around);
        let entry = self.at.and_then(|at| placed.entry(at));
        match entry.map(|entry| (entry.action, entry.why_not)) {
            Some((Some(action), None)) => Reply::Run(action),
            Some(_) => Reply::Stay,
            None => Reply::Close,
        }
    }
}

impl Contract for Help {
    /// The key that opens it closes it too, until something is typed.
    fn press(&mut self, key: KeyEvent, around: &Around) -> Reply {
        let opens =
            around.keymap.action(Surface::Sidebar(InPane::Agent), key) == Some(Action::Screen(ScreenAction::Help));
        if opens && self.field.is_empty() {
            return Reply::Close;
        }
        let mut is_ended = false;
        self.change(around, |field| is_ended = field.ends_search(key));
        if is_ended {
            return Reply::Stay;
        }
        match HELP.command(key) {
            Some(HelpKey::Close) => return Reply::Close,
            Some(HelpKey::Run) => return self.run(around),
            Some(moves) => self.step(around, moves),
            None => self.change(around, |field| {
                field.press(key);
            }),
        }
        Reply::Stay
    }

    fn paste(&mut self, text: &str, around: &Around) {
        self.change(around, |field| field.paste(text));
    }

    /// A click chooses, a second one runs it.
    fn click(&mut self, (x, y): (u16, u16), around: &Around) -> Reply {
        let placed = self.placed(around);
        if !placed.area.contains((x, y).into()) {
            return Reply::Close;
        }
        match placed.at((x, y), self.scroll) {
            Some(at) if self.at == Some(at) => self.run(around),
            Some(at) => {
                self.at = Some(at);
                Reply::Stay
            }
            None => Reply::Stay,
        }
    }

    fn wheel(&mut self, by: i8, _: (u16, u16), around: &Around) -> bool {
        let most = self.placed(around).most_scrolled();
        self.scroll = match by {
            ..0 => self.scroll.saturating_sub(WHEEL),
            0.. => (self.scroll + WHEEL).min(most),
        };
        true
    }

    fn bars(&self, around: &Around) -> Vec<ScrollBar> {
        let placed = self.placed(around);
        let seen = usize::from(placed.list.height);
        let extent = Extent {
            first: self.scroll,
            seen,
            all: placed.most_scrolled() + seen,
        };
        vec![ScrollBar::on_frame(placed.area, placed.list, extent)]
    }

    fn scroll_to(&mut self, _: &ScrollBar, first: usize, _: &Around) {
        self.scroll = first;
    }

    fn keys(&self) -> Vec<KeySection> {
        vec![HELP.section()]
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        vec![
            HELP.hint(&[HelpKey::Run], if self.at.is_some() { "run" } else { "close" }),
            HELP.hint(&[MoveKey::Up, MoveKey::Down].map(HelpKey::Move), "choose"),
            HELP.hint(&[HelpKey::Move(MoveKey::PageDown)], "page"),
            HELP.hint(&[HelpKey::Close], tables::ends(!self.field.is_empty()))
                .way_out(),
        ]
    }

    fn is_typed_in(&self) -> bool {
        true
    }
}
