//! Setup commands that a repository brings and nobody approved: each is a question in the queue of all approvals.
//!
//! A clone's setup is tried when the clone is made. Where it turns out that a person has to read it first, it is asked
//! here, whole; what is approved is exactly the text that was shown, for that origin.

use serde_json::json;

use crate::app::chat;
use crate::app::done;
use crate::app::effect::{Effect, Job};
use crate::app::state::{Asker, State, Then};
use crate::model::script::{Order, Proposal};
use crate::model::text::one_line;
use crate::model::{ChatId, Happened, ScriptKind};

use super::question::{Decision, Key, Question};

/// What the queue calls it where an agent's question has its tool.
const TOOL: &str = "setup";

/// A setup that waits for a person's word.
pub struct Waiting {
    pub chat: ChatId,
    proposal: Proposal,
    pub question: Question,
}

impl Waiting {
    fn told(&self, answer: &str, by: &str) -> Happened {
        Happened::Permission {
            id: self.question.id.clone(),
            tool: TOOL.into(),
            input: self.question.input.clone(),
            rule: None,
            answer: answer.into(),
            by: by.into(),
        }
    }
}

/// Takes a setup into the queue, in place of what its project asked before.
pub fn ask(state: &mut State, chat: &ChatId, proposal: Proposal) -> Vec<Effect> {
    forget(state, chat, Some(&proposal.project));
    let waiting = waiting(state, chat, proposal);
    let asked = waiting.told("asked", "repository");
    state.live.setups.push(waiting);
    chat::append(state, chat, vec![asked])
}

/// As [`ask`], of what was asked before and not answered: its transcript has the question.
pub fn ask_again(state: &mut State, chat: &ChatId, proposal: Proposal) {
    let is_it = |waiting: &Waiting| waiting.chat == *chat && waiting.proposal.project == proposal.project;
    if !state.live.setups.iter().any(is_it) {
        let waiting = waiting(state, chat, proposal);
        state.live.setups.push(waiting);
    }
}

fn waiting(state: &State, chat: &ChatId, proposal: Proposal) -> Waiting {
    let command = proposal.shown.join("\n");
    let question = Question {
        id: format!("setup-{chat}-{}", proposal.project),
        tool: TOOL.into(),
        words: one_line(&format!("setup of {}: {command}", proposal.project), 120),
        input: json!({"project": proposal.project, "from": proposal.origin, "command": command}),
        rule: None,
        at: state.now,
        call: None,
        key: Key::None,
        touched: false,
        decided: None,
        answered: false,
    };
    Waiting {
        chat: chat.clone(),
        proposal,
        question,
    }
}

/// What a chat's projects ask no more; without a project, none of them.
pub fn forget(state: &mut State, chat: &ChatId, project: Option<&str>) {
    let is_it =
        |waiting: &Waiting| waiting.chat == *chat && project.is_none_or(|project| waiting.proposal.project == project);
    state.live.setups.retain(|waiting| !is_it(waiting));
}

pub fn waits(state: &State, chat: &ChatId) -> bool {
    state.live.setups.iter().any(|waiting| waiting.chat == *chat)
}

pub fn is_asked(state: &State, chat: &ChatId, id: &str) -> bool {
    let asked = |waiting: &Waiting| waiting.chat == *chat && waiting.question.id == id;
    state.live.setups.iter().any(asked)
}

/// A person decided. What they read is approved and run; if the repository says something else by now, that is asked.
pub fn decided(state: &mut State, chat: &ChatId, id: &str, decision: Decision) -> Vec<Effect> {
    let asked = |waiting: &Waiting| waiting.chat == *chat && waiting.question.id == id;
    let Some(at) = state.live.setups.iter().position(asked) else {
        return Vec::new();
    };
    let waiting = state.live.setups.remove(at);
    match decision {
        Decision::Deny => {
            let mut effects = chat::append(state, chat, vec![waiting.told("denied", "person")]);
            let project = waiting.proposal.project;
            let chat = chat.clone();
            let job = Job::DenySetup { chat, project };
            effects.extend(chat::work(state, Asker::Nobody, Then::Nothing, job));
            effects
        }
        Decision::Allow => {
            let mut effects = chat::append(state, chat, vec![waiting.told("allowed", "person")]);
            let order = Order {
                kind: ScriptKind::Setup,
                project: Some(waiting.proposal.project),
            };
            let job = Job::ApproveScript {
                chat: chat.clone(),
                order: order.clone(),
                definition: waiting.proposal.definition,
            };
            let then = Then::Approved(chat.clone(), order);
            effects.extend(chat::work(state, Asker::Nobody, then, job));
            effects
        }
    }
}

/// What was approved could not be kept: it is said, and asked again as it is by now.
pub fn not_approved(state: &mut State, chat: &ChatId, order: Order, why: &str) -> Vec<Effect> {
    done::tell_all(state, why);
    crate::app::script::begin_setup(state, chat, order)
}
