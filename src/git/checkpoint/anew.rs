//! The refs of a clone whose git directory was made anew: going back moves what was checked out alone.

use std::collections::BTreeMap;

use git2::Oid;

use super::gitdir::GitState;
use super::{Store, gitdir};
use crate::fs::Dir;
use crate::git::Error;

const PACKED: &str = "packed-refs";

impl Store {
    /// Those of a checkpoint of which the clone has the objects and not the refs, if it has no packed refs: every clone is
    /// made with some, so its git directory was made anew.
    pub(super) fn bring_refs(&self, clone: &Dir, git: &Dir, wanted: &GitState) -> Result<(), Error> {
        if git.metadata(PACKED)?.is_some() {
            return Ok(());
        }
        let failed = |source| self.failed(source);
        let repository = gitdir::open(clone.path()).map_err(failed)?;
        let odb = repository.odb().map_err(failed)?;
        let is_wanted = |name: &str, id: Oid| repository.find_reference(name).is_err() && odb.exists(id);
        let refs = wanted.refs.lines().filter_map(|line| {
            let (id, name) = line.split_once(' ')?;
            let id = Oid::from_str(id).ok()?;
            (name.starts_with("refs/") && is_wanted(name, id)).then_some((name, id))
        });
        let refs: BTreeMap<&str, Oid> = refs.collect();
        let lines = refs.iter().map(|(name, id)| format!("{id} {name}\n"));
        let packed = format!("# pack-refs with: sorted \n{}", lines.collect::<String>());
        Ok(git.replace_unsynced(PACKED, packed.as_bytes(), 0o644)?)
    }
}
