//! The verb that searches transcripts and outputs.

use clap::Args;

/// Search what was said and done in all chats: prompts, answers, calls and whole outputs
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour search expired token                     entries with both words, the newest first
  parlour search 'expired tok*'                    and what begins like this
  parlour search '\"cannot borrow\" tool:bash failed:yes after:2d'
  parlour search login --project grove --json | jq -r '.hits[].text'

A filter may stand among the words: chat: project: tool: after: before: failed:. A time is a day (2026-03-29), a moment
(2026-03-29T09:00), today, yesterday, or how long ago (30m, 2h, 3d, 1w). A tool is meant by its name, or by what it does:
read, write, edit, bash, search, fetch, task, mcp. The last word may go on; one in quotation marks may not.
It needs no engine. The index lies in cache/history.db and history.db2 of the home, and is made again where it is
missing. If nothing is found, the exit code is 1.")]
pub struct SearchArgs {
    /// What all is in the entry, in any case
    pub words: Vec<String>,
    /// In this chat: its handle, or words of its name. May be repeated
    #[arg(long)]
    pub chat: Vec<String>,
    /// In chats that have this project
    #[arg(long)]
    pub project: Vec<String>,
    /// Calls of this tool, and what came of them
    #[arg(long)]
    pub tool: Vec<String>,
    /// Before this time
    #[arg(long)]
    pub before: Option<String>,
    /// From this time on
    #[arg(long)]
    pub after: Option<String>,
    /// Errors and failed calls alone
    #[arg(long)]
    pub failed: bool,
    /// So many at most
    #[arg(long, default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub limit: u16,
}
