//! How much the agent of a chat may do unasked, as a person chose it for the chat or for all new ones.

use serde::{Deserialize, Serialize};

/// Wider from the first to the last. What a person's rules or parlour's own forbid or ask about stays so under each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum PermissionProfile {
    /// As the agent CLI asks
    #[default]
    Ask,
    /// Reading, and editing in its own clones, without a question
    Clones,
    /// Commands in its own directory too; only with `"sandbox": "strict"`
    All,
}

impl PermissionProfile {
    pub const EACH: [PermissionProfile; 3] = [
        PermissionProfile::Ask,
        PermissionProfile::Clones,
        PermissionProfile::All,
    ];

    /// As `config.json` and the shell have it.
    pub fn name(self) -> &'static str {
        match self {
            PermissionProfile::Ask => "ask",
            PermissionProfile::Clones => "clones",
            PermissionProfile::All => "all",
        }
    }

    /// What it lets an agent do.
    pub fn words(self) -> &'static str {
        match self {
            PermissionProfile::Ask => "as its CLI asks",
            PermissionProfile::Clones => "reads, and edits its clones, unasked",
            PermissionProfile::All => "all in its directory unasked",
        }
    }

    /// By reference, as serde wants it.
    pub fn is_ask(&self) -> bool {
        *self == PermissionProfile::Ask
    }
}
