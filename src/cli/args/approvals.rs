//! The verbs that answer what agents ask.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum ApprovalVerb {
    /// Show what agents ask before they use a tool
    #[command(after_help = "Examples:\n  parlour approvals\n  parlour approvals --json | jq -r '.approvals[].id'")]
    Approvals,
    /// Allow what an agent asks, this once; a project's setup until it changes
    #[command(after_help = "Examples:\n  parlour approve toolu_01")]
    Approve(AnswerArgs),
    /// Refuse what an agent asks
    #[command(after_help = "Examples:\n  parlour deny toolu_01")]
    Deny(AnswerArgs),
}

#[derive(Debug, Args)]
pub struct AnswerArgs {
    /// The question's id, or a beginning of at least four letters, from `parlour approvals`
    pub request: String,
}
