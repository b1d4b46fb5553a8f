//! Messages between chats of one tree. Each is safe in the inbox of its receiver before its sender hears of it, and gets to
//! the agent as a prompt, once: what is unread is typed when the agent waits for a prompt, also after a restart.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::domain::agent::state::Agent;
use crate::domain::agent::state::outbox::{Outbox, QueuedPrompt};
use crate::domain::agent::{acknowledgement, delivery, delivery_receipt};
use crate::domain::effect::Effect;
use crate::domain::notice::Done;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{InboxJob, JournalThen, JournalWork, TeamThen, TeamWork};
use crate::domain::{agent, chat, reply, todo};
use crate::model::chat::{Pending, STOPPED};
use crate::model::chat_name::MAIN;
use crate::model::inbox::{DONE, InboxMessage, Which};
use crate::model::tool::{InboxCall, SendMessage};
use crate::model::{CallId, Chat, ChatId, Declared, Happened, Problem, Ready, Status};

use super::message_prompt::{queued_prompt, waits};
use super::state::Post;
use super::{family, tree};

const PERSON: &str = "person";
/// Who a notice is from: the chat that it is of wrote nothing.
const PARLOUR: &str = "parlour";

/// What an agent asks about messages, and what it says of itself.
pub fn tool(state: &mut Domain, chat: &ChatId, asked: InboxCall, call: CallId) -> Result<Vec<Effect>, Problem> {
    match asked {
        InboxCall::ReportToParent(message) => report(state, chat, message, call),
        InboxCall::Send(SendMessage { to, message }) => send(state, chat, &to, message, call),
        InboxCall::Read(which) => Ok(read(state, chat, which, call)),
        InboxCall::SetStatus(declared) => Ok(declare(state, chat, declared, call)),
    }
}

/// An agent writes to a chat of its tree.
fn send(state: &mut Domain, from: &ChatId, to: &str, text: String, call: CallId) -> Result<Vec<Effect>, Problem> {
    let doing = "sending a message";
    let root = tree::root(state, from).clone();
    let mut tree = tree::below(state, &root);
    tree.push(root);
    let to = match to.trim() {
        "parent" => tree::parent(state, from, doing)?,
        // Whoever orchestrates this tree stands at its top.
        MAIN => tree::root(state, from).clone(),
        named => family::find(state, &tree, named, doing, "the chats of your tree")?,
    };
    post_from(state, from, to, text, call)
}

fn report(state: &mut Domain, from: &ChatId, text: String, call: CallId) -> Result<Vec<Effect>, Problem> {
    let parent = tree::parent(state, from, "reporting to the parent")?;
    post_from(state, from, parent, text, call)
}

fn post_from(
    state: &mut Domain,
    from: &ChatId,
    to: ChatId,
    text: String,
    call: CallId,
) -> Result<Vec<Effect>, Problem> {
    delivery::fits(&text)?;
    if acknowledgement::is_blank(&text) {
        return Err(Problem::new(
            "sending a message",
            "it is empty",
            "say what the other agent is to know",
        ));
    }
    let post = Post {
        env: tree::environment(state, from),
        follow_up: true,
        call: None,
        patient: false,
        at: state.now,
    };
    let message = InboxMessage {
        bare: false,
        ..message(state, Some(from), text)
    };
    if tree::parent(state, from, "reporting").is_ok_and(|parent| parent == to) {
        state.live.forget_report(from);
    }
    Ok(begin(state, to, message, post, Requester::Call(call)))
}

/// parlour tells a chat's agent of another chat. Nobody is started for it: it waits in the inbox.
pub fn notice(state: &mut Domain, of: &ChatId, to: ChatId, text: String) -> Vec<Effect> {
    let post = Post {
        env: BTreeMap::new(),
        follow_up: true,
        call: None,
        patient: false,
        at: state.now,
    };
    let message = InboxMessage {
        notice: true,
        ..message(state, Some(of), text)
    };
    let job = JournalWork::Inbox(to, InboxJob::Take(message));
    chat::work(state, Requester::Nobody, JournalThen::Posted(Box::new(post)), job)
}

