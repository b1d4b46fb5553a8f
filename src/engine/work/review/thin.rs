//! Thins out the checkpoints of chats, beside their agents: whoever needs a chat's stores meanwhile gets them at once.

use std::collections::BTreeSet;

use crate::engine::clock::now;
use crate::engine::work::context::WorkContext;
use crate::engine::work::trash;
use crate::git::CancelFlag;
use crate::git::checkpoint::saved_numbers;
use crate::model::keeping;
use crate::model::review::{Cause, Checkpoint};
use crate::model::{ChatId, Problem, ResultExt};

use super::clones::Review;

/// Somebody else came in the middle so often: the rest has time until the next day.
const TRIES: usize = 5;

/// Says of which chats some were forgotten.
pub fn thin(context: &WorkContext, chats: Vec<ChatId>) -> Vec<ChatId> {
    let mut thinned = Vec::new();
    if !trash::believes_clock(&context.services) {
        return thinned;
    }
    for chat in chats {
        match thin_chat(context, &chat) {
            Ok(true) => thinned.push(chat),
            Ok(false) => {}
            Err(problem) => tracing::warn!("{chat}: old checkpoints stay: {problem}"),
        }
    }
    thinned
}

fn thin_chat(context: &WorkContext, chat: &ChatId) -> Result<bool, Problem> {
    if context.services.home.folder_of_checkpoints(chat).is_none() {
        return Ok(false);
    }
    let mut any = false;
    for _ in 0..TRIES {
        let (lock, gives_way) = context.services.reviews.beside_others(chat);
        let alone = lock.lock();
        let tried = thin_now(context, chat, &gives_way);
        drop(alone);
        match tried {
            Ok(forgot) => return Ok(any || forgot),
            // The list is thinned already; some room is still to be given back.
            Err(_) if gives_way.is_set() => any = true,
            Err(problem) => return Err(problem),
        }
    }
    Ok(any)
}

/// The list first: what it does not name is needed by nobody.
fn thin_now(context: &WorkContext, chat: &ChatId, gives_way: &CancelFlag) -> Result<bool, Problem> {
    let doing = "thinning out checkpoints";
    let services = &context.services;
    let review = Review::open(context, chat, doing)?;
    // What cannot be read stays: nobody knows what it is.
    let known: Vec<Checkpoint> = review
        .known
        .iter()
        .filter(|known| known.cause != Cause::Unread)
        .cloned()
        .collect();
    if known.is_empty() || review.checkpoints.under_way().doing(doing)?.is_some() {
        return Ok(false);
    }
    let keep = services.settings().checkpoints.keep.clone();
    let mut kept = keep.kept(&known, &BTreeSet::new(), now());
    let mut any = kept.len() < known.len();
    if any {
        let list = keeping::thinned(known, &kept);
        review.checkpoints.replace(&list).doing(doing)?;
    }
    let is_unread = |number: &u64| review.unread.iter().any(|unread| unread.contains(number));
    let saved = saved_numbers(review.checkpoints.dir()).doing(doing)?;
    kept.extend(saved.into_values().flatten().filter(is_unread));
    for clone in review.clones(doing)? {
        any |= clone.store.thin(&kept, &services.git, gives_way).doing(doing)?;
    }
    Ok(any)
}
