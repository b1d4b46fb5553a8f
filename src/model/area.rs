//! A directory of a chat as paths lead to it: what is allowed in it is decided by `permission`.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What an agent may do in a directory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
#[schemars(description = "")]
pub enum AreaMode {
    #[default]
    Rw,
    Ro,
}

impl AreaMode {
    pub fn word(self) -> &'static str {
        match self {
            AreaMode::Rw => "rw",
            AreaMode::Ro => "ro",
        }
    }
}

/// A directory of a chat and all paths that lead to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    pub name: String,
    pub mode: AreaMode,
    /// An agent opened it itself, and no person said anything of it: each write in it is asked about.
    pub asks: bool,
    /// A clone that parlour made.
    pub cloned: bool,
    pub paths: Vec<PathBuf>,
}

impl Area {
    /// Not all that an agent may write elsewhere may be written there.
    pub fn is_fenced(&self) -> bool {
        self.mode == AreaMode::Ro || self.asks
    }
}
