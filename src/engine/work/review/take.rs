//! Taking and listing checkpoints.

use parking_lot::MutexGuard;

use crate::engine::clock::now;
use crate::engine::prepared::SavedClones;
use crate::model::review::{Cause, Checkpoint, EndedTurn, KeptCheckpoint};
use crate::model::text::{one_line, visible};
use crate::model::{ChatId, Happened, Problem, ResultExt};

use super::clones::{PROMPT, Review, Reviewed};
use super::{ended, left, under_way};
use crate::engine::work::context::WorkContext;

pub fn take(context: &WorkContext, id: &ChatId, cause: Cause, prompt: &str) -> Result<KeptCheckpoint, Problem> {
    take_for(context, id, (cause, prompt), None)
}

/// As [`take`], before something is done in this clone. Whether the others can be saved is not its concern.
pub fn take_before(context: &WorkContext, id: &ChatId, cause: Cause, project: &str) -> Result<KeptCheckpoint, Problem> {
    take_for(context, id, (cause, ""), Some(project))
}

fn take_for(
    context: &WorkContext,
    id: &ChatId,
    why: (Cause, &str),
    project: Option<&str>,
) -> Result<KeptCheckpoint, Problem> {
    let lock = context.services.reviews.of(id);
    let alone = lock.lock();
    take_alone(context, id, why, project, &alone)
}

/// Takes one for whoever has the chat's clones alone already, and goes on with them: with all, or with one alone.
pub fn take_alone(
    context: &WorkContext,
    id: &ChatId,
    (cause, prompt): (Cause, &str),
    project: Option<&str>,
    _alone: &MutexGuard<'_, ()>,
) -> Result<KeptCheckpoint, Problem> {
    let doing = "taking a checkpoint";
    let mut review = Review::open(context, id, doing)?;
    under_way::finish(&mut review)?;
    // What the agent has done since the prompt was entered is not what its turn found.
    let prepared = context.services.prepared.claim(id, review.next(), now());
    let begins_turn = cause == Cause::Turn && !prompt.is_empty();
    let (number, saved) = match prepared.filter(|_| begins_turn) {
        Some(saved) => (review.next(), saved),
        None => {
            let clones = match cause {
                Cause::Asked | Cause::Discard | Cause::Take => review.some_clones(doing)?,
                Cause::Turn
                | Cause::Ended(_)
                | Cause::Opened
                | Cause::Revert(_)
                | Cause::Undo(_)
                | Cause::CutOff
                | Cause::Unread => review.clones(doing)?,
            };
            left::save_apart(&mut review, &clones)?
        }
    };
    let SavedClones {
        changed,
        amount,
        left_out,
        unsaved,
        commits,
    } = saved;
    let is_new = !changed.is_empty() || review.known.is_empty();
    // Enter in a terminal may have been anything: without a change it is no turn.
    let may_be_none =
        matches!(cause, Cause::Asked | Cause::Discard | Cause::Take) || cause == Cause::Turn && prompt.is_empty();
    // Whoever asked relies on it.
    let relies = matches!(cause, Cause::Asked | Cause::Discard | Cause::Take);
    let is_meant = |clone: &str| relies && project.is_none_or(|project| clone == project);
    let unsaved = unsaved.into_iter().find(|(clone, _)| is_meant(clone));
    let unsaved = unsaved.map(|(_, problem)| problem);
    if let (Some(unsaved), false) = (&unsaved, is_new) {
        return Err(unsaved.clone());
    }
    // What is done next is looked for under its own name, not under whatever was saved before.
    let is_named = |last: &Checkpoint| last.cause == cause && last.prompt == prompt;
    let stands_for_it = |last: &&Checkpoint| prompt.is_empty() || is_named(last);
    if !is_new
        && may_be_none
        && let Some(last) = review.known.last().filter(stands_for_it)
    {
        return Ok(KeptCheckpoint {
            checkpoint: last.clone(),
            new: false,
            commits,
        });
    }
    let ended = match cause {
        Cause::Turn => end_of_last(&review, number),
        Cause::Asked
        | Cause::Discard
        | Cause::Take
        | Cause::Ended(_)
        | Cause::Opened
        | Cause::Revert(_)
        | Cause::Undo(_)
        | Cause::CutOff
        | Cause::Unread => None,
    };
    let turns = review
        .known
        .iter()
        .filter_map(|checkpoint| checkpoint.turn)
        .max()
        .unwrap_or(0);
    let checkpoint = Checkpoint {
        v: 1,
        number,
        at: now(),
        cause,
        turn: (cause == Cause::Turn).then_some(turns + 1),
        prompt: one_line(prompt, PROMPT),
        changed,
        amount,
        left_out,
        replaced: None,
        ended,
    };
    tell_unsaved(&review, &checkpoint);
    review.add(checkpoint.clone(), doing)?;
    if let Some(unsaved) = unsaved {
        return Err(unsaved);
    }
    Ok(KeptCheckpoint {
        checkpoint,
        new: is_new,
        commits,
    })
}

/// How the turn before had ended, of which this checkpoint is the end. It is told beside that, which does not fail for it.
pub fn end_of_last(review: &Review<'_>, number: u64) -> Option<EndedTurn> {
    let saved = |clone: &Reviewed| Ok(clone.store.at(number).doing("comparing")?.map(|saved| saved.files()));
    ended::end(review, saved).unwrap_or_else(|problem| {
        tracing::debug!("{}: {problem}", review.chat.id());
        None
    })
}

/// What is done from now on in a clone that could not be saved cannot be taken back. It is said once, not at each turn.
fn tell_unsaved(review: &Review<'_>, checkpoint: &Checkpoint) {
    for out in checkpoint.unsaved() {
        let is_known = |last: &Checkpoint| last.unsaved().any(|before| before == out);
        if review.known.last().is_some_and(is_known) {
            continue;
        }
        let project = visible(&out.project);
        let text = format!(
            "Checkpoint {} is without {project}, which could not be saved: {}. Nothing brings back what is changed there now.",
            checkpoint.number, out.why
        );
        let chat = review.chat.id();
        tracing::warn!("{chat}: {text}");
        review.context.journals.tell(chat, Happened::Note { text });
    }
}

/// Saves the clones for the turn of a prompt that was just entered, in case its CLI tells of it late.
pub fn prepare(context: &WorkContext, id: &ChatId) -> Result<(), Problem> {
    let doing = "saving the clones before a turn";
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let at = now();
    let mut review = Review::open(context, id, doing)?;
    under_way::finish(&mut review)?;
    let clones = review.clones(doing)?;
    let (number, saved) = left::save_apart(&mut review, &clones)?;
    context.services.prepared.keep(id, number, at, saved);
    Ok(())
}
