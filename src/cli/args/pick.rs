//! The words of `parlour stage`, `unstage` and `discard`. Every comment here is help text.

use std::path::PathBuf;

use clap::{Args, Subcommand};

#[derive(Debug, Subcommand)]
pub enum PickVerb {
    /// Stage a file, some of its hunks, or some lines of one
    #[command(after_help = "Examples:
  parlour stage fix-auth src/main.rs
  parlour stage fix-auth --project grove src/main.rs      in one of several clones
  parlour stage fix-auth src/main.rs --hunk 1 --hunk 3
  parlour stage fix-auth src/main.rs --hunk 2 --lines 4-6

Hunks, and lines below their `@@`, are counted from 1 in `parlour diff CHAT --uncommitted`.")]
    Stage(PickOf),
    /// Take a file, some of its hunks, or some lines of one out of what is staged
    #[command(after_help = "Examples:
  parlour unstage fix-auth src/main.rs --hunk 1")]
    Unstage(PickOf),
    /// Undo what changed in a file, in some of its hunks, or in some lines of one, since the last commit
    #[command(after_help = "Examples:
  parlour discard fix-auth src/main.rs --hunk 2

A checkpoint is taken first: `parlour revert CHAT ID` brings it back.")]
    Discard(PickOf),
    /// Take a file, some of its hunks, or some lines of one as another chat has it
    #[command(after_help = "Examples:
  parlour take fix-auth --from fork-fix-auth src/main.rs
  parlour take fix-auth --from fork-fix-auth src/main.rs --hunk 2

Hunks, and lines below their `@@`, are counted from 1 in `parlour diff CHAT --with OTHER`. A checkpoint is taken first:
`parlour revert CHAT ID` brings back what was there.")]
    Take(TakeOf),
}

#[derive(Debug, Args)]
pub struct TakeOf {
    /// The chat that has it
    #[arg(long, value_name = "CHAT")]
    pub from: String,
    #[command(flatten)]
    pub of: PickOf,
}

#[derive(Debug, Args)]
pub struct PickOf {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// The clone, if the chat has several
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// The file, by its path in the clone
    pub path: PathBuf,
    /// One hunk; may be given again
    #[arg(long, value_name = "N")]
    pub hunk: Vec<usize>,
    /// These lines of the hunk alone: `4` or `4-6`
    #[arg(long, value_name = "A-B", requires = "hunk", value_parser = span)]
    pub lines: Option<(usize, usize)>,
}

fn span(text: &str) -> Result<(usize, usize), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last => Ok((first, last)),
        _ => Err("say 4, or 4-6".into()),
    }
}
