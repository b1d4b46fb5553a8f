//! Which branches of one project conflict, over all chats.

use std::collections::BTreeMap;

use crate::domain::work::KeepDone;
use crate::engine::work::context::WorkContext;
use crate::engine::work::{clones, identity};
use crate::git::GitLimits;
use crate::git::keep::{self, BranchTip, KeepTools};
use crate::model::keep::{Collision, CollisionSide};
use crate::model::{ChatId, Kind, Problem, ResultExt};

const DOING: &str = "comparing branches";

/// A branch with the chat that holds it.
struct HeldBranch {
    chat: ChatId,
    side: CollisionSide,
    tip: BranchTip,
}

pub fn radar(context: &WorkContext, chat: Option<&ChatId>) -> Result<KeepDone, Problem> {
    let services = &context.services;
    let staging = services.home.dir().dir("staging").doing(DOING)?;
    let tools = KeepTools {
        program: &services.git,
        staging: &staging,
        limits: GitLimits::default(),
        progress: &|_| {},
        cancel: &context.cancel,
    };
    let mut all = Vec::new();
    for held in by_project(context)?.into_values().filter(|held| held.len() > 1) {
        let (held, tips): (Vec<_>, Vec<_>) = held.into_iter().map(|held| ((held.chat, held.side), held.tip)).unzip();
        for found in keep::collisions(&tools, &tips).doing(DOING)? {
            let (one, other) = (&held[found.sides.0], &held[found.sides.1]);
            if chat.is_none_or(|chat| one.0 == *chat || other.0 == *chat) {
                all.push(Collision {
                    sides: [one.1.clone(), other.1.clone()],
                    files: found.files,
                });
            }
        }
    }
    Ok(KeepDone::Collisions(all))
}

/// A chat or clone that cannot be read holds no branch.
fn by_project(context: &WorkContext) -> Result<BTreeMap<String, Vec<HeldBranch>>, Problem> {
    let services = &context.services;
    let mut projects: BTreeMap<String, Vec<HeldBranch>> = BTreeMap::new();
    for chat in services.home.list().doing(DOING)?.into_iter().flatten() {
        for directory in chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Git) {
            let Some(key) = identity::of(services, directory).into_iter().next() else {
                continue;
            };
            if clones::place(services, chat.id(), directory).is_err() {
                continue;
            }
            let files = services.projects_dir(chat.id()).doing(DOING)?.dir(&directory.name);
            let Some(tip) = files.ok().and_then(|files| keep::tip(&files).ok()) else {
                continue;
            };
            projects.entry(key).or_default().push(HeldBranch {
                chat: chat.id().clone(),
                side: CollisionSide {
                    chat: chat.record.handle.to_string(),
                    project: directory.name.clone(),
                    branch: tip.branch.clone(),
                },
                tip,
            });
        }
    }
    Ok(projects)
}
