//! How a turn left its clones, as a checkpoint of its own: a person's editor, or a command that they run in the agent's
//! terminal, may change them before the next prompt is told.
//!
//! They are saved as the turn ends, under the next number, which is not in the list yet. The next checkpoint compares: if
//! nothing was changed it is made of what was saved then, else the list tells first of that.

use crate::engine::clock;
use crate::engine::prepared::{RestedClones, SavedClones};
use crate::git::checkpoint::saved_at;
use crate::model::review::{Amount, Cause, Checkpoint};
use crate::model::{Problem, ResultExt};

use super::clones::{Review, Reviewed};
use super::{ended, take};

const DOING: &str = "saving how a turn left the clones";

/// Saves the clones as a turn leaves them, and tells their files.
pub fn save(review: &Review<'_>, clones: &[Reviewed]) -> Result<RestedClones, Problem> {
    let number = review.next();
    let saved = take::save(review, clones, number);
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
    let Some((turn, left)) = left(review, clones, number)? else {
        return Ok((number, take::save(review, clones, number)));
    };
    let saved = take::save(review, clones, number + 1);
    if saved.changed.is_empty() && saved.unsaved.is_empty() {
        let SavedClones { left_out, commits, .. } = saved;
        return Ok((
            number,
            SavedClones {
                left_out,
                commits,
                ..left
            },
        ));
    }
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
    review.add(checkpoint, DOING)?;
    Ok((number + 1, saved))
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
