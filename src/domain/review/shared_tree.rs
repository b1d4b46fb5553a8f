//! Another chat may have linked a clone of this one: while its agent works there, the clone is not put back beneath it.

use std::path::Path;

use crate::domain::state::Domain;
use crate::model::{AreaMode, ChatId, Kind, Problem, Status};

/// Refuses a revert while the agent of another chat is in a turn and may write into a clone that would be put back.
pub(super) fn check(state: &Domain, chat: &ChatId, doing: &str) -> Result<(), Problem> {
    let Some(known) = state.disk.chats.get(chat) else {
        return Ok(());
    };
    let clones: Vec<&Path> = known
        .projects
        .iter()
        .filter(|project| project.kind == Kind::Git)
        .map(|project| project.path.as_path())
        .collect();
    for (other, agent) in state.live.agents.awake() {
        if other == chat || !is_in_turn(&agent.verdict.status) {
            continue;
        }
        let Some(at_work) = state.disk.chats.get(other) else {
            continue;
        };
        let writable = at_work
            .record
            .dirs
            .iter()
            .filter(|dir| dir.kind == Kind::Local && dir.mode == AreaMode::Rw);
        for dir in writable {
            let linked = Path::new(&dir.origin);
            if clones
                .iter()
                .any(|clone| linked.starts_with(clone) || clone.starts_with(linked))
            {
                let (name, handle) = (&at_work.record.name, &at_work.record.handle);
                let cause = format!("{name} is at work in {}, which would be put back beneath it", dir.name);
                let hint = format!(
                    "wait for it (`parlour wait {handle}`) or stop it (`parlour stop {handle}`), then do this again"
                );
                return Err(Problem::busy(doing, cause, hint));
            }
        }
    }
    Ok(())
}

fn is_in_turn(status: &Status) -> bool {
    match status {
        Status::Starting | Status::Running(_) | Status::Retrying(_) | Status::NeedsYou(_) => true,
        Status::Idle(_)
        | Status::Error(_)
        | Status::Limited(_)
        | Status::LoggedOut(_)
        | Status::Exited(_)
        | Status::Hibernated
        | Status::Unknown(_) => false,
    }
}
