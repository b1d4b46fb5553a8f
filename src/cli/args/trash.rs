//! The words of `parlour trash`. Every comment here is help text.

use clap::{Args, Subcommand};

/// Show deleted chats, or remove them for good
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour trash list
  parlour trash purge fix-auth --yes
  parlour trash purge --yes             all of it

`parlour undo-rm CHAT` brings one back. After 7 days they are removed by themselves.")]
pub struct TrashArgs {
    #[command(subcommand)]
    pub verb: TrashVerb,
}

#[derive(Debug, Args)]
pub struct DeletedChat {
    /// Handle, name or id, or a beginning of at least four letters
    pub chat: String,
}

#[derive(Debug, Subcommand)]
pub enum TrashVerb {
    /// Show deleted chats, the newest first
    #[command(after_help = "Examples:\n  parlour trash list")]
    List,
    /// Remove deleted chats for good
    #[command(
        after_help = "Examples:\n  parlour trash purge fix-auth --yes\n  parlour trash purge --yes             all of it"
    )]
    Purge {
        /// Handle, name or id; all that is in the trash where none is named
        chat: Option<String>,
        /// Without it nothing is removed: nothing brings them back
        #[arg(short, long)]
        yes: bool,
    },
}
