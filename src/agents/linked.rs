//! Directories outside of the chat that a person opened in place. An agent reaches them by a link in its own directory, and
//! the sandbox of its CLI may have to be told where they lie.

use std::path::Path;

use super::LaunchContext;
use crate::fs::Dir;
use crate::model::chat::Directory;
use crate::model::{AreaMode, Kind, Problem};

/// Those that it may write in.
pub(super) fn writable<'a>(context: &'a LaunchContext) -> impl Iterator<Item = &'a str> {
    judged(&context.chat.dirs).filter_map(|(dir, allowed)| allowed.is_ok().then_some(dir.origin.as_str()))
}

/// Each that was opened to be written in, and whether it may be, or why not: what its CLI's own sandbox and the kernel
/// grant. One that holds a read-only one is left out, since neither can part them, and so is one that the agent opened
/// itself, since no person said anything of it. What is no directory any more, or is reached by a link that somebody has put
/// there since, leads elsewhere.
pub fn judged(dirs: &[Directory]) -> impl Iterator<Item = (&Directory, Result<(), Problem>)> {
    of_mode(dirs, AreaMode::Rw).map(|dir| (dir, may_write(dirs, dir)))
}

fn may_write(dirs: &[Directory], dir: &Directory) -> Result<(), Problem> {
    let doing = || format!("letting the agent write in projects/{}", dir.name);
    if dir.asks {
        let hint = "`parlour open-dir CHAT PATH --mode rw` lets it";
        return Err(Problem::new(doing(), "the agent opened it itself", hint));
    }
    if let Some(kept) = of_mode(dirs, AreaMode::Ro).find(|kept| Path::new(&kept.origin).starts_with(&dir.origin)) {
        let cause = format!("projects/{} lies in it and is read-only", kept.name);
        let hint = "the sandbox cannot part them: open what is to be written to by itself";
        return Err(Problem::new(doing(), cause, hint));
    }
    let hint = "if it was moved, open it where it is now";
    Dir::open_unlinked(&dir.origin)
        .map(drop)
        .map_err(|error| Problem::of(doing(), &error).hinted(hint))
}

fn of_mode(dirs: &[Directory], mode: AreaMode) -> impl Iterator<Item = &Directory> {
    dirs.iter()
        .filter(move |dir| dir.kind == Kind::Local && dir.mode == mode)
}

/// All of them that a person opened. One that is reached by a link that somebody has put there since leads elsewhere.
pub(super) fn opened<'a>(context: &'a LaunchContext) -> impl Iterator<Item = &'a Directory> {
    let dirs = context.chat.dirs.iter();
    dirs.filter(|dir| dir.kind == Kind::Local && !dir.asks && Dir::open_unlinked(&dir.origin).is_ok())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;

    #[test]
    fn nothing_is_granted_that_holds_what_is_read_only_or_has_become_a_link() {
        let scratch = tempfile::tempdir().unwrap();
        let root = scratch.path().canonicalize().unwrap();
        let linked_as = |path: &str, mode| Directory {
            name: path.replace('/', "-"),
            label: None,
            mode,
            kind: Kind::Local,
            origin: root.join(path).display().to_string(),
            key: None,
            subdir: None,
            asks: false,
        };
        for dir in ["notes", "work/secret", "work/open", "swapped", "above/within"] {
            fs::create_dir_all(root.join(dir)).unwrap();
        }
        let dirs = [
            linked_as("notes", AreaMode::Rw),
            linked_as("work", AreaMode::Rw),
            linked_as("work/secret", AreaMode::Ro),
            linked_as("work/open", AreaMode::Rw),
            linked_as("swapped", AreaMode::Rw),
            linked_as("above/within", AreaMode::Rw),
            linked_as("gone", AreaMode::Rw),
        ];
        fs::remove_dir(root.join("swapped")).unwrap();
        symlink("/", root.join("swapped")).unwrap();
        fs::rename(root.join("above"), root.join("elsewhere")).unwrap();
        symlink(root.join("elsewhere"), root.join("above")).unwrap();
        let (mut granted, mut problems) = (Vec::new(), Vec::new());
        for (dir, allowed) in judged(&dirs) {
            match allowed {
                Ok(()) => granted.push(PathBuf::from(&dir.origin)),
                Err(problem) => problems.push(problem),
            }
        }
        assert_eq!(granted, [root.join("notes"), root.join("work/open")]);
        let told: Vec<_> = problems
            .iter()
            .map(|problem| problem.doing.rsplit('/').next())
            .collect();
        assert_eq!(told, ["work", "swapped", "above-within", "gone"].map(Some));
    }
}
