//! Clones were saved, compared or restored.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::domain::agent::queue;
use crate::domain::effect::Effect;
use crate::domain::notice::{Done, PointsNews, RemarksNews};
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ForeignResult, RemarkWork, ReviewDone, ReviewThen, ReviewWork};
use crate::domain::{ask, chat, reply};
use crate::model::detail::Detail;
use crate::model::pick::SavedPick;
use crate::model::review::{Cause, KeptCheckpoint, Reverted};
use crate::model::{Chat, ChatId, Happened, Problem};

use super::{attempt, checked, due, ended, opinion};

pub fn done(
    state: &mut Domain,
    requester: Requester,
    then: ReviewThen,
    done: ReviewDone,
) -> Result<Vec<Effect>, ForeignResult> {
    remember(state, requester, &then, &done);
    let mut effects = tell_asked(state, &done);
    let Some(done) = shown(state, requester, &then, done) else {
        return Ok(effects);
    };
    let value = match (&then, done) {
        (ReviewThen::Answer, ReviewDone::MarkedReviewed(chat, kept)) => {
            let news = RemarksNews::Reviewed(kept.checkpoint.number);
            reply::show(state, requester, Done::Remarks(chat, news));
            json!(kept)
        }
        (ReviewThen::Answer, ReviewDone::UnmarkedReviewed(chat, before)) => {
            reply::show(state, requester, Done::Remarks(chat, RemarksNews::Unreviewed(before)));
            json!({"reviewed": before})
        }
        (ReviewThen::Answer, ReviewDone::Taken(_, kept)) => json!(kept),
        (ReviewThen::Answer, ReviewDone::Listed(list)) => json!(list),
        (ReviewThen::AnswerStatus(status), ReviewDone::Costs(costs)) => with_costs(state, status.clone(), &costs),
        (ReviewThen::Answer, ReviewDone::Compared(changes, after)) => {
            let mut told = json!({"changes": changes});
            if let Some(after) = after {
                told["after_turn"] = json!(after);
            }
            told
        }
        (ReviewThen::Answer, ReviewDone::Planned(plan)) => json!(plan),
        (ReviewThen::Answer, ReviewDone::Picked(picked, _)) => json!(picked),
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
        (ReviewThen::Prepared(_), ReviewDone::Prepared) | (ReviewThen::Thinned, ReviewDone::Thinned(_)) => {
            return Ok(Vec::new());
        }
        (ReviewThen::Followed(_), ReviewDone::Followed(changed)) => {
            changed.into_iter().for_each(|chat| hidden_anew(state, *chat));
            return Ok(Vec::new());
        }
        (ReviewThen::GoBack { chat, back, env }, ReviewDone::Checked) => {
            return Ok(checked(state, due(chat, back.clone(), env.clone(), requester)));
        }
        (ReviewThen::GoOn(chat, _), ReviewDone::Reverted(reverted, loaded)) => {
            effects.extend(went_back(state, &reverted, *loaded));
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
            | ReviewThen::ShowDetail
            | ReviewThen::ShowRemarks(..)
            | ReviewThen::Marked(_)
            | ReviewThen::BroughtBack(_)
            | ReviewThen::TurnBegan(_)
            | ReviewThen::Prepared(_)
            | ReviewThen::Followed(_)
            | ReviewThen::Thinned
            | ReviewThen::GoBack { .. }
            | ReviewThen::GoOn(..)
            | ReviewThen::StartReviewer(_)
            | ReviewThen::Send(..),
            _,
        ) => return Err(ForeignResult),
    };
    effects.extend(goes_on(state, then));
    effects.extend(reply::answer(state, requester, Ok(value)));
    Ok(effects)
}

/// Tells the screen that waits for it; if none does, it comes back.
fn shown(state: &mut Domain, requester: Requester, then: &ReviewThen, done: ReviewDone) -> Option<ReviewDone> {
    let news = match (then, done) {
        (ReviewThen::Show(_), ReviewDone::Overview(chat, overview)) => Done::Overview(chat, overview),
        (ReviewThen::Show(_), ReviewDone::File(chat, file)) => Done::FileDiff(chat, file),
        (ReviewThen::Show(_), ReviewDone::Taken(_, kept)) => Done::CheckpointTaken(kept),
        (ReviewThen::ShowDetail, ReviewDone::Detail(chat, detail)) => Done::Detail(Ok((chat, detail))),
        (ReviewThen::ShowPoints(_), ReviewDone::Points(chat, list)) => Done::Points(chat, PointsNews::Listed(list)),
        (ReviewThen::ShowPoint(chat, number), ReviewDone::Compared(changes, _)) => {
            Done::Points(chat.clone(), PointsNews::Differs(*number, changes))
        }
        (ReviewThen::ShowRemarks(chat), ReviewDone::Remarks(remarks)) => {
            Done::Remarks(chat.clone(), RemarksNews::Listed(remarks))
        }
        (ReviewThen::ShowPlan(chat), ReviewDone::Planned(plan)) => Done::Planned(chat.clone(), plan),
        (ReviewThen::Marked(chat), done) => {
            let news = match done {
                ReviewDone::Remark(_) => RemarksNews::Changed,
                ReviewDone::Remarks(_) => RemarksNews::Sent,
                ReviewDone::Picked(picked, _) => RemarksNews::Picked(picked),
                ReviewDone::PickedSeveral(picks, stayed) => {
                    RemarksNews::PickedSeveral(picks.into_iter().map(|pick| pick.picked).collect(), stayed)
                }
                other => return Some(other),
            };
            Done::Remarks(chat.clone(), news)
        }
        (ReviewThen::BroughtBack(chat), ReviewDone::BroughtBack(picked)) => {
            Done::Remarks(chat.clone(), RemarksNews::BroughtBack(picked))
        }
        (_, done) => return Some(done),
    };
    reply::show(state, requester, news);
    None
}

