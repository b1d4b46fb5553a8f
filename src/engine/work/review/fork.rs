//! A moment of a chat from which another one is made: the state of its clones then, and what was said until then.

use super::anew;
use super::clones::Review;
use super::talk::ToldPrompts;
use crate::engine::work::context::WorkContext;
use crate::engine::work::loading::loading;
use crate::fs::SafeName;
use crate::git::checkpoint::CheckedOut;
use crate::model::review::Point;
use crate::model::{Chat, ChatId, EarlierPrompt, Problem, ResultExt};

const DOING: &str = "forking a chat";

/// A moment to fork from.
pub struct ForkPoint {
    /// The checkpoint of then; none where the chat has none.
    pub checkpoint: Option<u64>,
    pub talk: ForkTalk,
}

/// What of the conversation comes along.
pub enum ForkTalk {
    /// All of it.
    Whole,
    Before {
        prompt: EarlierPrompt,
        /// The prompt in the transcript: the first entry that is left out.
        entry: u64,
    },
    /// Nothing, for this reason.
    Lost(String),
}

impl ForkPoint {
    pub fn find(context: &WorkContext, chat: &Chat, at: Point) -> Result<ForkPoint, Problem> {
        let lock = context.services.reviews.of(chat.id());
        let _alone = lock.lock();
        let review = Review::open(context, chat.id(), DOING)?;
        let told = ToldPrompts::read(context, &review.chat)?;
        let checkpoint = match at {
            Point::Prompt(seq) => told.checkpoint(seq, &review.known),
            Point::Turn(_) if !review.has_saved() => None,
            Point::Turn(_) | Point::Checkpoint(_) => Some(review.find(at, DOING)?),
        };
        let talk = match told.first(at, checkpoint) {
            Ok(None) => ForkTalk::Whole,
            Ok(Some(prompt)) => match told.as_earlier(prompt) {
                Some(earlier) => ForkTalk::Before {
                    prompt: earlier,
                    entry: prompt.seq,
                },
                None => ForkTalk::Whole,
            },
            Err(problem) if checkpoint.is_some() => ForkTalk::Lost(problem.cause.to_string()),
            Err(problem) => {
                let hint = "`parlour checkpoints CHAT` shows what there is to fork from";
                let doing = DOING.into();
                return Err(Problem { doing, ..problem }.hinted(hint));
            }
        };
        Ok(ForkPoint {
            checkpoint: checkpoint.map(|checkpoint| checkpoint.number),
            talk,
        })
    }
}

/// What a clone, or one that is gone, had checked out at a checkpoint. None if it had no git directory then, or was not there
/// yet: nothing can be made of that.
pub fn checked_out(
    context: &WorkContext,
    (from, number): (&ChatId, u64),
    name: &str,
) -> Result<Option<CheckedOut>, Problem> {
    let lock = context.services.reviews.of(from);
    let _alone = lock.lock();
    let original = Review::open(context, from, DOING)?;
    let clones = original.clones_and_gone(DOING)?;
    let Some(source) = clones.iter().find(|clone| clone.name == name) else {
        return Ok(None);
    };
    match original.saved(source, number, DOING)? {
        Some(then) => source.store.checked_out(&then).doing(DOING),
        None => Ok(None),
    }
}

/// Gives the new chat's clone `name` the state that the original's had at a checkpoint. Tells whether it had one: a clone
/// that came later stays as it was made.
pub fn bring(
    context: &WorkContext,
    (from, number): (&ChatId, u64),
    into: &ChatId,
    name: &SafeName,
) -> Result<bool, Problem> {
    let lock = context.services.reviews.of(from);
    let _alone = lock.lock();
    let original = Review::open(context, from, DOING)?;
    if let Some(why) = original.unsaved_at(number, name.as_str()) {
        let cause = format!("{} was not saved at checkpoint {number}: {why}", name.as_str());
        return Err(Problem::missing(DOING, cause, "fork from another checkpoint"));
    }
    let theirs = original.clones_and_gone(DOING)?;
    let new = Review::open(context, into, DOING)?;
    let ours = new.clones(DOING)?;
    let (Some(source), Some(clone)) = (
        theirs.iter().find(|clone| clone.name == name.as_str()),
        ours.iter().find(|clone| clone.name == name.as_str()),
    ) else {
        return Err(loading(into, "its clone is gone"));
    };
    let Some(then) = original.saved(source, number, DOING)? else {
        return Ok(false);
    };
    new.open_root(name.as_str());
    let brought = clone
        .store
        .bring(&clone.dir, (&source.store, &then), &new.options(u64::MAX, &[], true));
    anew::forbid_writing(context, into);
    brought.doing(DOING)?;
    Ok(true)
}