/// `parlour send`, from under an agent or to one into which nothing is typed.
pub fn post_prompt(
    state: &mut Domain,
    to: ChatId,
    queued_prompt: QueuedPrompt,
    env: BTreeMap<String, String>,
    call: CallId,
) -> Vec<Effect> {
    let QueuedPrompt { prompt, receipt, .. } = queued_prompt;
    let mut message = InboxMessage {
        bare: true,
        ..message(state, prompt.sender.as_ref(), prompt.text)
    };
    if !prompt.key.is_empty() {
        message.id = prompt.key;
    }
    let post = Post {
        env,
        follow_up: prompt.follow_up,
        call: Some(call),
        patient: receipt.patient,
        at: message.ts,
    };
    begin(state, to, message, post, Requester::Call(call))
}

/// The same of what a person writes at a screen.
pub fn post_written(
    state: &mut Domain,
    to: &ChatId,
    prompt: Pending,
    env: BTreeMap<String, String>,
    requester: Requester,
) -> Vec<Effect> {
    let message = InboxMessage {
        bare: true,
        ..message(state, None, prompt.text)
    };
    let post = Post {
        env,
        follow_up: prompt.follow_up,
        call: None,
        patient: false,
        at: message.ts,
    };
    begin(state, to.clone(), message, post, requester)
}

fn message(state: &mut Domain, from: Option<&ChatId>, text: String) -> InboxMessage {
    InboxMessage {
        id: ChatId::from_bits(state.ids.bits()).to_string(),
        from: from.map_or_else(|| PERSON.into(), |from| chat::handle(state, from)),
        sender: from.cloned(),
        unverified: false,
        bare: false,
        notice: false,
        message: text,
        read: false,
        ts: state.now,
        written: None,
    }
}

fn begin(state: &mut Domain, to: ChatId, message: InboxMessage, post: Post, requester: Requester) -> Vec<Effect> {
    let job = JournalWork::Inbox(to, InboxJob::Take(message));
    chat::work(state, requester, JournalThen::Posted(Box::new(post)), job)
}

/// A message is safe: both transcripts say so, its agent gets it, and its sender hears what it waits for.
pub fn posted(
    state: &mut Domain,
    requester: Requester,
    post: Post,
    to: &ChatId,
    message: &InboxMessage,
) -> Vec<Effect> {
    if !state.disk.chats.contains_key(to) {
        // It was deleted while the message was written.
        let hint = "`parlour list` shows the chats that are there";
        let problem = Problem::missing("sending a message", "its chat is gone", hint);
        return match post.call {
            Some(call) => vec![Effect::Reply(call, Err(problem))],
            None => reply::answer(state, requester, Err(problem)),
        };
    }
    if let Some(call) = post.call.filter(|_| message.read) {
        return delivery_receipt::answered(Some(call), &chat::handle(state, to), &message.id);
    }
    reply::show(state, requester, Done::Changed(to.clone()));
    let mut effects = match message.ts == post.at {
        true => said_so(state, to, message),
        false => Vec::new(),
    };
    if let Some(why) = obstacle(state, to, message) {
        waits(state, to, message);
        effects.extend(match post.call {
            Some(call) => {
                let told = delivery_receipt::queued(&chat::handle(state, to), &why, &message.id);
                vec![Effect::Reply(call, Ok(told))]
            }
            None => reply::answer(state, requester, Ok(taken(state, to, message, Some(why)))),
        });
        return effects;
    }
    if !runs(state, to) {
        effects.extend(agent::resume(state, to, post.env, Requester::Nobody));
    }
    let mut queued_prompt = queued_prompt(state, to, message, post.call);
    queued_prompt.prompt.follow_up = post.follow_up;
    queued_prompt.receipt.patient = post.patient;
    effects.extend(delivery::send(state, to, queued_prompt));
    if post.call.is_none() {
        let held = held(state, to, &message.id);
        effects.extend(reply::answer(state, requester, Ok(taken(state, to, message, held))));
    }
    effects
}

/// A new message, in the transcripts of both.
fn said_so(state: &mut Domain, to: &ChatId, message: &InboxMessage) -> Vec<Effect> {
    let happened = vec![happened(state, to, message)];
    let mut effects = chat::append(state, to, happened.clone());
    if let Some(sender) = message.sender.as_ref().filter(|sender| *sender != to) {
        effects.extend(chat::append(state, sender, happened));
    }
    effects
}

fn taken(state: &Domain, to: &ChatId, message: &InboxMessage, held: Option<String>) -> Value {
    json!({"id": message.id, "to": chat::handle(state, to), "heldBy": held})
}

