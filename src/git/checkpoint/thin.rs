//! Forgets checkpoints that are thinned out, and gives back the room of what no other one needs.
//!
//! References go first, and only what no reference reaches goes then: a kill at any point leaves all that is needed. A
//! mark says that room is still to be given back, so that the next time does it.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::SystemTime;

use git2::Oid;

use super::Store;
use super::seen::SeenFiles;
use super::store::{name_of, numbers_in};
use crate::git::run::GitRun;
use crate::git::{CancelFlag, Error, GitLimits, GitStage, Program};

const KEPT: &str = "refs/kept";
const SEEN: &str = "seen";
/// There while something may lie in the store that nobody needs.
const MARK: &str = "thinning";

impl Store {
    /// Forgets what none of these checkpoints, given by their numbers, needs. Whoever sets `cancel` gets the store back
    /// at once; the rest is done the next time. Says whether anything was forgotten.
    pub fn thin(&self, kept: &BTreeSet<u64>, program: &Program, cancel: &CancelFlag) -> Result<bool, Error> {
        let all: BTreeSet<u64> = self.numbers()?.into_iter().collect();
        // A clone that had not changed at a checkpoint has none of that number: the one before it counts.
        let mut needed: BTreeSet<u64> = kept
            .iter()
            .filter_map(|number| all.range(..=*number).next_back())
            .copied()
            .collect();
        needed.extend(all.last());
        let old: Vec<u64> = all.difference(&needed).copied().collect();
        let is_marked = self.dir.metadata(MARK)?.is_some();
        if old.is_empty() && !is_marked {
            return Ok(false);
        }
        cancel.check()?;
        self.dir.write_atomic(MARK, "")?;
        for number in &old {
            self.dir.remove_file(name_of(*number))?;
        }
        self.forget_history()?;
        self.pack(program, cancel)?;
        self.dir.remove_file(MARK)?;
        Ok(true)
    }

    /// Forgets the commits that no checkpoint names any more, and what was read last, if it is not what one saved: the
    /// objects that it names may go now.
    fn forget_history(&self) -> Result<(), Error> {
        let (mut named, mut trees, mut indexes) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
        for snapshot in self.snapshots()? {
            trees.insert(snapshot.files);
            let state = snapshot
                .git_state(&self.repository)
                .map_err(|source| self.failed(source))?;
            let Some(state) = state else {
                continue;
            };
            named.extend(state.named_commits());
            named.extend(state.head.commit());
            indexes.extend(state.index);
        }
        let seen = SeenFiles::load(&self.dir);
        let is_saved = seen.tree.is_some_and(|tree| trees.contains(&tree))
            && seen.index.is_none_or(|(_, index)| indexes.contains(&index));
        if !is_saved && self.dir.metadata(SEEN)?.is_some() {
            self.dir.remove_file(SEEN)?;
        }
        if self.dir.metadata(KEPT)?.is_none() {
            return Ok(());
        }
        for entry in self.dir.entries(KEPT)? {
            let commit = entry.name.to_str().and_then(|name| Oid::from_str(name).ok());
            if commit.is_some_and(|commit| !named.contains(&commit)) {
                self.dir.remove_file(format!("{KEPT}/{}", entry.name.display()))?;
            }
        }
        Ok(())
    }

    /// Puts loose objects into a pack and drops what no checkpoint needs. The store's own settings are all that is in force.
    fn pack(&self, program: &Program, cancel: &CancelFlag) -> Result<(), Error> {
        let began = SystemTime::now();
        for (verb, words) in [
            ("repack", &["repack", "-a", "-d", "-l", "-q"][..]),
            ("prune", &["prune", "--expire=now"][..]),
        ] {
            let mut command = program.isolated();
            command.env("GIT_DIR", self.dir.path()).args(words);
            let run = GitRun {
                verb,
                stage: GitStage::Copying,
                limits: GitLimits::default(),
                growing: None,
                progress: &|_| {},
                cancel,
            };
            run.output(command)?;
        }
        self.close_to_others(began);
        Ok(())
    }

    pub(super) fn numbers(&self) -> Result<Vec<u64>, Error> {
        numbers_in(&self.dir, Path::new("refs/parlour"))
    }
}
