//! By which keys setup files, scripts and approvals of a project are kept.
//!
//! A checkout has a key of its own beside its remote's, since any directory can claim a remote, and saved files may hold
//! secrets. A person who opens a checkout by its path says that it is what it claims: then the two are one project.

use std::path::{Path, PathBuf};

use crate::git::{self, CloneSource, Kin, LocalTarget, Origin};
use crate::model::ChatId;
use crate::model::atom::Who;
use crate::model::chat::Directory;
use crate::model::open_dir::{self, OpenDir};

use super::super::services::Services;
use super::guard;
use crate::engine::clock::now;

/// All keys of a project, the one that new things are kept by first.
pub fn keys(services: &Services, key: &str, url: &str) -> Vec<String> {
    let mut all = vec![key.to_string()];
    let Some(remote) = git::key_of(url, Path::new("/")) else {
        return all;
    };
    let checkouts = services.home.checkouts_of(&remote);
    if key != remote && !checkouts.iter().any(|checkout| checkout == key) {
        return all;
    }
    all.insert(0, remote);
    all.extend(checkouts);
    let mut seen = Vec::new();
    all.retain(|key| {
        let is_new = !seen.contains(key);
        seen.push(key.clone());
        is_new
    });
    all
}

pub fn of(services: &Services, dir: &Directory) -> Vec<String> {
    keys(services, dir.identity(), &dir.origin)
}

/// Whether two directories are of one project.
pub fn is_same(services: &Services, one: &Directory, other: &Directory) -> bool {
    of(services, one).first() == of(services, other).first()
}

/// Whether a clone of this checkout stands for the remote that the checkout has.
pub fn stands_for_remote(services: &Services, checkout: &Path, url: &str) -> bool {
    let key = git::key_of(&checkout.to_string_lossy(), Path::new("/"));
    let remote = git::key_of(url, Path::new("/"));
    key.zip(remote)
        .is_some_and(|(key, remote)| key == remote || services.home.checkouts_of(&remote).contains(&key))
}

/// Whether somebody who opens this says by it what it is: a person who names a path. A bare name may mean a directory that
/// they never saw, and a run of a schedule begins without them.
pub fn is_a_persons_word(services: &Services, id: &ChatId, asked: &OpenDir) -> bool {
    let is_run = || services.home.load(id).is_ok_and(|chat| chat.record.schedule.is_some());
    asked.by == Who::Person && !open_dir::is_bare(&asked.path_or_url) && !is_run()
}

/// Where else on this machine the same project is: the checkouts of a remote that a person opened, as long as they are what
/// they were then, and the cache of a checkout's remote.
pub fn kin(services: &Services, origin: &Origin) -> Vec<Kin> {
    let Some(remote) = git::key_of(&origin.url, Path::new("/")) else {
        return Vec::new();
    };
    if let Some(checkout) = origin.checkout() {
        let cache = stands_for_remote(services, &checkout, &origin.url).then(|| cache_of(services, &origin.url));
        return cache.flatten().map(Kin::Cache).into_iter().collect();
    }
    let guard = guard::guard(services, Vec::new());
    let is_still = |key: &String| {
        let path = key.strip_prefix("local:")?;
        let Ok(LocalTarget::Repository(found)) = git::look(&CloneSource::Local(path.into()), &guard, &services.git)
        else {
            return None;
        };
        let is_it = found.key == *key && git::key_of(&found.url, Path::new("/")).as_deref() == Some(&*remote);
        Kin::checkout(&found).filter(|_| is_it)
    };
    services
        .home
        .checkouts_of(&remote)
        .iter()
        .filter_map(is_still)
        .collect()
}

/// Where the cache of a remote is, if there is one.
pub(super) fn cache_of(services: &Services, url: &str) -> Option<PathBuf> {
    let source = CloneSource::parse(url, Path::new("/")).ok()?;
    let Ok(LocalTarget::Repository(origin)) = git::look(&source, &guard::guard(services, Vec::new()), &services.git)
    else {
        return None;
    };
    let cache = services.caches.path_of(&origin);
    cache.is_dir().then_some(cache)
}

/// A person says that this checkout is of the remote that it names.
pub fn note(services: &Services, origin: &Origin) {
    let remote = git::key_of(&origin.url, Path::new("/"));
    let Some(remote) = remote.filter(|remote| origin.checkout().is_some() && *remote != origin.key) else {
        return;
    };
    if let Err(error) = services.home.note_checkout(&origin.key, &remote, now()) {
        tracing::warn!("{} stays a project of its own: {error}", origin.key);
    }
}
