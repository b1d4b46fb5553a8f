//! Which branches of one project conflict, over all chats.

use std::collections::BTreeMap;

use crate::domain::work::{HeldClone, KeepDone, RadarScope};
use crate::engine::work::context::WorkContext;
use crate::engine::work::{clones, identity};
use crate::git::GitLimits;
use crate::git::keep::{self, BranchTip, KeepTools};
use crate::model::keep::{Collision, CollisionSide};
use crate::model::{Problem, ResultExt};

const DOING: &str = "comparing branches";

pub fn radar(context: &WorkContext, scope: &RadarScope, clones: Vec<HeldClone>) -> Result<KeepDone, Problem> {
    let mut all = Vec::new();
    for clones in by_project(context, clones).into_values() {
        if clones.len() < 2 || !clones.iter().any(|held| scope.has(&held.chat)) {
            continue;
        }
        match (of_project(context, scope, clones), scope) {
            (Ok(found), _) => all.extend(found),
            (Err(problem), RadarScope::Changed(_)) => tracing::warn!("{problem}"),
            (Err(problem), RadarScope::All | RadarScope::Chat(_)) => return Err(problem),
        }
    }
    Ok(KeepDone::Collisions(all))
}

fn by_project(context: &WorkContext, clones: Vec<HeldClone>) -> BTreeMap<String, Vec<HeldClone>> {
    let mut keys: BTreeMap<(String, String), Option<String>> = BTreeMap::new();
    let mut projects: BTreeMap<String, Vec<HeldClone>> = BTreeMap::new();
    for held in clones {
        let dir = &held.directory;
        let named = (dir.identity().to_owned(), dir.origin.clone());
        let key = keys
            .entry(named)
            .or_insert_with(|| identity::of(&context.services, dir).into_iter().next());
        if let Some(key) = key {
            projects.entry(key.clone()).or_default().push(held);
        }
    }
    projects
}

fn of_project(context: &WorkContext, scope: &RadarScope, clones: Vec<HeldClone>) -> Result<Vec<Collision>, Problem> {
    let services = &context.services;
    let staging = services.home.dir().dir("staging").doing(DOING)?;
    let tools = KeepTools {
        program: &services.git,
        staging: &staging,
        limits: GitLimits::default(),
        progress: &|_| {},
        cancel: &context.cancel,
    };
    let standing = clones
        .into_iter()
        .filter_map(|held| tip(context, &held).map(|tip| (held, tip)));
    let (clones, tips): (Vec<_>, Vec<_>) = standing.unzip();
    let side = |at: usize| CollisionSide {
        id: clones[at].chat.clone(),
        chat: clones[at].handle.clone(),
        project: clones[at].directory.name.clone(),
        branch: tips[at].branch.clone(),
    };
    let found = keep::collisions(&tools, &tips, |at| scope.has(&clones[at].chat)).doing(DOING)?;
    let found = found.into_iter().map(|one| Collision {
        sides: [side(one.sides.0), side(one.sides.1)],
        files: one.files,
    });
    Ok(found.collect())
}

/// A clone that is gone, or cannot be read, holds no branch.
fn tip(context: &WorkContext, held: &HeldClone) -> Option<BranchTip> {
    let services = &context.services;
    clones::place(services, &held.chat, &held.directory).ok()?;
    let files = services.projects_dir(&held.chat).ok()?.dir(&held.directory.name);
    keep::tip(&files.ok()?).ok()
}
