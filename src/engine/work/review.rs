//! Checkpoints of all clones of a chat, what differs between them, and the way back.
//!
//! A chat's clones are saved, compared and restored one job at a time. A revert is written down before it begins; if a
//! kill cuts it off, the next job of that chat, or the next start of its agent, ends it ([`under_way`]).

mod anew;
mod attempt;
mod clones;
mod detail;
mod diff;
mod ended;
mod file;
mod fork;
mod left;
mod opinion;
mod origin;
mod own_rewind;
mod pick;
mod places;
mod points;
mod remark;
mod revert;
mod reviewed;
mod saving;
mod sent;
mod take;
mod talk;
mod thin;
mod under_way;
mod way_back;

use parking_lot::MutexGuard;

use self::clones::Review;
use crate::domain::work::{ReviewDone, ReviewWork};
use crate::model::{ChatId, Problem};

use super::context::WorkContext;

pub use clones::{LARGEST, PROMPT};
pub use diff::{diff, overview};
pub use fork::{ForkPoint, ForkTalk, bring, checked_out};
pub use take::take_alone;
pub use under_way::{begin_change, settle};

/// Ends what a job that failed has left under way. The caller has the chat's clones alone.
pub fn end_change(context: &WorkContext, id: &ChatId, _alone: &MutexGuard<'_, ()>) -> Result<(), Problem> {
    under_way::finish(&mut Review::open(context, id, "calling off what was cut off")?)
}

/// As [`end_change`], before the clones are worked on. Whoever does that needs some.
pub fn ready(context: &WorkContext, id: &ChatId, doing: &str, _alone: &MutexGuard<'_, ()>) -> Result<(), Problem> {
    let mut review = Review::open(context, id, doing)?;
    under_way::finish(&mut review)?;
    review.some_clones(doing)?;
    Ok(())
}

/// The commit that a clone was on when it was first saved, as far as that is known. The caller has the chat's clones alone.
pub fn first_commit(context: &WorkContext, chat: &ChatId, project: &str) -> Option<String> {
    const DOING: &str = "looking for where the work began";
    let review = Review::open(context, chat, DOING).ok()?;
    let clones = review.clones(DOING).ok()?;
    let clone = clones.iter().find(|clone| clone.name == project)?;
    clone.store.first_commit().ok()?
}

pub fn carry_out(context: &WorkContext, work: ReviewWork) -> Result<ReviewDone, Problem> {
    match work {
        ReviewWork::Take { chat, cause, prompt } => {
            let kept = take::take(context, &chat, cause, &prompt)?;
            Ok(ReviewDone::Taken(chat, kept))
        }
        ReviewWork::Prepare(chat) => {
            take::prepare(context, &chat)?;
            Ok(ReviewDone::Prepared)
        }
        ReviewWork::Rest { chat, at } => {
            left::keep(context, &chat, at)?;
            Ok(ReviewDone::Prepared)
        }
        ReviewWork::MarkReviewed { chat, up_to } => {
            let kept = reviewed::mark(context, &chat, up_to)?;
            Ok(ReviewDone::MarkedReviewed(chat, kept))
        }
        ReviewWork::UnmarkReviewed(chat, number) => {
            let before = reviewed::take_back(context, &chat, number)?;
            Ok(ReviewDone::UnmarkedReviewed(chat, before))
        }
        ReviewWork::List(chat) => points::list(&context.services, &chat).map(ReviewDone::Listed),
        ReviewWork::Points(chat) => {
            let list = points::list(&context.services, &chat)?;
            Ok(ReviewDone::Points(chat, list))
        }
        ReviewWork::Thin(chats) => Ok(ReviewDone::Thinned(thin::thin(context, chats))),
        ReviewWork::Costs(chats) => Ok(ReviewDone::Costs(points::costs(&context.services, chats))),
        ReviewWork::Diff(chat, ask) => diff::diff(context, &chat, &ask),
        ReviewWork::Overview(chat, set) => diff::overview(context, &chat, set),
        ReviewWork::File(chat, ask) => file::file(context, &chat, &ask),
        ReviewWork::Plan { chat, back, env } => revert::plan(context, &chat, &back, &env),
        ReviewWork::Check { chat, back, env } => revert::check(context, &chat, &back, &env),
        ReviewWork::Revert { chat, back, env } => revert::revert(context, &chat, &back, &env),
        ReviewWork::Follow(chat, rewind) => own_rewind::follow(context, &chat, &rewind).map(ReviewDone::Followed),
        ReviewWork::Detail(chat, work) => detail::detail(context, &chat, work),
        ReviewWork::Opinion { of, set, new } => opinion::make(context, &of, set, &new),
        ReviewWork::Finding(reviewer, finding) => opinion::remark(context, &reviewer, finding),
        ReviewWork::Remark(chat, work) => remark::carry_out(context, &chat, work),
        ReviewWork::Pick(chat, act, pick) => pick::pick(context, &chat, act, pick),
        ReviewWork::PickSeveral(chat, act, picks) => pick::pick_several(context, &chat, act, &picks),
        ReviewWork::BringBack(chat, picks) => pick::bring_back(context, &chat, &picks),
    }
}
