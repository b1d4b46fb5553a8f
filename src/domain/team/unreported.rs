//! A child that ends its turn and has not reported to its parent: the parent is told, once, and the child's atoms say so.
//! So is one whose CLI asks something that only a person can answer before it begins.
//!
//! Only a turn that its parent asked for is owed a report. Whoever waits for the child at that moment hears of it that way.

use crate::domain::agent::quiescence;
use crate::domain::agent::state::{Agent, LAST_WORDS};
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::TeamThen;
use crate::model::atom::{AtomChange, Edit, Who};
use crate::model::text::one_line;
use crate::model::{ChatId, Status, Timestamp};

use super::{atom, inbox, tree, wait_for};

/// Its status is another now. Whoever waits for it as its turn ends is answered in a moment. A question ends such a wait,
/// and not the turn.
pub fn came_to(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let status = state.status(chat);
    let is_over = status.has_failed() || matches!(status, Status::Idle(_) | Status::Exited(_));
    let is_awaited = wait_for::is_awaited(state, chat);
    if is_over && is_awaited {
        state.live.forget_report(chat);
    }
    let agent = state.live.agents.get_mut(chat);
    let Some(why) = agent.and_then(|agent| cannot_begin(agent, &status)) else {
        return Vec::new();
    };
    match is_awaited {
        true => Vec::new(),
        false => tell_of_start(state, chat, &why),
    }
}

/// What its CLI asks before a session, if its parent wants something of it: once for each start, however often the words
/// change. No hook tells of it, and no approval answers it.
fn cannot_begin(agent: &mut Agent, status: &Status) -> Option<String> {
    let (Status::NeedsYou(what) | Status::LoggedOut(what)) = status else {
        return None;
    };
    let is_news = agent.awaits_session() && agent.is_owed_to_parent() && !agent.start_told;
    agent.start_told |= is_news;
    is_news.then(|| one_line(what, LAST_WORDS))
}

fn tell_of_start(state: &mut Domain, child: &ChatId, why: &str) -> Vec<Effect> {
    let Ok(parent) = tree::parent(state, child, "telling its parent") else {
        return Vec::new();
    };
    let handle = chat::handle(state, child);
    let text = format!(
        "{handle} waits for a person before it begins: {why}.\nOnly a person can answer that, in its terminal; then it \
         goes on with what it was told. `wait_for` and `get_status` of {handle} tell how it stands."
    );
    inbox::notice(state, child, parent, text)
}

/// Tells the parents of children whose turn is over.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    let owes = |(chat, agent): (&ChatId, &Agent)| agent.owed_report.is_some().then(|| chat.clone());
    let owing: Vec<ChatId> = state.live.agents.awake().filter_map(owes).collect();
    let mut effects = Vec::new();
    for child in owing {
        match ended(state, &child) {
            Ended::NotYet => {}
            Ended::When(at) => effects.push(Effect::WakeAt(at)),
            Ended::As(how) => {
                let agent = state.live.agents.get_mut(&child);
                let words = agent.and_then(|agent| agent.owed_report.take()).unwrap_or_default();
                effects.extend(tell(state, &child, &how, &words));
            }
        }
    }
    effects
}

enum Ended {
    NotYet,
    /// Its last words may still come until then.
    When(Timestamp),
    /// In words.
    As(String),
}

fn ended(state: &Domain, child: &ChatId) -> Ended {
    let waits = |agent: &Agent| agent.outbox.is_empty();
    let nothing_comes = state.live.agents.get(child).is_some_and(waits);
    let how = match state.status_of_turn(child) {
        Status::Idle(_) | Status::Hibernated if nothing_comes => "ended its turn without a report".to_string(),
        Status::Error(what) | Status::Limited(what) | Status::LoggedOut(what) if nothing_comes => {
            format!(
                "ended its turn with an error and without a report: {}",
                one_line(&what, LAST_WORDS)
            )
        }
        Status::Exited(why) => format!("exited without a report: {}", one_line(&why, LAST_WORDS)),
        Status::Idle(_)
        | Status::Error(_)
        | Status::Limited(_)
        | Status::LoggedOut(_)
        | Status::Starting
        | Status::Running(_)
        | Status::Retrying(_)
        | Status::NeedsYou(_)
        | Status::Hibernated
        | Status::Unknown(_) => return Ended::NotYet,
    };
    match quiescence::until(state, child) {
        Some(at) => Ended::When(at),
        None => Ended::As(how),
    }
}

fn tell(state: &mut Domain, child: &ChatId, how: &str, words: &str) -> Vec<Effect> {
    let Ok(parent) = tree::parent(state, child, "telling its parent") else {
        return Vec::new();
    };
    let handle = chat::handle(state, child);
    let mut text = format!("{handle} {how}.");
    if !words.is_empty() {
        text += &format!("\nIts last words: {words}");
    }
    text += &format!("\n`get_status` of {handle} tells more; `send_message` goes on with it.");
    let mut effects = note(state, child, how);
    effects.extend(inbox::notice(state, child, parent, text));
    effects
}

/// What it has in progress says that nobody works on it for now.
fn note(state: &mut Domain, child: &ChatId, how: &str) -> Vec<Effect> {
    let known = state.disk.chats.get(child);
    let handles = known.map(|known| known.record.handles().cloned().collect::<Vec<_>>());
    let held = handles
        .zip(atom::graph(state, child))
        .map(|(handles, graph)| graph.held_by(child, &handles));
    let mut effects = Vec::new();
    for key in held.unwrap_or_default() {
        let edit = Edit {
            note: Some(format!("its owner {how}")),
            ..Edit::default()
        };
        let change = AtomChange::Update(key, edit);
        effects.extend(atom::change(
            state,
            child,
            Who::Person,
            change,
            Requester::Nobody,
            TeamThen::Nothing,
        ));
    }
    effects
}
