//! Where one person is in the inspector.

use std::collections::BTreeSet;

use crate::model::ChatId;

use super::super::tab::transcript::row::TextRow;
use super::super::usage::UsageLine;

/// Where one person is in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inspector {
    /// The chat whose cards are meant by the entries below.
    pub of: Option<ChatId>,
    /// `None`: shown where there is room for it, unless its agent is a shell.
    pub wanted: Option<bool>,
    /// The same for the other kind of chats: for those of shells, or for all but those.
    pub(in crate::screen) wanted_of_others: Option<bool>,
    /// The agent of the chat makes no calls.
    pub of_shell: bool,
    pub tab: InspectorTab,
    /// The card by its entry; `None` follows the newest.
    pub selected: Option<u64>,
    pub open: BTreeSet<u64>,
    /// Rows above the first that is shown, while a card is selected.
    pub top: usize,
    /// Rows of a tab other than the cards that are scrolled away.
    pub scroll: usize,
    /// Which of what can be changed of the chat is selected.
    pub setting: usize,
    /// The card in full shows its input as JSON.
    pub is_raw: bool,
    /// The card to go to once the transcript is read.
    pub sought: Option<u64>,
    /// The card was opened from the transcript: what was there before.
    pub came: Option<CameFrom>,
}

impl Inspector {
    /// Whoever wants to see an agent's cards has no use for those of a shell, and the other way round.
    pub(in crate::screen) fn turn_to_kind(&mut self, of_shell: bool) {
        if std::mem::replace(&mut self.of_shell, of_shell) != of_shell {
            std::mem::swap(&mut self.wanted, &mut self.wanted_of_others);
        }
    }

    /// Another chat is looked at: none of its cards was chosen or opened.
    pub fn turn_to(&mut self, chat: Option<&ChatId>) {
        if self.of.as_ref() == chat {
            return;
        }
        self.of = chat.cloned();
        (self.selected, self.sought) = (None, None);
        (self.top, self.scroll) = (0, 0);
        self.open.clear();
    }
}

/// What the inspector was before a call of the transcript was opened in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CameFrom {
    pub wanted: Option<bool>,
    pub tab: InspectorTab,
}

/// What the inspector shows. All but the cards take half of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InspectorTab {
    #[default]
    Cards,
    /// The selected card in full.
    Card,
    Todos,
    Usage,
    /// What is set for the chat.
    Chat,
}

impl InspectorTab {
    pub const ALL: [InspectorTab; 5] = [
        InspectorTab::Cards,
        InspectorTab::Card,
        InspectorTab::Todos,
        InspectorTab::Usage,
        InspectorTab::Chat,
    ];

    pub fn name(self) -> &'static str {
        match self {
            InspectorTab::Cards => "Cards",
            InspectorTab::Card => "Card",
            InspectorTab::Todos => "Todos",
            InspectorTab::Usage => "Usage",
            InspectorTab::Chat => "Chat",
        }
    }
}

/// A row of a tab beside the cards.
#[derive(Clone, Debug, PartialEq)]
pub enum PageRow {
    Text(TextRow),
    /// Of what can be changed for the chat, by its number; what needs several rows has one number.
    Setting(TextRow, usize),
    Usage(UsageLine),
    /// The one line of a call, by its entry.
    Call(u64),
}
