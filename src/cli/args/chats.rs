//! The verbs that make chats, and the one that lists them.

use clap::{Args, Subcommand};

use crate::cli::dir_spec::dir_spec;
use crate::model::PermissionProfile;
use crate::model::open_dir::OpenDir;

#[derive(Debug, Subcommand)]
pub enum ChatsVerb {
    New(New),
    Init(Init),
    List(ListArgs),
}

/// Show all chats, the one that was busy last first
#[derive(Debug, Args)]
#[command(
    visible_alias = "ls",
    after_help = "Examples:
  parlour list
  parlour list --json | jq -r '.chats[].handle'    archived ones too, each with \"archived\""
)]
pub struct ListArgs {
    /// Archived ones too
    #[arg(short, long)]
    pub all: bool,
}

/// Make a chat and start its agent
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour new 'Fix auth' -p 'Users cannot log in' --branch fix-auth    a clone of the repository you are in
  parlour new ideas --no-project                                       nothing of it
  parlour new --llm shell --dir docs:https://github.com/acme/docs:ro
  parlour new quick --in-place                                         in your checkout itself, and no clone of it
  git diff | parlour new review -p 'Review this'    what is piped in stands behind the words
  parlour new fix-login --branch fix-login    where `parlour init` was: a worker below @main

DIR is [LABEL:]PATH_OR_URL[:ro|:rw]. A label is of a-z, 0-9 and -. `:rw`, the default, lets the agent change files there;
`:ro` lets it only read them.")]
pub struct New {
    /// What to call it; the beginning of the prompt where there is none
    pub name: Option<String>,
    /// The first prompt; `-` reads it from standard input
    #[arg(short, long, allow_hyphen_values = true)]
    pub prompt: Option<String>,
    /// The agent: claude, codex, gemini, opencode, cursor, cline, windsurf, shell, demo, or one of customLlms in
    /// config.json
    #[arg(long)]
    pub llm: Option<String>,
    /// A role: instructions that the agent starts with (orchestrator, worker, merger, reviewer, or one of your own)
    #[arg(short, long)]
    pub role: Option<String>,
    /// A repository or directory to open in it; repeatable
    #[arg(long = "dir", visible_alias = "add-dir", value_name = "DIR", value_parser = dir_spec)]
    pub dirs: Vec<OpenDir>,
    /// Work in each DIR itself, or in the checkout you are in, and not in a clone of it; `:ro` to read alone
    #[arg(long, conflicts_with_all = ["branch", "base", "no_project"])]
    pub in_place: bool,
    /// Open no project, also inside a repository; else that one is opened if no DIR is named
    #[arg(long, conflicts_with = "dirs")]
    pub no_project: bool,
    /// The branch to check out in each DIR, or in the repository you are in; made where it does not exist
    #[arg(long)]
    pub branch: Option<String>,
    /// What a branch that does not exist is made from
    #[arg(long)]
    pub base: Option<String>,
    /// A chat of its own, also where the repository has an @main
    #[arg(long)]
    pub alone: bool,
    /// What its agent does unasked; permissions.profile in config.json where it is not given
    #[arg(long, visible_alias = "unasked", value_enum, value_name = "PROFILE")]
    pub permissions: Option<PermissionProfile>,
    /// One of globalMcpServers to leave out; repeatable
    #[arg(long, value_name = "SERVER")]
    pub without_mcp: Vec<String>,
}

/// Make @main for the repository around the current directory: a chat that plans its work and hands it to workers
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour init                    then `parlour` here opens it
  parlour init --llm claude
  parlour send @main 'Plan the move to the new API, and dispatch workers'

The checkout is opened in place and read-only for it; workers get clones of their own.")]
pub struct Init {
    /// The agent CLI; that of the role orchestrator, else the default
    #[arg(long)]
    pub llm: Option<String>,
}
