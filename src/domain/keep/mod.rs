//! Keeping what agents did: commits, pushes, rebases, pull requests, the way into the repositories that clones came
//! from, and which branches conflict.

pub mod done;
pub mod pulls;
pub mod radar;
pub mod state;
pub mod work;

use crate::model::keep::KeepAsk;
use crate::model::{ChatId, Problem, Status};

use super::chat;
use super::effect::Effect;
use super::state::{Domain, Requester};
use super::todo;
use work::{KeepThen, KeepWork};

/// A person asks, from a shell or at a screen.
pub fn ask(
    state: &mut Domain,
    chat: &str,
    project: Option<String>,
    ask: KeepAsk,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    let chat = state.find(chat)?;
    let is_at_work = matches!(state.status(&chat), Status::Running(_) | Status::Retrying(_));
    let doing = match &ask {
        KeepAsk::Rebase { .. } => Some("rebasing"),
        KeepAsk::End { way } => Some(way.doing()),
        _ => None,
    };
    if let Some(doing) = doing.filter(|_| is_at_work) {
        let hint = "`parlour wait CHAT`, or `parlour stop CHAT`, then try again";
        return Err(Problem::busy(doing, "its agent is at work on these files", hint));
    }
    if let Some(doing) = ask.waits_for_todos()
        && let Some(problem) = todo::refusal(state, &chat, doing)
    {
        return Err(problem);
    }
    let then = KeepThen::Kept(chat.clone());
    let work = KeepWork::InClones { chat, project, ask };
    Ok(chat::work(state, requester, then, work))
}

/// What a person may want to change before it is kept.
pub fn draft(state: &mut Domain, chat: ChatId, requester: Requester) -> Vec<Effect> {
    chat::work(state, requester, KeepThen::Answer, KeepWork::Draft(chat))
}
