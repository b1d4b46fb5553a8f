//! Where a CLI keeps whole outputs.

use std::path::{Path, PathBuf};

/// A folder of a CLI's own with whole outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptOutputs {
    /// A directory of the CLI's that an agent cannot put another in the place of.
    pub root: PathBuf,
    /// The folder, below it.
    pub folder: PathBuf,
}

impl KeptOutputs {
    /// A folder beside a transcript, so many levels below the CLI's directory.
    pub fn beside(root: &Path, folder: &Path) -> Option<KeptOutputs> {
        let below = folder.strip_prefix(root).ok()?;
        Some(KeptOutputs {
            root: root.into(),
            folder: below.into(),
        })
    }
}
