//! The order of a record: that of the agent's conversation.
//!
//! A hook tells of a call at once. The CLI's own transcript tells of it a moment later, behind the words that came
//! before the call. Status, questions and answers go by the hook; the record waits for the transcript, for a moment at
//! most. A kill meanwhile loses no call: the transcript is read again from the mark that was written last.

use std::collections::BTreeSet;

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::JournalThen;
use crate::model::entry::Safety;
use crate::model::{ChatId, Happened, HookEvent, Mark, Reported, Timestamp};

use super::state::Agent;
use super::state::reorder::{DueRecords, Reorder};
use super::{cwd, news};

/// The keys of the calls that these hooks tell and that the CLI's transcript tells as well. Those of sub-agents stand in
/// transcripts of their own.
pub(in crate::domain) fn retold(state: &Domain, chat: &ChatId, events: &[HookEvent]) -> BTreeSet<String> {
    let agent = state.live.agents.get(chat);
    let retells = |agent: &&Agent| {
        agent
            .capabilities
            .as_ref()
            .is_some_and(|capabilities| capabilities.retells)
    };
    let Some(agent) = agent.filter(retells) else {
        return BTreeSet::new();
    };
    let of_sub_agent = |id: &str| {
        agent
            .turn
            .tools
            .iter()
            .any(|tool| tool.id == id && tool.parent.is_some())
    };
    let mut keys = BTreeSet::new();
    for event in events {
        if let HookEvent::ToolStarted { id, parent: None, .. } = event {
            keys.insert(Happened::start_key(id));
        }
        if let HookEvent::ToolEnded { id, .. } = event
            && !of_sub_agent(id)
        {
            keys.insert(Happened::end_key(id));
        }
    }
    keys
}

/// Records what hooks told, or holds it until the transcript tells it too. A hook that needs no decision to be safe is
/// answered at once; all else waits for the record.
pub(in crate::domain) fn record(
    state: &mut Domain,
    chat: &ChatId,
    happened: Vec<Happened>,
    retold: &BTreeSet<String>,
    (requester, then): (Requester, JournalThen),
) -> Vec<Effect> {
    let now = state.now;
    let awaited = |what: &Happened| what.key().filter(|key| retold.contains(key));
    let waits = |what: &Happened| awaited(what).is_some();
    let agent = state.live.agents.get_mut(chat);
    let holds = |reorder: &Reorder| !reorder.is_empty() || happened.iter().any(waits);
    let Some(reorder) = agent.map(|agent| &mut agent.reorder).filter(|reorder| holds(reorder)) else {
        let told = happened.into_iter().map(Reported::from).collect();
        return chat::append_then(state, chat, told, None, (requester, then));
    };
    let decides = happened.iter().any(|what| what.safety() == Safety::Decision);
    let mut first = Vec::new();
    for what in happened {
        if let Some(key) = awaited(&what) {
            reorder.awaits(key, now);
        }
        match reorder.is_empty() {
            // Heard before the call, and so recorded before it.
            true => first.push(what),
            false => reorder.hold(what.into(), now),
        }
    }
    let mut effects: Vec<Effect> = reorder.until().map(Effect::WakeAt).into_iter().collect();
    let first = first.into_iter().map(Reported::from).collect();
    effects.extend(chat::append_told(state, chat, first, None));
    match (then, requester) {
        (JournalThen::Nothing, _) => {}
        (JournalThen::HookAnswered(answer), Requester::Call(call)) if !decides => {
            effects.push(Effect::Rule(call, answer));
        }
        (JournalThen::Instruct(arrival), requester) if !decides => {
            effects.extend(cwd::instruct(state, chat, arrival, requester));
        }
        (then, requester) => {
            if let Some(agent) = state.live.agents.get_mut(chat) {
                effects.push(Effect::WakeAt(agent.reorder.follow(requester, then, now)));
            }
        }
    }
    effects
}

/// Writes what is due, with how far the transcript was read.
pub(super) fn write(state: &mut Domain, chat: &ChatId, due: DueRecords, read: Option<Mark>) -> Vec<Effect> {
    let DueRecords { told, mut follows } = due;
    let follows = match follows.len() {
        0 => return chat::append_told(state, chat, told, read),
        1 => follows.swap_remove(0),
        _ => (Requester::Nobody, JournalThen::Each(follows)),
    };
    chat::append_then(state, chat, told, read, follows)
}

/// Time has passed: what the transcript has not told by now is recorded as it was heard.
pub fn clock(state: &mut Domain) -> Vec<Effect> {
    let now = state.now;
    let agents = state.live.agents.awake_mut();
    let due = agents.map(|(chat, agent)| (chat.clone(), agent.reorder.expired(now)));
    let due: Vec<(ChatId, DueRecords)> = due.collect();
    let agents = state.live.agents.awake_mut();
    let ends = agents.map(|(chat, agent)| (chat.clone(), agent.turn.own.overdue_ends(now)));
    let ends: Vec<(ChatId, Vec<Happened>)> = ends.filter(|(_, ends)| !ends.is_empty()).collect();
    let mut effects: Vec<Effect> = due
        .into_iter()
        .flat_map(|(chat, due)| write(state, &chat, due, None))
        .collect();
    for (chat, ends) in ends {
        let ends = news::news(state, &chat, ends);
        effects.extend(chat::append(state, &chat, ends));
    }
    effects
}

/// What is due as the transcript tells this: what was heard of it, and behind it, before. An interrupt is told of a turn
/// that is over.
pub(super) fn told_too(state: &mut Domain, chat: &ChatId, what: &Happened, at: Option<Timestamp>) -> DueRecords {
    let Some(agent) = state
        .live
        .agents
        .get_mut(chat)
        .filter(|agent| !agent.reorder.is_empty())
    else {
        return DueRecords::default();
    };
    match (what, what.key()) {
        (Happened::Interrupt { .. }, _) => agent.reorder.all(),
        (_, Some(key)) => agent.reorder.release(&key, Some((what, at))),
        (_, None) => DueRecords::default(),
    }
}

/// What is due of what a CLI's server says: words that were waited for with all that waited for them, and what waits for
/// nothing.
pub(super) fn in_turn(state: &mut Domain, chat: &ChatId, told: Vec<Reported>) -> DueRecords {
    let now = state.now;
    let mut due = DueRecords::default();
    let Some(agent) = state.live.agents.get_mut(chat) else {
        due.told = told;
        return due;
    };
    for one in told {
        let key = one.what.key();
        match key.filter(|key| agent.reorder.has(key)) {
            Some(key) => {
                due.told.push(one);
                due.extend(agent.reorder.release(&key, None));
            }
            None if agent.reorder.is_empty() => due.told.push(one),
            None => agent.reorder.hold(one, now),
        }
    }
    due
}

/// All that waits.
pub(super) fn rest(state: &mut Domain, chat: &ChatId) -> DueRecords {
    let agent = state.live.agents.get_mut(chat);
    agent.map(|agent| agent.reorder.all()).unwrap_or_default()
}

/// Nothing more is waited for: its agent has ended.
pub(super) fn flush(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let due = rest(state, chat);
    write(state, chat, due, None)
}
