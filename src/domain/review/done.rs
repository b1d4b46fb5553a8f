//! Clones were saved, compared or restored.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::domain::effect::Effect;
use crate::domain::notice::{Done, Notice, PointsNews, RemarksNews};
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ForeignResult, RemarkWork, ReviewDone, ReviewThen, ReviewWork};
use crate::domain::{ask, chat, reply};
use crate::model::detail::Detail;
use crate::model::review::Reverted;
use crate::model::{Chat, ChatId, Problem};

use super::{attempt, ended, opinion};

pub fn done(
    state: &mut Domain,
    requester: Requester,
    then: ReviewThen,
    done: ReviewDone,
) -> Result<Vec<Effect>, ForeignResult> {
    if let Some(chat) = changed(&then, &done) {
        state.live.reviews.changed(chat);
    }
    let Some(done) = shown(state, requester, &then, done) else {
        return Ok(Vec::new());
    };
    let value = match (&then, done) {
        (ReviewThen::Answer, ReviewDone::MarkedReviewed(chat, kept)) => {
            let news = RemarksNews::Reviewed(kept.checkpoint.number);
            reply::show(state, requester, Done::Remarks(chat, news));
            json!(kept)
        }
        (ReviewThen::Answer, ReviewDone::Taken(_, kept)) => json!(kept),
        (ReviewThen::Answer, ReviewDone::Listed(list)) => json!(list),
        (ReviewThen::AnswerStatus(status), ReviewDone::Costs(costs)) => with_costs(state, status.clone(), &costs),
        (ReviewThen::Answer, ReviewDone::Compared(changes)) => json!({"changes": changes}),
        (ReviewThen::Answer, ReviewDone::Planned(plan)) => json!(plan),
        (ReviewThen::Answer, ReviewDone::Picked(picked)) => json!(picked),
        (ReviewThen::Answer, ReviewDone::Detail(_, Detail::Attempts(attempts))) => {
            json!(attempt::listed(state, attempts))
        }
        (ReviewThen::Answer, ReviewDone::Remarks(remarks)) => json!({"remarks": remarks}),
        (ReviewThen::Answer, ReviewDone::Remark(remark)) => json!(remark),
        (ReviewThen::Answer, ReviewDone::Composed(text, _)) => json!({"text": text}),
        (ReviewThen::Send(chat, env), ReviewDone::Composed(text, ids)) => {
            return Ok(sent(state, requester, (chat, env), (text, ids)));
        }
        (ReviewThen::StartReviewer(env), ReviewDone::ReviewerMade(chat)) => {
            return Ok(opinion::made(state, requester, *chat, env.clone()));
        }
        (ReviewThen::TurnBegan(chat), ReviewDone::Taken(..)) => {
            state.live.reviews.taken(chat);
            return Ok(Vec::new());
        }
        (ReviewThen::Prepared, ReviewDone::Prepared) => return Ok(Vec::new()),
        (ReviewThen::Thinned, ReviewDone::Thinned(chats)) => {
            chats.iter().for_each(|chat| state.live.reviews.changed(chat));
            return Ok(Vec::new());
        }
        (ReviewThen::GoOn(chat, _), ReviewDone::Reverted(reverted, loaded)) => {
            went_back(state, &reverted, *loaded);
            reply::show(state, requester, Done::Reverted(chat.clone(), reverted.clone()));
            json!(reverted)
        }
        (
            ReviewThen::Answer
            | ReviewThen::AnswerStatus(_)
            | ReviewThen::Show(_)
            | ReviewThen::ShowPoints(_)
            | ReviewThen::ShowPoint(..)
            | ReviewThen::ShowPlan(..)
            | ReviewThen::ShowDetail(_)
            | ReviewThen::ShowRemarks(..)
            | ReviewThen::Marked(_)
            | ReviewThen::TurnBegan(_)
            | ReviewThen::Prepared
            | ReviewThen::Thinned
            | ReviewThen::GoOn(..)
            | ReviewThen::StartReviewer(_)
            | ReviewThen::Send(..),
            _,
        ) => return Err(ForeignResult),
    };
    let mut effects = goes_on(state, then);
    effects.extend(reply::answer(state, requester, Ok(value)));
    Ok(effects)
}

/// Tells the screen that waits for it; if none does, it comes back.
fn shown(state: &mut Domain, requester: Requester, then: &ReviewThen, done: ReviewDone) -> Option<ReviewDone> {
    let (client, news) = match (then, done) {
        (ReviewThen::Show(client), ReviewDone::Overview(chat, overview)) => (client, Done::Overview(chat, overview)),
        (ReviewThen::Show(client), ReviewDone::File(chat, file)) => (client, Done::FileDiff(chat, file)),
        (ReviewThen::Show(client), ReviewDone::Taken(_, kept)) => (client, Done::CheckpointTaken(kept)),
        (ReviewThen::ShowDetail(client), ReviewDone::Detail(chat, detail)) => {
            (client, Done::Detail(Ok((chat, detail))))
        }
        (ReviewThen::ShowPoints(client), ReviewDone::Points(chat, list)) => {
            (client, Done::Points(PointsNews::Listed(chat, list)))
        }
        (ReviewThen::ShowPoint(client, chat, number), ReviewDone::Compared(changes)) => {
            let differs = PointsNews::Differs(chat.clone(), *number, changes);
            (client, Done::Points(differs))
        }
        (ReviewThen::ShowRemarks(client, chat), ReviewDone::Remarks(remarks)) => {
            (client, Done::Remarks(chat.clone(), RemarksNews::Listed(remarks)))
        }
        (ReviewThen::ShowPlan(chat), ReviewDone::Planned(plan)) => {
            reply::show(state, requester, Done::Planned(chat.clone(), plan));
            return None;
        }
        (ReviewThen::Marked(chat), done) => {
            let news = match done {
                ReviewDone::Remark(_) => RemarksNews::Changed,
                ReviewDone::Remarks(_) => RemarksNews::Sent,
                ReviewDone::Picked(picked) => RemarksNews::Picked(picked),
                other => return Some(other),
            };
            reply::show(state, requester, Done::Remarks(chat.clone(), news));
            return None;
        }
        (_, done) => return Some(done),
    };
    state.notices.push(Notice::Done((*client).into(), news));
    None
}

