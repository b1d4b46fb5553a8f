//! The end of every opening, of a clone or of a link.

use crate::domain::work::ProjectDone;
use crate::engine::services::Services;
use crate::model::chat::Directory;
use crate::model::tool::OpenDirAnswer;
use crate::model::{ChatId, Problem};
use crate::store::Wrote;

use super::loading::loading;

/// Writes down what was opened, and tells the agent by its `AGENTS.md`.
pub(super) fn record(
    services: &Services,
    id: &ChatId,
    directory: Directory,
    mut answer: OpenDirAnswer,
) -> Result<ProjectDone, Problem> {
    let chat = services
        .home
        .add_directory(id, directory)
        .map_err(|error| loading(id, error))?;
    services.watch_chat(&chat);
    let place = answer.path.display();
    match &answer.branch {
        Some(branch) => tracing::info!("{id}: opened {place} on {branch}"),
        None => tracing::info!("{id}: linked {place}"),
    }
    // It is open all the same, whatever becomes of that file.
    let told = services
        .home
        .write_agents_md(id, &services.surroundings(&chat.record.llm));
    match told {
        Ok(Wrote::Changed | Wrote::Same) => {}
        Ok(Wrote::LeftAlone(why)) => answer.notes.push(format!("AGENTS.md does not name it: {why}")),
        Err(error) => answer.notes.push(format!("AGENTS.md does not name it: {error}")),
    }
    Ok(ProjectDone::Opened(Box::new(chat), answer))
}

/// Whether the chat's record says for certain that nothing of that name is open.
pub(super) fn is_unrecorded(services: &Services, id: &ChatId, name: &str) -> bool {
    let known = services.home.load(id);
    known.is_ok_and(|chat| chat.record.dirs.iter().all(|dir| dir.name != name))
}
