//! Sends the branches of a chat's clones to their remotes, or home.

use std::collections::BTreeMap;
use std::path::Path;

use crate::domain::work::{KeepDone, ReviewDone};
use crate::engine::work::context::WorkContext;
use crate::engine::work::review;
use crate::git::keep::{self, BroughtBefore, HomeWish, KeepError};
use crate::model::keep::{BroughtHome, Pushed, of_way_home};
use crate::model::review::{Changes, DiffSet, FileKind};
use crate::model::text::visible;
use crate::model::{ChatId, Problem};
use crate::store::BroughtBranch;

use super::clones::Keeping;
use super::draft;

pub fn push(context: &WorkContext, (id, project): (&ChatId, Option<&str>), lease: bool) -> Result<KeepDone, Problem> {
    let keeping = Keeping::open(context, id, "pushing")?;
    let mut pushed = keeping.each(
        project,
        |clone, tools| {
            let pushed = keep::push(tools, &clone.files, &keeping.origin(clone)?, lease)?;
            Ok(Pushed {
                project: clone.directory.name.clone(),
                branch: pushed.branch,
                remote: pushed.remote,
                commit: pushed.commit.to_string(),
                up_to_date: pushed.up_to_date,
                untold: pushed.untold,
                uncommitted: 0,
            })
        },
        |pushed| matches!(pushed, Err(KeepError::NoRemote { .. })),
    )?;
    let left = left_behind(context, id);
    for pushed in &mut pushed {
        pushed.uncommitted = left.get(&pushed.project).copied().unwrap_or_default();
    }
    Ok(KeepDone::Pushed(pushed))
}

/// Files of each clone that are not committed. An agent seldom commits, so a branch that was sent may have none of its work.
fn left_behind(context: &WorkContext, id: &ChatId) -> BTreeMap<String, usize> {
    match review::overview(context, id, DiffSet::Uncommitted) {
        Ok(ReviewDone::Overview(_, overview)) => {
            let changes = overview.changes.into_iter();
            let files = |clone: &Changes| {
                let files = clone.files.iter().filter(|file| file.kind != FileKind::Submodule);
                files.count()
            };
            changes.map(|clone| (clone.project.clone(), files(&clone))).collect()
        }
        // What was sent is sent.
        Ok(_) | Err(_) => BTreeMap::new(),
    }
}

/// A branch that is checked out there gets the name that it had there the last time, else the one that the screen proposes
/// too. Nobody has seen it here, and an agent may call its chat as it likes: so a branch of that name that is a person's own
/// stays where it is.
pub fn bring_home(
    context: &WorkContext,
    (id, project): (&ChatId, Option<&str>),
    (name, checkout): (Option<&str>, bool),
) -> Result<KeepDone, Problem> {
    let keeping = Keeping::open(context, id, "bringing the branch home")?;
    let mut home = keeping.each(
        project,
        |clone, tools| {
            let into = match clone.directory.source().map(Path::to_path_buf) {
                Some(path) if path.is_dir() => path,
                gone => {
                    let is_gone = gone.is_some();
                    let origin = gone.map(|path| path.to_string_lossy().into_owned());
                    let origin = visible(&origin.unwrap_or_else(|| clone.directory.origin.clone()));
                    return Err(KeepError::NoHome { origin, is_gone });
                }
            };
            let store = &context.services.home;
            let own = keep::tip(&clone.files)?.branch;
            let last = store.brought(id, &clone.directory.name).unwrap_or_default();
            let last = last.filter(|last| last.own == own);
            let made = last.as_ref().filter(|last| last.made);
            let brought = made.map(|last| BroughtBefore {
                branch: &last.branch,
                commit: &last.commit,
            });
            let by = |name| {
                let wish = HomeWish {
                    name,
                    checkout,
                    brought,
                };
                keep::bring_home(tools, &clone.files, &into, wish)
            };
            let home = match by(name) {
                Err(held @ KeepError::CheckedOutThere { .. }) if name.is_none() && !checkout => {
                    let is_held = |branch: &str| keep::is_checked_out_home(&into, branch);
                    let known = last.as_ref().map(|last| last.branch.clone());
                    let known = known.filter(|branch| !is_held(branch));
                    let name = known.clone().unwrap_or_else(|| draft::name_at_home(&keeping.chat));
                    let started = review::first_commit(context, id, &clone.directory.name);
                    let is_free = keep::is_free_at_home(tools, &clone.files, &into, &name, started.as_deref())?;
                    let is_ours = keep::is_at_home(&into, brought)?;
                    match (is_free, known) {
                        (true, _) => by(Some(&name))?,
                        (false, Some(_)) if is_ours => by(Some(&name))?,
                        (false, Some(branch)) => return Err(KeepError::Diverged { branch, into }),
                        (false, None) => return Err(held),
                    }
                }
                reached => reached?,
            };
            let hooks = match home.from == Some(home.commit) && !home.checked_out {
                true => Vec::new(),
                false => of_way_home(&keep::skipped_at_home(&into), home.checked_out),
            };
            let is_same = |last: &&BroughtBranch| last.branch == home.branch;
            // Whoever moved it since may have put commits of their own there.
            let from = home.from.map(|from| from.to_string());
            let is_left = |last: &BroughtBranch| last.made && from.as_ref() == Some(&last.commit);
            let was_made = last.as_ref().filter(is_same).is_some_and(is_left);
            let last = BroughtBranch {
                branch: home.branch.clone(),
                own,
                commit: home.commit.to_string(),
                made: home.from.is_none() || was_made,
            };
            // It is there: what is not noted is asked about the next time.
            if let Err(error) = store.keep_brought(id, &clone.directory.name, last) {
                tracing::warn!("{id}: what was brought home can't be noted: {error}");
            }
            Ok(BroughtHome {
                skipped_hooks: hooks,
                project: clone.directory.name.clone(),
                branch: home.branch,
                into,
                from: home.from.map(|from| from.to_string()),
                commit: home.commit.to_string(),
                checked_out: home.checked_out,
                replaced: home.replaced,
                uncommitted: 0,
            })
        },
        |_| false,
    )?;
    let left = left_behind(context, id);
    for home in &mut home {
        home.uncommitted = left.get(&home.project).copied().unwrap_or_default();
    }
    Ok(KeepDone::Home(home))
}
