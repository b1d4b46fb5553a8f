//! The verbs that answer what agents ask.

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum ApprovalVerb {
    /// Show what agents ask before they use a tool
    #[command(after_help = "Examples:\n  parlour approvals\n  parlour approvals --json | jq -r '.approvals[].id'")]
    Approvals,
    /// Allow what an agent asks, this once; a project's setup until it changes
    #[command(
        after_help = "Examples:\n  parlour approve toolu_01\n  parlour approve fix-auth       shows what that chat asks, and asks you\n  parlour approve                the same, if nothing else is asked at all\n  parlour approve toolu_01 --rules\n  parlour approve toolu_01 --always\n  parlour approve toolu_01 --always 'Bash(cargo test:*)'"
    )]
    Approve(ApproveArgs),
    /// Refuse what an agent asks
    #[command(
        after_help = "Examples:\n  parlour deny toolu_01\n  parlour deny fix-auth\n  parlour deny toolu_01 --reason 'use the staging database'"
    )]
    Deny(DenyArgs),
}

#[derive(Debug, Args)]
pub struct ApproveArgs {
    /// The question's id from `parlour approvals`, or a beginning of at least four letters; at a terminal also its chat, if
    /// that asks nothing else
    pub request: Option<String>,
    /// Write a rule into `config.json` that allows it from now on: this one, or the first that `--rules` shows
    #[arg(long, value_name = "RULE", num_args = 0..=1)]
    pub always: Option<Option<String>>,
    /// Show the rules that `--always` could write, and allow nothing
    #[arg(long, conflicts_with = "always")]
    pub rules: bool,
}

#[derive(Debug, Args)]
pub struct DenyArgs {
    /// The question's id from `parlour approvals`, or a beginning of at least four letters; or its chat, if that asks
    /// nothing else
    pub request: String,
    /// Why, for the agent
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub reason: String,
}
