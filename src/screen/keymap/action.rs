//! What a key can be bound to, by what it works on.

use super::commands::{ChatAction, ChatsAction, KeepWay, MoveAction, ScreenAction};
use super::composer::{ComposerAction, QueuedAction};
use super::copy::{CopyAction, CopyMotion};
use super::inspector::InspectorAction;
use super::modes::{EndedAction, FilterAction, LeaderAction, TabAction};
use super::schedules::SchedulesAction;
use super::start::StartAction;
use super::tabs::{PaneSheet, SheetAction};

/// Each group belongs to one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Chat(ChatAction),
    Chats(ChatsAction),
    Keep(KeepWay),
    Move(MoveAction),
    Screen(ScreenAction),
    Leader(LeaderAction),
    Ended(EndedAction),
    /// In place of the agent's terminal.
    Tab(TabAction),
    Filter(FilterAction),
    Composer(ComposerAction),
    Queued(QueuedAction),
    /// Shows a tab that is no terminal, or the terminal again.
    Show(PaneSheet),
    Sheet(SheetAction),
    Copy(CopyAction),
    /// Of the cursor of copy mode.
    Motion(CopyMotion),
    Inspector(InspectorAction),
    Schedules(SchedulesAction),
    /// While there is no chat.
    Start(StartAction),
}

impl Action {
    /// Its name in `config.json`; `None` where its key is fixed.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Action::Chat(action) => Some(action.into()),
            Action::Chats(action) => Some(action.into()),
            Action::Keep(way) => Some(way.into()),
            Action::Move(MoveAction::Jump) => None,
            Action::Move(action) => Some(action.into()),
            Action::Screen(action) => Some(action.into()),
            Action::Leader(LeaderAction::Leader) => Some(LeaderAction::Leader.into()),
            Action::Leader(LeaderAction::Leave | LeaderAction::SendOn) | Action::Ended(_) => None,
            Action::Tab(action) => Some(action.into()),
            Action::Filter(action) => Some(action.into()),
            Action::Composer(action) => Some(action.into()),
            Action::Queued(action) => Some(action.into()),
            Action::Show(sheet) => Some(sheet.into()),
            Action::Sheet(action) => Some(action.name()),
            Action::Copy(CopyAction::Count) => None,
            Action::Copy(action) => Some(action.into()),
            Action::Motion(motion) => Some(motion.into()),
            Action::Inspector(action) => Some(action.into()),
            Action::Schedules(action) => Some(action.into()),
            Action::Start(StartAction::Recent) => None,
            Action::Start(action) => Some(action.into()),
        }
    }

    /// What it is about: a heading of the key help.
    pub fn heading(self) -> &'static str {
        match self {
            Action::Chat(_) | Action::Keep(_) => "This chat",
            Action::Chats(_) => "Chats",
            Action::Move(_) => "Moving",
            Action::Show(_) | Action::Screen(_) => "Screen",
            Action::Leader(_) | Action::Ended(_) => "In the agent",
            Action::Tab(_) => "In any tab, the cards or a grid",
            Action::Filter(_) => "In the filter",
            Action::Composer(_) => "Writing a prompt",
            Action::Queued(_) => "On a prompt that waits",
            Action::Copy(_) | Action::Motion(_) => "In copy mode",
            Action::Inspector(_) => "Among the cards",
            Action::Sheet(action) => action.sheet().heading(),
            Action::Schedules(_) => "Among the schedules",
            Action::Start(_) => "While there is no chat",
        }
    }
}

impl From<ChatAction> for Action {
    fn from(action: ChatAction) -> Action {
        Action::Chat(action)
    }
}

impl From<ChatsAction> for Action {
    fn from(action: ChatsAction) -> Action {
        Action::Chats(action)
    }
}

impl From<MoveAction> for Action {
    fn from(action: MoveAction) -> Action {
        Action::Move(action)
    }
}

impl From<TabAction> for Action {
    fn from(action: TabAction) -> Action {
        Action::Tab(action)
    }
}

impl From<ScreenAction> for Action {
    fn from(action: ScreenAction) -> Action {
        Action::Screen(action)
    }
}
