//! What lies on disk beside the chats' own work: caches, and the files that new clones of a project get.

pub mod done;
pub mod work;

use crate::model::storage::{SetupSource, StorageAsk};
use crate::model::{CallId, Problem};

use super::chat;
use super::effect::Effect;
use super::state::{Domain, Requester};
use super::work::{StorageThen, StorageWork};

/// From the shell.
pub fn ask(state: &mut Domain, call: CallId, ask: StorageAsk) -> Result<Vec<Effect>, Problem> {
    let job = match ask {
        StorageAsk::Cache => StorageWork::Measure,
        StorageAsk::PruneCache { index } => StorageWork::Prune { index },
        StorageAsk::Setup => StorageWork::ListSetup,
        StorageAsk::AddSetup { from, files } => {
            let from = match from {
                SetupSource::Clone { chat, project } => SetupSource::Clone {
                    chat: state.find(&chat)?.to_string(),
                    project,
                },
                SetupSource::Checkout(path) => SetupSource::Checkout(path),
            };
            StorageWork::AddSetup { from, files }
        }
        StorageAsk::RemoveSetup { project, files } => StorageWork::RemoveSetup { project, files },
    };
    begin(state, job, Requester::Call(call))
}

/// A cache from which something is being cloned just now is not removed.
pub fn begin(state: &mut Domain, job: StorageWork, requester: Requester) -> Result<Vec<Effect>, Problem> {
    if matches!(job, StorageWork::Prune { .. }) && !state.live.openings.under_way.is_empty() {
        let cause = "a repository is being opened in a chat";
        return Err(Problem::busy(
            "removing unused caches",
            cause,
            "try again when it is open",
        ));
    }
    Ok(chat::work(state, requester, StorageThen::Answer, job))
}
