//! The words of `parlour templates`. Every comment here is help text.

use clap::{Args, Subcommand};

/// Show the prompt templates that can be used here, and where each comes from
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour templates
  parlour templates --chat fix-auth        those of the chat's projects
  parlour templates show review
  parlour send fix-auth --template explain 'the session cookie'

A template is a Markdown file: .parlour/commands/NAME.md or .claude/commands/NAME.md of a project, commands/NAME.md of
the home, or ~/.claude/commands/NAME.md. The first of a name counts. It may name $1 to $9, $ARGUMENTS, {{project}},
{{branch}}, {{diff}} and {{date}}. It only ever becomes a prompt: nothing in it is run.")]
pub struct TemplatesArgs {
    #[command(subcommand)]
    pub verb: Option<TemplatesVerb>,
    /// Of this chat's projects, in place of the repository around the current directory
    #[arg(long = "chat", id = "of-chat", value_name = "CHAT", global = true)]
    pub chat: Option<String>,
}

#[derive(Debug, Subcommand)]
pub enum TemplatesVerb {
    /// Print a template as it is
    #[command(after_help = "Examples:\n  parlour templates show review")]
    Show {
        /// As `parlour templates` lists it
        name: String,
    },
}
