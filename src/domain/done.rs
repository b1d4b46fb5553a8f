//! Work that is done: what it loaded goes into state, and whoever asked is answered.

use serde_json::{Value, json};

use crate::model::tool::OpenDirAnswer;
use crate::model::{Chat, ChatId, Entry, Happened, HookAnswer, Losses, Problem, WorkId};

use super::agent::{acknowledgement, cwd, delivery, delivery_receipt, status};
use super::chat::preview;
use super::effect::Effect;
use super::event::Outcome;
use super::notice::Done;
use super::state::{Domain, Requester, Then, Waiting};
use super::team::{atom, dispatch, inbox, wait};
use super::work::ForeignResult;
use super::{
    agent, approval, chat, creation, duplicate, keep, project, read, removal, reply, review, schedule, script, server,
    trash,
};

pub fn update(state: &mut Domain, work: WorkId, outcome: Outcome) -> Vec<Effect> {
    let nobody = Waiting {
        requester: Requester::Nobody,
        then: Then::Nothing,
    };
    let Waiting { requester, then } = state.live.waiting.remove(&work).unwrap_or(nobody);
    state.live.openings.remove(&work);
    let done = match (then, outcome) {
        (Then::Trash(then), Outcome::Trash(done)) => trash::done::done(state, requester, then, done),
        (Then::Schedule(then), Outcome::Schedule(done)) => schedule::done::done(state, requester, then, done),
        (Then::Script(then), Outcome::Script(done)) => script::done::done(state, work, requester, then, done),
        (Then::Approval(then), Outcome::Approval(done)) => approval::done::done(state, work, then, done),
        (Then::Server(then), Outcome::Server(done)) => Ok(server::done::done(state, requester, then, done)),
        (Then::Review(then), Outcome::Review(done)) => review::done::done(state, requester, then, done),
        (Then::Keep(then), Outcome::Keep(done)) => Ok(keep::done::done(state, requester, then, done)),
        (Then::Read(then), Outcome::Read(found)) => read::done::done(state, requester, then, found),
        (then, outcome) => Ok(flat(state, work, (requester, then), outcome)),
    };
    done.unwrap_or_else(|ForeignResult| stray(state, requester))
}

fn flat(state: &mut Domain, work: WorkId, (requester, then): (Requester, Then), outcome: Outcome) -> Vec<Effect> {
    match outcome {
        Outcome::Failed(problem) => failed(state, work, requester, then, problem),
        Outcome::Chat(loaded) => chat_done(state, requester, then, *loaded),
        Outcome::Duplicated { chat, notes } => match then {
            Then::StartDuplicate(env) => duplicate::made(state, *chat, notes, env, requester),
            _ => chat_done(state, requester, then, *chat),
        },
        Outcome::Removed(id, notes) => removed(state, (requester, then), &id, &notes),
        Outcome::Started {
            chat: loaded,
            capabilities,
            problems,
            prompt,
            resumes,
            sandbox,
        } => {
            let id = loaded.id().clone();
            let mut effects = chat::loaded(state, *loaded);
            agent::prepared(state, &id, capabilities, resumes, sandbox);
            let notes = problems.iter().map(|problem| Happened::Note {
                text: problem.to_string(),
            });
            effects.extend(chat::append(state, &id, notes.collect()));
            if let Some(prompt) = prompt {
                effects.extend(acknowledgement::went_along(state, &id, &prompt));
            }
            effects.extend(inbox::look(state, &id));
            effects.extend(status::reassess(state, &id));
            effects.extend(started(state, requester, then, &id));
            effects
        }
        Outcome::Opened(loaded, directory) => opened(state, requester, then, *loaded, directory),
        Outcome::Saved(files) => plainly(state, requester, then, json!({"saved": files})),
        Outcome::Appended(id, entries) => appended(state, requester, then, &id, &entries),
        Outcome::Unwritten(problem) => match (requester, &then) {
            (Requester::Nobody, Then::Nothing) => Vec::new(),
            _ => failed(state, work, requester, then, problem),
        },
        Outcome::Losses(found) => losses(state, requester, then, found),
        Outcome::Agents(found) => {
            state.disk.agents = found;
            Vec::new()
        }
        Outcome::Instructions(text) => match requester {
            Requester::Call(call) => vec![Effect::Rule(
                call,
                text.map_or(HookAnswer::NoOpinion, HookAnswer::Context),
            )],
            Requester::Screen(_) | Requester::Launch(_) | Requester::Nobody => Vec::new(),
        },
        Outcome::Posted(to, message) => match then {
            Then::Posted(post) => inbox::posted(state, requester, *post, &to, &message),
            _ => Vec::new(),
        },
        Outcome::Inbox { chat, messages, more } => inbox::told(state, requester, &chat, &messages, more),
        Outcome::Unread { chat, messages, broken } => inbox::reconcile(state, &chat, &messages, broken),
        Outcome::Value(value) => plainly(state, requester, then, value),
        Outcome::Nothing => plainly(state, requester, then, json!({})),
        Outcome::Trash(_)
        | Outcome::Schedule(_)
        | Outcome::Script(_)
        | Outcome::Approval(_)
        | Outcome::Server(_)
        | Outcome::Review(_)
        | Outcome::Keep(_)
        | Outcome::Read(_) => stray(state, requester),
    }
}

