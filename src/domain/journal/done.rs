//! Something of a chat is written down, or was read of its inbox.

use std::sync::Arc;

use crate::domain::agent::{cwd, delivery, delivery_receipt, queue};
use crate::domain::approval;
use crate::domain::chat::{self, naming, preview};
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::team::{inbox, wait};
use crate::domain::usage;
use crate::domain::work::{ForeignResult, JournalDone, JournalThen};
use crate::domain::{reply, todo};
use crate::model::{ChatId, Entry, HookAnswer, Problem};

pub fn done(
    state: &mut Domain,
    requester: Requester,
    then: JournalThen,
    done: JournalDone,
) -> Result<Vec<Effect>, ForeignResult> {
    Ok(match (then, done) {
        (
            then @ (JournalThen::Nothing
            | JournalThen::HookAnswered(_)
            | JournalThen::Instruct(_)
            | JournalThen::Decided(..)
            | JournalThen::Told(_)
            | JournalThen::Each(_)),
            JournalDone::Appended(id, entries),
        ) => {
            let mut effects = appended(state, &id, &entries);
            effects.extend(recorded(state, requester, then, &id));
            effects
        }
        (JournalThen::Nothing, JournalDone::Unwritten(_)) if requester == Requester::Nobody => Vec::new(),
        (then, JournalDone::Unwritten(problem)) => failed(state, requester, then, problem),
        (JournalThen::Kept(chat, number), JournalDone::Kept(loaded)) => {
            let mut effects = chat::loaded(state, *loaded);
            effects.extend(delivery::written(state, &chat, number));
            effects
        }
        (JournalThen::Requeued(chat, _), JournalDone::Kept(loaded)) => {
            let mut effects = chat::loaded(state, *loaded);
            effects.extend(queue::requeued(state, &chat, requester));
            effects
        }
        (JournalThen::Posted(post), JournalDone::Posted(to, message)) => {
            inbox::posted(state, requester, *post, &to, &message)
        }
        (JournalThen::MarkedRead(message), JournalDone::MarkedRead) => {
            state.live.inboxes.read.remove(&message);
            Vec::new()
        }
        (JournalThen::Answer, JournalDone::Inbox { chat, messages, more }) => {
            inbox::told(state, requester, &chat, &messages, more)
        }
        (JournalThen::Nothing, JournalDone::Unread { chat, messages, broken }) => {
            inbox::reconcile(state, &chat, &messages, broken)
        }
        (
            JournalThen::Nothing
            | JournalThen::HookAnswered(_)
            | JournalThen::Instruct(_)
            | JournalThen::Decided(..)
            | JournalThen::Told(_)
            | JournalThen::Each(_)
            | JournalThen::Kept(..)
            | JournalThen::Requeued(..)
            | JournalThen::Posted(_)
            | JournalThen::MarkedRead(_)
            | JournalThen::Answer,
            _,
        ) => return Err(ForeignResult),
    })
}

fn appended(state: &mut Domain, id: &ChatId, entries: &[Entry]) -> Vec<Effect> {
    if let Some(last) = entries.last() {
        state.disk.chats.change(id, |known| {
            known.seq = last.seq;
            // What is read late of a CLI's transcript is older than what is known.
            let acts = entries.iter().filter(|entry| entry.what.is_activity());
            known.updated = acts.map(|entry| entry.ts).fold(known.updated, Ord::max);
            if let Some(words) = entries.iter().rev().find_map(|entry| preview::words(&entry.what)) {
                known.preview = words;
            }
        });
    }
    if let Some(shelf) = state.live.looked_at.shelves.get_mut(id) {
        shelf.take(entries);
    }
    todo::appended(state, id, entries);
    if let Some(fresh) = state.live.looked_at.fresh_entries.get_mut(id) {
        fresh.extend(entries.iter().cloned().map(Arc::new));
    }
    let mut effects = usage::take(state, id, entries);
    effects.extend(naming::by_first_prompt(state, id, entries));
    effects.extend(wait::follow(state, id, entries));
    effects.extend(wait::written(state, id));
    effects
}

/// Entries are in the transcript: on with what waited for that.
fn recorded(state: &mut Domain, requester: Requester, then: JournalThen, id: &ChatId) -> Vec<Effect> {
    match then {
        JournalThen::HookAnswered(answer) => match requester {
            Requester::Call(call) => vec![Effect::Rule(call, answer)],
            Requester::Screen(_) | Requester::Launch(_) | Requester::Nobody => Vec::new(),
        },
        JournalThen::Instruct(arrival) => cwd::instruct(state, id, arrival, requester),
        JournalThen::Decided(chat, question, hook) => approval::recorded(state, &chat, &question, hook),
        JournalThen::Told(answer) => reply::answer(state, requester, Ok(answer)),
        JournalThen::Each(all) => {
            let each = all.into_iter();
            each.flat_map(|(requester, then)| recorded(state, requester, then, id))
                .collect()
        }
        JournalThen::Nothing
        | JournalThen::Kept(..)
        | JournalThen::Requeued(..)
        | JournalThen::Posted(_)
        | JournalThen::MarkedRead(_)
        | JournalThen::Answer => Vec::new(),
    }
}

pub fn failed(state: &mut Domain, requester: Requester, then: JournalThen, problem: Problem) -> Vec<Effect> {
    match then {
        JournalThen::Decided(chat, question, hook) => approval::not_recorded(state, &chat, &question, hook),
        JournalThen::Kept(chat, number) => delivery_receipt::unwritten(state, &chat, number, &problem),
        JournalThen::Requeued(chat, before) => queue::not_requeued(state, &chat, before, requester, problem),
        JournalThen::Each(all) => {
            let each = all.into_iter();
            each.flat_map(|(requester, then)| failed(state, requester, then, problem.clone()))
                .collect()
        }
        JournalThen::HookAnswered(answer) => match (requester, answer) {
            // Only what allows more needs its record first: without an answer, what is forbidden would be asked about.
            (Requester::Call(call), answer @ (HookAnswer::Deny(_) | HookAnswer::Ask(_))) => {
                vec![Effect::Rule(call, answer)]
            }
            (requester, _) => reply::answer(state, requester, Err(problem)),
        },
        JournalThen::Nothing
        | JournalThen::Instruct(_)
        | JournalThen::Told(_)
        | JournalThen::Posted(_)
        | JournalThen::MarkedRead(_)
        | JournalThen::Answer => reply::answer(state, requester, Err(problem)),
    }
}
