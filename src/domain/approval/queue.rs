//! All that waits for a person, in one list: the queue of approvals shows it, and the counts count its chats.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::Value;

use crate::domain::agent::delivery::unchanged_since;
use crate::domain::agent::open_tool::OpenTool;
use crate::domain::agent::state::Agent;
use crate::domain::call::{CallSummary, SummaryWord};
use crate::domain::call::{called, called_in};
use crate::domain::state::Domain;
use crate::model::{Asks, CallId, ChatId, Status, Timestamp};
use crate::permission::Sort;

use super::question::{Question, words};
use super::{clipboard, local_call, setup};

/// One thing that an agent waits for a person with.
pub struct Waits<'a> {
    pub chat: ChatId,
    pub what: Asked<'a>,
    pub since: Timestamp,
}

pub enum Asked<'a> {
    /// It wants to use a tool, and can be answered here.
    Call(&'a Question),
    /// A tool as well, but only the CLI's own dialog takes the answer.
    CallThere(&'a Question),
    /// A project's setup, which is approved until it changes.
    Setup {
        question: &'a Question,
        /// Other chats that wait for the same text: one answer is for all.
        also: Vec<ChatId>,
    },
    /// A program wants to set a person's clipboard; the answer is for all that its chat copies.
    Clipboard(&'a Question),
    /// A dialog of the CLI's own: trust in a directory, a login, a plan, a choice.
    There(Cow<'a, str>),
    /// As well, and this is the only call that it can be about.
    OpenCall { call: &'a OpenTool, says: Cow<'a, str> },
    /// Nothing is asked: a prompt cannot be typed while this stands in the agent's terminal.
    HeldPrompt(Cow<'a, str>),
}

impl Waits<'_> {
    /// What tells it from others of its chat.
    pub fn id(&self) -> &str {
        match &self.what {
            Asked::Call(question)
            | Asked::CallThere(question)
            | Asked::Clipboard(question)
            | Asked::Setup { question, .. } => &question.id,
            Asked::There(_) | Asked::OpenCall { .. } | Asked::HeldPrompt(_) => "",
        }
    }

    pub fn can_be_answered_here(&self) -> bool {
        match self.what {
            Asked::Call(_) | Asked::Setup { .. } | Asked::Clipboard(_) => true,
            Asked::CallThere(_) | Asked::There(_) | Asked::OpenCall { .. } | Asked::HeldPrompt(_) => false,
        }
    }

    /// What stands behind the chat's name.
    pub fn title(&self) -> String {
        match &self.what {
            Asked::Call(question) | Asked::CallThere(question) if !question.reach.is_empty() => {
                format!("wants to reach {}", question.reach.join(", "))
            }
            Asked::Call(question) | Asked::CallThere(question) => wants(&question.tool, &question.input),
            Asked::OpenCall { call, .. } => wants(&call.name, &call.given),
            Asked::Setup { .. } => "wants to run its project's setup".into(),
            Asked::Clipboard(_) => "wants to set your clipboard".into(),
            Asked::There(_) => "asks in its own dialog".into(),
            Asked::HeldPrompt(_) => "has not got your prompt".into(),
        }
    }

    /// What is asked, in one line.
    pub fn line(&self) -> Cow<'_, str> {
        match &self.what {
            Asked::Call(question) | Asked::CallThere(question) => called_in(&question.words).into(),
            Asked::Setup { question, .. } | Asked::Clipboard(question) => question.words.as_str().into(),
            Asked::There(what) if what.is_empty() => "its own dialog".into(),
            Asked::There(what) => called_in(what).into(),
            Asked::HeldPrompt(why) => Cow::Borrowed(why),
            Asked::OpenCall { call, .. } => called_in(&words(&call.name, &call.given)).into(),
        }
    }
}

/// Calls of one turn that are asked about within so long are asked about at once: which of their hooks is heard first is
/// chance.
const AT_ONCE_MS: u64 = 1_000;

/// When a question was asked, together with which others of its turn, and as which of them.
fn asked_together(agent: &Agent, question: &Question) -> (Timestamp, usize) {
    let is_near = |other: &&Question| other.at <= question.at && question.at.ms_since(other.at) < AT_ONCE_MS;
    let first = agent.turn.questions().filter(is_near).map(|other| other.at).min();
    (first.unwrap_or(question.at), agent.turn.place_of(question.tool_id()))
}

/// Questions first, the oldest at the top; then what only a CLI's own dialog tells of.
pub fn queue(state: &Domain) -> Vec<Waits<'_>> {
    let agents = || state.live.live_agents();
    let calls = agents().flat_map(|(chat, agent)| {
        let questions = agent.turn.questions();
        questions.map(move |question| {
            let what = match is_answered_here(state, chat, agent, question) {
                true => Asked::Call(question),
                false => Asked::CallThere(question),
            };
            (asked_together(agent, question), chat, what)
        })
    });
    let setups = state.live.approvals.setups.iter();
    let setups = setups.map(|waiting| {
        let (question, also) = (&waiting.question, setup::also(state, waiting));
        ((waiting.question.at, 0), &waiting.chat, Asked::Setup { question, also })
    });
    let copies = state.live.approvals.clipboards.pending.iter();
    let copies = copies.map(|waiting| {
        let question = &waiting.question;
        ((question.at, 0), &waiting.chat, Asked::Clipboard(question))
    });
    let mut questions: Vec<_> = calls.chain(setups).chain(copies).collect();
    questions.sort_by_key(|(at, _, _)| *at);
    let questions = questions.into_iter().map(|((since, _), chat, what)| Waits {
        chat: chat.clone(),
        what,
        since,
    });
    let has_question = |chat: &ChatId, agent: &Agent| {
        let is_aside = setup::waits(state, chat) || clipboard::waits(state, chat).is_some();
        agent.turn.questions().next().is_some() || is_aside
    };
    let theirs = agents().filter(|(chat, agent)| !has_question(chat, agent));
    let theirs = theirs.filter_map(|(chat, agent)| {
        let says = state.needs_you_for(chat, agent)?;
        let call = agent.turn.asked_there().filter(|_| agent.asks_there());
        let (what, since) = match (call, &agent.verdict.status) {
            (_, Status::Idle(_)) => (Asked::HeldPrompt(says), unchanged_since(agent)),
            (Some(call), _) => (Asked::OpenCall { call, says }, agent.since),
            (None, _) => (Asked::There(says), agent.since),
        };
        let chat = chat.clone();
        Some(Waits { chat, what, since })
    });
    questions.chain(theirs).collect()
}

/// What a call wants to do, by its kind.
fn wants(tool: &str, input: &Value) -> String {
    let summary = CallSummary::of(tool, input);
    let file = name_of_file(&summary);
    let to_file = |verb: &str| format!("wants to {verb} {}", file.unwrap_or("a file"));
    match summary.sort {
        Sort::Bash => "wants to run a command".into(),
        Sort::Edit => to_file("edit"),
        Sort::Write => to_file("write"),
        Sort::Read => to_file("read"),
        Sort::Search => "wants to search".into(),
        Sort::Fetch => "wants to read from the web".into(),
        Sort::Task => "wants to start a sub-agent".into(),
        Sort::Mcp | Sort::Other => format!("wants to use {}", called(tool)),
    }
}

/// The name of the file that a call is about.
pub fn file_of(tool: &str, input: &Value) -> Option<String> {
    name_of_file(&CallSummary::of(tool, input)).map(String::from)
}

fn name_of_file(summary: &CallSummary) -> Option<&str> {
    summary.words.iter().find_map(|word| match word {
        SummaryWord::Path(path) => path.rsplit('/').find(|part| !part.is_empty()),
        SummaryWord::Text(_) => None,
    })
}

fn is_answered_here(state: &Domain, chat: &ChatId, agent: &Agent, question: &Question) -> bool {
    let asks = agent.capabilities.as_ref().map(|capabilities| &capabilities.asks);
    let by_key = matches!(asks, Some(Asks::Keys { .. })) && !question.touched;
    question.call.is_some()
        || by_key
        || agent.takes_by_server(question)
        || local_call::is_asked(state, chat, &question.id)
}

/// How many chats need a person.
pub fn waiting_chats(state: &Domain) -> usize {
    waiting_beside(state, None)
}

/// How many chats need a person, beside this one.
pub fn waiting_beside(state: &Domain, here: Option<&ChatId>) -> usize {
    let waiting = queue(state).into_iter().map(|waits| waits.chat);
    let chats: BTreeSet<ChatId> = waiting.filter(|chat| Some(chat) != here).collect();
    chats.len()
}

/// The hook that waited is gone: its dialog was answered, or its agent has ended.
pub fn abandoned(state: &mut Domain, call: CallId) {
    let now = state.now;
    for (_, agent) in state.live.agents.awake_mut() {
        agent.turn.lets_go(call, now);
    }
}
