//! Paths as they are written, made absolute and free of `.` and `..` without asking the disk.

use std::path::{Component, Path, PathBuf};

/// Where a call is made from.
pub(super) struct Place<'a> {
    /// The agent's directory: what lies beneath it is its own.
    cwd: PathBuf,
    /// What relative paths of this call start from.
    base: PathBuf,
    home: &'a Path,
}

impl<'a> Place<'a> {
    pub fn new(cwd: &Path, base: Option<&str>, home: &'a Path) -> Place<'a> {
        let cwd = normal(cwd);
        let mut place = Place {
            base: cwd.clone(),
            cwd,
            home,
        };
        if let Some(base) = base {
            place.base = place.absolute(base);
        }
        place
    }

    pub fn absolute(&self, written: &str) -> PathBuf {
        let home = |rest: &str| normal(&self.home.join(rest.trim_start_matches('/')));
        let start = ["~", "$HOME"].iter().find_map(|start| written.strip_prefix(start));
        match start {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => home(rest),
            // Another user's home, or a variable whose value nobody knows: somewhere outside.
            _ if written.starts_with(['~', '$']) => normal(&Path::new("/").join(written)),
            _ => normal(&self.base.join(written)),
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

    /// The whole disk, a top folder, the home, or a folder that the agent's own lies in.
    pub fn is_too_much(&self, written: &str) -> bool {
        let end = written.trim_end_matches(['*', '/', '.']);
        let stem = match written {
            _ if end.is_empty() && written.starts_with('/') => "/",
            _ if written.ends_with("/*") => &written[..written.len() - 2],
            "*" | ".*" => ".",
            _ => written,
        };
        if stem.starts_with('$') && !stem.starts_with("$HOME") {
            return false;
        }
        let path = self.absolute(stem);
        path.components().count() <= 2 || self.cwd.starts_with(&path) || self.home.starts_with(&path)
    }
}

fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::from("/");
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::Normal(name) => out.push(name),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
    out
}
