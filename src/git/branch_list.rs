//! The branches that a clone of a repository could be on, by what a person types of their names.

use std::collections::BTreeMap;
use std::path::Path;

use super::Error;
use super::advertised_refs::{BRANCHES, REMOTE_BRANCHES};
use super::branches::plain;
use super::read::{branch, open};

/// A branch that can be named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBranch {
    pub name: String,
    pub at: BranchPlace,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BranchPlace {
    CheckedOut,
    Own,
    /// Only its remote is known to have it.
    Remote,
}

/// Those of the repository at `path` whose names have these letters in them, at most so many, and whether there are more:
/// the one that is called just so first, then what is checked out, then those that begin so. Only names are read.
pub fn branches_named(path: &Path, letters: &str, most: usize) -> Result<(Vec<ListedBranch>, bool), Error> {
    let failed = |source| Error::Repository {
        path: path.to_path_buf(),
        source,
    };
    let repository = open(path)?;
    let wanted = letters.to_lowercase();
    let current = branch(path).or_else(|| Some(repository.head().ok()?.shorthand().ok()?.to_owned()));
    let mut found: BTreeMap<String, BranchPlace> = BTreeMap::new();
    for (prefix, place) in [(BRANCHES, BranchPlace::Own), (REMOTE_BRANCHES, BranchPlace::Remote)] {
        let mut references = repository.references_glob(&format!("{prefix}*")).map_err(failed)?;
        for name in references.names() {
            // One with a name that is no text is none that can be typed.
            let Some(name) = name.ok().and_then(|name| plain(name, prefix)) else {
                continue;
            };
            if name.to_lowercase().contains(&wanted) {
                found.entry(name).or_insert(place);
            }
        }
    }
    let named = |(name, place): (String, BranchPlace)| ListedBranch {
        at: match current.as_ref() == Some(&name) {
            true => BranchPlace::CheckedOut,
            false => place,
        },
        name,
    };
    let mut listed: Vec<ListedBranch> = found.into_iter().map(named).collect();
    let is_other = |branch: &ListedBranch| branch.at != BranchPlace::CheckedOut;
    listed.sort_by_cached_key(|branch| {
        let begins = branch.name.to_lowercase().starts_with(&wanted);
        (branch.name != letters, is_other(branch), !begins, branch.name.clone())
    });
    let has_more = listed.len() > most;
    listed.truncate(most);
    Ok((listed, has_more))
}
