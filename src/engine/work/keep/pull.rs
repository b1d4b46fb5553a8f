//! Pull requests for the branches of a chat's clones.

use std::collections::BTreeMap;

use crate::domain::work::KeepDone;
use crate::engine::work::context::WorkContext;
use crate::git::keep::{self, KeepError, KnownPull, PullText};
use crate::model::keep::{PullRequest, PullWish, SeenPulls};
use crate::model::secret::without_secrets;
use crate::model::{ChatId, Kind, Problem, ResultExt};

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
    let title = without_secrets(wish.title.as_deref().unwrap_or(&draft.title));
    let body = without_secrets(wish.body.as_deref().unwrap_or(&draft.body));
    let text = PullText {
        title: &title,
        body: &body,
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
    let pulls = keeping.beside_others(
        project,
        |clone, tools| {
            let pull = keep::view_pull(tools, &clone.files, &keeping.origin(clone)?)?;
            Ok(told(clone, pull))
        },
        |result| matches!(result, Err(keep::KeepError::NoPull { .. })),
    )?;
    Ok(KeepDone::Pulls(pulls))
}

/// Without a person's word: what cannot be learned is left out, and is no failure.
pub fn see(context: &WorkContext, id: &ChatId) -> Result<KeepDone, Problem> {
    if keep::check_forge(&context.services.git).is_err() {
        return Ok(KeepDone::Seen(SeenPulls::NoForge));
    }
    let keeping = Keeping::open(context, id, "asking for a pull request")?;
    let clones = keeping.chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Git);
    let mut seen = BTreeMap::new();
    for dir in clones {
        let asked = keeping.beside_others(
            Some(&dir.name),
            |clone, tools| match keep::view_pull(tools, &clone.files, &keeping.origin(clone)?) {
                Ok(pull) => Ok(Some(told(clone, pull))),
                Err(KeepError::NoPull { .. }) => Ok(None),
                Err(error) => Err(error),
            },
            |_| false,
        );
        match asked {
            Ok(pulls) => drop(seen.insert(dir.name.clone(), pulls.into_iter().flatten().next())),
            Err(problem) => tracing::debug!("{problem}"),
        }
    }
    Ok(KeepDone::Seen(SeenPulls::Of(seen)))
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
