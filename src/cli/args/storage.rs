//! The words of `parlour cache` and `parlour setup`. Every comment here is help text.

use clap::{Args, Subcommand};

/// Show what parlour keeps on disk, or remove the caches that no chat uses
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour cache list
  parlour cache list --json | jq '.items[] | select(.kind == \"chat\")'
  parlour cache prune                   say what it would free, and ask
  parlour cache prune --yes
  parlour cache prune --index           the search index too, which is made again

Chats go by `parlour rm`, deleted ones for good by `parlour trash purge`.")]
pub struct CacheArgs {
    #[command(subcommand)]
    pub verb: CacheVerb,
}

#[derive(Debug, Subcommand)]
pub enum CacheVerb {
    /// Show what each chat, cache and deleted chat takes, the largest first
    #[command(after_help = "Examples:\n  parlour cache list\n  parlour cache list --json")]
    List,
    /// Remove the cached repositories that no chat has a clone of; they are fetched again when they are wanted
    #[command(after_help = "Examples:\n  parlour cache prune --yes\n  parlour cache prune --index")]
    Prune {
        /// Do not ask
        #[arg(short, long)]
        yes: bool,
        /// Remove the search index too; it is made again with the next search or entry of a transcript
        #[arg(long)]
        index: bool,
    },
}

/// Show the files that each new clone of a project gets, such as .env, or change them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour setup list
  parlour setup add .env config/local.yml               of your checkout, in which you are
  parlour setup add .env --chat fix-auth                of the clone in that chat
  parlour setup add .env --chat fix-auth --project web
  parlour setup rm grove .env

Clones that are there already keep what they have. A file that the repository tracks is never replaced.")]
pub struct SetupArgs {
    #[command(subcommand)]
    pub verb: SetupVerb,
}

#[derive(Debug, Subcommand)]
pub enum SetupVerb {
    /// Show the files of all projects
    #[command(after_help = "Examples:\n  parlour setup list\n  parlour setup list --json")]
    List,
    /// Keep files for new clones, in place of what was kept under their names
    #[command(
        after_help = "Examples:\n  parlour setup add .env config/local.yml\n  parlour setup add .env --chat fix-auth --project web"
    )]
    Add {
        /// As seen from where you are, or from the root of the clone
        #[arg(required = true)]
        files: Vec<String>,
        /// Take them from a clone of this chat
        #[arg(long)]
        chat: Option<String>,
        /// Which of its clones, if it has several
        #[arg(long, requires = "chat")]
        project: Option<String>,
    },
    /// Keep files no more
    #[command(
        after_help = "Examples:\n  parlour setup rm grove .env\n  parlour setup rm grove               all files of that project"
    )]
    Rm {
        /// As `parlour setup list` calls it
        project: String,
        /// All of them if none is named
        files: Vec<String>,
    },
}
