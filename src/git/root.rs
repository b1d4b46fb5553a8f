//! The repository that a directory lies in.

use std::path::{Path, PathBuf};

/// The nearest directory at or above `path` that holds a `.git`, by its real path.
pub fn root(path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().ok()?;
    let root = real.ancestors().find(|dir| dir.join(".git").exists())?;
    Some(root.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_repository_above_is_found() {
        let place = tempfile::tempdir().unwrap();
        let real = place.path().canonicalize().unwrap();
        std::fs::create_dir_all(real.join("grove/.git")).unwrap();
        std::fs::create_dir_all(real.join("grove/src/deep")).unwrap();
        assert_eq!(root(&place.path().join("grove/src/deep")), Some(real.join("grove")));
        assert_eq!(root(&real.join("grove")), Some(real.join("grove")));
        assert_eq!(root(&real.join("missing")), None);
    }
}
