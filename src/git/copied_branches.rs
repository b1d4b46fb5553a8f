//! The branches of one clone brought into another of the same origin, commits that are nowhere else among them.
//!
//! What is read is an agent's: its refs are looked at by libgit2, and of them only those are fetched that have names we
//! would give.

use std::path::Path;

use git2::{BranchType, Oid, Repository, RepositoryOpenFlags};

use super::branches::{CloneStart, OriginRelation, Refs};
use super::fetch::{Fetch, Prune};
use super::origin::Reach;
use super::{BranchName, Error, checkout};
use crate::fs::Dir;

/// Where the working copy that is carried stands.
struct Stand {
    branches: Vec<BranchName>,
    /// `None` where no branch is checked out.
    branch: Option<BranchName>,
    /// `None` where nothing was committed yet.
    commit: Option<Oid>,
}

/// What is wanted of the branches that come along.
pub(super) struct WantedBranches<'a> {
    /// `None` stands where the carried clone does.
    pub branch: Option<&'a BranchName>,
    pub base: Option<&'a str>,
    /// What the origin takes for its default.
    pub default: Option<&'a str>,
}

/// Makes `clone` have the branches of `from`, and check out the wanted one: where the carried clone has it, as it is
/// there. Uncommitted work stays behind. `None` where nothing was committed yet.
pub(super) fn carry(
    fetch: &Fetch<'_>,
    from: &Path,
    clone: &Dir,
    wanted: &WantedBranches<'_>,
) -> Result<Option<CloneStart>, Error> {
    let stand = stand(from)?;
    let Some(commit) = stand.commit else {
        return Ok(None);
    };
    let git = clone.dir(".git")?;
    let mut refspecs: Vec<String> = stand
        .branches
        .iter()
        .map(|branch| format!("+refs/heads/{branch}:refs/heads/{branch}"))
        .collect();
    refspecs.push("HEAD".into());
    let newer = newer_remotes(from, clone.path())?;
    refspecs.extend(newer.iter().map(|name| format!("+{name}:{name}")));
    let refspecs: Vec<&str> = refspecs.iter().map(String::as_str).collect();
    let reach = Reach::Local {
        root: from.to_path_buf(),
        whole: None,
    };
    fetch.fetch(&git, &reach, &refspecs, Prune::No)?;
    let start = match (wanted.branch, wanted.base) {
        (None, None) => stand.branch.map(|branch| CloneStart {
            branch,
            commit,
            created: false,
        }),
        (branch, base) => Some(choose(fetch, &git, wanted.default, branch, base)?),
    };
    let head = match &start {
        Some(start) => format!("ref: refs/heads/{}\n", start.branch),
        None => format!("{commit}\n"),
    };
    git.write_atomic("HEAD", head)?;
    checkout::check_out(fetch, clone.path())?;
    Ok(start)
}

/// Branches of the remote as the carried clone saw them last, where it saw newer ones than the origin here has: what it was
/// rebased on is not its own work.
fn newer_remotes(from: &Path, clone: &Path) -> Result<Vec<String>, Error> {
    let (there, here) = (open(from)?, open(clone)?);
    let mut newer = Vec::new();
    for found in there
        .references_glob("refs/remotes/origin/*")
        .map_err(failed(from))?
        .flatten()
    {
        let (Ok(name), Some(seen)) = (found.name(), found.target()) else {
            continue;
        };
        let branch = name.strip_prefix("refs/remotes/origin/").unwrap_or_default();
        let is_newer = match here.refname_to_id(name) {
            Ok(known) => there.graph_descendant_of(seen, known).unwrap_or(false),
            Err(_) => true,
        };
        if is_newer && BranchName::parse(branch).is_ok() {
            newer.push(name.to_owned());
        }
    }
    Ok(newer)
}

fn open(place: &Path) -> Result<Repository, Error> {
    let none: [&Path; 0] = [];
    Repository::open_ext(place, RepositoryOpenFlags::NO_SEARCH, none).map_err(failed(place))
}

fn failed(place: &Path) -> impl Fn(git2::Error) -> Error + '_ {
    |source| Error::Repository {
        path: place.to_path_buf(),
        source,
    }
}

/// A branch among those that came along and those of the origin; one that none of them has is made.
fn choose(
    fetch: &Fetch<'_>,
    git: &Dir,
    default: Option<&str>,
    branch: Option<&BranchName>,
    base: Option<&str>,
) -> Result<CloneStart, Error> {
    let mut refs = Refs::of(git.path(), OriginRelation::Itself)?;
    refs.default = default.map(str::to_string).or(refs.default);
    let start = refs.start(git.path(), &fetch.origin.place(), branch, base)?;
    let own = Path::new("refs/heads").join(start.branch.as_str());
    if let Some(folder) = own.parent() {
        git.create_dir(folder)?;
    }
    git.write_atomic(&own, format!("{}\n", start.commit))?;
    Ok(start)
}

fn stand(from: &Path) -> Result<Stand, Error> {
    let repository = open(from)?;
    let failed = failed(from);
    let head = repository.head().ok();
    let name = head.as_ref().filter(|head| head.is_branch());
    let branch = name.and_then(|head| head.shorthand().ok().map(BranchName::parse));
    let mut branches = Vec::new();
    for found in repository.branches(Some(BranchType::Local)).map_err(&failed)? {
        let (found, _) = found.map_err(&failed)?;
        let name = found.name().ok().flatten().map(BranchName::parse);
        branches.extend(name.and_then(Result::ok));
    }
    Ok(Stand {
        branches,
        branch: branch.transpose()?,
        commit: head.and_then(|head| head.target()),
    })
}

/// The branch that is checked out in an agent's clone, where it is one that a clone can be opened on.
pub fn branch_of(clone: &Path) -> Result<Option<BranchName>, Error> {
    Ok(stand(clone)?.branch)
}
