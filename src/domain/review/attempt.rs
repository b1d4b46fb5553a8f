//! Chats that try the same: those with clones of the projects of one chat.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::model::detail::{Attempt, DetailWork, ListedAttempt, ListedAttempts};
use crate::model::keep::PullRequest;
use crate::model::pick::{Pick, PickedFile};
use crate::model::review::{Amount, DiffSet};
use crate::model::{Chat, ChatId, Kind, Problem, Status};

use super::work::{ReviewThen, ReviewWork};

/// The chat itself, then the others: those of its own family of forks and sub-agents before all, of each the newest first.
pub fn others(state: &Domain, of: &ChatId) -> Vec<ChatId> {
    let projects = |chat: &Chat| -> BTreeSet<String> {
        let clones = chat.record.dirs.iter().filter(|dir| dir.kind == Kind::Git);
        clones.map(|dir| dir.identity().to_owned()).collect()
    };
    let own = state.disk.chats.get(of).map(projects).unwrap_or_default();
    let is_other = |chat: &&Chat| chat.id() != of && !projects(chat).is_disjoint(&own);
    let mut others: Vec<&Chat> = state.disk.chats.values().filter(is_other).collect();
    let family = first_of(state, of);
    others.sort_by_key(|chat| (first_of(state, chat.id()) != family, Reverse(chat.record.created)));
    let others = others.into_iter().map(|chat| chat.id().clone());
    std::iter::once(of.clone()).chain(others).collect()
}

/// The chat from which all of a family were forked or dispatched.
fn first_of<'s>(state: &'s Domain, chat: &'s ChatId) -> &'s ChatId {
    let mut first = chat;
    // A circle is made by hands alone.
    for _ in 0..64 {
        let above = state.disk.chats.get(first).and_then(|chat| chat.record.stands_below());
        match above {
            Some(above) => first = above,
            None => break,
        }
    }
    first
}

pub fn list(state: &mut Domain, chat: ChatId, requester: Requester) -> Vec<Effect> {
    let others = others(state, &chat);
    let work = ReviewWork::Detail(chat, DetailWork::Attempts(others));
    chat::work(state, requester, ReviewThen::Answer, work)
}

/// The first is the chat itself. A chat on the same repository that has changed nothing tries something else, unless it is
/// of the family or at work.
pub fn tried(state: &Domain, attempts: Vec<Attempt>) -> Vec<Attempt> {
    let family = attempts.first().map(|own| first_of(state, &own.chat).clone());
    let tries = |attempt: &Attempt| {
        let has_changed = attempt.amount != Amount::default();
        let is_at_work = matches!(state.status(&attempt.chat), Status::Running(_) | Status::Retrying(_));
        has_changed || is_at_work || Some(first_of(state, &attempt.chat)) == family.as_ref()
    };
    attempts.into_iter().filter(tries).collect()
}

/// Those that [`tried`] it, for a shell.
pub fn listed(state: &Domain, attempts: Vec<Attempt>) -> ListedAttempts {
    let listed = tried(state, attempts).into_iter().filter_map(|attempt| {
        let record = &state.disk.chats.get(&attempt.chat)?.record;
        let pulls = pulls(state, &attempt.chat).cloned().collect();
        Some(ListedAttempt {
            handle: record.handle.to_string(),
            name: record.name.clone(),
            llm: record.llm.clone(),
            status: state.status(&attempt.chat).word().to_owned(),
            turns: attempt.turns,
            amount: attempt.amount,
            pulls,
            id: attempt.chat,
        })
    });
    ListedAttempts {
        attempts: listed.collect(),
    }
}

/// The pull requests of a chat's branches.
pub fn pulls<'d>(state: &'d Domain, chat: &'d ChatId) -> impl Iterator<Item = &'d PullRequest> {
    let projects = state.disk.chats.get(chat).into_iter().flat_map(|chat| &chat.projects);
    projects.filter_map(|project| state.live.branches.pulls.of(chat, project))
}

/// A shell names chats by their handles.
pub fn resolved(state: &Domain, set: DiffSet) -> Result<DiffSet, Problem> {
    match set {
        DiffSet::With(other) => Ok(DiffSet::With(state.find(&other)?.to_string())),
        set => Ok(set),
    }
}

/// What of a file is meant, as the other chat has it.
pub fn in_chat(state: &Domain, into: &ChatId, from: &str, pick: Pick) -> Result<Pick, Problem> {
    let chat = state.find(from)?;
    if chat == *into {
        let cause = format!("{} is the chat itself", chat::handle(state, into));
        let hint = "`parlour compare CHAT` shows who works on the same projects";
        return Err(Problem::new("taking from another chat", cause, hint));
    }
    let of = match pick.of {
        PickedFile::Uncommitted { project, path } => PickedFile::InChat { chat, project, path },
        of => of,
    };
    Ok(Pick { of, ..pick })
}
