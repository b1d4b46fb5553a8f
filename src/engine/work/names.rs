//! Which project a bare name stands for: one of the chat's own, one of its parent's, else one that parlour knows.
//!
//! A checkout on this machine and its remote are one project: what was opened by its path is named again by its path, so
//! that branches and commits that only it has come along, and nothing has to be reachable.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::git;
use crate::model::chat::Directory;
use crate::model::open_dir::{OpenDir, is_bare};
use crate::model::text::visible;
use crate::model::{Chat, ChatId, ProblemKind};

use super::super::services::Services;
use super::identity;

/// A project that may be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
struct KnownNames {
    /// The path or URL that it is opened by.
    named: String,
    /// It is the remote itself, and no checkout of one.
    is_remote: bool,
    /// And a person said that it is what it claims to be.
    stands_for_remote: bool,
    /// One for every spelling of its remote, or of its path where it has none.
    remote: Option<String>,
    names: Vec<String>,
}

impl KnownNames {
    fn of(services: &Services, dir: &Directory) -> KnownNames {
        let source = dir.source().filter(|path| path.is_dir());
        let place = source.map(|path| match &dir.subdir {
            Some(subdir) if path.join(subdir).is_dir() => path.join(subdir),
            Some(_) | None => path.to_path_buf(),
        });
        let mut names = vec![name_of(&dir.origin).to_string()];
        names.extend(source.and_then(Path::to_str).map(|path| name_of(path).to_string()));
        KnownNames {
            named: place.map_or(dir.origin.clone(), |path| path.to_string_lossy().into_owned()),
            is_remote: source.is_none_or(|path| is_at(path, &dir.origin)),
            stands_for_remote: source.is_some_and(|path| identity::stands_for_remote(services, path, &dir.origin)),
            remote: git::key_of(&dir.origin, Path::new("/")),
            names,
        }
    }

    fn cached(services: &Services, origin: git::CachedOrigin) -> KnownNames {
        let source = origin.source.filter(|path| path.is_dir());
        let mut names = vec![name_of(&origin.url).to_string()];
        names.extend(
            source
                .as_deref()
                .and_then(Path::to_str)
                .map(|path| name_of(path).to_string()),
        );
        KnownNames {
            is_remote: source.as_deref().is_none_or(|path| is_at(path, &origin.url)),
            stands_for_remote: source
                .as_deref()
                .is_some_and(|path| identity::stands_for_remote(services, path, &origin.url)),
            remote: git::key_of(&origin.url, Path::new("/")),
            named: source.map_or(origin.url, |path| path.to_string_lossy().into_owned()),
            names,
        }
    }
}

/// Why it cannot be told what a bare name stands for.
#[derive(Debug, PartialEq)]
pub struct Unclear {
    pub cause: String,
    /// Missing where nothing is called so, else the person's to decide.
    pub kind: ProblemKind,
    hint: Option<String>,
}

impl Unclear {
    /// What to write in its place, where that is known.
    pub fn hint(self, asked: &OpenDir) -> Option<String> {
        instead(asked).or(self.hint)
    }
}

/// What a bare name stands for. Paths and URLs stay.
pub fn resolve(services: &Services, id: &ChatId, parent: Option<&ChatId>, asked: &str) -> Result<String, Unclear> {
    if !is_bare(asked) {
        return Ok(asked.to_string());
    }
    for chat in [Some(id), parent].into_iter().flatten() {
        let Ok(chat) = services.home.load(chat) else { continue };
        let meant = chat.record.dirs.iter().filter(|dir| is_called(dir, asked));
        let meant: Vec<KnownNames> = meant.map(|dir| KnownNames::of(services, dir)).collect();
        if !meant.is_empty() {
            return one(asked, &meant);
        }
    }
    among_known(services, asked)
}

/// What a bare name stands for where no chat asks.
pub fn among_known(services: &Services, asked: &str) -> Result<String, Unclear> {
    let known = known(services);
    let meant = known
        .into_iter()
        .filter(|known| known.names.iter().any(|name| name == asked));
    one(asked, &meant.collect::<Vec<_>>())
}

fn is_called(dir: &Directory, asked: &str) -> bool {
    dir.name == asked || dir.label.as_deref() == Some(asked)
}

/// Whether somebody means a project of a chat: by its name, its label, its place in the chat, or by any spelling of where
/// it came from.
pub fn means(services: &Services, chat: &Chat, dir: &Directory, asked: &OpenDir) -> bool {
    let named = asked.path_or_url.trim_end_matches('/');
    if is_bare(named) {
        return is_called(dir, named);
    }
    let own = services.home.chat_path(chat.id());
    let place = own.join("projects").join(&dir.name);
    let path = own.join(named);
    // What lies within one of the chat's own projects is that project, and not the repository around it.
    if path.starts_with(own.join("projects")) {
        return path == place;
    }
    let cwd = asked.cwd.as_deref().unwrap_or(&own);
    let key = git::key_of(named, cwd);
    let origin = git::key_of(&dir.origin, Path::new("/"));
    let is_same = |key: String| Some(&key) == origin.as_ref() || identity::of(services, dir).contains(&key);
    key.is_some_and(is_same) || dir.origin.trim_end_matches('/') == named
}

