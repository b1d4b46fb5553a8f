//! Keeps the commits and staged files that a checkpoint names, so that an agent's `gc` or `rm -rf .git` cannot take them.
//!
//! What the clone's cache has is borrowed from there. The rest is packed into the store, under refs of its own.

use std::path::Path;

use git2::{ErrorCode, ObjectType, OdbLookupFlags, Oid, Repository};

use super::Store;
use super::gitdir::{self, GitState};
use super::index::TrackedFile;
use crate::fs::Dir;
use crate::git::Error;

const KEPT: &str = "refs/kept/";

/// Best effort: without it the files are saved all the same, and going back leaves the branch alone if the clone has lost
/// its commit by then.
///
/// An index that was seen before needs nothing that is not kept.
pub(super) fn keep(store: &Store, clone: &Dir, state: &GitState, is_seen: bool) {
    if let Err(error) = pack(store, clone.path(), state, is_seen) {
        tracing::warn!("the commits of {} are not kept: {error}", clone.path().display());
    }
}

fn pack(store: &Store, clone: &Path, state: &GitState, is_seen: bool) -> anyhow::Result<()> {
    let mut tips = state.named_commits();
    tips.extend(state.head.commit());
    tips.sort_unstable();
    tips.dedup();
    let odb = store.repository.odb()?;
    let is_kept =
        |tip: &Oid| store.repository.refname_to_id(&format!("{KEPT}{tip}")).is_ok() || is_in_cache(store, *tip);
    tips.retain(|tip| !is_kept(tip));
    let tracked = match is_seen {
        true => Vec::new(),
        false => store.tracked(state.index)?,
    };
    let lacks = |entry: &&TrackedFile| !odb.exists_ext(entry.oid, OdbLookupFlags::NO_REFRESH);
    let staged: Vec<Oid> = tracked.iter().filter(lacks).map(|entry| entry.oid).collect();
    if tips.is_empty() && staged.is_empty() {
        return Ok(());
    }
    let repository = gitdir::open(clone)?;
    let mut builder = repository.packbuilder()?;
    let mut walk = repository.revwalk()?;
    tips.retain(|tip| repository.find_commit(*tip).is_ok());
    for tip in &tips {
        walk.push(*tip)?;
    }
    for known in known_tips(store)? {
        match walk.hide(known) {
            Err(error) if error.code() == ErrorCode::NotFound => {}
            other => other?,
        }
    }
    builder.insert_walk(&mut walk)?;
    for id in staged {
        // A submodule's commit is no object here.
        if repository
            .odb()?
            .read_header(id)
            .is_ok_and(|(_, kind)| kind == ObjectType::Blob)
        {
            builder.insert_object(id, None)?;
        }
    }
    let mut pack = odb.packwriter()?;
    builder.foreach(|piece| std::io::Write::write_all(&mut pack, piece).is_ok())?;
    pack.commit()?;
    for tip in tips {
        store.repository.reference(&format!("{KEPT}{tip}"), tip, true, "")?;
    }
    Ok(())
}

/// Whether the cache has this commit, and so all before it.
fn is_in_cache(store: &Store, commit: Oid) -> bool {
    let cache = store
        .cache
        .as_deref()
        .and_then(|cache| Repository::open_bare(cache).ok());
    cache.is_some_and(|cache| cache.find_commit(commit).is_ok())
}

/// Commits whose whole history the store or its cache has.
fn known_tips(store: &Store) -> Result<Vec<Oid>, git2::Error> {
    let mut known = Vec::new();
    let cache = store
        .cache
        .as_deref()
        .and_then(|cache| Repository::open_bare(cache).ok());
    for repository in [Some(&store.repository), cache.as_ref()].into_iter().flatten() {
        let references = repository.references()?;
        let commits = references
            .flatten()
            .filter(|reference| !reference.name().is_ok_and(|name| name.starts_with("refs/parlour/")))
            .filter_map(|reference| Some(reference.peel_to_commit().ok()?.id()));
        known.extend(commits);
    }
    Ok(known)
}

/// Brings back into the clone what a checkpoint's `HEAD` and index, and commits beside them, need and the clone has lost.
pub(super) fn give(
    store: &Store,
    clone: &Dir,
    git: &Dir,
    (wanted, tracked, beside): (&GitState, &[TrackedFile], &[Oid]),
) -> Result<(), Error> {
    let failed = |source| store.failed(source);
    let repository = gitdir::open(clone.path()).map_err(failed)?;
    let has = |id: Oid| repository.odb().is_ok_and(|odb| odb.exists(id));
    let mut tips = wanted.named_commits();
    tips.extend(wanted.head.commit());
    tips.extend(beside);
    tips.retain(|tip| !has(*tip) && store.repository.find_commit(*tip).is_ok());
    let odb = store.repository.odb().map_err(failed)?;
    let is_kept = |id: Oid| odb.read_header(id).is_ok_and(|(_, kind)| kind == ObjectType::Blob);
    let is_lost = |entry: &&TrackedFile| !has(entry.oid) && is_kept(entry.oid);
    let staged: Vec<Oid> = tracked.iter().filter(is_lost).map(|entry| entry.oid).collect();
    if tips.is_empty() && staged.is_empty() {
        return Ok(());
    }
    let folder = store.dir.create_dir("giving")?;
    let pack = || -> Result<String, git2::Error> {
        let mut builder = store.repository.packbuilder()?;
        let mut walk = store.repository.revwalk()?;
        for tip in &tips {
            walk.push(*tip)?;
        }
        for reference in repository.references()?.flatten() {
            if let Some(known) = reference
                .peel_to_commit()
                .ok()
                .filter(|known| store.repository.find_commit(known.id()).is_ok())
            {
                walk.hide(known.id())?;
            }
        }
        builder.insert_walk(&mut walk)?;
        for id in &staged {
            builder.insert_object(*id, None)?;
        }
        let odb = store.repository.odb()?;
        let mut indexer = git2::Indexer::new(Some(&odb), folder.path(), 0o444, true)?;
        builder.foreach(|piece| std::io::Write::write_all(&mut indexer, piece).is_ok())?;
        indexer.commit()
    };
    let name = pack().map_err(failed)?;
    let packs = git.create_dir("objects/pack")?;
    // The index last: without it git does not see the pack.
    for ending in ["pack", "idx"] {
        let file = format!("pack-{name}.{ending}");
        if packs.metadata(&file)?.is_none()
            && let Some(from) = folder.open_file(&file)?
        {
            packs.copy_file_in(&from, &file, 0o444)?;
        }
    }
    Ok(store.dir.remove_tree("giving")?)
}
