//! The words of `parlour script`, `run` and `edit`. Every comment here is help text.

use clap::{Args, Subcommand};

use super::chat::ChatArgs;
use crate::model::ScriptKind;

#[derive(Debug, Subcommand)]
pub enum ProjectVerb {
    Script(ScriptArgs),
    Run(RunScript),
    Edit(EditArgs),
}

/// Show and approve what the projects of a chat want to be run
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  parlour script list fix-auth\n  parlour script approve fix-auth setup")]
pub struct ScriptArgs {
    #[command(subcommand)]
    pub verb: ScriptVerb,
}

#[derive(Debug, Subcommand)]
pub enum ScriptVerb {
    /// Show the scripts of each clone of a chat, and where your own are written
    #[command(after_help = "Examples:\n  parlour script list fix-auth\n  parlour script list fix-auth --json")]
    List(ChatArgs),
    Approve(ApproveScript),
}

/// Approve a command of a repository, for its origin and exactly as it stands
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour script approve fix-auth setup
  parlour script approve fix-auth run grove

It is shown whole. Without a terminal it is refused, with the --yes=WORD that approves exactly what was shown. If it
changes, you are asked again. An approved setup is run at once.")]
pub struct ApproveScript {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// Which script
    pub kind: ScriptKind,
    /// Which clone; the first that has such a script where there is none
    pub project: Option<String>,
    /// Approve what a refusal has shown and named like this
    #[arg(short, long, value_name = "WORD", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub yes: Option<String>,
}

/// Run a project's `run` script, in a terminal beside the agent's
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour run fix-auth
  parlour run fix-auth grove
  parlour run fix-auth --stop    end it and all that it started")]
pub struct RunScript {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// Which clone; the first that has such a script where there is none
    pub project: Option<String>,
    /// End it
    #[arg(long)]
    pub stop: bool,
}

/// Open your editor in a clone of a chat, in a terminal beside its agent's
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour edit fix-auth
  parlour edit fix-auth --dir docs    in the directory of that name or label
  EDITOR='emacs -nw' parlour edit     here, of the chat that this directory is bound to

The editor is $VISUAL, else $EDITOR, else the first of editor, nano and vi that is there.
It starts on the clone itself (`.`). A chat has one: where it is open, it is shown.")]
pub struct EditArgs {
    /// Handle, name, number or id, or a beginning of at least four letters; without it the chat bound to this directory
    pub chat: Option<String>,
    /// Which of its directories, by name or label; the first where none is named
    #[arg(long, value_name = "NAME")]
    pub dir: Option<String>,
}
