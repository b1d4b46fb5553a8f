//! What a dialog wants of a prompt, or of a turn that failed.

use crate::model::Timestamp;
use crate::model::agent::CliCommand;
use crate::model::template::PromptTemplate;
/// What is to become of a prompt, or of a turn that failed.
#[derive(Clone, Debug, PartialEq)]
pub enum ComposeWish {
    /// It begins with `/`, and becomes this.
    Slash(SlashChoice),
    /// It is made of the template of this name, with these arguments.
    Fill(String, Vec<String>),
    /// It is written, to be sent as it is or changed.
    Propose(String),
    /// Something is done about an error.
    Mend(MendWish),
}

/// What is done with the prompt.
#[derive(Clone, Debug, PartialEq)]
pub enum SlashChoice {
    /// It is made of this template.
    Template(Box<PromptTemplate>),
    /// It is a command of the CLI.
    Command(CliCommand),
    /// It is no command at all.
    Text(String),
}

/// What mends it, or helps to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MendWish {
    /// This prompt is sent once more.
    Send(String),
    /// The agent goes on at this moment.
    GoOn(Timestamp),
    /// By the CLI's own login; then this prompt is sent once more.
    LogIn(Option<String>),
    /// What somebody needs to know who is to help.
    Copy(String),
}
