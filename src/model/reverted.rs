//! What going back to a checkpoint changes, or has changed.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::talk::RevertedTalk;
use super::text::visible;

/// What going back changes, or has changed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reverted {
    pub to: u64,
    /// The checkpoint of what it replaced, once it is done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<u64>,
    pub projects: Vec<RevertedProject>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk: Option<RevertedTalk>,
    /// Why the conversation stays as it is though it was to change too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub talk_stays: Option<String>,
    /// The beginnings of prompts that wait, and were written for the conversation that is taken back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<String>,
    /// What is open in place to work in: its files stay as they are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub in_place: Vec<String>,
}

impl Reverted {
    /// A line for each place whose files stay.
    pub fn places(&self) -> impl Iterator<Item = String> {
        let told = |name: &String| format!("{} is open in place: its files stay as they are", visible(name));
        self.in_place.iter().map(told)
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevertedProject {
    pub project: String,
    pub changes: Vec<RevertedFile>,
    /// What is checked out before and after, if that differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub head: Option<(String, String)>,
    pub branches: Vec<MovedBranch>,
    /// What no checkpoint has, so that it cannot be replaced.
    #[serde(with = "super::path_text::list", default, skip_serializing_if = "Vec::is_empty")]
    pub in_the_way: Vec<PathBuf>,
    /// What the checkpoint left out though it was there: it stays as it is now.
    #[serde(with = "super::path_text::list", default, skip_serializing_if = "Vec::is_empty")]
    pub stays: Vec<PathBuf>,
    /// What does not come back because its commit is nowhere any more.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lost: Vec<LostCommit>,
    /// Where the clone, or its git directory, is gone now or was gone then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gone: Option<GoneClone>,
}

/// What becomes of a clone of which one side of a revert has nothing, or no git directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum GoneClone {
    /// It is made again: what was checked out, and of other branches what checkpoints have kept. These they have not.
    MadeAgain {
        #[serde(default)]
        without: Vec<String>,
    },
    /// Its git directory was gone then: the one that is there now stays as it is.
    GitStays,
    /// Nothing of it was there then: it stays as it is.
    Stays,
}

/// Branches that are named in a line.
const NAMED: usize = 5;

impl GoneClone {
    /// In a line, for people.
    pub fn told(&self) -> String {
        match self {
            GoneClone::MadeAgain { without } if without.is_empty() => {
                "this clone is made again, with the branches that its checkpoints have".into()
            }
            GoneClone::MadeAgain { without } => {
                let named = without.len().min(NAMED);
                let others = match without.len() - named {
                    0 => String::new(),
                    many => format!(" and {many} more"),
                };
                format!(
                    "this clone is made again; the last commits of {}{others} were not kept, and do not come back",
                    visible(&without[..named].join(", "))
                )
            }
            GoneClone::GitStays => "its .git was gone then: the one that is there now stays as it is".into(),
            GoneClone::Stays => "nothing of this clone was there then: it stays as it is now".into(),
        }
    }
}

/// A commit that a checkpoint names, and that neither it nor the clone holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostCommit {
    /// The branch that stays where it is. None for what is checked out on no branch.
    pub branch: Option<String>,
    pub commit: String,
}

impl LostCommit {
    /// In a line, for people.
    pub fn told(&self) -> String {
        let what = match &self.branch {
            Some(branch) => format!("branch {} stays", visible(branch)),
            None => "what is checked out stays".into(),
        };
        let commit = self.commit.get(..7).unwrap_or(&self.commit);
        format!("{what} where it is: commit {commit} could not be kept, and is gone")
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RevertedFile {
    #[serde(with = "super::path_text")]
    pub path: PathBuf,
    pub what: FileFate,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FileFate {
    ComesBack,
    Goes,
    Changes,
    /// Only its permission bits change.
    ChangesMode,
}

/// Commits, none where the branch is not.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MovedBranch {
    pub name: String,
    pub from: Option<String>,
    pub to: Option<String>,
}
