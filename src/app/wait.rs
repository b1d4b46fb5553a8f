//! `parlour wait`, and those who follow a transcript.

use serde_json::json;

use crate::model::request::Until;
use crate::model::{CallId, ChatId, Entry, Problem, Status};

use super::chat;
use super::effect::Effect;
use super::state::{State, Wait};

/// Waits for a chat to come to something; met at once where it already has.
pub fn begin(state: &mut State, call: CallId, chat: ChatId, until: Until) -> Vec<Effect> {
    let wait = Wait {
        call,
        chat: chat.clone(),
        until,
    };
    state.live.waits.push(wait);
    check(state, &chat)
}

/// Answers every wait of a chat that is now met.
pub fn check(state: &mut State, chat: &ChatId) -> Vec<Effect> {
    let (met, open): (Vec<Wait>, Vec<Wait>) = std::mem::take(&mut state.live.waits)
        .into_iter()
        .partition(|wait| &wait.chat == chat && is_met(state, wait));
    state.live.waits = open;
    let answer = chat::json(state, chat);
    met.into_iter()
        .map(|wait| Effect::Reply(wait.call, Ok(answer.clone())))
        .collect()
}

fn is_met(state: &State, wait: &Wait) -> bool {
    let status = state.status(&wait.chat);
    // A hibernated one only rests.
    let exited = matches!(status, Status::Exited(_));
    let rests = matches!(status, Status::Idle | Status::Hibernated);
    // A prompt on its way is work to come: the chat only seems idle.
    let agent = state.live.agents.get(&wait.chat);
    let outstanding = agent.is_some_and(|agent| agent.is_live() && !agent.outbox.is_empty());
    match wait.until {
        Until::Idle => exited || rests && !outstanding,
        Until::NeedsYou => matches!(status, Status::NeedsYou(_)),
        Until::Exited => exited,
        Until::Done => {
            let declared = state.disk.chats.get(&wait.chat).and_then(|c| c.declared.as_ref());
            declared.is_some_and(|d| d.status == "done")
        }
    }
}

/// The chat is no more: nothing more will come of it.
pub fn gone(state: &mut State, chat: &ChatId) -> Vec<Effect> {
    let doing = format!("waiting for {chat}");
    let problem = Problem::new(doing, "the chat was deleted", "`parlour undo-rm` brings it back");
    let mut effects = Vec::new();
    state.live.waits.retain(|wait| {
        let stays = &wait.chat != chat;
        if !stays {
            effects.push(Effect::Reply(wait.call, Err(problem.clone())));
        }
        stays
    });
    state.live.follows.retain(|(call, followed)| {
        let stays = followed != chat;
        if !stays {
            effects.push(Effect::Reply(*call, Ok(json!({}))));
        }
        stays
    });
    effects
}

/// New entries go to everybody who follows the chat.
pub fn follow(state: &State, chat: &ChatId, entries: &[Entry]) -> Vec<Effect> {
    let followers = state.live.follows.iter().filter(|(_, followed)| followed == chat);
    let lines: Vec<_> = entries.iter().filter_map(|e| serde_json::to_value(e).ok()).collect();
    followers
        .flat_map(|(call, _)| lines.iter().map(|line| Effect::Stream(*call, line.clone())))
        .collect()
}

/// Whoever asked has gone away.
pub fn abandoned(state: &mut State, call: CallId) {
    state.live.waits.retain(|wait| wait.call != call);
    state.live.follows.retain(|(follower, _)| *follower != call);
}
