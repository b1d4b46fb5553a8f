//! The clones of a chat, and where they came from.

use std::path::{Path, PathBuf};

use super::guard;
use crate::engine::services::Services;
use crate::fs::DirEntryKind as FileKind;
use crate::git::{self, CloneSource, LocalTarget, Origin, SourceGuard};
use crate::model::ChatId;
use crate::model::chat::Directory;

/// Where the original's clone is. A link in its place would bring in what parlour never opened there.
pub(super) fn place(services: &Services, from: &ChatId, dir: &Directory) -> Result<PathBuf, String> {
    let projects = services.projects_dir(from).map_err(|error| error.to_string())?;
    for path in [PathBuf::from(&dir.name), Path::new(&dir.name).join(".git")] {
        let found = projects.metadata(&path).map_err(|error| error.to_string())?;
        if found.is_none_or(|meta| meta.kind != FileKind::Dir) {
            return Err("it is no clone any more".into());
        }
    }
    Ok(projects.path().join(&dir.name))
}

/// A source on this machine is asked itself: its remote may have less, and saved setup files belong to it.
pub(super) fn origin(services: &Services, dir: &Directory) -> Result<Origin, git::Error> {
    let local = dir.source().filter(|path| path.is_dir()).and_then(Path::to_str);
    let named = local.unwrap_or(&dir.origin);
    let guard = SourceGuard {
        home: guard::person_home(),
        parlour_home: services.home.path().to_path_buf(),
        allowed: vec![services.home.cache().join("demo")],
    };
    let source = CloneSource::parse(named, Path::new("/"))?;
    match git::look(&source, &guard, &services.git)? {
        LocalTarget::Repository(mut origin) => {
            origin.subdir.clone_from(&dir.subdir);
            Ok(origin)
        }
        LocalTarget::Directory(path) => Err(git::Error::NotARepository { path }),
    }
}
