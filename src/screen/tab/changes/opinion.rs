//! A second opinion on what is shown: which agent gives it, and that it has begun.

use super::choice::{DiffChoice, DiffList};
use super::in_place;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::reply;
use crate::domain::review::opinion::{self, WantedOpinion};
use crate::domain::state::{Domain, Requester};
use crate::model::text::visible;
use crate::model::{ChatId, ClientId, WorkId};
use crate::model::{Installed, Login, can_be_default};
use crate::screen::State;
use crate::screen::dialog::{ChoiceItem, Choose, Dialog};
use crate::screen::view::Tone;
use crate::screen::{installed, toast};

/// A list of the agents that are known opens at once; one may have been installed since, so they are looked for.
pub fn ask(state: &mut State, client: ClientId) -> Vec<Effect> {
    if in_place::refuses_all(state, client) {
        return Vec::new();
    }
    let Some((work, effect)) = installed::find_agents(state, client) else {
        return Vec::new();
    };
    let of = state.views.get(&client).and_then(|view| view.changes.of.as_ref());
    let items = of.map(|of| reviewers(&state.domain, of)).unwrap_or_default();
    if let Some(view) = state.views.get_mut(&client) {
        view.changes.asked.reviewer = Some(work);
        view.over.dialog = Some(Choose::new(DiffList::Reviewers, items).into());
    }
    vec![effect]
}

/// Those that can begin come first, and of them other agents than its own: another one sees other things.
fn reviewers(domain: &Domain, of: &ChatId) -> Vec<ChoiceItem> {
    let known = domain.disk.chats.get(of);
    let own = known.map(|chat| chat.record.llm.as_str()).unwrap_or_default();
    let agents = domain.disk.agents.iter();
    let mut agents: Vec<_> = agents.filter(|agent| can_be_default(&agent.llm)).collect();
    agents.sort_by_key(|agent| (agent.login == Login::Missing, agent.llm == own));
    let item = |agent: &Installed| ChoiceItem {
        letter: None,
        text: visible(&agent.title),
        note: match (agent.login, agent.llm == own) {
            (Login::Missing, _) => Login::Missing.words().into(),
            (Login::Found | Login::Unknown, true) => "the agent that made these changes".into(),
            (Login::Found | Login::Unknown, false) => agent.version.as_deref().map(visible).unwrap_or_default(),
        },
        choice: DiffChoice::Reviewer(agent.llm.clone()),
    };
    agents.into_iter().map(item).collect()
}

/// All that are installed are known: the list has them, where it is still open.
pub fn settle(state: &mut State, client: ClientId, of: &ChatId) {
    let Some(view) = state.views.get_mut(&client) else {
        return;
    };
    let is_found = |work: &mut WorkId| !state.domain.live.waiting.contains_key(work);
    if view.changes.asked.reviewer.take_if(is_found).is_none() {
        return;
    }
    if let Some(Dialog::Choose(open)) = view.over.dialog.as_mut()
        && open.list == DiffList::Reviewers
    {
        open.nothing = "no such agent is installed here";
        open.set_items(reviewers(&state.domain, of));
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
