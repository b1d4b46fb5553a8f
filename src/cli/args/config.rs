//! The words of `parlour config`. Every comment here is help text.

use clap::{Args, Subcommand};

/// Show and change the settings of config.json
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour config list                          every setting, its value, and where that comes from
  parlour config get limits.liveAgents
  parlour config set limits.liveAgents 10
  parlour config set keys.newChat ctrl+n
  parlour config set permissions.deny 'Read(**/.env)' 'Bash(rm:*)'
  parlour config unset theme                   the default holds again
  parlour config edit                          open the file in your editor

A value is tried before it is written: what cannot be meant is refused, and the file stays as it was. What is not changed
keeps its order, its comments and its form. A running engine takes a change up by itself. Agents may read settings, and
change none.
Exit codes: 0 done; 1 the value or the file is wrong; 3 there is no such setting, or it is not set.")]
pub struct ConfigArgs {
    #[command(subcommand)]
    pub verb: ConfigVerb,
}

#[derive(Debug, Subcommand)]
pub enum ConfigVerb {
    /// Print a value: the one in config.json, else the default
    #[command(after_help = "Examples:
  parlour config get theme
  parlour config get limits                    a group of settings, as JSON
  parlour config get prices.gpt-5.input
  parlour config get sandbox --json            with its default, and where the value comes from")]
    Get(SettingArgs),
    /// Write a value into config.json
    #[command(after_help = "Examples:
  parlour config set theme nord
  parlour config set resumeOnStart on
  parlour config set notify.on needs-you failed
  parlour config set globalMcpServers.db '{\"command\": \"db-mcp\", \"args\": [\"--read-only\"]}'
  parlour config set trust.claude true")]
    Set(SetArgs),
    /// Remove a value from config.json, so that its default holds
    #[command(after_help = "Examples:
  parlour config unset limits.budget.day
  parlour config unset keys.newChat")]
    Unset(SettingArgs),
    /// Open config.json in your editor, and check it afterwards
    #[command(after_help = "Examples:\n  parlour config edit\n  EDITOR=nano parlour config edit")]
    Edit,
    /// Print where config.json is
    #[command(after_help = "Examples:\n  parlour config path")]
    Path,
    /// List every setting with its value, and where that comes from
    #[command(after_help = "Examples:
  parlour config list
  parlour config list --set                    only what config.json sets
  parlour config list --json | jq -r '.settings[] | select(.source != \"default\") | .path'")]
    List {
        /// Only those that config.json sets
        #[arg(long)]
        set: bool,
    },
    /// Print the JSON Schema of config.json
    #[command(after_help = "Examples:
  parlour config schema > config.schema.json

parlour writes it beside config.json. With `\"$schema\": \"config.schema.json\"` in that file, an editor completes and
checks what you type.")]
    Schema,
}

#[derive(Debug, Args)]
pub struct SettingArgs {
    /// As `parlour config list` shows it: limits.liveAgents
    pub key: String,
}

#[derive(Debug, Args)]
pub struct SetArgs {
    /// As `parlour config list` shows it: limits.liveAgents
    pub key: String,
    /// The value; for a list, several, or JSON. After `--` it may begin with a hyphen
    #[arg(required = true, allow_negative_numbers = true)]
    pub value: Vec<String>,
}
