//! Work that is done: what it loaded goes into state, and whoever asked is answered.

use serde_json::{Value, json};

use crate::model::text::one_line;
use crate::model::{Chat, ChatId, Entry, Happened, Problem, WorkId};

use super::effect::Effect;
use super::event::Outcome;
use super::state::{Asker, State, Then, Waiting};
use super::view::Tone;
use super::{agent, chat, delivery, dialog, duplicate, inspector, project, status, toast, wait};

/// Characters of a chat's last words in the sidebar.
const PREVIEW: usize = 120;

pub fn update(state: &mut State, work: WorkId, outcome: Outcome) -> Vec<Effect> {
    let nobody = Waiting {
        asker: Asker::Nobody,
        then: Then::Nothing,
    };
    let Waiting { asker, then } = state.live.waiting.remove(&work).unwrap_or(nobody);
    match outcome {
        Outcome::Failed(problem) => failed(state, asker, then, problem),
        Outcome::Chat(loaded) => chat_done(state, asker, then, *loaded),
        Outcome::Duplicated { chat, notes } => match then {
            Then::StartDuplicate(env) => duplicate::made(state, *chat, notes, env, asker),
            _ => chat_done(state, asker, then, *chat),
        },
        Outcome::Removed(id) => {
            let mut effects = chat::removed(state, &id);
            effects.extend(answer(state, asker, Ok(json!({"deleted": id}))));
            effects
        }
        Outcome::Started {
            chat: loaded,
            manners,
            problems,
            prompt,
            resumes,
        } => {
            let id = loaded.id().clone();
            let mut effects = chat::loaded(state, *loaded);
            agent::prepared(state, &id, manners, resumes);
            let notes = problems.iter().map(|problem| Happened::Note {
                text: problem.to_string(),
            });
            effects.extend(chat::append(state, &id, notes.collect()));
            if let Some(prompt) = prompt {
                effects.extend(delivery::went_along(state, &id, &prompt));
            }
            effects.extend(status::reassess(state, &id));
            let mut made = chat::json(state, &id);
            if let Then::StartedDuplicate(_, notes) = then {
                made["notes"] = json!(notes);
            }
            effects.extend(answer(state, asker, Ok(made)));
            effects
        }
        Outcome::Opened(loaded, opened) => {
            let id = loaded.id().clone();
            let (value, mut effects) = project::opened(state, *loaded, &opened);
            match then {
                Then::Continue(_, new) => effects.extend(chat::furnish(state, &id, new, asker)),
                other => effects.extend(plainly(state, asker, other, value)),
            }
            effects
        }
        Outcome::Saved(files) => plainly(state, asker, then, json!({"saved": files})),
        Outcome::Tallied(projects) => plainly(state, asker, then, json!({"projects": projects})),
        Outcome::Appended(id, entries) => appended(state, asker, then, &id, &entries),
        Outcome::Tail(id, entries) => {
            inspector::read(state, &id, &entries);
            Vec::new()
        }
        Outcome::Losses(lines) => losses(state, asker, then, lines),
        Outcome::Agents(found) => {
            state.disk.agents = found;
            Vec::new()
        }
        Outcome::Places(hints) => match then {
            Then::ShowPlaces(client) => {
                dialog::places(state, client, hints);
                Vec::new()
            }
            _ => Vec::new(),
        },
        Outcome::Value(value) => plainly(state, asker, then, value),
        Outcome::Nothing => plainly(state, asker, then, json!({})),
    }
}

/// A result whose asker wants just that.
fn plainly(state: &mut State, asker: Asker, then: Then, value: Value) -> Vec<Effect> {
    match (then, asker) {
        (Then::Demo(new), asker) => {
            let path = value["path"].as_str().unwrap_or_default().to_string();
            chat::demo_on(state, &path, *new, asker)
        }
        (Then::Delete(chat), asker) => chat::end_and_trash(state, &chat, asker),
        // The transcript so far was streamed; from here on entries come as they are written.
        (Then::Follow(chat), Asker::Call(call)) => {
            state.live.follows.push((call, chat));
            Vec::new()
        }
        _ => answer(state, asker, Ok(value)),
    }
}

