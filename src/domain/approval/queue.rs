//! All that waits for a person, in one list: the queue of approvals shows it, and the counts count its chats.

use std::collections::BTreeSet;

use crate::domain::agent::state::Agent;
use crate::domain::chat;
use crate::domain::state::Domain;
use crate::model::{Asks, CallId, ChatId, Status, called, called_in};

use super::card::inputs;
use super::question::Question;
use super::{local_call, setup};

/// One thing that an agent waits for a person with.
pub struct Waits<'a> {
    pub chat: ChatId,
    pub what: Asked<'a>,
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
    /// A dialog of the CLI's own: trust in a directory, a login, a plan, a choice.
    There(&'a str),
}

impl Waits<'_> {
    /// What tells it from others of its chat.
    pub fn id(&self) -> &str {
        match &self.what {
            Asked::Call(question) | Asked::CallThere(question) | Asked::Setup { question, .. } => &question.id,
            Asked::There(_) => "",
        }
    }

    pub fn can_be_answered_here(&self) -> bool {
        match self.what {
            Asked::Call(_) | Asked::Setup { .. } => true,
            Asked::CallThere(_) | Asked::There(_) => false,
        }
    }

    /// What stands behind the chat's name.
    pub fn title(&self) -> String {
        match &self.what {
            Asked::Call(question) | Asked::CallThere(question) => format!(" asks to use {}", called(&question.tool)),
            Asked::Setup { .. } => " wants to run its project's setup".into(),
            Asked::There(_) => " asks in its own dialog".into(),
        }
    }

    /// The whole of it, as a person reads it.
    pub fn text(&self, state: &Domain) -> String {
        let there = "Only its own dialog takes the answer.";
        match &self.what {
            Asked::Call(question) => text(question),
            Asked::Setup { question, also } => {
                let others: Vec<String> = also.iter().map(|chat| chat::handle(state, chat)).collect();
                let others = match others.is_empty() {
                    true => String::new(),
                    false => format!(
                        "\nYour answer is also for {}: the same setup waits there.",
                        others.join(", ")
                    ),
                };
                let holds = "Approving holds for this repository until the setup changes.";
                format!("{}\n\n{holds}{others}", text(question))
            }
            Asked::CallThere(question) => format!("{}\n\n{there}", text(question)),
            Asked::There("") => there.into(),
            Asked::There(what) => format!("{}\n\n{there}", called_in(what)),
        }
    }
}

/// Questions first, the oldest at the top; then what only a CLI's own dialog tells of.
pub fn queue(state: &Domain) -> Vec<Waits<'_>> {
    let agents = || state.live.agents.iter().filter(|(_, agent)| agent.is_live());
    let calls = agents().flat_map(|(chat, agent)| {
        let questions = agent.turn.questions();
        questions.map(move |question| {
            let what = match is_answered_here(state, chat, agent, question) {
                true => Asked::Call(question),
                false => Asked::CallThere(question),
            };
            (question.at, chat, what)
        })
    });
    let setups = state.live.setups.iter();
    let setups = setups.map(|waiting| {
        let (question, also) = (&waiting.question, setup::also(state, waiting));
        (waiting.question.at, &waiting.chat, Asked::Setup { question, also })
    });
    let mut questions: Vec<_> = calls.chain(setups).collect();
    questions.sort_by_key(|(at, _, _)| *at);
    let questions = questions.into_iter().map(|(_, chat, what)| Waits {
        chat: chat.clone(),
        what,
    });
    // What was answered a moment ago is still on its screen, and is no other question.
    let theirs = agents().filter(|(_, agent)| !agent.turn.has_asked());
    let theirs = theirs.filter_map(|(chat, agent)| match &agent.verdict.status {
        Status::NeedsYou(what) => Some(Waits {
            chat: chat.clone(),
            what: Asked::There(what),
        }),
        Status::Starting
        | Status::Running(_)
        | Status::Retrying(_)
        | Status::Idle(_)
        | Status::Error(_)
        | Status::Limited(_)
        | Status::LoggedOut(_)
        | Status::Exited(_)
        | Status::Hibernated
        | Status::Unknown(_) => None,
    });
    questions.chain(theirs).collect()
}

fn is_answered_here(state: &Domain, chat: &ChatId, agent: &Agent, question: &Question) -> bool {
    let asks = agent.capabilities.as_ref().map(|capabilities| &capabilities.asks);
    let by_key = matches!(asks, Some(Asks::Keys { .. })) && !question.touched;
    question.call.is_some() || by_key || local_call::is_asked(state, chat, &question.id)
}

/// How many chats need a person.
pub fn waiting_chats(state: &Domain) -> usize {
    let chats: BTreeSet<ChatId> = queue(state).into_iter().map(|waits| waits.chat).collect();
    chats.len()
}

/// A question as a person reads it, whole.
pub fn text(question: &Question) -> String {
    let lines: Vec<String> = inputs(&question.input)
        .into_iter()
        .map(|(name, text)| format!("{name}: {text}"))
        .collect();
    let input = match lines.is_empty() {
        true => question.words.clone(),
        false => lines.join("\n"),
    };
    match &question.rule {
        Some(rule) => format!("Asked by the rule {rule}\n\n{input}"),
        None => input,
    }
}

/// The hook that waited is gone: its dialog was answered, or its agent has ended.
pub fn abandoned(state: &mut Domain, call: CallId) {
    for agent in state.live.agents.values_mut() {
        agent.turn.lets_go(call);
    }
}