fn happened(state: &Domain, to: &ChatId, message: &InboxMessage) -> Happened {
    Happened::Message {
        id: message.id.clone(),
        from: sender(message).to_owned(),
        to: chat::handle(state, to),
        unverified: message.unverified,
        text: message.message.clone(),
    }
}

fn sender(message: &InboxMessage) -> &str {
    match message.notice {
        true => PARLOUR,
        false => &message.from,
    }
}

fn runs(state: &Domain, chat: &ChatId) -> bool {
    state.live.agents.get(chat).is_some_and(Agent::stays_up)
}

/// Why a message stays in the inbox for now, though its receiver's agent could be started.
fn obstacle(state: &Domain, to: &ChatId, message: &InboxMessage) -> Option<String> {
    let known = state.disk.chats.get(to)?;
    if known.record.llm == "shell" {
        return Some("a shell takes nothing from agents: it stays in inbox.json".into());
    }
    if state
        .live
        .teams
        .dispatches
        .iter()
        .any(|d| d.is_under_way() && &d.chat == to)
        && !runs(state, to)
    {
        return Some("the chat is being made".into());
    }
    if runs(state, to) {
        return None;
    }
    if message.notice && state.status(to) != Status::Hibernated {
        return Some("its agent does not run: it gets the message when it does".into());
    }
    let is_stopped = matches!(state.status(to), Status::Exited(why) if why == STOPPED);
    if is_stopped && (!message.bare || message.sender.is_some()) {
        return Some("its agent was stopped: it gets the message when a person resumes it".into());
    }
    agent::refusal(state, to).map(|problem| problem.cause)
}

/// What the message waits for; `None` where it is on its way or already there.
fn held(state: &Domain, to: &ChatId, id: &str) -> Option<String> {
    let agent = state.live.agents.get(to)?;
    let is_it = |queued_prompt: &QueuedPrompt| queued_prompt.prompt.message.as_deref() == Some(id);
    let outbox = &agent.outbox;
    let typed = outbox.queued_prompts().any(is_it);
    let why = match outbox.queue.iter().any(is_it) {
        true => match delivery::held_by(agent, state.now) {
            Some(why) => why,
            None if outbox.typing.is_none() && outbox.queue.front().is_some_and(is_it) => return None,
            None => "sent after those before it",
        },
        false if typed || state.live.inboxes.read.contains(id) => return None,
        false => "more waits for this agent than is kept: it stays in inbox.json",
    };
    Some(why.into())
}

/// All that is unread in a chat's inbox: its agent gets what it has not got yet, and no more what it has read itself.
pub fn reconcile(state: &mut Domain, to: &ChatId, unread: &[InboxMessage], broken: Option<String>) -> Vec<Effect> {
    let mut effects = say_broken(state, to, broken);
    let handle = chat::handle(state, to);
    state.live.inboxes.waiting.remove(to);
    if !state.live.is_live(to) {
        let known = &state.live.inboxes.read;
        let left: Vec<&InboxMessage> = unread.iter().filter(|message| !known.contains(&message.id)).collect();
        left.into_iter().for_each(|message| waits(state, to, message));
        return effects;
    }
    if state.disk.chats.get(to).is_none_or(Chat::is_shell) {
        return effects;
    }
    let Some(agent) = state.live.agents.get_mut(to).filter(|agent| agent.is_live()) else {
        return effects;
    };
    let is_read = |queued_prompt: &QueuedPrompt| match &queued_prompt.prompt.message {
        Some(id) => !unread.iter().any(|message| &message.id == id),
        None => false,
    };
    let (read, kept): (Vec<QueuedPrompt>, Vec<QueuedPrompt>) =
        std::mem::take(&mut agent.outbox.queue).into_iter().partition(is_read);
    agent.outbox.queue = kept.into();
    effects.extend(read.into_iter().filter_map(|queued_prompt| {
        let answer = Ok(delivery_receipt::sent(&handle, &queued_prompt.prompt.key));
        queued_prompt.call.map(|call| Effect::Reply(call, answer))
    }));
    let queued_prompts = agent.outbox.queued_prompts();
    let queued: Vec<String> = queued_prompts.filter_map(|l| l.prompt.message.clone()).collect();
    for message in unread {
        if queued.contains(&message.id) || state.live.inboxes.read.contains(&message.id) {
            continue;
        }
        let queued_prompt = queued_prompt(state, to, message, None);
        effects.extend(delivery::send(state, to, queued_prompt));
    }
    effects
}

