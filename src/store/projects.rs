//! The projects of a chat, from its record and from what lies in `projects/`. Branches are read, git is not run.

use std::path::{Path, PathBuf};

use crate::fs::{self, Dir, SafeName};
use crate::model::chat::Directory;
use crate::model::{AreaMode, Kind, Project};

const HEAD: u64 = 4096;
/// Of refs that are packed into one file; more than 100,000 of them fit in.
const PACKED: u64 = 16 << 20;

/// The recorded ones that are there, in their order, then what the agent put beside them itself.
pub(super) fn of(chat: &Dir, recorded: &[Directory]) -> Result<Vec<Project>, fs::Error> {
    let entries = match chat.entries("projects") {
        Err(e) if e.is_missing() => return Ok(Vec::new()),
        other => other?,
    };
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    let folder = match chat.dir("projects") {
        Err(e) if e.is_missing() => return Ok(Vec::new()),
        other => other?,
    };
    let mut found = Vec::new();
    for directory in recorded {
        if let Some(entry) = entries.iter().find(|e| *e.name == *directory.name) {
            let origin = Some(Path::new(&directory.origin));
            let (kind, mode) = (directory.kind, directory.mode);
            found.push(project(&folder, &directory.name, entry.kind, origin, kind, mode));
        }
    }
    for entry in &entries {
        let Some(name) = entry.name.to_str().filter(|name| SafeName::parse(name).is_ok()) else {
            continue;
        };
        let directory = matches!(entry.kind, fs::DirEntryKind::Dir | fs::DirEntryKind::Link);
        if directory && !recorded.iter().any(|known| known.name == name) {
            let mut one = project(&folder, name, entry.kind, None, Kind::Git, AreaMode::Rw);
            if one.branch.is_none() {
                one.kind = Kind::Local;
            }
            found.push(one);
        }
    }
    Ok(found)
}

/// A project's directory, if it is what was opened.
pub(super) fn open(chat: &Dir, name: &str, recorded: Option<&Directory>) -> Option<Dir> {
    let folder = chat.dir("projects").ok()?;
    let there = folder.metadata(name).ok()??.kind;
    reach(&folder, name, there, recorded.map(|known| Path::new(&known.origin)))
}

fn project(
    folder: &Dir,
    name: &str,
    there: fs::DirEntryKind,
    origin: Option<&Path>,
    kind: Kind,
    mode: AreaMode,
) -> Project {
    let head = reach(folder, name, there, origin).and_then(|dir| Head::read(&dir));
    let (branch, commit, under_way) =
        head.map_or((None, None, None), |head| (head.branch, head.commit, head.under_way));
    Project {
        name: name.to_string(),
        path: folder.path().join(name),
        branch,
        commit,
        under_way,
        kind,
        mode,
    }
}

fn reach(folder: &Dir, name: &str, there: fs::DirEntryKind, origin: Option<&Path>) -> Option<Dir> {
    match there {
        fs::DirEntryKind::Dir => folder.dir(name).ok(),
        // A link is followed only to where the person opened it: an agent may have put another in its place.
        fs::DirEntryKind::Link => {
            let target: PathBuf = folder.read_link(name).ok()??;
            origin.filter(|origin| *origin == target)?;
            Dir::open_unlinked(target).ok()
        }
        fs::DirEntryKind::File | fs::DirEntryKind::Other => None,
    }
}

/// What is checked out in a working copy.
struct Head {
    /// `None` where it is on none.
    branch: Option<String>,
    commit: Option<String>,
    under_way: Option<String>,
}

impl Head {
    /// `None` for what is no working copy.
    fn read(copy: &Dir) -> Option<Head> {
        let (git, head) = match copy.read(".git/HEAD", HEAD) {
            Ok(head) => (copy.dir(".git").ok(), head?),
            // `.git` of a linked worktree is a file that names its git directory. Its branches lie elsewhere.
            Err(_) => {
                let text = String::from_utf8(copy.read(".git", HEAD).ok()??).ok()?;
                let path = copy.path().join(text.trim().strip_prefix("gitdir: ")?);
                (None, Dir::open(path).ok()?.read("HEAD", HEAD).ok()??)
            }
        };
        let head = String::from_utf8(head).ok()?;
        let Some(name) = head.trim_end().strip_prefix("ref: refs/heads/") else {
            let commit = commit(&head);
            return commit.is_some().then_some(Head {
                branch: None,
                commit,
                under_way: git.as_ref().and_then(rebase),
            });
        };
        // Where git keeps its refs in a table, HEAD names a branch that cannot exist.
        (name != ".invalid").then(|| Head {
            branch: Some(name.to_string()),
            under_way: git.as_ref().and_then(merge),
            commit: git.and_then(|git| tip(&git, name)),
        })
    }
}

/// While git rebases a branch, none is checked out.
fn rebase(git: &Dir) -> Option<String> {
    let names = ["rebase-merge", "rebase-apply"].into_iter();
    let name = names
        .flat_map(|name| git.dir(name)?.read("head-name", HEAD))
        .flatten()
        .next()?;
    let name = String::from_utf8(name).ok()?;
    let branch = name.trim_end();
    Some(format!(
        "rebasing {}",
        branch.strip_prefix("refs/heads/").unwrap_or(branch)
    ))
}

fn merge(git: &Dir) -> Option<String> {
    let kinds = [
        ("MERGE_HEAD", "merging"),
        ("CHERRY_PICK_HEAD", "cherry-picking"),
        ("REVERT_HEAD", "reverting"),
    ];
    let is_there = |name: &str| git.metadata(name).is_ok_and(|found| found.is_some());
    kinds
        .into_iter()
        .find(|(name, _)| is_there(name))
        .map(|(_, what)| what.into())
}

/// Where a branch stands. A file of its own counts before what is packed.
fn tip(git: &Dir, branch: &str) -> Option<String> {
    let name = format!("refs/heads/{branch}");
    if let Ok(Some(own)) = git.read(&name, HEAD) {
        return commit(&String::from_utf8(own).ok()?);
    }
    let packed = String::from_utf8(git.read("packed-refs", PACKED).ok()??).ok()?;
    let mut lines = packed.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(_, known)| *known == name).and_then(|(id, _)| commit(id))
}

fn commit(text: &str) -> Option<String> {
    let text = text.trim_end();
    let is_id = text.len() >= 40 && text.bytes().all(|b| b.is_ascii_hexdigit());
    is_id.then(|| text.to_string())
}
