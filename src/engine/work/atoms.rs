//! Work graphs: read again, and changed. One change at a time, each from what is on disk then.

use crate::domain::work::TeamDone;
use crate::fs::SafeName;
use crate::model::atom::{AtomChange, AtomRequester, Graph, NewAtoms, Release};
use crate::model::text::visible;
use crate::model::{ChatId, Problem, ResultExt};

use super::super::services::Services;
use super::loading::loading;
use crate::engine::clock::now;

/// The chat as it is now; others' changes of its graph are heard from here on.
pub fn read(services: &Services, root: &ChatId) -> Result<TeamDone, Problem> {
    let chat = services.home.load(root).map_err(|error| loading(root, error))?;
    services.watch_chat(&chat);
    let chat = services.home.load(root).map_err(|error| loading(root, error))?;
    Ok(TeamDone::Atoms(Box::new(chat)))
}

pub fn change(
    services: &Services,
    root: &ChatId,
    change: &AtomChange,
    by: &AtomRequester,
) -> Result<TeamDone, Problem> {
    if let AtomChange::Add(NewAtoms { molecule, atoms }) = change {
        name(molecule, "a molecule's name")?;
        atoms.iter().try_for_each(|atom| name(&atom.id, "an atom's id"))?;
    }
    write(services, root, |graph| {
        graph.change(change, by, now()).map(|molecule| vec![molecule])
    })
}

pub fn free(services: &Services, root: &ChatId, release: &Release) -> Result<TeamDone, Problem> {
    write(services, root, |graph| Ok(graph.release(release, now())))
}

fn write(
    services: &Services,
    root: &ChatId,
    with: impl FnOnce(&mut Graph) -> Result<Vec<String>, Problem>,
) -> Result<TeamDone, Problem> {
    let hint = "is the directory of the tree's root there, and does it take files?";
    let changed = services.home.change_atoms(root, with);
    let chat = changed.doing_or("writing the work graph", hint)??;
    services.watch_chat(&chat);
    Ok(TeamDone::Atoms(Box::new(chat)))
}

/// Names of files, and what stands between them.
fn name(name: &str, what: &str) -> Result<(), Problem> {
    let odd = |error: crate::fs::NameError| {
        let cause = format!("{} cannot be {what}: {}", visible(name), error.why);
        Problem::new("adding atoms", cause, format!("call it {}", crate::fs::slug(name)))
    };
    SafeName::plain(name).map(drop).map_err(odd)
}
