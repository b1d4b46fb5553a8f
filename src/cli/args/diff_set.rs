//! Which moments are compared. Every comment here is help text.

use clap::Args;

use crate::model::review::DiffSet;

#[derive(Debug, Args)]
#[group(multiple = false)]
pub struct DiffSetArgs {
    /// Since this checkpoint, as `parlour checkpoints` numbers them
    #[arg(long, value_name = "ID")]
    pub since: Option<u64>,
    /// What one turn did; the first prompt begins turn 1
    #[arg(long, value_name = "N")]
    pub turn: Option<u32>,
    /// Since its branch left the base branch of the project
    #[arg(long)]
    pub base: bool,
    /// Since the last commit
    #[arg(long)]
    pub uncommitted: bool,
    /// What one commit did: a hash, or a name as `HEAD~1`
    #[arg(long, value_name = "REV")]
    pub commit: Option<String>,
    /// With what another chat's clones of the same projects are now: + is there, − is here
    #[arg(long, value_name = "CHAT")]
    pub with: Option<String>,
}

impl DiffSetArgs {
    pub fn set(&self) -> DiffSet {
        match (self.since, self.turn) {
            (Some(since), _) => DiffSet::Since(since),
            (None, Some(turn)) => DiffSet::Turn(turn),
            (None, None) if self.base => DiffSet::Base,
            (None, None) if self.uncommitted => DiffSet::Uncommitted,
            (None, None) => {
                let with = self.with.clone().map(DiffSet::With);
                let commit = || self.commit.clone().map(DiffSet::Commit);
                with.or_else(commit).unwrap_or(DiffSet::LastPrompt)
            }
        }
    }
}