/// The only project among those that are meant.
fn one(asked: &str, meant: &[KnownNames]) -> Result<String, Unclear> {
    // A checkout has what its remote has, as far as it is known, and more.
    let checkouts = meant.iter().filter(|known| known.stands_for_remote && !known.is_remote);
    let checkouts: Vec<&Option<String>> = checkouts.map(|known| &known.remote).collect();
    let is_behind =
        |known: &&KnownNames| known.is_remote && known.remote.is_some() && checkouts.contains(&&known.remote);
    let mut places: Vec<&str> = meant
        .iter()
        .filter(|known| !is_behind(known))
        .map(|known| known.named.as_str())
        .collect();
    places.sort_unstable();
    places.dedup();
    // Of several checkouts of one remote that a person vouched for, the directory that has the name.
    let remotes: BTreeSet<&Option<String>> = meant.iter().map(|known| &known.remote).collect();
    let is_one = remotes.len() == 1 && meant.iter().all(|known| known.is_remote || known.stands_for_remote);
    let own: Vec<&str> = places.iter().copied().filter(|place| name_of(place) == asked).collect();
    if let ([own], true) = (own.as_slice(), is_one) {
        return Ok((*own).to_string());
    }
    match places.as_slice() {
        [] => Err(Unclear {
            cause: format!("no project called {} is known here", visible(asked)),
            kind: ProblemKind::Missing,
            hint: None,
        }),
        [one] => Ok((*one).to_string()),
        many => Err(Unclear {
            cause: format!(
                "{} projects are called {}: {}",
                many.len(),
                visible(asked),
                visible(&many.join(", "))
            ),
            kind: ProblemKind::User,
            hint: Some("name one of them by its path or URL".into()),
        }),
    }
}

/// The names of all projects that are known here.
pub fn names(services: &Services) -> Vec<String> {
    known(services).into_iter().flat_map(|known| known.names).collect()
}

/// Every project that a chat has open or that lies in a cache, each spelling of it once.
fn known(services: &Services) -> Vec<KnownNames> {
    let chats = services.home.list().unwrap_or_default();
    let opened = chats.into_iter().flatten().flat_map(|chat| chat.record.dirs);
    let cached = services
        .caches
        .origins()
        .into_iter()
        .map(|origin| KnownNames::cached(services, origin));
    let mut all: BTreeMap<String, KnownNames> = BTreeMap::new();
    for known in opened.map(|dir| KnownNames::of(services, &dir)).chain(cached) {
        let key = git::key_of(&known.named, Path::new("/")).unwrap_or_else(|| known.named.clone());
        match all.get_mut(&key) {
            Some(there) => there.names.extend(known.names),
            None => drop(all.insert(key, known)),
        }
    }
    all.into_values().collect()
}

/// What to write for a bare name that is no project's, where a directory of that name lies in the one it was written in.
fn instead(asked: &OpenDir) -> Option<String> {
    let (name, cwd) = (&asked.path_or_url, asked.cwd.as_ref()?);
    let is_there = is_bare(name) && cwd.join(name).is_dir();
    is_there.then(|| format!("write ./{} for the directory of that name here", visible(name)))
}

/// Whether this directory is what an address names. A remote may be a directory on this machine, too.
fn is_at(path: &Path, address: &str) -> bool {
    let key = |text: &str| git::key_of(text, Path::new("/"));
    path.to_str().and_then(key) == key(address)
}

fn name_of(origin: &str) -> &str {
    let last = origin.trim_end_matches('/').rsplit(['/', ':']).next().unwrap_or(origin);
    last.strip_suffix(".git").unwrap_or(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(named: &str, remote: Option<&str>) -> KnownNames {
        KnownNames {
            named: named.into(),
            is_remote: !named.starts_with('/') || named.ends_with(".git"),
            stands_for_remote: named.starts_with("/src"),
            remote: remote.map(Into::into),
            names: Vec::new(),
        }
    }

    #[test]
    fn a_checkout_stands_for_its_remote_and_two_projects_are_told_apart() {
        let hub = Some("h/o/grove");
        let (path, url) = (known("/src/grove", hub), known("https://h/o/grove", hub));
        let meant = |all: &[&KnownNames]| one("grove", &all.iter().map(|known| (*known).clone()).collect::<Vec<_>>());
        assert_eq!(meant(&[&path, &url]), Ok("/src/grove".into()));
        assert_eq!(meant(&[&url]), Ok("https://h/o/grove".into()));
        assert_eq!(meant(&[&path, &path]), Ok("/src/grove".into()));
        let other = known("https://h/other/grove", Some("h/other/grove"));
        let said = meant(&[&path, &url, &other]).unwrap_err().cause;
        assert!(
            said.contains("2 projects are called grove: /src/grove, https://h/other/grove"),
            "{said}"
        );
        // Nobody said that this one is what it claims to be, so it takes no other's place.
        let second = known("/tmp/grove", hub);
        assert!(meant(&[&path, &second]).is_err());
        let said = meant(&[&url, &second]).unwrap_err().cause;
        assert!(said.contains("/tmp/grove, https://h/o/grove"), "{said}");
        let copy = known("/src/grove-2", hub);
        assert_eq!(meant(&[&path, &copy, &url]), Ok("/src/grove".into()));
        let foreign = known("/tmp/grove-2", hub);
        assert!(meant(&[&path, &foreign]).is_err());
        let up = Some("local:/src/up.git");
        let (path, remote) = (known("/src/grove", up), known("/src/up.git", up));
        assert_eq!(meant(&[&path, &remote]), Ok("/src/grove".into()));
        assert_eq!(meant(&[&remote]), Ok("/src/up.git".into()));
        assert!(meant(&[]).unwrap_err().cause.contains("no project called grove"));
    }
}
