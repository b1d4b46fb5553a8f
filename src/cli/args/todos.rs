//! The words of `parlour todos`. Every comment here is help text.

use clap::Args;

/// List the todos of a chat, or change them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour todos fix-auth
  parlour todos fix-auth --add 'Test the expired token' --add 'Write the changelog'
  parlour todos fix-auth --check 1 --remove 3
  parlour todos fix-auth --move 4 1
  parlour todos fix-auth --first on      hold back done, push and PR while one is open

The list is todos.md in the chat's directory, which the agent and any editor change too. Options are carried out in the
order edit, check, uncheck, move, remove, add: all of them or, if one cannot be, none.
--json: {\"todos\": [{\"number\", \"text\", \"done\", \"depth\"}], \"done\", \"first\", \"problem\"}")]
pub struct TodosOf {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// Add a todo at the end
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    pub add: Vec<String>,
    /// This one is done
    #[arg(long, value_name = "N")]
    pub check: Vec<usize>,
    /// This one is not done
    #[arg(long, value_name = "N")]
    pub uncheck: Vec<usize>,
    /// Give one other words
    #[arg(long, num_args = 2, value_names = ["N", "TEXT"], allow_hyphen_values = true)]
    pub edit: Vec<String>,
    /// Remove it; what is indented below it stays
    #[arg(long, value_name = "N")]
    pub remove: Vec<usize>,
    /// Move one, with what is indented below it
    #[arg(long = "move", num_args = 2, value_names = ["N", "TO"])]
    pub moved: Vec<usize>,
    /// Whether the work can be declared done, pushed and made a pull request of only once all are done
    #[arg(long, value_name = "on|off")]
    pub first: Option<OnOff>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum OnOff {
    On,
    Off,
}
