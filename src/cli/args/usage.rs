//! The verb that tells what agents used.

use clap::{Args, ValueEnum};

use crate::model::usage::UsageBy;

/// Show what agents used of their models, in tokens and US dollars
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour usage                               by day, over all chats
  parlour usage --by project
  parlour usage fix-auth --by model           one chat
  parlour usage --json | jq .total.usd

Costs are estimates: tokens by the prices in config.json, else by list prices that come with parlour.")]
pub struct UsageArgs {
    /// One chat alone: its handle, name, number or id, or a beginning of at least four letters
    pub chat: Option<String>,
    /// What is added up
    #[arg(long, value_enum, default_value_t = UsageColumn::Day)]
    pub by: UsageColumn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UsageColumn {
    Day,
    Project,
    Model,
    Cli,
    Chat,
}

impl From<UsageColumn> for UsageBy {
    fn from(column: UsageColumn) -> UsageBy {
        match column {
            UsageColumn::Day => UsageBy::Day,
            UsageColumn::Project => UsageBy::Project,
            UsageColumn::Model => UsageBy::Model,
            UsageColumn::Cli => UsageBy::Cli,
            UsageColumn::Chat => UsageBy::Chat,
        }
    }
}
