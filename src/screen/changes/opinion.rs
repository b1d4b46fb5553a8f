//! A second opinion on what is shown: which agent gives it, and that it has begun.

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::reply;
use crate::domain::review::opinion::{self, WantedOpinion};
use crate::domain::state::{Requester, ScreenRequest};
use crate::model::agent::can_be_default;
use crate::model::text::visible;
use crate::model::{ChatId, ClientId, WorkId};
use crate::screen::State;

use super::super::dialog::{ChoiceItem, Choose};
use super::super::keymap::{Action, RemarksAction, SheetAction};
use super::super::late::{self, LatePlace};
use super::super::view::Tone;
use super::super::{installed, toast};
use super::choice::DiffChoice;

/// A list of the agents that are installed here opens as soon as they are known.
pub fn ask(state: &mut State, client: ClientId) -> Vec<Effect> {
    let Some((work, effect)) = installed::find_agents(state, client) else {
        return Vec::new();
    };
    let request = state.request(client);
    if let Some(view) = state.views.get_mut(&client) {
        view.changes.asked.reviewer = Some((work, request));
    }
    vec![effect]
}

pub fn settle(state: &mut State, client: ClientId, of: &ChatId) {
    let known = state.domain.disk.chats.get(of);
    let own = known.map(|chat| chat.record.llm.as_str()).unwrap_or_default();
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let found = |(work, _): &mut (WorkId, ScreenRequest)| !state.domain.live.waiting.contains_key(work);
    let Some((_, request)) = view.changes.asked.reviewer.take_if(found) else {
        return;
    };
    if !late::may_come(state, request, LatePlace::In(of)) {
        let again = state
            .keymap
            .key(Action::Sheet(SheetAction::Remarks(RemarksAction::SecondOpinion)));
        let text = format!("Who can review this is known: press {again} again to choose.");
        return toast::tell(state, client, text, Tone::Told);
    }
    let agents = &state.domain.disk.agents;
    let mut others: Vec<_> = agents.iter().filter(|agent| can_be_default(&agent.llm)).collect();
    // Another one sees other things.
    others.sort_by_key(|agent| agent.llm == own);
    let items = others.into_iter().map(|agent| ChoiceItem {
        letter: None,
        text: visible(&agent.title),
        note: match agent.llm == own {
            true => "the agent that made these changes".into(),
            false => agent.version.as_deref().map(visible).unwrap_or_default(),
        },
        choice: DiffChoice::Reviewer(agent.llm.clone()),
    });
    let list = Choose::by_letters("Who reviews this?", items.collect(), "no such agent is installed here");
    if let Some(view) = state.views.get_mut(&client) {
        view.over.dialog = Some(list.into());
    }
}

/// This agent is to review what is compared now.
pub fn begin(state: &mut State, client: ClientId, llm: String) -> Vec<Effect> {
    let Some(view) = state.views.get(&client) else {
        return Vec::new();
    };
    let Some(of) = view.changes.of.clone() else {
        return Vec::new();
    };
    let wanted = WantedOpinion {
        set: view.changes.set.clone(),
        by: llm,
        env: view.client.env.clone(),
    };
    let requester = Requester::screen(client);
    let asked = opinion::ask(&mut state.domain, of, wanted, requester);
    asked.unwrap_or_else(|problem| reply::answer(&mut state.domain, requester, Err(problem)))
}

/// Its chat is there, below this one.
pub fn made(state: &mut State, client: ClientId, reviewer: &ChatId) {
    let handle = visible(&chat::handle(&state.domain, reviewer));
    let text = format!("{handle} reviews this now. What it finds becomes remarks here.");
    toast::tell(state, client, text, Tone::Told);
}
