//! What is to be opened in a chat.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::area::AreaMode;
use super::atom;
use super::id::ChatId;
use super::text::visible;

/// Open a repository or directory in a chat: what a person, a file or an agent asks for.
///
/// The comments are what agents read, and they see and set only what has no `schemars(skip)`; the shell has words of its
/// own, and nothing that has `arg(skip)`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, clap::Args)]
pub struct OpenDir {
    /// URL, absolute path, or name of a known project
    #[arg(help = "A URL, a path, or the name of a project that parlour knows")]
    pub path_or_url: String,
    /// Checked out; made from base if missing
    #[arg(long, help = "The branch to check out; made where it does not exist")]
    #[serde(default)]
    pub branch: Option<String>,
    /// Default: the default branch
    #[arg(long, help = "What a branch that does not exist is made from")]
    #[serde(default)]
    pub base: Option<String>,
    /// What the branch of a repository is called after where none is named: the chat of a worker.
    #[arg(skip)]
    #[schemars(skip)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch_after: Option<String>,
    /// Default: rw where you may
    #[arg(long, help = "Whether its files may be changed")]
    #[serde(default)]
    pub mode: Option<AreaMode>,
    /// What a person sees instead of the name
    #[arg(long, help = "What to call it in this chat")]
    #[serde(default)]
    pub label: Option<String>,
    /// The directory itself is worked in, and no clone of it. For a person alone: no tool takes it.
    #[arg(long, conflicts_with_all = ["branch", "base"])]
    #[arg(help = "Work in the checkout itself and not in a clone of it; read-only unless --mode says otherwise")]
    #[schemars(skip)]
    #[serde(default)]
    pub in_place: bool,
    /// Where a relative path starts: the shell's directory. An agent's calls start in its chat.
    #[arg(skip)]
    #[schemars(skip)]
    #[serde(with = "super::path_text::option", default)]
    pub cwd: Option<PathBuf>,
    /// Who asks. Neither the wire nor a file says it, but the engine's doors.
    #[arg(skip)]
    #[schemars(skip)]
    #[serde(skip)]
    pub by: atom::Who,
    /// The chat whose clone of it is cloned, with the commits that only that one has. Said by nobody, but decided here.
    #[arg(skip)]
    #[schemars(skip)]
    #[serde(skip)]
    pub from: Option<ChatId>,
}

impl OpenDir {
    /// What is done until it is open, in words; a login in a URL is nobody's to read.
    pub fn doing(&self) -> String {
        let place = &self.path_or_url;
        let Some((scheme, rest)) = place.split_once("://") else {
            let remote = place.find(':').is_some_and(|colon| !place[..colon].contains('/'));
            let verb = if remote { "cloning" } else { "opening" };
            return format!("{verb} {}", visible(place));
        };
        let host = rest.find('/').unwrap_or(rest.len());
        let login = rest[..host].rfind('@').map_or(0, |at| at + 1);
        format!("cloning {scheme}://{}", visible(&rest[login..]))
    }
}

/// A name of a project, and no path or address.
pub fn is_bare(asked: &str) -> bool {
    !asked.is_empty() && !asked.contains(['/', ':', '\\']) && !asked.starts_with(['.', '~', '-'])
}
