//! How a turn left its clones, as a checkpoint of its own: a person's editor, or a command that they run in the agent's
//! terminal, may change them before the next prompt is told.
//!
//! They are saved as the turn ends, under the next number, which is not in the list yet. The next checkpoint compares: if
//! files were changed since, the list tells first of that; else it takes that number itself.

use crate::engine::clock;
use crate::engine::prepared::{RestedClones, SavedClones};
use crate::engine::work::context::WorkContext;
use crate::git::checkpoint::saved_at;
use crate::model::review::{Amount, Cause, Checkpoint};
use crate::model::{ChatId, Problem, ResultExt, Timestamp};

use super::clones::{Review, Reviewed};
use super::{ended, saving};

const DOING: &str = "saving how a turn left the clones";

/// Keeps in mind what the clones are as the last turn ends, unless another has begun since.
pub fn keep(context: &WorkContext, id: &ChatId, at: Timestamp) -> Result<(), Problem> {
    let lock = context.services.reviews.of(id);
    let _alone = lock.lock();
    let review = Review::open(context, id, DOING)?;
    let Some(turn) = ended::under_way(&review).filter(|turn| turn.at <= at) else {
        return Ok(());
    };
    let clones = review.clones(DOING)?;
    // What was saved for a turn that may have begun meanwhile stays as it is.
    let files = match context.services.prepared.is_entered(id, review.next(), clock::now()) {
        true => look(&review, &clones)?,
        false => save(&review, &clones)?,
    };
    let trees = files
        .iter()
        .map(|(clone, files)| (clone.clone(), files.tree()))
        .collect();
    context.services.prepared.rests(id, turn.number, files);
    let newest = review.known.last().map(|checkpoint| checkpoint.number);
    let home = &context.services.home;
    home.set_rested(id, (turn.number, newest), trees).doing(DOING)
}

fn look(review: &Review<'_>, clones: &[Reviewed]) -> Result<RestedClones, Problem> {
    let looked = clones
        .iter()
        .map(|clone| Ok((clone.name.clone(), ended::now(review, clone)?)));
    looked.collect()
}

/// Saves the clones as a turn leaves them, and tells their files.
fn save(review: &Review<'_>, clones: &[Reviewed]) -> Result<RestedClones, Problem> {
    let number = review.next();
    let saved = saving::save(review, clones, number);
    if let Some((_, problem)) = saved.unsaved.into_iter().next() {
        return Err(problem);
    }
    let mut files = RestedClones::new();
    for clone in clones {
        if let Some(saved) = clone.store.at(number).doing(DOING)? {
            files.insert(clone.name.clone(), saved.files());
        }
    }
    Ok(files)
}

/// Saves the clones as they are under the next number, which is told. If the last turn had left them in another state, the
/// list has that before it.
pub fn save_apart(review: &mut Review<'_>, clones: &[Reviewed]) -> Result<(u64, SavedClones), Problem> {
    let number = review.next();
    let left = left(review, clones, number)?.filter(|_| has_changed(review, clones, number));
    let Some((turn, left)) = left else {
        return Ok((number, saving::save(review, clones, number)));
    };
    let at = left
        .changed
        .first()
        .and_then(|clone| saved_at(review.checkpoints.dir(), clone, number));
    let checkpoint = Checkpoint {
        v: 1,
        number,
        at: at.map_or_else(clock::now, clock::of),
        cause: Cause::Ended(turn),
        turn: None,
        prompt: String::new(),
        changed: left.changed,
        amount: left.amount,
        left_out: Vec::new(),
        replaced: None,
        ended: None,
    };
    // In the list before the next is saved: of two that are in no list a kill would leave damage.
    review.add(checkpoint, DOING)?;
    Ok((number + 1, saving::save(review, clones, number + 1)))
}

/// Whether files of these clones are others than those saved under this number. One that cannot be looked at is no reason
/// to keep apart what the others are.
fn has_changed(review: &Review<'_>, clones: &[Reviewed], number: u64) -> bool {
    let differs = |clone: &Reviewed| {
        let left = clone.store.at(number).ok().flatten().map(|left| left.files());
        let now = ended::now(review, clone).ok();
        now.is_some() && left != now
    };
    clones.iter().any(differs)
}

/// As [`save_apart`], for whoever saves them in another way.
pub fn keep_apart(review: &mut Review<'_>) -> Result<(), Problem> {
    let clones = review.clones(DOING)?;
    save_apart(review, &clones)?;
    Ok(())
}

/// What the last turn changed, if that is saved under this number and not in the list yet.
fn left(review: &Review<'_>, clones: &[Reviewed], number: u64) -> Result<Option<(u32, SavedClones)>, Problem> {
    let Some((begin, turn)) = ended::under_way(review).and_then(|begin| Some((begin.number, begin.turn?))) else {
        return Ok(None);
    };
    let Some(rested) = ended::rested(review, begin).filter(|_| kept(review, begin).is_none()) else {
        return Ok(None);
    };
    let mut left = SavedClones::default();
    for clone in clones {
        let Some(saved) = clone.store.snapshot(number).doing(DOING)? else {
            continue;
        };
        // It may also be left of a checkpoint that came to no end.
        if rested.get(&clone.name) != Some(&saved.files()) {
            return Ok(None);
        }
        let before = clone.store.at(number - 1).doing(DOING)?.map(|before| before.files());
        let amount = match before {
            Some(_) => Amount::of(&clone.store.changes(before, saved.files()).doing(DOING)?),
            None => Amount::default(),
        };
        left.amount = left.amount + amount;
        left.changed.push(clone.name.clone());
    }
    Ok((!left.changed.is_empty()).then_some((turn, left)))
}

/// How the turn that began with this checkpoint left the clones, where the list has that apart.
pub fn kept<'r>(review: &'r Review<'_>, begin: u64) -> Option<&'r Checkpoint> {
    let later = review.known.iter().filter(|known| known.number > begin);
    let mut of_turn = later.take_while(|known| !known.ends_turn());
    of_turn.find(|known| matches!(known.cause, Cause::Ended(_)))
}
