//! The tables of keys, and which of them each surface has.

use strum::VariantArray;

use super::super::surface::Surface;
use super::action::Action;
use super::commands::{self, ChatsAction, ScreenAction};
use super::line::KeyLine;
use super::{changes, copy, modes, schedules, work};

/// A line of the table of a surface.
pub type Command = KeyLine<Action>;

/// The tables, in the order of the key help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, VariantArray)]
pub enum Table {
    /// The leader itself.
    Menu,
    AfterLeader,
    /// Only where the program in the terminal has ended.
    Ended,
    /// The commands of the whole program.
    Commands,
    Filter,
    Copy,
    Work,
    Changes,
    Schedules,
}

impl Table {
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
            | Table::Commands
            | Table::Filter
            | Table::Copy
            | Table::Work
            | Table::Changes => self.own(),
        }
    }

    /// The lines that stand in this table alone.
    pub fn own(self) -> Vec<Command> {
        match self {
            Table::Menu => lines(&modes::MENU, Action::Leader),
            Table::AfterLeader => lines(&modes::AFTER_LEADER, Action::Leader),
            Table::Ended => lines(&modes::ENDED, Action::Ended),
            Table::Commands => [
                lines(&commands::CHAT, Action::Chat),
                lines(&commands::CHATS, Action::Chats),
                lines(&commands::MOVE, Action::Move),
                lines(&commands::SCREEN, Action::Screen),
            ]
            .concat(),
            Table::Filter => lines(&modes::FILTER, Action::Filter),
            Table::Copy => lines(&copy::TABLE, Action::Copy),
            Table::Work => lines(&work::TABLE, Action::Work),
            Table::Changes => lines(&changes::TABLE, Action::Changes),
            Table::Schedules => lines(&schedules::TABLE, Action::Schedules),
        }
    }
}

impl Surface {
    /// Its table, in parts: a key means what the first of them says.
    pub fn tables(self) -> &'static [Table] {
        match self {
            // Each dialog has a table of its own.
            Surface::Dialog => &[],
            Surface::Schedules => &[Table::Menu, Table::Schedules],
            Surface::Leader => &[Table::AfterLeader, Table::Commands],
            Surface::Copy => &[Table::Menu, Table::Copy],
            Surface::Terminal => &[Table::Menu, Table::Ended],
            Surface::Filter => &[Table::Menu, Table::Filter],
            Surface::Work => &[Table::Menu, Table::Work, Table::Commands],
            Surface::Changes => &[Table::Menu, Table::Changes, Table::Commands],
            Surface::Pane | Surface::Inspector | Surface::Sidebar => &[Table::Menu, Table::Commands],
        }
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