/// Whose list of checkpoints is another now. What was discarded from a screen can be brought back, until the chat is gone
/// back.
fn remember(state: &mut Domain, requester: Requester, then: &ReviewThen, done: &ReviewDone) {
    let reviews = &mut state.live.reviews;
    match done {
        ReviewDone::Taken(chat, _) | ReviewDone::MarkedReviewed(chat, _) | ReviewDone::UnmarkedReviewed(chat, _) => {
            reviews.changed(chat);
        }
        ReviewDone::Thinned(chats) => chats.iter().for_each(|chat| reviews.changed(chat)),
        ReviewDone::Reverted(_, chat) => {
            reviews.changed(chat.id());
            reviews.forget_picks(chat.id());
        }
        ReviewDone::Picked(picked, left) => {
            if let ReviewThen::Marked(chat) = then
                && !left.is_empty()
            {
                let (picked, left) = (picked.clone(), left.clone());
                reviews.picked(chat, requester, SavedPick { picked, left });
            }
        }
        ReviewDone::PickedSeveral(picks, _) => {
            if let ReviewThen::Marked(chat) = then {
                for pick in picks.iter().filter(|pick| !pick.left.is_empty()) {
                    reviews.picked(chat, requester, pick.clone());
                }
            }
        }
        ReviewDone::BroughtBack(_) => {
            if let ReviewThen::BroughtBack(chat) = then {
                reviews.forget_last_picks(chat);
            }
        }
        ReviewDone::Prepared
        | ReviewDone::Listed(_)
        | ReviewDone::Points(..)
        | ReviewDone::Costs(_)
        | ReviewDone::Compared(..)
        | ReviewDone::Overview(..)
        | ReviewDone::File(..)
        | ReviewDone::Planned(_)
        | ReviewDone::Checked
        | ReviewDone::Remarks(_)
        | ReviewDone::Remark(_)
        | ReviewDone::ReviewerMade(_)
        | ReviewDone::Composed(..)
        | ReviewDone::Detail(..)
        | ReviewDone::Followed(_) => {}
    }
}

/// A person saved the clones: it stands in the transcript where that was. The other checkpoints are what it tells anyway.
fn tell_asked(state: &mut Domain, done: &ReviewDone) -> Vec<Effect> {
    let ReviewDone::Taken(chat, kept) = done else {
        return Vec::new();
    };
    let KeptCheckpoint {
        checkpoint,
        new,
        commits: _,
    } = kept;
    if !*new || checkpoint.cause != Cause::Asked {
        return Vec::new();
    }
    let text = format!("Checkpoint {} was saved by hand", checkpoint.number);
    chat::append(state, chat, vec![Happened::Note { text }])
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
fn went_back(state: &mut Domain, reverted: &Reverted, loaded: Chat) -> Vec<Effect> {
    let Some(talk) = &reverted.talk else {
        return Vec::new();
    };
    let chat = loaded.id().clone();
    let preview = loaded.preview.clone();
    if let Some(agent) = state.live.agents.get_mut(&chat) {
        agent.goes_back(loaded.interrupted, loaded.failed.clone());
    }
    hidden_anew(state, loaded);
    state.disk.chats.change(&chat, |known| known.preview = preview);
    queue::give_back(state, &chat, talk)
}

fn hidden_anew(state: &mut Domain, loaded: Chat) {
    let chat = loaded.id().clone();
    // Nothing of its directory came back that could have effects.
    chat::loaded(state, loaded);
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
    match then {
        ReviewThen::Show(chat) | ReviewThen::ShowRemarks(chat) => {
            reply::show(state, requester, Done::NoChanges(chat, problem));
            return Vec::new();
        }
        ReviewThen::ShowPoints(chat) | ReviewThen::ShowPoint(chat, _) => {
            reply::show(state, requester, Done::Points(chat, PointsNews::Failed(problem)));
            return Vec::new();
        }
        ReviewThen::ShowDetail => {
            reply::show(state, requester, Done::Detail(Err(problem)));
            return Vec::new();
        }
        ReviewThen::AnswerStatus(status) => return reply::answer(state, requester, Ok(status)),
        ReviewThen::TurnBegan(ref chat) => {
            state.live.reviews.taken(chat);
            return reply::unless_going(state, chat, requester, problem);
        }
        ReviewThen::Prepared(ref chat) | ReviewThen::Followed(ref chat) => {
            return reply::unless_going(state, chat, requester, problem);
        }
        // Trying again would not help. What was discarded before that may still come back.
        ReviewThen::BroughtBack(ref chat) => state.live.reviews.forget_last_picks(chat),
        ReviewThen::Answer
        | ReviewThen::ShowPlan(_)
        | ReviewThen::Marked(_)
        | ReviewThen::Thinned
        | ReviewThen::GoBack { .. }
        | ReviewThen::GoOn(..)
        | ReviewThen::StartReviewer(_)
        | ReviewThen::Send(..) => {}
    }
    let mut effects = goes_on(state, then);
    effects.extend(reply::answer(state, requester, Err(problem)));
    effects
}

fn goes_on(state: &mut Domain, then: ReviewThen) -> Vec<Effect> {
    let ReviewThen::GoOn(chat, again) = then else {
        return Vec::new();
    };
    ended(state, &chat, again)
}
