//! Conversations from the shell: which chat a directory has, and the turn that a query waits for.

use crate::domain::work::{ChatThen, ChatWork};
use crate::model::query::{Binding, QueryRequest};
use crate::model::{CallId, Problem};

use super::effect::Effect;
use super::state::{Domain, Requester};
use super::team::wait;
use super::{agent, chat};

pub fn ask(state: &mut Domain, call: CallId, ask: QueryRequest) -> Result<Vec<Effect>, Problem> {
    match ask {
        QueryRequest::Bind { chat, dir, asked } => {
            let chat = state.find(&chat)?;
            let binding = match asked {
                true => Binding::Asked(chat, dir),
                false => Binding::To(chat, dir),
            };
            Ok(bind(state, binding, Requester::Call(call)))
        }
        QueryRequest::Unbind { dir } => Ok(bind(state, Binding::None(dir), Requester::Call(call))),
        QueryRequest::Asked { chat } => {
            let chat = state.find(&chat)?;
            Ok(bind(state, Binding::LastQuery(chat), Requester::Call(call)))
        }
        QueryRequest::Turn { chat, after, prompt } => {
            let chat = state.find(&chat)?;
            agent::hibernate::queried(state, &chat);
            Ok(wait::turn(state, (call, chat), after, prompt))
        }
        QueryRequest::Look { chat } => {
            let chat = state.find(&chat)?;
            Ok(vec![Effect::Reply(call, Ok(chat::json(state, &chat)))])
        }
        QueryRequest::Seen { chat, seq } => {
            let chat = state.find(&chat)?;
            let agent = state.live.agents.get(&chat);
            if agent.is_none_or(|agent| agent.rest.behind < seq) {
                state.live.unseen.remove(&chat);
            }
            Ok(vec![Effect::Reply(call, Ok(chat::json(state, &chat)))])
        }
        QueryRequest::Interrupt { chat } => {
            let chat = state.find(&chat)?;
            let mut effects = agent::interrupt_query(state, &chat);
            effects.push(Effect::Reply(call, Ok(chat::json(state, &chat))));
            Ok(effects)
        }
    }
}

/// Writes down which chat a directory has.
pub fn bind(state: &mut Domain, binding: Binding, requester: Requester) -> Vec<Effect> {
    chat::work(state, requester, ChatThen::Answer, ChatWork::Bind(binding))
}
