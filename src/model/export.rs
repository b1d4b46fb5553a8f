//! A transcript as a file to keep or to hand on.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::ChatId;

/// As what it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ExportFormat {
    Md,
    Html,
    Json,
}

impl ExportFormat {
    pub const EACH: [ExportFormat; 3] = [ExportFormat::Md, ExportFormat::Html, ExportFormat::Json];

    /// How names of such files end, without the dot.
    pub fn ending(self) -> &'static str {
        match self {
            ExportFormat::Md => "md",
            ExportFormat::Html => "html",
            ExportFormat::Json => "json",
        }
    }

    pub fn words(self) -> &'static str {
        match self {
            ExportFormat::Md => "Markdown",
            ExportFormat::Html => "HTML, a page that needs nothing beside it",
            ExportFormat::Json => "JSON",
        }
    }
}

/// What a person wants written, and into which file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportAsk {
    pub chat: ChatId,
    pub format: ExportFormat,
    pub path: PathBuf,
    /// Their variables: what those name as secret is masked.
    pub env: BTreeMap<String, String>,
}

/// What is in the file now.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExportedFile {
    pub path: String,
    pub bytes: u64,
    pub turns: usize,
}
