//! Which repository is meant by somebody who names none, or names the clone of a chat that he stands in.

use std::path::Path;

use super::bound::shown;
use crate::model::Problem;
use crate::model::open_dir::{self, OpenDir};
use crate::model::text::visible;
use crate::{git, store};

/// What is opened without a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeantPlace {
    Nothing,
    /// By the path of its checkout or by its URL.
    Repository(String),
    /// The clone of a chat of this name, of which nobody knows where it came from.
    UnknownClone(String),
    /// A repository of this name that has no commit yet, of which no clone can be made.
    WithoutCommit(String),
}

/// What somebody in this directory means. In the clone of a chat it is what that was cloned from: another chat has no use
/// for the clone itself, which its own chat works in.
pub fn here(home: &Path, cwd: &Path, in_place: bool) -> MeantPlace {
    // Nobody means a checkout that they do not stand in, to work in as it is.
    if let Some(clone) = store::clone_place(home, cwd).filter(|_| !in_place) {
        return clone
            .origin
            .map_or(MeantPlace::UnknownClone(clone.name), MeantPlace::Repository);
    }
    let root = git::project_around(cwd, home);
    root.map_or(MeantPlace::Nothing, |root| match in_place || git::has_commit(&root) {
        true => MeantPlace::Repository(root.to_string_lossy().into_owned()),
        false => {
            let name = root.file_name().unwrap_or(root.as_os_str());
            MeantPlace::WithoutCommit(name.to_string_lossy().into_owned())
        }
    })
}

/// A directory that is named, and what is to be said of it.
pub struct NamedPlace {
    pub open: OpenDir,
    pub note: Option<String>,
}

/// A directory that is named. In place of a chat's clone, or of a directory in one, it is what that was cloned from, or the same
/// directory there.
pub fn named(home: &Path, cwd: &Path, open: OpenDir) -> Result<NamedPlace, Problem> {
    let clone = match open.in_place || open_dir::is_bare(&open.path_or_url) {
        true => None,
        false => store::clone_place(home, &cwd.join(&open.path_or_url)),
    };
    let Some((below, origin)) = clone.and_then(|clone| Some((clone.below, clone.origin?))) else {
        return Ok(NamedPlace { open, note: None });
    };
    let named = visible(&open.path_or_url);
    let is_root = below.as_os_str().is_empty();
    let there = Path::new(&origin).join(below);
    if !is_root && !there.is_dir() {
        let origin = visible(&origin);
        let cause = format!("it is in a chat's clone of {origin}, where there is no such directory to open");
        let hint = format!("name the clone itself, or {origin}, to open all of it");
        return Err(Problem::new(format!("opening {named}"), cause, hint));
    }
    let (path_or_url, what) = match is_root {
        true => (origin, "a chat's clone"),
        false => (there.to_string_lossy().into_owned(), "in a chat's clone"),
    };
    let note = format!(
        "{named} is {what}: {} is opened, where that comes from\n",
        visible(&path_or_url)
    );
    let open = OpenDir { path_or_url, ..open };
    Ok(NamedPlace { open, note: Some(note) })
}

impl MeantPlace {
    pub fn place(&self) -> Option<&str> {
        match self {
            MeantPlace::Repository(place) => Some(place),
            MeantPlace::Nothing | MeantPlace::UnknownClone(_) | MeantPlace::WithoutCommit(_) => None,
        }
    }

    /// `project grove from .; --no-project for none`
    pub fn words(&self, cwd: &Path, in_place: bool) -> Option<String> {
        let place = match self {
            MeantPlace::Nothing => return None,
            MeantPlace::UnknownClone(name) => {
                let name = visible(name);
                return Some(format!(
                    "no project: where {name} was cloned from is unknown here; --dir opens one\n"
                ));
            }
            MeantPlace::WithoutCommit(name) => {
                let name = visible(name);
                return Some(format!(
                    "no project: {name} has no commit yet; commit there first, or open it with --in-place\n"
                ));
            }
            MeantPlace::Repository(place) => place,
        };
        let path = Path::new(place);
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        let from = match cwd.canonicalize().is_ok_and(|cwd| cwd == path) {
            true => ".".into(),
            false => shown(path),
        };
        let how = match in_place {
            true => ", in place",
            false => "; --no-project for none",
        };
        let name = name.strip_suffix(".git").unwrap_or(&name);
        Some(format!("project {} from {from}{how}\n", visible(name)))
    }
}
