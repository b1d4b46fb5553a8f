//! The hooks that git would run for a commit, and parlour does not.

use std::path::{Path, PathBuf};

use crate::fs::{Dir, DirEntryKind, Metadata};

const OF_COMMITS: [&str; 4] = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];
const MAX_CONFIG: u64 = 1 << 20;

/// Those that the clone has, by name.
pub fn skipped(files: &Dir, git: &Dir) -> Vec<String> {
    let is_hook = |found: Option<Metadata>| {
        found.is_some_and(|found| found.kind == DirEntryKind::File && found.mode & 0o111 != 0)
    };
    let configured = hooks_path(git);
    let has = |name: &&&str| match &configured {
        Some(path) if path.is_absolute() => path.join(name).is_file(),
        Some(path) => is_hook(files.metadata(path.join(name)).ok().flatten()),
        None => is_hook(git.metadata(Path::new("hooks").join(name)).ok().flatten()),
    };
    OF_COMMITS.iter().filter(has).map(|name| (*name).to_owned()).collect()
}

/// `core.hooksPath`, by a look at the lines of the clone's own configuration: nothing that it includes is opened.
fn hooks_path(git: &Dir) -> Option<PathBuf> {
    let config = git.read("config", MAX_CONFIG).ok()??;
    let text = String::from_utf8_lossy(&config);
    let mut section = String::new();
    let mut found = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line.to_ascii_lowercase();
        } else if section == "[core]"
            && let Some((key, value)) = line.split_once('=')
            && key.trim().eq_ignore_ascii_case("hookspath")
        {
            found = Some(PathBuf::from(value.trim().trim_matches('"')));
        }
    }
    found
}
