//! Where a clone's work goes, and whose it is.

use std::path::Path;

use super::error::KeepError;
use crate::git::origin::Reach;
use crate::git::{CloneSource, Origin, Program, config};

/// Who commits: the person, as git knows them where the project came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommitAuthor {
    pub name: String,
    pub email: String,
}

impl CommitAuthor {
    /// Not by the clone's own settings, which are an agent's.
    pub fn of(program: &Program, origin: &Origin) -> Result<CommitAuthor, KeepError> {
        let settings = config::identity(program, Some(origin))?;
        let of = |key: &str| {
            settings
                .iter()
                .find(|setting| setting.key == key)
                .map(|setting| setting.value.clone())
        };
        match (of("user.name"), of("user.email")) {
            (Some(name), Some(email)) => Ok(CommitAuthor { name, email }),
            (None, _) | (_, None) => Err(KeepError::NoPerson),
        }
    }

    pub(super) fn signature(&self) -> Result<git2::Signature<'static>, KeepError> {
        git2::Signature::now(&self.name, &self.email).map_err(|_| KeepError::NoPerson)
    }
}

/// The project's remote, never the cache. A checkout on this machine is none: its own remote is.
pub(super) fn remote(origin: &Origin) -> Result<Reach, KeepError> {
    match &origin.reach {
        remote @ Reach::Remote { .. } => Ok(remote.clone()),
        Reach::Local { root, .. } if Path::new(&origin.url) == root => match crate::git::is_bare(root) {
            true => Ok(origin.reach.clone()),
            false => Err(KeepError::NoRemote { checkout: root.clone() }),
        },
        Reach::Local { .. } => Ok(match CloneSource::parse(&origin.url, Path::new("/"))? {
            CloneSource::Remote(remote) => Reach::remote(&remote),
            CloneSource::Local(path) => Reach::Local {
                root: path,
                whole: None,
            },
        }),
    }
}