/// A result that belongs to other work would be taken for one that it is not.
fn stray(state: &mut Domain, requester: Requester) -> Vec<Effect> {
    let cause = "a worker came back with the result of other work";
    reply::answer(state, requester, Err(Problem::fault("carrying it out", cause)))
}

fn opened(state: &mut Domain, requester: Requester, then: Then, loaded: Chat, directory: OpenDirAnswer) -> Vec<Effect> {
    if matches!(then, Then::Dispatch(..)) {
        return dispatch::opened(state, loaded, directory);
    }
    let id = loaded.id().clone();
    let (value, mut effects) = project::opened(state, loaded, &directory);
    match then {
        Then::Continue(_, new) => effects.extend(creation::furnish(state, &id, new, requester)),
        Then::Discard(_) => effects.extend(chat::discard(state, &id)),
        other => {
            reply::show(state, requester, Done::Opened(id));
            effects.extend(plainly(state, requester, other, value));
        }
    }
    effects
}

/// Its agent is on its way: whoever had it started is told.
fn started(state: &mut Domain, requester: Requester, then: Then, id: &ChatId) -> Vec<Effect> {
    let mut made = chat::json(state, id);
    match then {
        Then::Dispatch(..) => return dispatch::started(state, id),
        Then::StartedDuplicate(_, notes) => made["notes"] = json!(notes),
        _ => {}
    }
    reply::answer(state, requester, Ok(made))
}

/// A result whose asker wants just that.
fn plainly(state: &mut Domain, requester: Requester, then: Then, value: Value) -> Vec<Effect> {
    match (then, requester) {
        (Then::Demo(new), requester) => {
            let path = value["path"].as_str().unwrap_or_default().to_string();
            creation::demo_on(state, &path, *new, requester)
        }
        (Then::MarkedRead(id), _) => {
            state.live.read.remove(&id);
            Vec::new()
        }
        (Then::Discard(chat), _) => chat.map_or_else(Vec::new, |chat| chat::discard(state, &chat)),
        (Then::Delete(chat), requester) => removal::end_and_trash(state, &chat, requester),
        _ => reply::answer(state, requester, Ok(value)),
    }
}

fn chat_done(state: &mut Domain, requester: Requester, then: Then, loaded: Chat) -> Vec<Effect> {
    if let Then::Dispatch(made, _) = &then {
        return dispatch::made(state, made, loaded);
    }
    let id = loaded.id().clone();
    let mut effects = chat::loaded(state, loaded);
    match then {
        Then::Furnish(new) => effects.extend(creation::furnish(state, &id, new, requester)),
        Then::Continue(made, new) => effects.extend(creation::furnish(state, &made, new, requester)),
        Then::Declared => {
            let declared = state.disk.chats.get(&id).and_then(|known| known.declared.clone());
            effects.extend(reply::answer(state, requester, Ok(json!(declared))));
        }
        Then::Atoms(wanted) => {
            let told = atom::answer(state, &id, &wanted);
            effects.extend(reply::answer(state, requester, told));
        }
        Then::AtomSaved => reply::show(state, requester, Done::AtomSaved),
        Then::Discard(_) => effects.extend(chat::discard(state, &id)),
        Then::Renamed => {
            reply::show(state, requester, Done::Renamed(id.clone()));
            let value = chat::json(state, &id);
            effects.extend(reply::answer(state, requester, Ok(value)));
        }
        Then::Kept(chat, number) => effects.extend(delivery::written(state, &chat, number)),
        _ => {
            let value = chat::json(state, &id);
            effects.extend(reply::answer(state, requester, Ok(value)));
        }
    }
    effects
}

fn appended(state: &mut Domain, requester: Requester, then: Then, id: &ChatId, entries: &[Entry]) -> Vec<Effect> {
    if let (Some(known), Some(last)) = (state.disk.chats.get_mut(id), entries.last()) {
        known.seq = last.seq;
        // What is read late of a CLI's transcript is older than what is known.
        let acts = entries.iter().filter(|entry| entry.what.is_activity());
        known.updated = acts.map(|entry| entry.ts).fold(known.updated, Ord::max);
        if let Some(words) = entries.iter().rev().find_map(|entry| preview::words(&entry.what)) {
            known.preview = words;
        }
    }
    if let Some(shelf) = state.live.shelves.get_mut(id) {
        shelf.take(entries);
    }
    let mut effects = wait::follow(state, id, entries);
    effects.extend(recorded(state, requester, then, id));
    effects
}

