//! Branch names, by git's own rules and two of ours, and the choice of a branch among those a cache has.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::Path;

use git2::{Oid, Repository};

use super::Error;
use super::advertised_refs::{BRANCHES, REMOTE_BRANCHES, REMOTE_HEAD};
use crate::fs;

/// A name that git takes for a branch and that reads as what it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct BranchName(String);

impl BranchName {
    pub fn parse(name: &str) -> Result<BranchName, Error> {
        match refusal(name) {
            Some(why) => Err(Error::BranchName {
                name: name.escape_debug().to_string(),
                why,
            }),
            None => Ok(BranchName(name.to_string())),
        }
    }

    /// The branch that is called after something: by its very name where git takes that, else by what is left of it.
    pub fn after(name: &str) -> BranchName {
        BranchName::parse(name.trim()).unwrap_or_else(|_| BranchName(fs::slug(name)))
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for BranchName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The rules of `git check-ref-format --branch`, then ours.
fn refusal(name: &str) -> Option<&'static str> {
    if name.is_empty() {
        return Some("it is empty");
    }
    if name.starts_with('-') {
        return Some("it starts with a dash, like an option");
    }
    if name.starts_with("refs/") {
        return Some("it begins with refs/, as the full name of a branch does");
    }
    if name == "HEAD" || name == "@" {
        return Some("git means something else by it");
    }
    if name.chars().any(fs::is_hidden_char) {
        return Some("it holds control, invisible or direction-changing characters");
    }
    if name.contains([' ', '~', '^', ':', '?', '*', '[', '\\']) {
        return Some("it holds a space or one of ~ ^ : ? * [ \\");
    }
    if name.contains("..") || name.contains("@{") || name.ends_with('.') {
        return Some("it holds `..` or `@{`, or ends with a dot");
    }
    if name
        .split('/')
        .any(|part| part.is_empty() || part.starts_with('.') || part.ends_with(".lock"))
    {
        return Some("a part of it is empty, starts with a dot or ends with .lock");
    }
    // Git writes a lock beside the ref, and file systems take 255 bytes.
    if name.split('/').any(|part| part.len() > 200) || name.len() > 1000 {
        return Some("it is too long");
    }
    None
}

/// What a cache, and so a clone of it, can name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Refs {
    /// All that can be opened: the origin's own, and for a local source those that it has seen at its remote.
    pub branches: BTreeMap<String, Oid>,
    /// What the remote of the clones is known to have.
    pub remote: BTreeMap<String, Oid>,
    /// Those of a local source that reach commits which its remote is not known to have.
    pub unpushed: BTreeMap<String, Oid>,
    pub tags: BTreeMap<String, Oid>,
    pub default: Option<String>,
    /// The default branch of the clones' remote.
    pub remote_default: Option<String>,
}

/// Where a new clone stands.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CloneStart {
    pub branch: BranchName,
    pub commit: Oid,
    /// The branch is new, and follows none of the origin's.
    pub created: bool,
}

impl Refs {
    /// Reads them; refs with names that we would refuse are left out, so no clone shows them.
    pub fn of(cache: &Path, remote: OriginRelation) -> Result<Refs, Error> {
        let failed = |source| Error::Repository {
            path: cache.to_path_buf(),
            source,
        };
        let repository = Repository::open_bare(cache).map_err(failed)?;
        let mut refs = Refs::default();
        let mut seen = BTreeMap::new();
        for reference in repository.references().map_err(failed)? {
            let reference = reference.map_err(failed)?;
            let (Ok(name), Some(oid)) = (reference.name(), reference.target()) else {
                continue;
            };
            if let Some(branch) = plain(name, BRANCHES) {
                refs.branches.insert(branch, oid);
            } else if let Some(branch) = plain(name, REMOTE_BRANCHES) {
                seen.insert(branch, oid);
            } else if let Some(tag) = plain(name, "refs/tags/") {
                refs.tags.insert(tag, oid);
            }
        }
        if remote == OriginRelation::SeenBySource {
            refs.unpushed = unpushed(&repository, &refs.branches, &seen);
        }
        for (branch, oid) in &seen {
            // A local source's own branch is nearer than what it last saw of its remote.
            refs.branches.entry(branch.clone()).or_insert(*oid);
        }
        drop_shadowed(&mut refs.branches);
        refs.unpushed.retain(|name, _| refs.branches.contains_key(name));
        let head = pointed(&repository, "HEAD", BRANCHES);
        refs.default = choose_default(&refs.branches, head.as_deref());
        (refs.remote, refs.remote_default) = match remote {
            OriginRelation::Itself => (refs.branches.clone(), refs.default.clone()),
            OriginRelation::SeenBySource => {
                let head = pointed(&repository, REMOTE_HEAD, REMOTE_BRANCHES);
                let default = choose_default(&seen, head.as_deref());
                (seen, default)
            }
        };
        Ok(refs)
    }

