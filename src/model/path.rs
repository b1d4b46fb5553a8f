//! Paths as they are written, without asking the disk.

use std::path::{Component, Path, PathBuf};

/// Absolute, without `.` and `..`, and without asking the disk.
pub fn normal(path: &Path) -> PathBuf {
    joined(PathBuf::from("/"), path)
}

/// What `path` is from `out`, which is normal: a line may look at a thousand files from a place with a long name.
pub fn joined(mut out: PathBuf, path: &Path) -> PathBuf {
    for part in path.components() {
        match part {
            Component::ParentDir => {
                out.pop();
            }
            Component::Normal(name) => out.push(name),
            Component::RootDir => out = PathBuf::from("/"),
            Component::CurDir | Component::Prefix(_) => {}
        }
    }
    out
}
