//! Repositories and directories by a short name, and what a half-typed one could become.
//!
//! Nothing walks a home directory: a typed path is completed one directory at a time, the rest comes from what is
//! cached and what chats have open.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::app::event::{Outcome, PlaceHint};
use crate::config;
use crate::git::{self, BranchName, Source, Target};
use crate::model::text::visible;
use crate::model::tool::OpenDir;
use crate::model::{ChatId, Kind, Problem};

use super::super::hands::Hands;
use super::link;

/// Hints for one field.
const MOST: usize = 50;

/// Entries of one directory that are looked at for a completion.
const LOOKED_AT: usize = 2_000;

/// What a bare name stands for: a project of this chat, of its parent, or a cached repository. Paths and URLs stay.
pub fn resolve(hands: &Hands, id: &ChatId, parent: Option<&ChatId>, asked: &str) -> Result<String, String> {
    if !is_bare(asked) {
        return Ok(asked.to_string());
    }
    for chat in [Some(id), parent].into_iter().flatten() {
        let Ok(chat) = hands.home.load(chat) else { continue };
        if let Some(dir) = chat.record.dirs.iter().find(|dir| dir.name == asked) {
            return Ok(dir.origin.clone());
        }
    }
    by_name(asked, &known_origins(hands))
}

/// Whether the project of a schedule can be opened when its time comes, as far as this machine knows: an address is
/// trusted, and so is a branch that has a name which git takes.
pub fn check(hands: &Hands, asked: &OpenDir) -> Result<(), Problem> {
    let text = asked.path_or_url.as_str();
    let refused = |cause: String, hint: String| Problem::new("making a schedule", cause, hint);
    for name in [&asked.branch, &asked.base].into_iter().flatten() {
        BranchName::parse(name).map_err(|error| refused(error.to_string(), String::new()))?;
    }
    let named = match is_bare(text) {
        false => text.to_string(),
        true => {
            let known = known_origins(hands);
            let names: Vec<&str> = known.iter().map(|origin| name_of(origin)).collect();
            let hint = || instead(asked).unwrap_or_else(|| nearest(text, &names));
            by_name(text, &known).map_err(|cause| refused(cause, hint()))?
        }
    };
    let cwd = asked.cwd.as_deref().unwrap_or(Path::new("/"));
    let source = Source::parse(&named, cwd).map_err(|error| refused(error.to_string(), String::new()))?;
    let looked = git::look(&source, &super::open::guard(hands, Vec::new()), &hands.git);
    let looked = looked.map_err(|error| {
        let hint = match &source {
            Source::Local(path) if !path.exists() => beside(path),
            Source::Local(_) | Source::Remote(_) => String::new(),
        };
        refused(error.to_string(), hint)
    })?;
    match looked {
        Target::Directory(path) => link::without_branch(asked, &path, "making a schedule"),
        Target::Repository(_) => Ok(()),
    }
}

/// What to write for a bare name that is no project's, where a directory of that name lies in the one it was written in.
pub fn instead(asked: &OpenDir) -> Option<String> {
    let (name, cwd) = (&asked.path_or_url, asked.cwd.as_ref()?);
    let is_there = is_bare(name) && cwd.join(name).is_dir();
    is_there.then(|| format!("write ./{} for the directory of that name here", visible(name)))
}

fn is_bare(asked: &str) -> bool {
    !asked.is_empty() && !asked.contains(['/', ':', '\\']) && !asked.starts_with(['.', '~', '-'])
}

/// What may have been meant by a path that is not there.
fn beside(path: &Path) -> String {
    let entries = path.parent().and_then(|parent| std::fs::read_dir(parent).ok());
    let names = entries.into_iter().flatten().flatten().take(LOOKED_AT);
    let names: Vec<String> = names.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    nearest(&path.file_name().unwrap_or_default().to_string_lossy(), &names)
}

fn nearest(name: &str, names: &[&str]) -> String {
    let near = similar::get_close_matches(name, names, 3, 0.5);
    match near.is_empty() {
        true => "give a path or a URL".into(),
        false => format!("nearest: {}", near.join(", ")),
    }
}