/// Entries are in the transcript: on with what waited for that.
fn recorded(state: &mut Domain, requester: Requester, then: Then, id: &ChatId) -> Vec<Effect> {
    match (then, requester) {
        (Then::HookAnswered(ruling), Requester::Call(call)) => vec![Effect::Rule(call, ruling)],
        (Then::Instruct(arrival), requester) => cwd::instruct(state, id, arrival, requester),
        (Then::Each(all), _) => {
            let each = all.into_iter();
            each.flat_map(|(requester, then)| recorded(state, requester, then, id))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn losses(state: &mut Domain, requester: Requester, then: Then, found: Losses) -> Vec<Effect> {
    match then {
        Then::ShowLosses(chat) => {
            reply::show(state, requester, Done::Losses(chat, found));
            Vec::new()
        }
        Then::Refuse(chat) => {
            let doing = format!("deleting {}", chat::handle(state, &chat));
            let lost = format!(
                "nothing was deleted: {}",
                found.sentence("it would go to the trash for 7 days")
            );
            let problem = Problem {
                lost: found.lost.into(),
                ..Problem::new(doing, lost, "say `--yes` to delete it")
            };
            reply::answer(state, requester, Err(problem))
        }
        Then::Recheck(chat) => {
            reply::show(state, requester, Done::Rechecked(chat, found));
            Vec::new()
        }
        _ => Vec::new(),
    }
}

/// A chat is in the trash: what its archive script said is told to whoever asked, and on every screen.
fn removed(state: &mut Domain, (requester, then): (Requester, Then), id: &ChatId, notes: &[String]) -> Vec<Effect> {
    let known = state.disk.chats.get(id);
    let name = known.map(|known| chat::label(state, known).to_string());
    let mut effects = removal::removed(state, id);
    for note in notes {
        reply::tell_all(state, note);
    }
    let how = match then {
        Then::Unmade(problem) => Err(problem),
        _ => {
            reply::show(state, requester, Done::Deleted(name.unwrap_or_default()));
            Ok(json!({"deleted": id, "notes": notes}))
        }
    };
    effects.extend(reply::answer(state, requester, how));
    effects
}

fn failed(state: &mut Domain, work: WorkId, requester: Requester, then: Then, problem: Problem) -> Vec<Effect> {
    match then {
        Then::Schedule(then) => schedule::done::failed(state, requester, then, problem),
        Then::Script(then) => script::done::failed(state, work, requester, then, problem),
        Then::Approval(then) => approval::done::failed(state, work, then, problem),
        Then::Read(then) => read::done::failed(state, requester, then, problem),
        Then::Review(then) => review::done::failed(state, requester, then, problem),
        Then::Trash(_) | Then::Server(_) | Then::Keep(_) => reply::answer(state, requester, Err(problem)),
        Then::Started(chat) | Then::StartedDuplicate(chat, _) => {
            let mut effects = agent::could_not_start(state, &chat, &problem.to_string());
            effects.extend(reply::answer(state, requester, Err(problem)));
            effects
        }
        Then::StartedFirst(chat) => {
            let mut effects = agent::could_not_start(state, &chat, &problem.to_string());
            let problem = agent::kept(state, &chat, problem);
            effects.extend(reply::answer(state, requester, Err(problem)));
            effects
        }
        Then::Kept(chat, number) => delivery_receipt::unwritten(state, &chat, number, &problem),
        Then::Continue(chat, _) => chat::unfurnish(state, &chat, problem, requester),
        Then::Unmade(why) => reply::answer(state, requester, Err(why)),
        Then::Discard(chat) => chat.map_or_else(Vec::new, |chat| chat::discard(state, &chat)),
        Then::Dispatch(chat, step) => dispatch::failed(state, &chat, step, problem),
        Then::GivenUp => Vec::new(),
        Then::ShowLosses(_) | Then::Recheck(_) => losses(state, requester, then, Losses::unknown()),
        Then::Each(all) => {
            let each = all.into_iter();
            each.flat_map(|(requester, then)| failed(state, work, requester, then, problem.clone()))
                .collect()
        }
        Then::Answer
        | Then::Renamed
        | Then::Furnish(_)
        | Then::StartDuplicate(_)
        | Then::Demo(_)
        | Then::HookAnswered(_)
        | Then::Instruct(_)
        | Then::Atoms(_)
        | Then::AtomSaved
        | Then::Refuse(_)
        | Then::Posted(_)
        | Then::MarkedRead(_)
        | Then::Declared
        | Then::Delete(_)
        | Then::Nothing => reply::answer(state, requester, Err(problem)),
    }
}