fn chat_done(state: &mut State, asker: Asker, then: Then, loaded: Chat) -> Vec<Effect> {
    let id = loaded.id().clone();
    let mut effects = chat::loaded(state, loaded);
    match then {
        Then::Furnish(new) => effects.extend(chat::furnish(state, &id, new, asker)),
        Then::Kept(why) => effects.extend(answer(state, asker, Ok(json!({"sent": false, "held_by": why})))),
        _ => {
            let value = chat::json(state, &id);
            effects.extend(answer(state, asker, Ok(value)));
        }
    }
    effects
}

fn appended(state: &mut State, asker: Asker, then: Then, id: &ChatId, entries: &[Entry]) -> Vec<Effect> {
    if let (Some(known), Some(last)) = (state.disk.chats.get_mut(id), entries.last()) {
        known.seq = last.seq;
        known.updated = last.ts;
        if let Some(words) = entries.iter().rev().find_map(|entry| words(&entry.what)) {
            known.preview = words;
        }
    }
    if let Some(shelf) = state.live.shelves.get_mut(id) {
        shelf.take(entries);
    }
    let mut effects = wait::follow(state, id, entries);
    if let (Then::HookAnswered(ruling), Asker::Call(call)) = (then, asker) {
        effects.push(Effect::Rule(call, ruling));
    }
    effects
}

/// What an entry says, in one line; most say nothing worth a preview.
pub fn words(what: &Happened) -> Option<String> {
    match what {
        Happened::Prompt { text, .. } | Happened::Text { text, .. } => Some(one_line(text, PREVIEW)),
        Happened::Error { message, .. } => Some(one_line(message, PREVIEW)),
        Happened::Note { text } => Some(one_line(text, PREVIEW)),
        Happened::ToolStart { name, .. } => Some(one_line(name, PREVIEW)),
        Happened::Session { .. }
        | Happened::Thinking { .. }
        | Happened::ToolEnd { .. }
        | Happened::Permission { .. }
        | Happened::Usage { .. }
        | Happened::Status { .. }
        | Happened::Compaction { .. }
        | Happened::Message { .. }
        | Happened::Subagent { .. }
        | Happened::Interrupt { .. }
        | Happened::Unknown { .. } => None,
    }
}

fn losses(state: &mut State, asker: Asker, then: Then, lines: Vec<String>) -> Vec<Effect> {
    match then {
        Then::ShowLosses(client, chat) => {
            dialog::losses(state, client, &chat, lines);
            Vec::new()
        }
        Then::Refuse(chat) => {
            let doing = format!("deleting {}", chat::handle(state, &chat));
            let lost = match lines.is_empty() {
                true => "nothing was deleted: it would go to the trash for 7 days".to_string(),
                false => format!("nothing was deleted: it would lose {}", lines.join(", ")),
            };
            let problem = Problem::new(doing, lost, "say `--yes` to delete it");
            answer(state, asker, Err(problem))
        }
        _ => Vec::new(),
    }
}

fn failed(state: &mut State, asker: Asker, then: Then, problem: Problem) -> Vec<Effect> {
    match then {
        Then::Started(chat) | Then::StartedDuplicate(chat, _) => {
            let mut effects = agent::ended(state, &chat, format!("could not start: {problem}"));
            effects.extend(answer(state, asker, Err(problem)));
            effects
        }
        Then::Continue(chat, _) => chat::unfurnish(state, &chat, problem, asker),
        Then::ShowPlaces(_) | Then::ShowLosses(..) => Vec::new(),
        Then::Answer
        | Then::Furnish(_)
        | Then::StartDuplicate(_)
        | Then::Demo(_)
        | Then::HookAnswered(_)
        | Then::Kept(_)
        | Then::Refuse(_)
        | Then::Delete(_)
        | Then::Follow(_)
        | Then::Nothing => answer(state, asker, Err(problem)),
    }
}

/// Tells whoever asked how it went: a reply on the wire, or a word on the screen.
pub fn answer(state: &mut State, asker: Asker, how: Result<Value, Problem>) -> Vec<Effect> {
    match (asker, how) {
        (Asker::Call(call), how) => vec![Effect::Reply(call, how)],
        (Asker::Screen(client), Err(problem)) => {
            dialog::failed(state, client, problem);
            Vec::new()
        }
        (Asker::Screen(_), Ok(_)) => Vec::new(),
        (Asker::Nobody, Err(problem)) => {
            let clients: Vec<_> = state.views.keys().copied().collect();
            for client in clients {
                toast::tell(state, client, problem.to_string(), Tone::Failed);
            }
            Vec::new()
        }
        (Asker::Nobody, Ok(_)) => Vec::new(),
    }
}
