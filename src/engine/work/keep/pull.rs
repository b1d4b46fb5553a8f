//! Pull requests for the branches of a chat's clones.

use crate::domain::work::KeepDone;
use crate::engine::work::context::WorkContext;
use crate::git::keep::{self, KnownPull, PullText};
use crate::model::keep::{PullRequest, PullWish};
use crate::model::{ChatId, Problem, ResultExt};

use super::clones::{Keeping, KeptClone};
use super::draft;

/// Pushes first: a forge knows only what it has.
pub fn open(
    context: &WorkContext,
    (id, project): (&ChatId, Option<&str>),
    wish: &PullWish,
) -> Result<KeepDone, Problem> {
    let doing = "opening a pull request";
    keep::check_forge(&context.services.git).doing(doing)?;
    let keeping = Keeping::open(context, id, doing)?;
    let draft = draft::pull(&context.services, &keeping.chat);
    let text = PullText {
        title: wish.title.as_deref().unwrap_or(&draft.title),
        body: wish.body.as_deref().unwrap_or(&draft.body),
        draft: wish.draft,
    };
    let pulls = keeping.each(
        project,
        |clone, tools| {
            let origin = keeping.origin(clone)?;
            keep::push(tools, &clone.files, &origin, false)?;
            Ok(told(clone, keep::open_pull(tools, &clone.files, &origin, &text)?))
        },
        |_| false,
    )?;
    Ok(KeepDone::Pulls(pulls))
}

pub fn status(context: &WorkContext, (id, project): (&ChatId, Option<&str>)) -> Result<KeepDone, Problem> {
    let keeping = Keeping::open(context, id, "asking for a pull request")?;
    let pulls = keeping.each(
        project,
        |clone, tools| {
            let pull = keep::view_pull(tools, &clone.files, &keeping.origin(clone)?)?;
            Ok(told(clone, pull))
        },
        |result| matches!(result, Err(keep::KeepError::NoPull { .. })),
    )?;
    Ok(KeepDone::Pulls(pulls))
}

fn told(clone: &KeptClone<'_>, pull: KnownPull) -> PullRequest {
    PullRequest {
        project: clone.directory.name.clone(),
        branch: pull.branch,
        number: pull.number,
        url: pull.url,
        title: pull.title,
        state: pull.state,
        checks: pull.checks,
    }
}
