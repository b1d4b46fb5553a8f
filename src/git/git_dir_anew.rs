//! A git directory in place of one that is gone: without a commit, and with the remote and the person that a clone is told
//! of. A way back to a checkpoint fills it.

use std::ffi::OsString;

use git2::{Repository, RepositoryInitOptions};

use super::config;
use super::program::Program;
use super::staged::staged_name;
use super::{Error, Origin};
use crate::fs::Dir;

/// Of what the git directory is made again.
pub struct GitDirAnew<'a> {
    pub program: &'a Program,
    /// Where it is made: nobody else writes there.
    pub staging: &'a Dir,
    /// What the remote is called.
    pub url: &'a str,
    /// Where the clone came from, if that can still be looked at.
    pub origin: Option<&'a Origin>,
}

/// One that is made, and not in its place yet.
pub struct StagedGitDir<'a> {
    staging: &'a Dir,
    name: OsString,
    dir: Dir,
    /// Device and inode, by which it is known again in its place.
    pub identity: (u64, u64),
}

impl StagedGitDir<'_> {
    /// Puts it into the clone, which has none.
    pub fn put(self, clone: &Dir) -> Result<(), Error> {
        Ok(self.dir.rename_new(".git", clone, ".git")?)
    }
}

impl Drop for StagedGitDir<'_> {
    fn drop(&mut self) {
        if let Err(error) = self.staging.remove_tree(&self.name) {
            tracing::warn!("{error}");
        }
    }
}

impl<'a> GitDirAnew<'a> {
    pub fn stage(&self) -> Result<StagedGitDir<'a>, Error> {
        let name = staged_name();
        let dir = self.staging.create_new_dir(&name)?;
        let mut staged = StagedGitDir {
            staging: self.staging,
            name,
            dir,
            identity: (0, 0),
        };
        self.make(&staged.dir)?;
        let stamp = staged.dir.dir(".git")?.own_stamp()?;
        staged.identity = (stamp.device, stamp.inode);
        Ok(staged)
    }

    fn make(&self, staged: &Dir) -> Result<(), Error> {
        let mut options = RepositoryInitOptions::new();
        options.external_template(false).no_reinit(true).initial_head("main");
        Repository::init_opts(staged.path(), &options).map_err(|source| Error::Repository {
            path: staged.path().to_path_buf(),
            source,
        })?;
        let git = staged.dir(".git")?;
        let mut settings = config::remote(self.url);
        settings.extend(config::identity(self.program, self.origin)?);
        let mut text = git.read("config", 1 << 20)?.unwrap_or_default();
        text.extend(config::text(&settings).into_bytes());
        git.write_atomic("config", text)?;
        Ok(git.create_dir("logs").map(drop)?)
    }
}
