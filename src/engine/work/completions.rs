//! What a half-typed repository or directory could become, and whether one can be opened later.
//!
//! Nothing walks a home directory: a typed path is completed one directory at a time, the rest comes from what is
//! cached and what chats have open.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::config;
use crate::domain::event::PlaceHint;
use crate::domain::work::{NamedBranches, ShownContent};
use crate::git::{self, BranchName, BranchPlace, CloneSource, LocalTarget};
use crate::model::open_dir;
use crate::model::open_dir::OpenDir;
use crate::model::{Kind, Problem, ResultExt};
use crate::screen::dialog::HERE;

use super::super::services::Services;
use super::{guard, link, names};

/// Hints for one field.
const MOST: usize = 50;

/// Entries of one directory that are looked at for a completion.
const LOOKED_AT: usize = 2_000;

/// Whether the project of a schedule can be opened when its time comes, as far as this machine knows: an address is
/// trusted, and so is a branch that has a name which git takes.
pub fn check(services: &Services, asked: &OpenDir) -> Result<LocalTarget, Problem> {
    let text = asked.path_or_url.as_str();
    let refused = |cause: String, hint: String| Problem::new("making a schedule", cause, hint);
    for name in [&asked.branch, &asked.base].into_iter().flatten() {
        BranchName::parse(name).doing("making a schedule")?;
    }
    let named = match open_dir::is_bare(text) {
        false => text.to_string(),
        true => {
            let near = || {
                let all = names::names(services);
                let all: Vec<&str> = all.iter().map(String::as_str).collect();
                nearest(text, &all)
            };
            names::among_known(services, text).map_err(|unclear| {
                let (cause, kind) = (unclear.cause.clone(), unclear.kind);
                refused(cause, unclear.hint(asked).unwrap_or_else(near)).of_kind(kind)
            })?
        }
    };
    let cwd = asked.cwd.as_deref().unwrap_or(Path::new("/"));
    let source = CloneSource::parse(&named, cwd).doing("making a schedule")?;
    let looked = git::look(&source, &guard::guard(services, Vec::new()), &services.git);
    let looked = looked.map_err(|error| {
        let hint = match &source {
            CloneSource::Local(path) if !path.exists() => beside(path),
            CloneSource::Local(_) | CloneSource::Remote(_) => String::new(),
        };
        Problem::of("making a schedule", &error).hinted(hint)
    })?;
    if let LocalTarget::Directory(path) = &looked {
        link::without_branch(asked, path, "making a schedule")?;
    }
    Ok(looked)
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
    let near = similar::get_close_matches(name, names, 3, 0.7);
    match near.is_empty() {
        true => "give a path or a URL".into(),
        false => format!("nearest: {}", near.join(", ")),
    }
}

/// What the text in a project field could become, best first, and the roles for work there.
pub fn suggest(services: &Services, text: &str, cwd: &Path) -> ShownContent {
    let mut hints: Vec<PlaceHint> = Vec::new();
    let is_path = text.starts_with(['/', '~', '.']);
    if !is_path {
        hints.extend(known(services, text));
        let here = || git::project_around(cwd, services.home.path());
        if let Some(root) = text.is_empty().then(here).flatten() {
            hints.retain(|hint| Path::new(&hint.text) != root);
            hints.insert(0, hint(root.to_string_lossy(), HERE));
        }
    } else {
        hints.extend(completions(text, cwd));
    }
    hints.truncate(MOST);
    let named = cwd.join(text);
    let roots: Vec<PathBuf> = [named.as_path(), cwd].into_iter().filter_map(git::root).collect();
    let roots: Vec<&Path> = roots.iter().map(PathBuf::as_path).collect();
    let roles = config::roles(&roots, Some(services.home.dir()));
    ShownContent::Places {
        hints,
        roles,
        branch: checked_out(text, cwd),
    }
}

/// The branches that a clone of the project at `place` could be on, for what is typed of one. None are known of a remote
/// that was never opened: nothing is asked over the network for this.
pub fn branches(services: &Services, place: String, text: String, cwd: &Path) -> ShownContent {
    let repository = repository(services, &place, cwd);
    let found = repository.and_then(|path| git::branches_named(&path, text.trim(), MOST).ok());
    let (listed, has_more) = found.unwrap_or_default();
    let hints = listed.into_iter().map(|branch| {
        let what = match branch.at {
            BranchPlace::CheckedOut => "checked out",
            BranchPlace::Own => "branch",
            BranchPlace::Remote => "at its remote",
        };
        hint(branch.name, what)
    });
    ShownContent::Branches(NamedBranches {
        hints: hints.collect(),
        has_more,
        place,
        text,
    })
}

/// Where the branches of the project lie that this text names: in the repository itself, or in what is cached of it.
fn repository(services: &Services, text: &str, cwd: &Path) -> Option<PathBuf> {
    let named = match open_dir::is_bare(text) {
        true => names::among_known(services, text).ok()?,
        false => text.to_string(),
    };
    match CloneSource::parse(&named, cwd).ok()? {
        CloneSource::Local(path) => git::root(&path),
        CloneSource::Remote(_) => {
            let key = git::key_of(&named, cwd)?;
            let mut cached = services.caches.origins().into_iter();
            let found = cached.find(|origin| git::key_of(&origin.url, Path::new("/")).as_ref() == Some(&key))?;
            Some(services.caches.path().join(found.path))
        }
    }
}

/// What a clone of the repository that this text names stands on, where nobody names another branch.
fn checked_out(text: &str, cwd: &Path) -> Option<String> {
    let is_named = !text.trim().is_empty() && !open_dir::is_bare(text);
    let source = is_named.then(|| CloneSource::parse(text, cwd).ok()).flatten()?;
    match source {
        CloneSource::Local(path) => {
            let root = git::root(&path)?;
            // Where no branch is checked out, a clone stands on the usual one.
            git::read::branch(&root).filter(|_| git::read::detached(&root).is_none())
        }
        CloneSource::Remote(_) => None,
    }
}

fn known(services: &Services, text: &str) -> Vec<PlaceHint> {
    let chats = services.home.list().unwrap_or_default();
    let mut recent: Vec<_> = chats.into_iter().flatten().collect();
    recent.sort_by_key(|chat| std::cmp::Reverse(chat.updated));
    // A path, its remote and every spelling of either are one project.
    let mut seen = BTreeSet::new();
    let mut is_new = |named: &str| {
        let key = git::key_of(named, Path::new("/"));
        seen.insert(key.unwrap_or_else(|| named.to_string()))
    };
    let mut hints = Vec::new();
    for dir in recent.into_iter().flat_map(|chat| chat.record.dirs) {
        let what = match dir.kind {
            Kind::Git => "recent",
            Kind::Local => "directory",
        };
        let source = dir.source().filter(|path| path.is_dir()).and_then(Path::to_str);
        let named = source.unwrap_or(&dir.origin);
        let fits = named.contains(text) || dir.origin.contains(text);
        if fits && is_new(named) {
            hints.push(hint(named, what));
        }
    }
    for origin in services.caches.origins() {
        let source = origin.source.filter(|path| path.is_dir());
        let named = source.map_or(origin.url, |path| path.to_string_lossy().into_owned());
        if named.contains(text) && is_new(&named) {
            hints.push(hint(named, "cached"));
        }
    }
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