    pub fn start(
        &self,
        cache: &Path,
        origin: &str,
        branch: Option<&BranchName>,
        base: Option<&str>,
    ) -> Result<CloneStart, Error> {
        let Some(default) = &self.default else {
            return Err(Error::Empty {
                origin: origin.to_string(),
            });
        };
        let on = |name: &str, oid| {
            Ok(CloneStart {
                branch: BranchName::parse(name)?,
                commit: oid,
                created: false,
            })
        };
        match (branch, base) {
            (None, None) => on(default, self.branches[default]),
            (Some(branch), base) => match self.branch(branch.as_str()) {
                Some((name, oid)) => on(name, oid),
                None => {
                    let commit = self.commit(cache, origin, base.unwrap_or(default))?;
                    Ok(CloneStart {
                        branch: branch.clone(),
                        commit,
                        created: true,
                    })
                }
            },
            (None, Some(base)) => match self.branch(base) {
                Some((name, oid)) => on(name, oid),
                None => Err(self.no_branch(origin, base)),
            },
        }
    }

    /// The commit that `base` names: a branch, with or without `origin/`, a tag, or a commit's hash.
    fn commit(&self, cache: &Path, origin: &str, base: &str) -> Result<Oid, Error> {
        if let Some((_, oid)) = self.branch(base) {
            return Ok(oid);
        }
        let failed = |source| Error::Repository {
            path: cache.to_path_buf(),
            source,
        };
        let repository = Repository::open_bare(cache).map_err(failed)?;
        if let Some(tag) = self.tags.get(base) {
            let object = repository.find_object(*tag, None).map_err(failed)?;
            return Ok(object.peel_to_commit().map_err(failed)?.id());
        }
        let is_hash = base.len() >= 7 && base.bytes().all(|b| b.is_ascii_hexdigit());
        match is_hash.then(|| repository.find_commit_by_prefix(base)) {
            Some(Ok(commit)) => Ok(commit.id()),
            Some(Err(_)) | None => Err(self.no_branch(origin, base)),
        }
    }

    pub fn has(&self, branch: &BranchName) -> bool {
        self.branch(branch.as_str()).is_some()
    }

    fn branch<'n>(&self, name: &'n str) -> Option<(&'n str, Oid)> {
        [Some(name), name.strip_prefix("origin/")]
            .into_iter()
            .flatten()
            .find_map(|name| Some((name, *self.branches.get(name)?)))
    }

    fn no_branch(&self, origin: &str, name: &str) -> Error {
        let names: Vec<&str> = self.branches.keys().map(String::as_str).collect();
        let near = similar::get_close_matches(name, &names, 3, 0.5);
        Error::NoBranch {
            name: name.escape_debug().to_string(),
            origin: origin.to_string(),
            nearest: near.into_iter().map(str::to_string).collect(),
            default: self.default.clone(),
        }
    }
}

/// What the remote `origin` of a clone is to the place that the clone is fetched from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OriginRelation {
    Itself,
    /// Another place: of its branches only those are known that the local source has seen.
    SeenBySource,
}

/// Of `a` and `a/b`, one from the source's own branches and one from its remote's, git can keep only one.
fn drop_shadowed(branches: &mut BTreeMap<String, Oid>) {
    let names: Vec<String> = branches.keys().cloned().collect();
    for name in names {
        let parents = name.match_indices('/').map(|(at, _)| &name[..at]);
        if parents.into_iter().any(|parent| branches.contains_key(parent)) {
            branches.remove(&name);
        }
    }
}

fn choose_default(branches: &BTreeMap<String, Oid>, head: Option<&str>) -> Option<String> {
    let only = (branches.len() == 1).then(|| branches.keys().next()).flatten();
    head.into_iter()
        .chain(["main", "master", "trunk", "develop"])
        .chain(only.map(String::as_str))
        .find(|name| branches.contains_key(*name))
        .or_else(|| branches.keys().next().map(String::as_str))
        .map(str::to_string)
}

/// The branch that a symbolic ref points at.
fn pointed(repository: &Repository, name: &str, prefix: &str) -> Option<String> {
    let head = repository.find_reference(name).ok()?;
    let target = head.symbolic_target().ok().flatten()?;
    target.strip_prefix(prefix).map(str::to_string)
}

/// The branches of a source that reach commits which nothing of its remote reaches.
fn unpushed(
    repository: &Repository,
    own: &BTreeMap<String, Oid>,
    seen: &BTreeMap<String, Oid>,
) -> BTreeMap<String, Oid> {
    let reaches_more = |tip: Oid| -> Result<bool, git2::Error> {
        let mut walk = repository.revwalk()?;
        walk.push(tip)?;
        for there in seen.values() {
            walk.hide(*there)?;
        }
        Ok(walk.next().is_some())
    };
    let pushed: HashSet<&Oid> = seen.values().collect();
    let lacking = own
        .iter()
        .filter(|(_, tip)| !pushed.contains(tip) && reaches_more(**tip).unwrap_or(true));
    lacking.map(|(name, oid)| (name.clone(), *oid)).collect()
}

pub(super) fn plain(reference: &str, prefix: &str) -> Option<String> {
    let name = reference.strip_prefix(prefix)?;
    refusal(name).is_none().then(|| name.to_string())
}
