//! Where an agent is, and what it has been told of that.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use crate::domain::agent::work::Arrival;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CwdTracking {
    pub(in crate::domain::agent) cwd: Option<PathBuf>,
    /// Its CLI tells of each change: what commands say is no news.
    pub(in crate::domain::agent) is_told: bool,
    /// Where a call says that it is run, outside of the chat's projects, by the call's id: it counts when that went well.
    pub(in crate::domain::agent) heads: Option<(String, PathBuf)>,
    /// Its hooks are heard, and what it is to know can be an answer to one.
    pub(in crate::domain::agent) is_hooked: bool,
    /// The project that it came into last.
    pub(in crate::domain::agent) within: Option<String>,
    /// It has not been told of that project.
    pub(in crate::domain::agent) due: bool,
    /// The directories below that project's own that it came through, from the project on.
    pub(in crate::domain::agent) passed: BTreeSet<PathBuf>,
    /// Those of them whose instructions it has not been told.
    pub(in crate::domain::agent) untold: Vec<PathBuf>,
}

/// Of one project. An agent that walks through more than these is told of no more.
pub(in crate::domain::agent) const MOST_PASSED: usize = 1_000;

impl CwdTracking {
    /// It is in this project now, at `cwd`.
    pub(in crate::domain::agent) fn come(&mut self, root: &Path, project: String, cwd: &Path) {
        if self.within.as_ref() != Some(&project) {
            self.within = Some(project);
            self.due = true;
            self.passed.clear();
            self.untold.clear();
        }
        let mut below = PathBuf::new();
        for part in cwd.strip_prefix(root).unwrap_or(Path::new("")) {
            below.push(part);
            if self.passed.len() < MOST_PASSED && self.passed.insert(below.clone()) {
                self.untold.push(below.clone());
            }
        }
    }

    pub(in crate::domain::agent) fn arrives(&mut self) -> Option<Arrival> {
        let is_news = self.due || !self.untold.is_empty();
        let (true, Some(project), Some(cwd)) = (is_news, &self.within, &self.cwd) else {
            return None;
        };
        Some(Arrival {
            project: project.clone(),
            cwd: cwd.clone(),
            enters: std::mem::take(&mut self.due),
            below: std::mem::take(&mut self.untold),
        })
    }
}
