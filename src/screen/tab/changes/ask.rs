//! Asks workers for what somebody who reads the changes wants to know beside the files themselves.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::work::{ReviewThen, ReviewWork};
use crate::model::detail::DetailWork;
use crate::model::{ChatId, ClientId};
use crate::screen::State;

pub fn detail(state: &mut State, client: ClientId, chat: &ChatId, work: DetailWork) -> Vec<Effect> {
    let work = ReviewWork::Detail(chat.clone(), work);
    let requester = state.requester(client);
    chat::work(&mut state.domain, requester, ReviewThen::ShowDetail, work)
}
