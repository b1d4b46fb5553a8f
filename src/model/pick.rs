//! Lines of a difference that a person chose, to stage, unstage, discard or take them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ChatId;
use super::diff::FileAsk;

/// What of one file is meant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pick {
    pub of: PickedFile,
    /// Empty: the whole file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<PickedPart>,
}

/// A file, by the difference in which it was chosen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PickedFile {
    /// As it was shown. If the file has changed since, nothing is done.
    Shown(FileAsk),
    /// As it differs from the last commit now.
    Uncommitted {
        /// Empty: the only clone of the chat.
        project: String,
        #[serde(with = "super::path_text")]
        path: PathBuf,
    },
    /// As it differs now in this chat's clone of the project.
    InChat {
        chat: ChatId,
        project: String,
        #[serde(with = "super::path_text")]
        path: PathBuf,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PickedPart {
    /// The first is 0.
    pub hunk: usize,
    /// The first and the last of its lines, counted from 0; lines that did not change count too and mean nothing.
    /// None: all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<(usize, usize)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PickAct {
    Stage,
    Unstage,
    Discard,
    /// From a clone of another chat.
    Take,
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picked {
    pub act: PickAct,
    pub project: String,
    #[serde(with = "super::path_text")]
    pub path: PathBuf,
    /// What was discarded or replaced is in this checkpoint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub saved: Option<u64>,
}

/// A file that was meant too, and with which nothing was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StayedFile {
    pub project: String,
    #[serde(with = "super::path_text")]
    pub path: PathBuf,
    pub why: String,
}

/// What was discarded or replaced in a file, and how that was left: it comes back if nobody wrote there since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedPick {
    pub picked: Picked,
    /// Of a file that has another name now, both.
    pub left: Vec<LeftFile>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftFile {
    #[serde(with = "super::path_text")]
    pub path: PathBuf,
    /// Its mode and content as git names them; none if it is not there.
    pub is: Option<String>,
}

impl PickAct {
    pub fn doing(self) -> &'static str {
        match self {
            PickAct::Stage => "staging",
            PickAct::Unstage => "unstaging",
            PickAct::Discard => "discarding",
            PickAct::Take => "taking from another chat",
        }
    }
}

impl PickedFile {
    pub fn project_mut(&mut self) -> &mut String {
        match self {
            PickedFile::Shown(ask) => &mut ask.project,
            PickedFile::Uncommitted { project, .. } | PickedFile::InChat { project, .. } => project,
        }
    }

    pub fn project(&self) -> &str {
        match self {
            PickedFile::Shown(ask) => &ask.project,
            PickedFile::Uncommitted { project, .. } | PickedFile::InChat { project, .. } => project,
        }
    }

    pub fn path(&self) -> &Path {
        match self {
            PickedFile::Shown(ask) => &ask.path,
            PickedFile::Uncommitted { path, .. } | PickedFile::InChat { path, .. } => path,
        }
    }

    pub fn path_mut(&mut self) -> &mut PathBuf {
        match self {
            PickedFile::Shown(ask) => &mut ask.path,
            PickedFile::Uncommitted { path, .. } | PickedFile::InChat { path, .. } => path,
        }
    }
}
