//! What is changed through the Changes tab, as work: remarks, and what is done with chosen lines.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{RemarkWork, ReviewThen, ReviewWork};
use crate::model::ChatId;
use crate::model::pick::{Pick, PickAct};

/// Makes or changes a remark.
pub fn change_remark(domain: &mut Domain, chat: ChatId, work: RemarkWork, requester: Requester) -> Vec<Effect> {
    let then = ReviewThen::Marked(chat.clone());
    let work = ReviewWork::Remark(chat, work);
    chat::work(domain, requester, then, work)
}

/// Does this with what is chosen.
pub fn pick(domain: &mut Domain, chat: ChatId, act: PickAct, picks: Vec<Pick>, requester: Requester) -> Vec<Effect> {
    let then = ReviewThen::Marked(chat.clone());
    let work = match <[Pick; 1]>::try_from(picks) {
        Ok([one]) => ReviewWork::Pick(chat, act, one),
        Err(several) => ReviewWork::PickSeveral(chat, act, several),
    };
    chat::work(domain, requester, then, work)
}
