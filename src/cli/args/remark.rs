//! The words of `parlour remark`, `remarks` and `review`. Every comment here is help text.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::diff_set::DiffSetArgs;

#[derive(Debug, Subcommand)]
pub enum RemarkVerb {
    Remark(RemarkOn),
    Remarks(RemarksOf),
    Review(OpinionOf),
}

/// Remark on a file that an agent changed, or on lines of it
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour remark fix-auth src/main.rs:12 'name it after what it does'
  parlour remark fix-auth src/main.rs:12-14 'this is never reached'
  parlour remark fix-auth --project grove src/main.rs 'split this file'

`parlour remarks CHAT --send` sends what you gathered as one prompt.")]
pub struct RemarkOn {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// The clone, if the chat has several
    #[arg(long, value_name = "NAME")]
    pub project: Option<String>,
    /// The file by its path in the clone, and its lines if only they are meant: PATH:LINE or PATH:LINE-LINE
    #[arg(value_name = "PATH[:LINE[-LINE]]", value_parser = place)]
    pub place: RemarkPlace,
    /// What you think of it
    pub text: String,
}

/// List the remarks of a chat, or do something with them
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour remarks fix-auth
  parlour remarks fix-auth --send           all that are open and were not sent yet, as one prompt
  parlour remarks fix-auth --resolve 3")]
pub struct RemarksOf {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// Send them to its agent
    #[arg(long, conflicts_with_all = ["resolve", "reopen"])]
    pub send: bool,
    /// This remark is done
    #[arg(long, value_name = "N", conflicts_with = "reopen")]
    pub resolve: Option<u64>,
    /// This remark is not done
    #[arg(long, value_name = "N")]
    pub reopen: Option<u64>,
}

/// Have another agent review what a chat changed: its remarks become remarks of the chat
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour review fix-auth --by codex           what changed since the last prompt
  parlour review fix-auth --by gemini --base   all that its branch has

The reviewer gets a chat below this one, with clones that it may only read.")]
pub struct OpinionOf {
    /// Handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// The agent CLI that reviews
    #[arg(long, value_name = "LLM")]
    pub by: String,
    #[command(flatten)]
    pub set: DiffSetArgs,
}

#[derive(Clone, Debug)]
pub struct RemarkPlace {
    pub path: PathBuf,
    pub lines: Option<(u32, u32)>,
}

/// What follows the last colon is lines if it begins with a digit; else it is part of the name.
fn place(text: &str) -> Result<RemarkPlace, String> {
    let wrong = || "say PATH, PATH:12, or PATH:12-14".to_owned();
    let whole = || {
        (!text.is_empty()).then(|| RemarkPlace {
            path: text.into(),
            lines: None,
        })
    };
    let numbered = text
        .rsplit_once(':')
        .filter(|(_, lines)| lines.starts_with(|c: char| c.is_ascii_digit()));
    let Some((path, lines)) = numbered else {
        return whole().ok_or_else(wrong);
    };
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    match (first.parse(), last.parse()) {
        (Ok(first), Ok(last)) if 0 < first && first <= last && !path.is_empty() => Ok(RemarkPlace {
            path: path.into(),
            lines: Some((first, last)),
        }),
        _ => Err(wrong()),
    }
}
