//! What a turn had changed when it ended, and what was changed after it: by a person, or by what it left running.

use crate::engine::prepared::RestedClones;
use crate::git::checkpoint::SavedFiles;
use crate::model::lineage;
use crate::model::review::{Amount, Cause, Checkpoint, EndedTurn};
use crate::model::{Problem, ResultExt};

use super::clones::{Review, Reviewed};

const DOING: &str = "looking at the clones after a turn";

/// How the turn that began with checkpoint `turn` left its clones, if that is known: also from before the engine's start.
pub fn rested(review: &Review<'_>, turn: u64) -> Option<RestedClones> {
    let (services, id) = (&review.context.services, review.chat.id());
    if let Some(rested) = services.prepared.rested(id, turn) {
        return Some(rested);
    }
    let trees = services.home.rested(id, turn).ok()??;
    let clones = review.clones(DOING).ok()?;
    let known = clones.into_iter().filter_map(|clone| {
        let files = clone.store.files_of(trees.get(&clone.name)?);
        Some(files.ok().map(|files| (clone.name, files)))
    });
    // One that is forgotten would be taken for what it is now.
    let rested: RestedClones = known.collect::<Option<_>>()?;
    services.prepared.rests(id, turn, rested.clone());
    Some(rested)
}

/// The beginning of the last turn, unless the clones were restored since: what they are now is not what it left.
pub fn under_way<'r>(review: &'r Review<'_>) -> Option<&'r Checkpoint> {
    let last = review.known.iter().rfind(|checkpoint| checkpoint.ends_turn());
    last.filter(|checkpoint| checkpoint.turn.is_some())
}

/// The beginning of the last turn, if how it left the clones can be told from what they are now: nothing was restored since,
/// or what was there after its end.
pub fn last_told<'r>(review: &'r Review<'_>) -> Option<&'r Checkpoint> {
    let last = review.known.iter().rfind(|checkpoint| checkpoint.ends_turn())?;
    let (Cause::Revert(to) | Cause::Undo(to)) = last.cause else {
        return under_way(review);
    };
    let turn = lineage::last_turn(&review.known)?;
    let home = &review.context.services.home;
    let newest = home.newest_as_it_rested(review.chat.id(), turn.number).ok()??;
    (to > newest).then_some(turn)
}

pub fn now(review: &Review<'_>, clone: &Reviewed) -> Result<SavedFiles, Problem> {
    let options = review.options(u64::MAX, &[], true);
    Ok(clone.store.now(&clone.dir, &options).doing(DOING)?.files())
}

/// How the last turn ended, if that is known and something changed since: up to what `then` says of each clone.
pub fn end(
    review: &Review<'_>,
    then: impl Fn(&Reviewed) -> Result<Option<SavedFiles>, Problem>,
) -> Result<Option<EndedTurn>, Problem> {
    let Some(turn) = last_told(review) else {
        return Ok(None);
    };
    let Some(rested) = rested(review, turn.number) else {
        return Ok(None);
    };
    let mut end = EndedTurn::default();
    for clone in review.clones(DOING)? {
        let (Some(rest), Some(then)) = (rested.get(&clone.name), then(&clone)?) else {
            continue;
        };
        let began = review.saved(&clone, turn.number, DOING)?.map(|began| began.files());
        end.own = end.own + amount(&clone, began, *rest)?;
        end.after = end.after + amount(&clone, Some(*rest), then)?;
    }
    Ok(Some(end).filter(|end| end.after.files > 0))
}

/// How the last turn ended that the clones have, if something changed since. What a revert took back, and did itself, is
/// none of it.
pub fn of_last(review: &Review<'_>) -> Result<Option<EndedTurn>, Problem> {
    let last = review.known.iter().rfind(|checkpoint| checkpoint.ends_turn());
    let restored = match last.map(|last| last.cause) {
        Some(Cause::Revert(to) | Cause::Undo(to)) if last_told(review).is_none() => Some(to),
        Some(_) | None => None,
    };
    let (Some(to), Some(turn)) = (restored, lineage::last_turn(&review.known)) else {
        return end(review, |clone| now(review, clone).map(Some));
    };
    let known = review.known.iter().find(|checkpoint| checkpoint.number == to);
    let known = known.and_then(|restored| restored.ended);
    let mut end = known.unwrap_or_default();
    for clone in review.clones(DOING)? {
        let files = |number| Ok::<_, Problem>(review.was(&clone, number, DOING)?.map(|saved| saved.files()));
        let Some(restored) = files(to)? else {
            continue;
        };
        if known.is_none() {
            end.own = end.own + amount(&clone, files(turn.number)?, restored)?;
        }
        end.after = end.after + amount(&clone, Some(restored), now(review, &clone)?)?;
    }
    Ok(Some(end).filter(|end| end.after.files > 0))
}

fn amount(clone: &Reviewed, from: Option<SavedFiles>, to: SavedFiles) -> Result<Amount, Problem> {
    Ok(Amount::of(&clone.store.changes(from, to).doing(DOING)?))
}
