//! Remarks on what agents changed: a person's from a shell or a screen, and an agent's answers.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::model::ChatId;
use crate::model::remark::{RemarkAsk, RemarkAuthor, RemarkChange};
use crate::model::tool::{AnswerRemark, RemarkCall};

use super::work::{RemarkWork, ReviewThen, ReviewWork};

pub fn ask(state: &mut Domain, chat: ChatId, ask: RemarkAsk, requester: Requester) -> Vec<Effect> {
    let (then, work) = match ask {
        RemarkAsk::List => (ReviewThen::Answer, RemarkWork::List),
        RemarkAsk::Add(new) => (ReviewThen::Answer, RemarkWork::Add(new)),
        RemarkAsk::Change { id, change } => (ReviewThen::Answer, RemarkWork::Change(id, change)),
        RemarkAsk::Send { ids, env } => (ReviewThen::Send(chat.clone(), env), RemarkWork::Compose(ids)),
    };
    chat::work(state, requester, then, ReviewWork::Remark(chat, work))
}

/// An agent's own, about the chat that it works in.
pub fn tool(state: &mut Domain, chat: &ChatId, asked: RemarkCall, requester: Requester) -> Vec<Effect> {
    let work = match asked {
        RemarkCall::Add(finding) => {
            let work = ReviewWork::Finding(chat.clone(), finding);
            return chat::work(state, requester, ReviewThen::Answer, work);
        }
        RemarkCall::List => RemarkWork::Tell,
        RemarkCall::Answer(AnswerRemark { id, text, resolved }) => {
            let author = RemarkAuthor::Agent;
            let resolves = resolved;
            RemarkWork::Change(id, RemarkChange::Answer { text, author, resolves })
        }
    };
    let work = ReviewWork::Remark(chat.clone(), work);
    chat::work(state, requester, ReviewThen::Answer, work)
}
