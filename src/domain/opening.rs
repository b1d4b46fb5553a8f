//! Directories on their way into chats: it can take as long as a remote takes to answer, so it is shown and can be given up.

use crate::domain::work::{ChatThen, ProjectThen, ProjectWork, TeamThen, Work};
use crate::model::{ChatId, Problem, WorkId};

use super::effect::Effect;
use super::state::{Domain, Live, Opening, Requester, ScreenRequest, Then};

/// Remembers what a job opens, until it is done.
pub fn begin(state: &mut Domain, work: WorkId, job: &Work) {
    let (Work::Project(ProjectWork::Open { chat, open, .. }) | Work::Project(ProjectWork::OpenFrom { chat, open, .. })) =
        job
    else {
        return;
    };
    let opening = Opening {
        chat: chat.clone(),
        doing: open.doing(),
    };
    state.live.openings.under_way.insert(work, opening);
}

/// The chats in which something is being opened.
pub fn chats(live: &Live) -> impl Iterator<Item = &ChatId> {
    live.openings.under_way.values().map(|opening| &opening.chat)
}

/// What is being opened in this chat, the first of it.
pub fn words<'s>(state: &'s Domain, chat: &ChatId) -> Option<&'s str> {
    let mut openings = state.live.openings.under_way.values();
    let opening = openings.find(|opening| opening.chat == *chat)?;
    Some(&opening.doing)
}

/// Whether its projects are being opened: its agent starts when they are there.
pub fn is_being_made(state: &Domain, chat: &ChatId) -> bool {
    let mut waiting = state.live.waiting.values();
    waiting.any(|waiting| {
        matches!(
            &waiting.then,
            Then::Project(ProjectThen::Continue(made, _) | ProjectThen::Dispatch(made))
            | Then::Team(TeamThen::Continue(made, _) | TeamThen::Dispatch(made))
            | Then::Chat(ChatThen::BindNew(made, _))
            if made == chat
        )
    })
}

/// Gives up a chat that is being made; who asked hears of it when that is over.
pub fn give_up(state: &mut Domain, chat: &ChatId, requester: Requester) -> Vec<Effect> {
    state
        .live
        .openings
        .given_up
        .entry(chat.clone())
        .or_default()
        .push(requester);
    vec![Effect::CancelFor(chat.clone())]
}

/// Gives up what a person asked at a screen to open in a chat that is there: what else is opened for it goes on. Nobody waits for
/// what comes of it then.
pub fn leave(state: &mut Domain, request: ScreenRequest, chat: &ChatId) -> Vec<Effect> {
    let openings = state.live.openings.under_way.iter();
    let of_chat = openings.filter(|(_, opening)| opening.chat == *chat);
    let mut effects = Vec::new();
    for (work, _) in of_chat {
        if let Some(waiting) = state.live.waiting.get_mut(work)
            && waiting.requester.is_of(request)
            && waiting.then == ProjectThen::Answer.into()
        {
            (waiting.requester, waiting.then) = (Requester::Nobody, ProjectThen::GivenUp.into());
            effects.push(Effect::Cancel(*work));
        }
    }
    effects
}

/// Why a chat is not made any further, where somebody gave it up.
pub fn given_up(state: &Domain, chat: &ChatId) -> Option<Problem> {
    let is_given_up = state.live.openings.given_up.contains_key(chat);
    is_given_up.then(|| {
        Problem::new(
            "making a chat",
            "it was stopped before its projects were open",
            "make it again if you still want it",
        )
    })
}