/// Said once for each way in which it is broken.
fn say_broken(state: &mut Domain, chat: &ChatId, broken: Option<String>) -> Vec<Effect> {
    let before = match &broken {
        Some(why) => state.live.inboxes.broken.insert(chat.clone(), why.clone()),
        None => state.live.inboxes.broken.remove(chat),
    };
    let Some(why) = broken.filter(|why| before.as_ref() != Some(why)) else {
        return Vec::new();
    };
    let error = Happened::Error {
        place: "inbox".into(),
        message: why,
        hint: "it stays as it is; messages are delivered all the same, and shown in it once it is repaired".into(),
        trouble: None,
    };
    chat::append(state, chat, vec![error])
}

/// `inbox.json` may have been changed by somebody else.
pub fn noticed(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let stamp = state.disk.chats.get(chat).map_or(0, |known| known.inbox);
    if state.disk.read_only.is_some() || state.live.inboxes.stamps.insert(chat.clone(), stamp).unwrap_or(0) == stamp {
        return Vec::new();
    }
    look(state, chat)
}

/// Its agent starts: what is unread waits for it.
pub fn look(state: &mut Domain, chat: &ChatId) -> Vec<Effect> {
    let job = JournalWork::Inbox(chat.clone(), InboxJob::Look);
    chat::work(state, Requester::Nobody, JournalThen::Nothing, job)
}

/// The agent reads its inbox by a tool. What is being typed at this moment it gets that way.
fn read(state: &mut Domain, chat: &ChatId, which: Which, call: CallId) -> Vec<Effect> {
    let outbox = state.live.agents.get(chat).map(|agent| &agent.outbox);
    let typing = outbox.into_iter().flat_map(Outbox::begun);
    let typing = typing
        .filter_map(|queued_prompt| queued_prompt.prompt.message.clone())
        .collect();
    let job = JournalWork::Inbox(chat.clone(), InboxJob::Tell(which, typing));
    chat::work(state, Requester::Call(call), JournalThen::Answer, job)
}

/// It was read: what waited to be typed of it is not typed any more.
pub fn told(
    state: &mut Domain,
    requester: Requester,
    chat: &ChatId,
    messages: &[InboxMessage],
    more: bool,
) -> Vec<Effect> {
    let mut effects = Vec::new();
    let handle = chat::handle(state, chat);
    if let Some(agent) = state.live.agents.get_mut(chat) {
        let is_told = |queued_prompt: &QueuedPrompt| {
            let id = queued_prompt.prompt.message.as_ref();
            id.is_some_and(|id| messages.iter().any(|message| &message.id == id))
        };
        let queue = &mut agent.outbox.queue;
        let calls = queue
            .iter()
            .filter(|queued_prompt| is_told(queued_prompt))
            .filter_map(|queued_prompt| queued_prompt.call);
        effects.extend(calls.flat_map(|call| delivery_receipt::answered(Some(call), &handle, "")));
        queue.retain(|queued_prompt| !is_told(queued_prompt));
    }
    let shown = |message: &InboxMessage| -> Value {
        json!({
            "id": message.id,
            "from": sender(message),
            "chat": message.sender,
            "verified": !message.unverified,
            "message": message.message,
            "read": message.read,
            "ts": message.when(),
        })
    };
    let messages: Vec<Value> = messages.iter().map(shown).collect();
    effects.extend(reply::answer(
        state,
        requester,
        Ok(json!({"messages": messages, "more": more})),
    ));
    effects
}

/// An agent says how it stands.
fn declare(state: &mut Domain, chat: &ChatId, declared: Declared, call: CallId) -> Vec<Effect> {
    if declared.status == DONE
        && let Some(problem) = todo::refusal(state, chat, "saying that it is done")
    {
        return vec![Effect::Reply(call, Err(problem))];
    }
    let job = TeamWork::Declare(chat.clone(), declared);
    chat::work(state, Requester::Call(call), TeamThen::Declared, job)
}

/// Whether nothing tells when a chat's agent waits for a prompt: all that is sent to it stays in its inbox.
pub fn is_its_only_way(state: &Domain, chat: &ChatId) -> bool {
    let agent = state.live.live_agent(chat);
    agent
        .and_then(|agent| agent.capabilities.as_ref())
        .is_some_and(|capabilities| capabilities.ready == Ready::Nothing)
}
