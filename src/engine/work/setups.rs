//! Project setup: the files that new clones of a project get, taken from a clone or from a person's own checkout.

use std::path::{Path, PathBuf};

use crate::domain::work::{ProjectDone, StorageDone};
use crate::fs::{Dir, SafeName};
use crate::git::setup::{self, Approval};
use crate::git::{self, CloneSource, LocalTarget, Origin};
use crate::model::chat::Directory;
use crate::model::storage::SetupSource;
use crate::model::text::visible;
use crate::model::{ChatId, Kind, Problem, ResultExt};

use super::super::services::Services;
use super::loading::loading;
use super::{guard, identity};

/// Keeps files of a clone for the next clones of its origin.
pub fn save(
    services: &Services,
    id: &ChatId,
    (project, files): (&str, &[String]),
    approval: Approval,
) -> Result<ProjectDone, Problem> {
    let doing = format!("saving setup files of {}", visible(project));
    let directory = clone_of(services, id, Some(project), &doing)?;
    let setups = folder(services, &doing)?;
    let projects = services.projects_dir(id).doing(&*doing)?;
    let clone = projects.dir(&directory.name).doing(&*doing)?;
    let name = SafeName::parse(&directory.name).doing(&*doing)?;
    let keys = identity::of(services, &directory);
    let key = keys.first().map_or(directory.identity(), String::as_str);
    let saved = setup::save(&setups, key, &name, &clone, files, approval).doing(&*doing)?;
    Ok(ProjectDone::Saved(saved))
}

/// A person names the files: what may tell programs what to run is kept too.
pub fn add(services: &Services, from: &SetupSource, files: &[String]) -> Result<StorageDone, Problem> {
    const DOING: &str = "adding setup files";
    match from {
        SetupSource::Clone { chat, project } => {
            let id = ChatId::parse(chat).ok_or_else(|| Problem::missing(DOING, "there is no such chat", ""))?;
            let directory = clone_of(services, &id, project.as_deref(), DOING)?;
            save(services, &id, (&directory.name, files), Approval::Given)?;
        }
        SetupSource::Checkout(path) => add_of_checkout(services, path, files)?,
    }
    list(services)
}

/// The paths are as seen from `path`, which may be a directory in the checkout.
fn add_of_checkout(services: &Services, path: &Path, files: &[String]) -> Result<(), Problem> {
    let doing = format!("adding setup files of {}", visible(&path.to_string_lossy()));
    let source = CloneSource::Local(path.to_owned());
    let found = git::look(&source, &guard::guard(services, Vec::new()), &services.git).doing(&*doing)?;
    let (origin, root) = match found {
        LocalTarget::Repository(origin) => match origin.checkout() {
            Some(root) => (origin, root),
            None => return Err(no_repository(doing)),
        },
        LocalTarget::Directory(_) => return Err(no_repository(doing)),
    };
    identity::note(services, &origin);
    let files: Vec<String> = files.iter().map(|file| in_root(&origin, file)).collect();
    let keys = identity::keys(services, &origin.key, &origin.url);
    let key = keys.first().unwrap_or(&origin.key);
    let checkout = Dir::open(&root).doing(&*doing)?;
    let setups = folder(services, &doing)?;
    setup::save(&setups, key, &origin.name, &checkout, &files, Approval::Given).doing(&*doing)?;
    Ok(())
}

fn in_root(origin: &Origin, file: &str) -> String {
    let at: PathBuf = origin
        .subdir
        .iter()
        .map(PathBuf::as_path)
        .chain([Path::new(file)])
        .collect();
    at.to_string_lossy().into_owned()
}

fn no_repository(doing: String) -> Problem {
    Problem::new(
        doing,
        "it is in no git repository",
        "go into your checkout of the project, or name a chat with --chat",
    )
}

pub fn remove(services: &Services, project: &str, files: &[String]) -> Result<StorageDone, Problem> {
    let doing = format!("removing setup files of {}", visible(project));
    let setups = folder(services, &doing)?;
    setup::remove(&setups, project, files).doing_or(&*doing, "`parlour setup list` shows what is kept")?;
    list(services)
}

pub fn list(services: &Services) -> Result<StorageDone, Problem> {
    const DOING: &str = "listing setup files";
    let setups = setup::list(&folder(services, DOING)?).doing(DOING)?;
    Ok(StorageDone::Setups(setups))
}

fn folder(services: &Services, doing: &str) -> Result<Dir, Problem> {
    services.home.dir().dir("project-setup").doing(doing)
}

/// The clone of this name in a chat; its only one if none is named.
fn clone_of(services: &Services, id: &ChatId, project: Option<&str>, doing: &str) -> Result<Directory, Problem> {
    let chat = services.home.load(id).map_err(|error| loading(id, error))?;
    let mut clones = chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Git);
    let found = match project {
        Some(name) => clones.clone().find(|dir| dir.name == name),
        None if clones.clone().count() == 1 => clones.next(),
        None => None,
    };
    found.cloned().ok_or_else(|| {
        let cause = match project {
            Some(_) => "this chat has no clone of that name",
            None => "the chat does not have just one clone",
        };
        let names: Vec<&str> = chat.record.dirs.iter().map(|dir| dir.name.as_str()).collect();
        Problem::missing(doing, cause, format!("its projects are: {}", names.join(", ")))
    })
}
