//! How large a repository is.

use std::path::Path;

/// Bytes in the packs of a repository, those being received included. Nothing there is nothing.
pub(super) fn size_of_packs(repository: &Path) -> u64 {
    let Ok(pack) = std::fs::read_dir(repository.join("objects/pack")) else {
        return 0;
    };
    pack.flatten()
        .filter_map(|entry| entry.metadata().ok())
        .map(|metadata| metadata.len())
        .sum()
}
