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
    match services
        .home
        .write_agents_md(id, &services.surroundings(&chat.record.llm))
        .map_err(|error| loading(id, error))?
    {
        Wrote::Changed | Wrote::Same => {}
        Wrote::LeftAlone(why) => answer.notes.push(format!("AGENTS.md does not name it: {why}")),
    }
    Ok(ProjectDone::Opened(Box::new(chat), answer))
}