/// The only origin of that name.
fn by_name(asked: &str, known: &BTreeSet<String>) -> Result<String, String> {
    let named: Vec<&String> = known.iter().filter(|origin| name_of(origin) == asked).collect();
    match named.as_slice() {
        [] => Err(format!("no project called {asked} is known here")),
        [one] => Ok((*one).clone()),
        many => {
            let list: Vec<&str> = many.iter().map(|origin| origin.as_str()).collect();
            Err(format!(
                "{} projects are called {asked}: {}",
                many.len(),
                list.join(", ")
            ))
        }
    }
}

fn name_of(origin: &str) -> &str {
    let last = origin.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or(origin);
    last.strip_suffix(".git").unwrap_or(last)
}

/// Every origin that a chat has open or that lies in the cache.
fn known_origins(hands: &Hands) -> BTreeSet<String> {
    let chats = hands.home.list().unwrap_or_default();
    let opened = chats.into_iter().flatten().flat_map(|chat| chat.record.dirs);
    let mut origins: BTreeSet<String> = opened.map(|dir| dir.origin).collect();
    origins.extend(hands.caches.origins());
    origins
}

/// What the text in a project field could become, best first, and the roles for work there.
pub fn suggest(hands: &Hands, text: &str, cwd: &Path) -> Outcome {
    let mut hints: Vec<PlaceHint> = Vec::new();
    let is_path = text.starts_with(['/', '~', '.']);
    if !is_path {
        hints.extend(known(hands, text));
        if text.is_empty() && cwd.join(".git").exists() {
            hints.insert(0, hint(cwd.to_string_lossy(), "here"));
        }
    } else {
        hints.extend(completions(text, cwd));
    }
    hints.truncate(MOST);
    let named = cwd.join(text);
    let roots: Vec<PathBuf> = [named.as_path(), cwd].into_iter().filter_map(git::root).collect();
    let roots: Vec<&Path> = roots.iter().map(PathBuf::as_path).collect();
    let roles = config::roles(&roots, Some(hands.home.dir()));
    Outcome::Places { hints, roles }
}

fn known(hands: &Hands, text: &str) -> Vec<PlaceHint> {
    let chats = hands.home.list().unwrap_or_default();
    let mut recent: Vec<_> = chats.into_iter().flatten().collect();
    recent.sort_by_key(|chat| std::cmp::Reverse(chat.updated));
    let mut seen = BTreeSet::new();
    let mut hints = Vec::new();
    for dir in recent.into_iter().flat_map(|chat| chat.record.dirs) {
        let what = match dir.kind {
            Kind::Git => "recent",
            Kind::Local => "directory",
        };
        if dir.origin.contains(text) && seen.insert(dir.origin.clone()) {
            hints.push(hint(&*dir.origin, what));
        }
    }
    let cached = hands
        .caches
        .origins()
        .into_iter()
        .filter(|origin| origin.contains(text));
    hints.extend(
        cached
            .filter(|origin| seen.insert(origin.clone()))
            .map(|origin| hint(origin, "cached")),
    );
    hints
}

/// The directories that begin like the typed path.
fn completions(text: &str, cwd: &Path) -> Vec<PlaceHint> {
    let (above, begin) = match text.rfind('/') {
        Some(slash) => text.split_at(slash + 1),
        None => (text, ""),
    };
    let dir = match above.strip_prefix("~/") {
        Some(rest) => PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(rest),
        None => cwd.join(above),
    };
    let Ok(entries) = std::fs::read_dir(dir) else {
        return Vec::new();
    };
    let mut found: Vec<PlaceHint> = entries
        .flatten()
        .take(LOOKED_AT)
        .filter(|entry| entry.path().is_dir())
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let hidden = name.starts_with('.') && !begin.starts_with('.');
            let what = match entry.path().join(".git").exists() {
                true => "git",
                false => "directory",
            };
            (name.starts_with(begin) && !hidden).then(|| hint(format!("{above}{name}"), what))
        })
        .collect();
    found.sort_by(|a, b| (b.what == "git", &a.text).cmp(&(a.what == "git", &b.text)));
    found
}

fn hint(text: impl Into<String>, what: &str) -> PlaceHint {
    PlaceHint {
        text: text.into(),
        what: what.into(),
    }
}
