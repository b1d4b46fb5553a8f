//! Commands of a CLI's own. Each adapter has a table of them: those of use below a transcript, as the CLI's menu has them.

use crate::model::agent::CliCommand;

/// Its name, its arguments, what it does, and what it shows.
pub type OwnCommand = (&'static str, &'static str, &'static str, Shows);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shows {
    /// What it does is seen in the transcript, or not at all.
    Nothing,
    /// A page or a menu in its terminal.
    Page,
}

pub fn commands(table: &[OwnCommand]) -> Vec<CliCommand> {
    let command = |(name, arguments, about, shows): &OwnCommand| CliCommand {
        name: (*name).into(),
        arguments: (*arguments).into(),
        about: (*about).into(),
        opens: *shows == Shows::Page,
    };
    table.iter().map(command).collect()
}
