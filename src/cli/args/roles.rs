//! The words of `parlour roles`. Every comment here is help text.

use clap::{Args, Subcommand};

/// Show the roles that a chat can be started with here, and where each comes from
#[derive(Debug, Args)]
pub struct Roles {
    #[command(subcommand)]
    pub verb: Option<RolesVerb>,
}

#[derive(Debug, Subcommand)]
pub enum RolesVerb {
    /// Print a role as its file has it
    #[command(after_help = "Examples:\n  parlour roles show worker")]
    Show {
        /// As `parlour roles` lists it
        name: String,
    },
    /// Copy a role to a file of your own, to edit
    #[command(after_help = "Examples:
  parlour roles copy orchestrator              to roles/orchestrator.md of the home
  parlour roles copy worker --repository       to .parlour/roles/worker.md of this repository

A chat keeps its role as it was when the chat was made: what you edit holds for the chats made after that.")]
    Copy {
        /// As `parlour roles` lists it
        name: String,
        /// Into the repository around the current directory, for everybody who works on it
        #[arg(long)]
        repository: bool,
    },
}
