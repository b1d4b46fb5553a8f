//! The verb that writes a transcript into a file.

use std::path::PathBuf;

use clap::Args;

use crate::model::export::ExportFormat;

/// Write a chat's transcript as Markdown, HTML or JSON
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  parlour export fix-auth --format html -o fix-auth.html
  parlour export fix-auth | less
  parlour export fix-auth --format json | jq '.entries[] | select(.kind == \"prompt\") | .text'

Tokens, keys and passwords that parlour knows or that look like ones are masked; others may be in it: read it before you
hand it on. The HTML file needs nothing beside it. What going back has hidden is left out. It needs no engine.")]
pub struct ExportArgs {
    /// Its handle, name, number or id, or a beginning of at least four letters
    pub chat: String,
    /// As what
    #[arg(long, value_enum, default_value_t = ExportFormat::Md)]
    pub format: ExportFormat,
    /// Into this file, over what is there; else it is printed
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}
