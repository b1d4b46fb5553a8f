//! A chat made of another one: its agent CLI, its projects, and its conversation where the CLI can fork it.

use std::collections::BTreeMap;

use crate::domain::work::{AgentThen, ChatThen, ChatWork, Choice, NewRecord};
use crate::model::atom::Who;
use crate::model::review::Point;
use crate::model::text::one_line;
use crate::model::{Chat, ChatId, Happened};

use super::chat::LONGEST_NAME;
use super::effect::Effect;
use super::notice::Done;
use super::state::{Domain, Requester};
use super::{agent, chat, project, reply};

const FORK: &str = "fork";
const COPY: &str = "copy";

/// Without a name it is called after the original. With a moment it is a fork: a chat of the person's own, for which the
/// dispatcher of the original has no use.
pub fn begin(
    state: &mut Domain,
    (from, at): (&ChatId, Option<Point>),
    name: Option<String>,
    env: BTreeMap<String, String>,
    requester: Requester,
) -> Vec<Effect> {
    let Some(record) = state.disk.chats.get(from).map(|known| known.record.clone()) else {
        return Vec::new();
    };
    let id = ChatId::from_bits(state.ids.bits());
    let name = match name.map(|name| one_line(&name, LONGEST_NAME)) {
        Some(name) if !name.is_empty() => name,
        Some(_) | None => free_name(state, if at.is_some() { FORK } else { COPY }, &record.name),
    };
    let new = NewRecord {
        handle: state.free_handle(&name, &id),
        id,
        by: Who::Person,
        name,
        llm: Choice::Named(record.llm),
        role: record.role,
        env: env.clone(),
        around: project::places(state, from),
        parent: record.parent.filter(|_| at.is_none()),
        // A kill before the last step leaves a chat that lacks something, and the next engine lets it go.
        to_open: record.dirs.len() + 1,
        schedule: None,
        disabled_servers: record.disabled_servers,
        permissions: record.set.permissions,
        prompt: None,
        prompt_id: String::new(),
        wants_answer: false,
    };
    let job = ChatWork::Duplicate {
        from: from.clone(),
        at,
        new,
        env: env.clone(),
    };
    chat::work(state, requester, ChatThen::StartDuplicate(env), job)
}

/// It is on disk: its transcript begins with where it came from, and its agent starts.
pub fn made(
    state: &mut Domain,
    made: Chat,
    notes: Vec<String>,
    env: BTreeMap<String, String>,
    requester: Requester,
) -> Vec<Effect> {
    let id = made.id().clone();
    let mut effects = chat::loaded(state, made);
    let told = notes.iter().map(|text| Happened::Note { text: text.clone() });
    effects.extend(chat::append(state, &id, told.collect()));
    reply::show(state, requester, Done::Duplicated(notes.clone()));
    let then = AgentThen::StartedDuplicate(id.clone(), notes);
    effects.extend(agent::start(state, &id, env, requester, then));
    reply::show(state, requester, Done::ChatMade(id));
    effects
}

/// A name that no other chat has. What it does not share with its original stands first, for names are cut at their end.
fn free_name(state: &Domain, kind: &str, original: &str) -> String {
    let called_so = unmarked(original);
    let is_taken = |name: &str| state.disk.chats.values().any(|chat| chat.record.name == name);
    let numbered = (1..).map(|number: u32| match number {
        1 => format!("{kind}: "),
        _ => format!("{kind} {number}: "),
    });
    let mut names = numbered.map(|mark| format!("{mark}{}", one_line(called_so, LONGEST_NAME - mark.len())));
    names
        .find(|name| !is_taken(name))
        .expect("there are more numbers than chats")
}

/// The name without what marks it as a fork or a copy: a fork of a fork is told apart by its number.
fn unmarked(name: &str) -> &str {
    let Some((mark, rest)) = name.split_once(": ") else {
        return name;
    };
    let (kind, number) = mark.split_once(' ').unwrap_or((mark, "2"));
    let is_mark = matches!(kind, FORK | COPY) && number.parse::<u32>().is_ok();
    if is_mark { rest } else { name }
}
