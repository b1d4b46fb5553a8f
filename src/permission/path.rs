//! Paths as they are written, made absolute and free of `.` and `..` without asking the disk.

use std::path::{Path, PathBuf};

use crate::model::path::{joined, normal};

use super::call::Call;
use crate::model::Area;

/// Where a call is made from.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct CallPlace<'a> {
    /// The agent's directory: what lies beneath it is its own.
    cwd: PathBuf,
    /// What relative paths of this call start from.
    base: PathBuf,
    home: &'a Path,
    /// What lies elsewhere and a person opened in the chat for writing.
    opened: Vec<&'a Path>,
}

impl<'a> CallPlace<'a> {
    pub fn new(cwd: &Path, base: Option<&str>, home: &'a Path) -> CallPlace<'a> {
        let cwd = normal(cwd);
        let mut place = CallPlace {
            base: cwd.clone(),
            cwd,
            home,
            opened: Vec::new(),
        };
        if let Some(base) = base {
            place.base = place.absolute(base);
        }
        place
    }

    /// As [`CallPlace::new`], of an agent that has gone to `at`.
    pub fn within(cwd: &Path, at: Option<&Path>, base: Option<&str>, home: &'a Path) -> CallPlace<'a> {
        let mut place = CallPlace::new(cwd, None, home);
        if let Some(at) = at {
            place.base = normal(at);
        }
        match base {
            Some(base) => place.moved(base),
            None => place,
        }
    }

    /// As [`CallPlace::within`], and what counts as its own is the directory of the chat that it has gone to.
    pub fn gone(call: &Call, base: Option<&str>, home: &'a Path) -> CallPlace<'a> {
        let opened = call.dirs.iter().flat_map(|area| &area.paths);
        let mut all = std::iter::once(call.cwd).chain(opened.map(PathBuf::as_path));
        let own = call.at.and_then(|at| all.find(|dir| at.starts_with(dir)));
        CallPlace::within(own.unwrap_or(call.cwd), call.at, base, home)
    }

    /// The same, of a chat in which a person opened directories.
    pub fn beside(self, dirs: &'a [Area]) -> CallPlace<'a> {
        let opened = dirs.iter().filter(|area| !area.is_fenced());
        let paths = opened.flat_map(|area| &area.paths).map(PathBuf::as_path);
        CallPlace {
            // One that holds parlour's home is not given as a whole.
            opened: paths
                .filter(|path| !path.starts_with(&self.cwd) && !self.cwd.starts_with(path))
                .collect(),
            ..self
        }
    }

    /// The place after a `cd`.
    pub fn moved(&self, to: &str) -> CallPlace<'a> {
        CallPlace {
            base: self.absolute(to),
            ..self.clone()
        }
    }

    pub fn base(&self) -> &Path {
        &self.base
    }

    pub fn absolute(&self, written: &str) -> PathBuf {
        let home = |rest: &str| normal(&self.home.join(rest.trim_start_matches('/')));
        let start = ["~", "$HOME"].iter().find_map(|start| written.strip_prefix(start));
        let here = ["$PWD", "~+"].iter().find_map(|start| written.strip_prefix(start));
        match start {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => home(rest),
            _ if here.is_some_and(|rest| rest.is_empty() || rest.starts_with('/')) => {
                let rest = here.unwrap_or_default().trim_start_matches('/');
                joined(self.base.clone(), Path::new(rest))
            }
            // Another user's home, or a variable whose value nobody knows: somewhere outside.
            _ if written.starts_with(['~', '$']) => normal(&Path::new("/").join(written)),
            _ => joined(self.base.clone(), Path::new(written)),
        }
    }

    /// As [`CallPlace::absolute`], with all `..` still in it: behind a link they lead elsewhere than they are written.
    pub fn unresolved(&self, written: &str) -> PathBuf {
        match written.strip_prefix("~/").or_else(|| written.strip_prefix("$HOME/")) {
            Some(rest) => self.home.join(rest.trim_start_matches('/')),
            None if written.starts_with(['~', '$']) => self.absolute(written),
            None => self.base.join(written),
        }
    }

    /// The path relative to the agent's directory; `None` outside of it.
    pub fn relative(&self, written: &str) -> Option<PathBuf> {
        self.absolute(written)
            .strip_prefix(&self.cwd)
            .ok()
            .map(Path::to_path_buf)
    }

    pub fn holds(&self, written: &str) -> bool {
        self.absolute(written).starts_with(&self.cwd)
    }

    /// Whether a person gave it to the agent for writing: its own directory, or what lies in one that they opened.
    pub fn may_write(&self, written: &str) -> bool {
        self.holds(written) || self.in_opened(written).is_some()
    }

    /// The path relative to the directory that it lies in: the agent's, or one that a person opened.
    pub fn within_own(&self, written: &str) -> Option<PathBuf> {
        self.relative(written).or_else(|| self.in_opened(written))
    }

    fn in_opened(&self, written: &str) -> Option<PathBuf> {
        // All that lies in such a directory is as much as the directory.
        let path = self.absolute(above_everything(written));
        let mut inside = self.opened.iter().filter_map(|dir| path.strip_prefix(dir).ok());
        inside.find(|rest| !rest.as_os_str().is_empty()).map(Path::to_path_buf)
    }

    /// The whole disk, a top folder, the home, or a folder that the agent's own lies in.
    pub fn is_too_much(&self, written: &str) -> bool {
        let stem = above_everything(written);
        if stem.starts_with('$') && !stem.starts_with("$HOME") {
            return false;
        }
        let path = self.absolute(stem);
        path.components().count() <= 2 || self.cwd.starts_with(&path) || self.home.starts_with(&path)
    }
}

/// The directory of which a path names all: `~/*`, `/.*`, `./[!.]*` and `x/??*/`; without such an end the path itself.
fn above_everything(written: &str) -> &str {
    let mut path = written;
    loop {
        let trimmed = path.trim_end_matches('/');
        let (above, name) = match trimmed.rsplit_once('/') {
            Some((above, name)) => (&path[..=above.len()], name),
            None => (".", trimmed),
        };
        let sets = name.split('[').skip(1).filter_map(|set| set.split_once(']'));
        let behind = name.split('[').take(1).chain(sets.map(|(_, rest)| rest));
        let is_glob = name.contains(['*', '?']) && behind.flat_map(str::chars).all(|c| "*?.".contains(c));
        match is_glob {
            true if above == "." => return above,
            true => path = above,
            false => return path,
        }
    }
}
