//! Files that became programs, or are none any more, where git was told not to look (`core.fileMode=false`).

use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use git2::Repository;

const PLAIN: u32 = 0o100_644;
const PROGRAM: u32 = 0o100_755;

/// The tracked files whose mode differs from that in the index. None on a file system that knows no modes.
pub(super) fn changed(repository: &Repository) -> Result<Vec<String>, git2::Error> {
    let is_looked_at = repository.config()?.get_bool("core.filemode").unwrap_or(true);
    let Some(root) = repository.workdir().filter(|_| !is_looked_at) else {
        return Ok(Vec::new());
    };
    // Git makes no program of its own files: where one is, all files are.
    if is_program(&repository.path().join("index")) == Some(true) {
        return Ok(Vec::new());
    }
    let index = repository.index()?;
    let entries = index.iter().filter(|entry| matches!(entry.mode, PLAIN | PROGRAM));
    let (mut more, mut fewer, mut any) = (Vec::new(), Vec::new(), false);
    for entry in entries {
        let name = String::from_utf8_lossy(&entry.path).into_owned();
        let Some(is_program) = is_program(&root.join(&name)) else {
            continue;
        };
        any |= is_program;
        match (entry.mode == PROGRAM, is_program) {
            (false, true) => more.push(name),
            (true, false) => fewer.push(name),
            (true, true) | (false, false) => {}
        }
    }
    // Where no file is a program, perhaps none can be.
    if any {
        more.extend(fewer);
    }
    Ok(more)
}

/// `None` for what is no file.
fn is_program(path: &Path) -> Option<bool> {
    let found = std::fs::symlink_metadata(path)
        .ok()
        .filter(std::fs::Metadata::is_file)?;
    Some(found.permissions().mode() & 0o100 != 0)
}
