//! A tour of the screen: six steps, each about one thing that is really there.

use crossterm::event::KeyEvent;

use super::super::hint::Hint;
use super::super::keymap::{Action, ChatAction, ChatsAction, Keymap, MoveAction, PaneSheet, ScreenAction};
use super::tables::{KeySection, TOUR, TourKey};
use super::{Around, Contract, Reply};

#[derive(Default)]
pub struct Tour {
    /// Counted from 0.
    pub at: usize,
}

/// What a step points at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TourPlace {
    Chats,
    Terminal,
    Header,
    Tabs,
    Cards,
    LastRow,
}

/// Whether what a step is about is on the screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TourSight {
    Shown,
    Hidden,
}

pub const STEPS: [TourPlace; 6] = [
    TourPlace::Chats,
    TourPlace::Terminal,
    TourPlace::Header,
    TourPlace::Tabs,
    TourPlace::Cards,
    TourPlace::LastRow,
];

impl Tour {
    pub fn place(&self) -> TourPlace {
        STEPS[self.at.min(STEPS.len() - 1)]
    }

    pub fn title(&self) -> String {
        format!("Tour · {} of {}", self.at + 1, STEPS.len())
    }

    /// What is said of it: a headline, and words with the keys that are in force.
    pub fn words(&self, map: &Keymap, sight: TourSight) -> (&'static str, String) {
        let place = |shown: &'static str, hidden: &'static str| match sight {
            TourSight::Shown => shown,
            TourSight::Hidden => hidden,
        };
        let key = |action: Action| map.key(action);
        let leader = map.leader();
        match self.place() {
            TourPlace::Chats => (
                "Your chats",
                format!(
                    "{} is one agent in a folder of its own. What needs you stands first. {} and {} move, {} makes one.",
                    place("Each", "They are listed at the left: each"),
                    key(MoveAction::Down.into()),
                    key(MoveAction::Up.into()),
                    key(ChatsAction::NewChat.into()),
                ),
            ),
            TourPlace::Terminal => (
                "The agent itself",
                format!(
                    "{} terminal, live. {} goes in: what you type is for the agent then. {leader} leads out with Esc, \
                     and runs any command by its key.",
                    place("Its own", "A chat shows its agent's own"),
                    key(ChatAction::Enter.into()),
                ),
            ),
            TourPlace::Header => (
                "What it does",
                format!(
                    "{}: {} shows all approvals, {} leads to the next chat that needs you.",
                    place(
                        "Name, status, projects, cost. A question of the agent stands here",
                        "Above the terminal: name, status, cost, and what the agent asks",
                    ),
                    key(ChatsAction::Approvals.into()),
                    key(ChatsAction::NextWaiting.into()),
                ),
            ),
            TourPlace::Tabs => (
                "What came of it",
                format!(
                    "Tabs in the terminal's place: {} what was said, {} the changes to read, keep or take back, {} \
                     checkpoints, {} todos.",
                    key(Action::Show(PaneSheet::Transcript)),
                    key(Action::Show(PaneSheet::Changes)),
                    key(Action::Show(PaneSheet::Checkpoints)),
                    key(Action::Show(PaneSheet::Todos)),
                ),
            ),
            TourPlace::Cards => (
                "Card by card",
                format!(
                    "{} shows each prompt and tool call {}: a command with its output, an edit as a diff.",
                    key(ScreenAction::Inspector.into()),
                    place("here", "beside the terminal"),
                ),
            ),
            TourPlace::LastRow => (
                "Where keys go",
                format!(
                    "The last row says who has the keys, and which matter now. {} finds any key, {} runs any command by \
                     name. {} detaches: agents run on.",
                    key(ScreenAction::Help.into()),
                    key(ScreenAction::Palette.into()),
                    key(ScreenAction::Detach.into()),
                ),
            ),
        }
    }

    /// What the key does that goes on.
    pub fn next_word(&self) -> &'static str {
        if self.at + 1 == STEPS.len() { "done" } else { "next" }
    }

    fn next(&mut self) -> Reply {
        if self.at + 1 >= STEPS.len() {
            return Reply::Close;
        }
        self.at += 1;
        Reply::Stay
    }
}

impl Contract for Tour {
    fn press(&mut self, key: KeyEvent, _: &Around) -> Reply {
        match TOUR.command(key) {
            Some(TourKey::Next) => return self.next(),
            Some(TourKey::Before) => self.at = self.at.saturating_sub(1),
            Some(TourKey::Leave) => return Reply::Close,
            None => {}
        }
        Reply::Stay
    }

    fn click(&mut self, _: (u16, u16), _: &Around) -> Reply {
        self.next()
    }

    fn takes_wheel(&self) -> bool {
        false
    }

    fn keys(&self) -> Vec<KeySection> {
        vec![TOUR.section()]
    }

    fn hints(&self, _: &Around) -> Vec<Hint> {
        let back = TOUR.hint(&[TourKey::Before], "back");
        let mut hints = vec![TOUR.hint(&[TourKey::Next], self.next_word())];
        hints.extend(Some(back).filter(|_| self.at > 0));
        hints.push(TOUR.hint(&[TourKey::Leave], "leave the tour").way_out());
        hints
    }
}
