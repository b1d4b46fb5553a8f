//! The tables of keys, and which of them each surface has.

use strum::VariantArray;

use super::super::surface::{InPane, Surface};
use super::action::Action;
use super::commands::{self, ChatsAction, ScreenAction};
use super::line::KeyLine;
use super::tabs::{PaneSheet, SHEETS};
use super::{composer, copy, inspector, modes, schedules, start};

/// A line of the table of a surface.
pub type Command = KeyLine<Action>;

/// The tables, in the order of the key help.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// The leader itself.
    Menu,
    AfterLeader,
    /// Only where the program in the terminal has ended.
    Ended,
    /// What stands in place of the agent's terminal, or beside it.
    Tab,
    /// The commands of the whole program.
    Commands,
    Filter,
    Copy,
    /// A prompt is written below the transcript.
    Composer,
    /// A prompt is chosen that waits.
    Queued,
    Inspector,
    Schedules,
    /// The page while there is no chat.
    Start,
    /// A tab that is no terminal.
    Sheet(PaneSheet),
}

impl Table {
    /// All of them, in the order of the key help.
    pub fn all() -> Vec<Table> {
        let first = [
            Table::Menu,
            Table::AfterLeader,
            Table::Ended,
            Table::Commands,
            Table::Filter,
            Table::Copy,
            Table::Tab,
            Table::Inspector,
        ];
        let sheets = PaneSheet::VARIANTS.iter().map(|sheet| Table::Sheet(*sheet));
        let last = [Table::Composer, Table::Queued, Table::Schedules, Table::Start];
        first.into_iter().chain(sheets).chain(last).collect()
    }

    /// All lines, those that it shares with another table among them.
    pub fn commands(self) -> Vec<Command> {
        match self {
            Table::Schedules => {
                let shared = Table::Commands.own().into_iter().filter(is_among_schedules);
                shared.chain(self.own()).collect()
            }
            Table::Menu
            | Table::AfterLeader
            | Table::Ended
            | Table::Tab
            | Table::Commands
            | Table::Filter
            | Table::Copy
            | Table::Composer
            | Table::Queued
            | Table::Inspector
            | Table::Start
            | Table::Sheet(_) => self.own(),
        }
    }

    /// The lines that stand in this table alone.
    pub fn own(self) -> Vec<Command> {
        match self {
            Table::Menu => lines(&modes::MENU, Action::Leader),
            Table::AfterLeader => lines(&modes::AFTER_LEADER, Action::Leader),
            Table::Ended => lines(&modes::ENDED, Action::Ended),
            Table::Tab => lines(&modes::TAB, Action::Tab),
            Table::Commands => [
                lines(&commands::CHAT, Action::Chat),
                lines(&commands::KEEP, Action::Keep),
                lines(&commands::CHATS, Action::Chats),
                lines(&commands::MOVE, Action::Move),
                lines(&SHEETS, Action::Show),
                lines(&commands::SCREEN, Action::Screen),
            ]
            .concat(),
            Table::Filter => lines(&modes::FILTER, Action::Filter),
            Table::Copy => [lines(&copy::TABLE, Action::Copy), lines(&copy::MOTIONS, Action::Motion)].concat(),
            Table::Composer => lines(&composer::COMPOSER, Action::Composer),
            Table::Queued => lines(&composer::QUEUED, Action::Queued),
            Table::Inspector => lines(&inspector::TABLE, Action::Inspector),
            Table::Sheet(sheet) => lines(&sheet.table(), Action::Sheet),
            Table::Schedules => lines(&schedules::TABLE, Action::Schedules),
            Table::Start => lines(&start::TABLE, Action::Start),
        }
    }
}

impl Surface {
    /// Its table, in parts: a key means what the first of them says.
    pub fn tables(self) -> impl Iterator<Item = Table> {
        let (menu, tab, commands) = (Some(Table::Menu), Some(Table::Tab), Some(Table::Commands));
        let parts = match self {
            // Each dialog has a table of its own.
            Surface::Dialog => [None; 4],
            Surface::Schedules => [menu, Some(Table::Schedules), None, None],
            Surface::Leader => [Some(Table::AfterLeader), commands, None, None],
            Surface::Copy => [menu, Some(Table::Copy), None, None],
            Surface::Terminal => [menu, Some(Table::Ended), None, None],
            Surface::Filter => [menu, Some(Table::Filter), None, None],
            Surface::Composer => [menu, Some(Table::Composer), None, None],
            Surface::Queued => [menu, Some(Table::Queued), None, None],
            // What ends it is fixed, as in dialogs.
            Surface::Search | Surface::Links => [menu, None, None, None],
            Surface::Sheet(sheet) => [menu, Some(Table::Sheet(sheet)), tab, commands],
            Surface::Start => [menu, Some(Table::Start), None, commands],
            Surface::Inspector => [menu, Some(Table::Inspector), tab, commands],
            Surface::Pane(InPane::Other) | Surface::Sidebar(InPane::Other) => [menu, None, tab, commands],
            Surface::Pane(InPane::Agent) | Surface::Sidebar(InPane::Agent) => [menu, None, None, commands],
        };
        parts.into_iter().flatten()
    }
}

/// The key that opens the schedules closes them too.
fn is_among_schedules(command: &Command) -> bool {
    [
        Action::Chats(ChatsAction::Automations),
        Action::Screen(ScreenAction::Help),
    ]
    .contains(&command.command)
}

fn lines<C: Copy>(table: &[KeyLine<C>], wrap: fn(C) -> Action) -> Vec<Command> {
    table.iter().map(|line| line.map(wrap)).collect()
}
