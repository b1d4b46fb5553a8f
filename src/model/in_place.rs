//! A directory of a person's own that a chat works in where it lies: what is compared of it, and what is left to git. Also
//! what of a clone is not compared.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::text::visible;

/// Why something else than the last commit is not compared, without a full stop: more may follow.
pub const ONE_COMPARISON: &str =
    "What is open in place is compared with its last commit alone: parlour saves no checkpoints of it";

/// Why nothing is changed in it, likewise.
pub fn why_not(project: &str) -> String {
    let project = visible(project);
    format!("{project} is your own directory, opened in place: parlour reads its repository, and leaves changes to you")
}

/// What of such a directory, or of a clone, is not compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Uncompared {
    NoRepository,
    Unreadable {
        why: String,
    },
    /// So many untracked files, because they are too large or too many.
    Untracked {
        files: usize,
    },
    /// What no checkpoint of a clone holds.
    Omitted {
        paths: Vec<OmittedPath>,
    },
}

/// A path in a clone, and why no checkpoint holds it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OmittedPath {
    #[serde(with = "super::path_text")]
    pub path: PathBuf,
    pub why: String,
}

/// So many of them are named.
const NAMED: usize = 5;

impl Uncompared {
    /// The rest of it is not compared either.
    pub fn is_all(&self) -> bool {
        match self {
            Uncompared::NoRepository | Uncompared::Unreadable { .. } => true,
            Uncompared::Untracked { .. } | Uncompared::Omitted { .. } => false,
        }
    }

    /// It is told beside what differs, and where nothing does it is no news.
    pub fn is_aside(&self) -> bool {
        matches!(self, Uncompared::Omitted { .. })
    }

    pub fn told(&self, project: &str) -> String {
        let project = visible(project);
        match self {
            Uncompared::NoRepository => {
                format!("{project} is no git repository: there is no commit to compare it with.")
            }
            Uncompared::Unreadable { why } => format!("{project} cannot be compared: {}.", visible(why)),
            Uncompared::Omitted { paths } => {
                let named = paths.iter().take(NAMED);
                let named: Vec<String> = named
                    .map(|out| format!("{} ({})", visible(&out.path.to_string_lossy()), out.why))
                    .collect();
                let more = match paths.len().saturating_sub(NAMED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                format!("Not compared in {project}: {}{more}.", named.join(", "))
            }
            Uncompared::Untracked { files: 1 } => {
                format!("1 untracked file in {project} is too large to be shown; `git status` lists it.")
            }
            Uncompared::Untracked { files } => {
                format!(
                    "{files} untracked files in {project} are too large or too many to be shown; `git status` lists them."
                )
            }
        }
    }
}