/// The chat whose list of checkpoints is another now.
fn changed<'d>(then: &'d ReviewThen, done: &'d ReviewDone) -> Option<&'d ChatId> {
    match (then, done) {
        (_, ReviewDone::Taken(chat, _) | ReviewDone::MarkedReviewed(chat, _))
        | (ReviewThen::GoOn(chat, _), ReviewDone::Reverted(..)) => Some(chat),
        _ => None,
    }
}

fn with_costs(state: &Domain, mut status: Value, costs: &[(ChatId, u64)]) -> Value {
    let chats = costs.iter().map(|(id, bytes)| {
        let handle = chat::handle(state, id);
        json!({"chatId": id, "handle": handle, "bytes": bytes})
    });
    let all: u64 = costs.iter().map(|(_, bytes)| bytes).sum();
    status["checkpoints"] = json!({"bytes": all, "chats": chats.collect::<Vec<Value>>()});
    status
}

/// What is hidden now, or shown again, is so wherever somebody looks.
fn went_back(state: &mut Domain, reverted: &Reverted, loaded: Chat) {
    if reverted.talk.is_none() {
        return;
    }
    let chat = loaded.id().clone();
    let preview = loaded.preview.clone();
    // Nothing of its directory came back that could have effects.
    chat::loaded(state, loaded);
    if let Some(known) = state.disk.chats.get_mut(&chat) {
        known.preview = preview;
    }
    state.live.looked_at.shelves.remove(&chat);
}

/// Sends remarks as any prompt is sent. Only then do they count as sent.
fn sent(
    state: &mut Domain,
    requester: Requester,
    (chat, env): (&ChatId, &BTreeMap<String, String>),
    (text, ids): (String, Vec<u64>),
) -> Vec<Effect> {
    match ask::send_text(state, chat, text, env.clone(), requester) {
        Ok(mut effects) => {
            let work = ReviewWork::Remark(chat.clone(), RemarkWork::Sent(ids));
            let (requester, then) = match requester {
                Requester::Screen(_) => (requester, ReviewThen::Marked(chat.clone())),
                Requester::Call(_) | Requester::Launch(_) | Requester::Nobody => {
                    (Requester::Nobody, ReviewThen::Answer)
                }
            };
            effects.extend(chat::work(state, requester, then, work));
            effects
        }
        Err(problem) => reply::answer(state, requester, Err(problem)),
    }
}

pub fn failed(state: &mut Domain, requester: Requester, then: ReviewThen, problem: Problem) -> Vec<Effect> {
    if let ReviewThen::Show(client) | ReviewThen::ShowRemarks(client, _) = then {
        state
            .notices
            .push(Notice::Done(client.into(), Done::NoChanges(problem)));
        return Vec::new();
    }
    if let ReviewThen::TurnBegan(chat) = &then {
        state.live.reviews.taken(chat);
    }
    if let ReviewThen::AnswerStatus(status) = then {
        return reply::answer(state, requester, Ok(status));
    }
    if let ReviewThen::ShowPoints(client) | ReviewThen::ShowPoint(client, ..) = then {
        state
            .notices
            .push(Notice::Done(client.into(), Done::Points(PointsNews::Failed(problem))));
        return Vec::new();
    }
    if let ReviewThen::ShowDetail(client) = then {
        state
            .notices
            .push(Notice::Done(client.into(), Done::Detail(Err(problem))));
        return Vec::new();
    }
    let mut effects = goes_on(state, then);
    effects.extend(reply::answer(state, requester, Err(problem)));
    effects
}

fn goes_on(state: &mut Domain, then: ReviewThen) -> Vec<Effect> {
    match then {
        ReviewThen::GoOn(chat, again) => ended(state, &chat, again),
        ReviewThen::Answer
        | ReviewThen::AnswerStatus(_)
        | ReviewThen::Show(_)
        | ReviewThen::ShowPoints(_)
        | ReviewThen::ShowPoint(..)
        | ReviewThen::ShowPlan(..)
        | ReviewThen::ShowDetail(_)
        | ReviewThen::ShowRemarks(..)
        | ReviewThen::Marked(_)
        | ReviewThen::TurnBegan(_)
        | ReviewThen::StartReviewer(_)
        | ReviewThen::Prepared
        | ReviewThen::Thinned
        | ReviewThen::Send(..) => Vec::new(),
    }
}
