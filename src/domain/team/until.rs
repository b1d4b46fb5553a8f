//! Whether what somebody waits for has come of a chat.

use serde_json::Value;

use crate::domain::agent::quiescence;
use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::request::Until;
use crate::model::{ChatId, Problem, Status};

pub fn has_come(state: &Domain, chat: &ChatId, until: Until) -> bool {
    let status = state.status(chat);
    // A hibernated one only rests.
    let exited = matches!(status, Status::Exited(_));
    let rests = matches!(state.status_of_turn(chat), Status::Idle(_) | Status::Hibernated);
    match until {
        Until::Idle => exited || rests && !is_to_work(state, chat),
        Until::NeedsYou => {
            let known = state.disk.chats.get(chat);
            let blocked = known.and_then(|known| chat::blocked(state, known));
            matches!(status, Status::NeedsYou(_)) || blocked.is_some() && !is_to_work(state, chat)
        }
        Until::Exited => exited,
        Until::Done => {
            let declared = state.disk.chats.get(chat).and_then(|c| c.declared.as_ref());
            declared.is_some_and(|d| d.status == "done")
        }
    }
}

/// Whether the turn of a prompt is over, well or not, be there others behind it. What went on before its agent had it was
/// another.
pub fn turn_is_over(state: &Domain, chat: &ChatId, prompt: &str) -> bool {
    let status = state.status_of_turn(chat);
    let agent = state.live.agents.get(chat);
    let waits = agent.is_some_and(|agent| agent.outbox.awaits(prompt) || agent.is_breaking_off());
    let rests = matches!(status, Status::Idle(_) | Status::Hibernated);
    let at_end = (status.has_failed() || rests) && quiescence::until(state, chat).is_none();
    matches!(status, Status::Exited(_)) || at_end && !waits
}

/// A prompt on its way is work to come: the chat only seems to rest.
fn is_to_work(state: &Domain, chat: &ChatId) -> bool {
    let agent = state.live.agents.get(chat);
    let on_its_way = agent.is_some_and(|agent| agent.is_live() && !agent.outbox.is_empty());
    on_its_way || quiescence::until(state, chat).is_some()
}

/// The answer to who waits for this, once it has come, or is known not to come by itself: a turn that failed leaves the
/// agent at rest, and not idle.
pub fn answer(state: &Domain, chat: &ChatId, until: Until) -> Option<Result<Value, Problem>> {
    if has_come(state, chat, until) {
        return Some(Ok(chat::json(state, chat)));
    }
    let status = state.status(chat);
    let failed = Status::what_failed(status.word(), status.detail());
    let failed = failed.filter(|_| until == Until::Idle && status.has_failed() && !is_to_work(state, chat))?;
    let handle = chat::handle(state, chat);
    let events = format!("`parlour events {handle}` shows the error");
    // Whatever else is sent to it fails like this, too.
    let (failed, hint) = match (&status, state.login_command(chat)) {
        (Status::LoggedOut(_), Some(command)) => (
            "it is not logged in".into(),
            format!("{command}, then send the prompt again; {events}"),
        ),
        _ => (failed, format!("send another prompt; {events}")),
    };
    Some(Err(Problem::fault(format!("waiting for {handle}"), failed).hinted(hint)))
}
