//! The hooks that git would run for a commit, or for a branch that comes home, and parlour does not.

use std::path::{Path, PathBuf};

use super::home_target::HomeTarget;

use crate::fs::{Dir, DirEntryKind, Metadata};

const OF_COMMITS: [&str; 4] = ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"];
/// Of a branch that is fetched; the others also need a checkout or a merge.
const OF_THE_WAY_HOME: [&str; 3] = ["reference-transaction", "post-checkout", "post-merge"];
const MAX_CONFIG: u64 = 1 << 20;

/// Those of a commit that the clone has, by name.
pub fn skipped(files: &Dir, git: &Dir) -> Vec<String> {
    present(files, git, hooks_path(git), &OF_COMMITS)
}

/// Those of a branch that comes into the person's own repository at `root`, by name.
pub fn skipped_at_home(root: &Path) -> Vec<String> {
    let look = || {
        let target = HomeTarget::open(root).ok()?;
        let files = Dir::open(&target.root).ok()?;
        // Their own settings count there too: no agent writes them.
        let everywhere = || git2::Config::open_default().ok()?.get_path("core.hookspath").ok();
        let configured = hooks_path(&target.common).or_else(everywhere);
        Some(present(&files, &target.common, configured, &OF_THE_WAY_HOME))
    };
    look().unwrap_or_default()
}

fn present(files: &Dir, git: &Dir, configured: Option<PathBuf>, names: &[&str]) -> Vec<String> {
    let is_hook = |found: Option<Metadata>| {
        found.is_some_and(|found| found.kind == DirEntryKind::File && found.mode & 0o111 != 0)
    };
    let has = |name: &&&str| match &configured {
        Some(path) if path.is_absolute() => path.join(name).is_file(),
        Some(path) => is_hook(files.metadata(path.join(name)).ok().flatten()),
        None => is_hook(git.metadata(Path::new("hooks").join(name)).ok().flatten()),
    };
    names.iter().filter(has).map(|name| (*name).to_owned()).collect()
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
