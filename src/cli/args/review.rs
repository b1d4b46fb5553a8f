//! The words of `parlour diff`, `checkpoint`, `checkpoints`, `revert` and `undo-revert`. Every comment here is help text.

use clap::{Args, Subcommand};

use super::chat::ChatArgs;
use super::diff_set::DiffSetArgs;
use super::pick::PickVerb;
use super::remark::RemarkVerb;

#[derive(Debug, Subcommand)]
pub enum ReviewVerb {
    Diff(DiffOf),
    /// Save the clones of a chat as they are now
    #[command(after_help = "Examples:\n  parlour checkpoint fix-auth")]
    Checkpoint(ChatArgs),
    /// Show what a chat's clones can go back to
    #[command(
        after_help = "Examples:\n  parlour checkpoints fix-auth\n  parlour checkpoints fix-auth --json | jq '.checkpoints[-1].number'"
    )]
    Checkpoints(ChatArgs),
    /// Show how far other chats on the same projects have come
    #[command(after_help = "Examples:
  parlour compare fix-auth
  parlour diff fix-auth --with fork-fix-auth     what is different there
  parlour take fix-auth --from fork-fix-auth src/main.rs")]
    Compare(ChatArgs),
    Revert(Revert),
    UndoRevert(UndoRevert),
    #[command(flatten)]
    Pick(PickVerb),
    #[command(flatten)]
    Remark(RemarkVerb),
}

/// Show what changed in a chat: since its last prompt, unless told otherwise
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour diff fix-auth                 since the last prompt
  parlour diff fix-auth --turn 2        what the second prompt led to
  parlour diff fix-auth --base --stat   against the base branch, files only
  parlour diff fix-auth --with other    with what another chat has
  parlour diff fix-auth | delta")]
pub struct DiffOf {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    #[command(flatten)]
    pub set: DiffSetArgs,
    /// One clone, or what is open in place under this name, alone
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// Files and counts of lines alone
    #[arg(long)]
    pub stat: bool,
}

/// Take a chat's clones and conversation back to what they were; `undo-revert` takes that back
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour revert fix-auth 3             to checkpoint 3; shows what changes, and asks
  parlour revert fix-auth --turn 2      to before the second prompt
  parlour revert fix-auth 3 --project grove --yes
  parlour revert fix-auth 3 --code      the agent keeps its conversation

The agent is stopped and goes on afterwards, from before that prompt. Ignored files, other branches and linked directories stay as they are.
What the revert replaces is saved first.")]
pub struct Revert {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// A checkpoint, as `parlour checkpoints` numbers them
    #[arg(required_unless_present = "turn", conflicts_with = "turn")]
    pub id: Option<u64>,
    /// To before this prompt; the first one is 1
    #[arg(long, value_name = "N")]
    pub turn: Option<u32>,
    /// One clone alone
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// The code alone: the conversation stays as it is
    #[arg(long, conflicts_with = "talk")]
    pub code: bool,
    /// The conversation alone: the code stays as it is
    #[arg(long, conflicts_with = "project")]
    pub talk: bool,
    /// Without it you are asked
    #[arg(short, long)]
    pub yes: bool,
}

/// Take the last revert of a chat back, to the byte
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  parlour undo-revert fix-auth --yes")]
pub struct UndoRevert {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// Without it you are asked
    #[arg(short, long)]
    pub yes: bool,
}
