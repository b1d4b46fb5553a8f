//! The repository that a directory lies in, by what git itself takes for one.

use std::path::{Path, PathBuf};

use super::small_file::small_file;

/// The nearest repository at or above `path`, by its real path.
pub fn root(path: &Path) -> Option<PathBuf> {
    let real = path.canonicalize().ok()?;
    real.ancestors().find_map(repository_at).map(|found| found.root)
}

/// The repository that is meant by somebody in this directory who names none. A home directory that is kept in git is no
/// project, and what lies below parlour's own home belongs to a chat.
pub fn project_around(dir: &Path, parlour_home: &Path) -> Option<PathBuf> {
    let real = |path: &Path| path.canonicalize().ok();
    let person_home = std::env::var_os("HOME").and_then(|home| real(Path::new(&home)));
    let own = real(parlour_home);
    let is_own = |root: &Path| own.is_some_and(|own| root.starts_with(own));
    root(dir).filter(|root| person_home.as_deref() != Some(root) && !is_own(root))
}

/// Whether there is a commit that a clone could be of.
pub fn has_commit(root: &Path) -> bool {
    git2::Repository::open(root).is_ok_and(|repository| repository.head().is_ok())
}

/// The place that a path names, by one spelling, whether or not something is there now. As git does, the repository
/// `grove.git` is found by `grove`.
pub(super) fn real(path: &Path) -> PathBuf {
    let mut with_git = path.as_os_str().to_owned();
    with_git.push(".git");
    let gone = || Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?));
    root(path)
        .or_else(|| path.canonicalize().ok())
        .or_else(|| root(Path::new(&with_git)))
        .or_else(gone)
        .unwrap_or_else(|| path.to_path_buf())
}

/// Where a repository lies. Its git directory may be elsewhere, and is its root if it is bare.
pub(super) struct RepositoryPlace {
    pub root: PathBuf,
    pub git_dir: PathBuf,
}

/// The repository whose root is `path`.
pub(super) fn repository_at(path: &Path) -> Option<RepositoryPlace> {
    let at = |git_dir| RepositoryPlace {
        root: path.to_path_buf(),
        git_dir,
    };
    let dot_git = path.join(".git");
    if dot_git.is_dir() && is_git_dir(&dot_git) {
        return Some(at(dot_git));
    }
    if let Some(text) = small_file(&dot_git) {
        // A linked worktree or a submodule: a file that says where the git directory is.
        let git_dir = path.join(text.strip_prefix("gitdir:")?.trim()).canonicalize().ok()?;
        return Some(at(git_dir));
    }
    is_bare(path).then(|| at(path.to_path_buf()))
}

/// Whether this directory is itself a repository, without files of its own.
pub fn is_bare(path: &Path) -> bool {
    path.file_name().is_none_or(|name| name != ".git") && is_git_dir(path)
}

/// Not where libgit2 would wait for a FIFO or read a device.
fn is_git_dir(path: &Path) -> bool {
    let is_odd = |name: &&str| path.join(name).metadata().is_ok_and(|found| !found.is_file());
    path.join("HEAD").is_file()
        && path.join("objects").is_dir()
        && path.join("refs").is_dir()
        && !["config", "packed-refs", "commondir"].iter().any(is_odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git_dir(path: &Path) {
        for folder in ["objects", "refs"] {
            std::fs::create_dir_all(path.join(folder)).unwrap();
        }
        std::fs::write(path.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    }

    #[test]
    fn the_nearest_repository_above_is_found() {
        let place = tempfile::tempdir().unwrap();
        let real = place.path().canonicalize().unwrap();
        git_dir(&real.join("grove/.git"));
        std::fs::create_dir_all(real.join("grove/src/deep")).unwrap();
        assert_eq!(root(&place.path().join("grove/src/deep")), Some(real.join("grove")));
        assert_eq!(root(&real.join("grove")), Some(real.join("grove")));
        assert_eq!(root(&real.join("missing")), None);
        git_dir(&real.join("up.git"));
        assert_eq!(root(&real.join("up.git")), Some(real.join("up.git")));
    }

    #[test]
    fn what_never_ends_or_never_opens_is_no_repository() {
        let place = tempfile::tempdir().unwrap();
        let real = place.path().canonicalize().unwrap();
        for (name, odd) in [("device", ".git"), ("fifo", ".git"), ("config", ".git/config")] {
            let path = real.join(name);
            std::fs::create_dir(&path).unwrap();
            if odd != ".git" {
                git_dir(&path.join(".git"));
            }
            match name {
                "device" => std::os::unix::fs::symlink("/dev/zero", path.join(odd)).unwrap(),
                _ => {
                    let file_type = rustix::fs::FileType::Fifo;
                    rustix::fs::mknodat(rustix::fs::CWD, path.join(odd), file_type, 0o600.into(), 0).unwrap();
                }
            }
            assert_eq!(root(&path), None, "{name}");
        }
    }

    #[test]
    fn a_directory_with_an_empty_git_folder_is_none() {
        let place = tempfile::tempdir().unwrap();
        let real = place.path().canonicalize().unwrap();
        git_dir(&real.join("grove/.git"));
        std::fs::create_dir_all(real.join("grove/sub/.git")).unwrap();
        std::fs::create_dir_all(real.join("plain/.git")).unwrap();
        assert_eq!(root(&real.join("grove/sub")), Some(real.join("grove")));
        assert_eq!(root(&real.join("plain")), None);
    }
}
