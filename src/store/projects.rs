//! The projects of a chat, from its record and from what lies in `projects/`. Branches are read, git is not run.

use std::path::{Path, PathBuf};

use crate::fs::{self, Dir, SafeName};
use crate::model::chat::Directory;
use crate::model::{AreaMode, Kind, Project};

const HEAD: u64 = 4096;

/// The recorded ones that are there, in their order, then what the agent put beside them itself.
pub(super) fn of(chat: &Dir, recorded: &[Directory]) -> Result<Vec<Project>, fs::Error> {
    let folder = match chat.dir("projects") {
        Err(e) if e.is_missing() => return Ok(Vec::new()),
        other => other?,
    };
    let entries = folder.entries(".")?;
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
    let opened = reach(folder, name, there, origin);
    Project {
        name: name.to_string(),
        path: folder.path().join(name),
        branch: opened.and_then(|dir| branch(&dir)),
        kind,
        mode,
        pr: None,
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

/// The branch that a working copy is on; `None` where it is on none, or is no working copy.
fn branch(copy: &Dir) -> Option<String> {
    let head = match copy.read(".git/HEAD", HEAD) {
        Ok(head) => head?,
        // `.git` of a linked worktree is a file that names its git directory.
        Err(_) => {
            let text = String::from_utf8(copy.read(".git", HEAD).ok()??).ok()?;
            let path = copy.path().join(text.trim().strip_prefix("gitdir: ")?);
            Dir::open(path).ok()?.read("HEAD", HEAD).ok()??
        }
    };
    let head = String::from_utf8(head).ok()?;
    let name = head.trim_end().strip_prefix("ref: refs/heads/")?;
    // Where git keeps its refs in a table, HEAD names a branch that cannot exist.
    (name != ".invalid").then(|| name.to_string())
}
