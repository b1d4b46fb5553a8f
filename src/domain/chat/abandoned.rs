//! Chats that are not made after all: what they were made for cannot be opened, or nobody wants them any more.

use crate::domain::effect::{Effect, PaneOrder};
use crate::domain::state::{Domain, Requester, ScreenRequest, Then};
use crate::domain::work::{ChatThen, ChatWork, ProjectThen, TeamThen};
use crate::domain::{chat, reply};
use crate::model::{ChatId, Problem};

use super::work;

/// A directory of a new chat could not be opened: the chat is not made, and what was wrong is said.
pub fn not_set_up(state: &mut Domain, chat: &ChatId, problem: Problem, requester: Requester) -> Vec<Effect> {
    discard_then(state, chat, (requester, ChatThen::Unmade(problem)))
}

/// Nothing stays of a chat that was not made whole.
pub fn discard(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    discard_then(state, chat, (Requester::Nobody, ChatThen::Answer))
}

fn discard_then(state: &mut Domain, chat: &ChatId, (requester, then): (Requester, ChatThen)) -> Vec<Effect> {
    // It cannot be brought back, so its number is free at once.
    state.live.looked_at.numbers.remove(chat);
    let mut effects = tell(state, chat);
    effects.extend([
        Effect::CancelFor(chat.clone()),
        Effect::Pane(chat.clone().into(), PaneOrder::Drop),
    ]);
    effects.extend(work(state, requester, then, ChatWork::Discard(chat.clone())));
    effects
}

/// A person no longer wants the chat that they have made: what is at work on it stops, and nothing of it stays.
pub fn give_up(state: &mut Domain, request: ScreenRequest) -> Vec<Effect> {
    let mut effects = Vec::new();
    for (work, waiting) in &mut state.live.waiting {
        if waiting.requester.is_of(request)
            && let Some(gives_up) = instead(&waiting.then)
        {
            waiting.then = gives_up;
            effects.push(Effect::Cancel(*work));
        }
    }
    effects
}

/// What follows a step in the making of a chat that nobody wants any more.
fn instead(then: &Then) -> Option<Then> {
    match then {
        Then::Chat(ChatThen::SetUp(_)) => Some(ChatThen::GiveUp.into()),
        Then::Team(TeamThen::Continue(chat, _)) => Some(TeamThen::Discard(chat.clone()).into()),
        Then::Project(ProjectThen::Continue(chat, _)) => Some(ProjectThen::Discard(chat.clone()).into()),
        Then::Chat(_)
        | Then::Team(_)
        | Then::Project(_)
        | Then::Trash(_)
        | Then::Storage(_)
        | Then::Journal(_)
        | Then::Agent(_)
        | Then::Schedule(_)
        | Then::Script(_)
        | Then::Approval(_)
        | Then::Server(_)
        | Then::Setting(_)
        | Then::Review(_)
        | Then::Keep(_)
        | Then::Usage(_)
        | Then::Read(_) => None,
    }
}

/// Whoever gave it up hears that it is not made.
fn tell(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let askers = state.live.openings.given_up.remove(chat).unwrap_or_default();
    let mut told = chat::json(state, chat);
    told["status"] = "deleted".into();
    told["detail"] = "its projects were not open yet: nothing of it is left".into();
    let tell = |requester| reply::answer(state, requester, Ok(told.clone()));
    askers.into_iter().flat_map(tell).collect()
}
