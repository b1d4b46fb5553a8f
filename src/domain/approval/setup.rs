//! Setup commands that a repository brings and nobody approved: each is a question in the queue of all approvals.
//!
//! A clone's setup is tried when the clone is made. Where it turns out that a person has to read it first, it is asked
//! here, whole; what is approved is exactly the text that was shown, for that origin.

use serde_json::json;

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::notice::Notice;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ScriptThen, ScriptWork};
use crate::model::script::{Order, Proposal};
use crate::model::text::one_line;
use crate::model::{ChatId, Happened, ScriptKind};

use super::question::{Decision, Question};
use super::state::PendingSetup;

/// What the queue calls it where an agent's question has its tool.
const TOOL: &str = "setup";

impl PendingSetup {
    fn told(&self, answer: &str, by: &str) -> Happened {
        Happened::Permission {
            id: self.question.id.clone(),
            tool: TOOL.into(),
            input: self.question.input.clone(),
            rule: None,
            answer: answer.into(),
            by: by.into(),
            reason: None,
            given_once_written: false,
        }
    }
}

/// Takes a setup into the queue, in place of what its project asked before.
pub fn ask(state: &mut Domain, chat: &ChatId, proposal: Proposal) -> Vec<Effect> {
    forget(state, chat, Some(&proposal.project));
    let waiting = waiting(state, chat, proposal);
    let asked = waiting.told("asked", "repository");
    state.live.approvals.setups.push(waiting);
    chat::append(state, chat, vec![asked])
}

/// As [`ask`], of what was asked before and not answered: its transcript has the question.
pub fn ask_again(state: &mut Domain, chat: &ChatId, proposal: Proposal) {
    let is_it = |waiting: &PendingSetup| waiting.chat == *chat && waiting.proposal.project == proposal.project;
    if !state.live.approvals.setups.iter().any(is_it) {
        let waiting = waiting(state, chat, proposal);
        state.live.approvals.setups.push(waiting);
    }
}

fn waiting(state: &Domain, chat: &ChatId, proposal: Proposal) -> PendingSetup {
    let command = proposal.shown.join("\n");
    let id = format!("setup-{chat}-{}", proposal.project);
    let words = one_line(&format!("setup of {}: {command}", proposal.project), 120);
    let input = json!({"project": proposal.project, "from": proposal.origin, "command": command});
    let question = Question::new(id, (TOOL, input), words, state.now);
    PendingSetup {
        chat: chat.clone(),
        proposal,
        question,
    }
}

/// What a chat's projects ask no more; without a project, none of them.
pub fn forget(state: &mut Domain, chat: &ChatId, project: Option<&str>) {
    let is_it = |waiting: &PendingSetup| {
        waiting.chat == *chat && project.is_none_or(|project| waiting.proposal.project == project)
    };
    state.live.approvals.setups.retain(|waiting| !is_it(waiting));
}

pub fn waits(state: &Domain, chat: &ChatId) -> bool {
    state.live.approvals.setups.iter().any(|waiting| waiting.chat == *chat)
}

pub fn is_asked(state: &Domain, chat: &ChatId, id: &str) -> bool {
    let asked = |waiting: &PendingSetup| waiting.chat == *chat && waiting.question.id == id;
    state.live.approvals.setups.iter().any(asked)
}

/// The other chats that the same answer settles: they wait for the same text of the same project.
pub fn also(state: &Domain, asked: &PendingSetup) -> Vec<ChatId> {
    let setups = state.live.approvals.setups.iter();
    let alike = setups.filter(|waiting| waiting.proposal.is_as(&asked.proposal) && waiting.chat != asked.chat);
    let mut chats: Vec<ChatId> = alike.map(|waiting| waiting.chat.clone()).collect();
    chats.dedup();
    chats
}

/// A person decided, for all that wait for just this text. What they read is approved and run; if a repository says
/// something else by now, that is asked. The chats in which it was decided.
pub fn decided(state: &mut Domain, chat: &ChatId, id: &str, decision: Decision) -> (Vec<ChatId>, Vec<Effect>) {
    let asked = |waiting: &&PendingSetup| waiting.chat == *chat && waiting.question.id == id;
    let Some(proposal) = state
        .live
        .approvals
        .setups
        .iter()
        .find(asked)
        .map(|one| one.proposal.clone())
    else {
        return (Vec::new(), Vec::new());
    };
    let settled = take_alike(state, &proposal, |_| true);
    let mut chats: Vec<ChatId> = settled.iter().map(|waiting| waiting.chat.clone()).collect();
    chats.dedup();
    let mut effects = Vec::new();
    if decision == Decision::Deny {
        say_denied(state, &proposal.project, &chats);
    }
    for waiting in settled {
        effects.extend(match decision {
            Decision::Deny => deny(state, waiting),
            Decision::Allow => allow(state, waiting),
        });
    }
    (chats, effects)
}

/// A person approves this text by its chat's name: what waits for the same elsewhere is settled with it.
pub fn approved_in(state: &mut Domain, chat: &ChatId, order: &Order, definition: &str) -> Vec<Effect> {
    let is_it = |waiting: &&PendingSetup| {
        let (proposal, project) = (&waiting.proposal, order.project.as_ref());
        waiting.chat == *chat && proposal.definition == definition && project.is_none_or(|it| *it == proposal.project)
    };
    let Some(proposal) = state
        .live
        .approvals
        .setups
        .iter()
        .find(is_it)
        .map(|one| one.proposal.clone())
    else {
        return Vec::new();
    };
    let named = |waiting: &PendingSetup| waiting.chat == *chat && waiting.proposal.project == proposal.project;
    let others = take_alike(state, &proposal, |waiting| !named(waiting));
    others.into_iter().flat_map(|waiting| allow(state, waiting)).collect()
}

fn take_alike(state: &mut Domain, proposal: &Proposal, of: impl Fn(&PendingSetup) -> bool) -> Vec<PendingSetup> {
    let setups = std::mem::take(&mut state.live.approvals.setups).into_iter();
    let (taken, stay) = setups.partition(|waiting: &PendingSetup| waiting.proposal.is_as(proposal) && of(waiting));
    state.live.approvals.setups = stay;
    taken
}

fn allow(state: &mut Domain, waiting: PendingSetup) -> Vec<Effect> {
    let told = waiting.told("allowed", "person");
    let chat = waiting.chat;
    let mut effects = chat::append(state, &chat, vec![told]);
    let order = Order {
        kind: ScriptKind::Setup,
        project: Some(waiting.proposal.project),
    };
    let job = ScriptWork::Approve {
        chat: chat.clone(),
        order: order.clone(),
        definition: waiting.proposal.definition,
    };
    effects.extend(chat::work(
        state,
        Requester::Nobody,
        ScriptThen::Approved(chat, order),
        job,
    ));
    effects
}

/// The chat says from now on that its project is not set up.
fn deny(state: &mut Domain, waiting: PendingSetup) -> Vec<Effect> {
    let (told, chat, project) = (waiting.told("denied", "person"), waiting.chat, waiting.proposal.project);
    let handle = chat::handle(state, &chat);
    let text = format!("setup of {project} denied, not run: `parlour script approve {handle} setup` runs it");
    let mut effects = chat::append(state, &chat, vec![told, Happened::Note { text }]);
    let job = ScriptWork::DenySetup { chat, project };
    effects.extend(chat::work(state, Requester::Nobody, ScriptThen::Nothing, job));
    effects
}

fn say_denied(state: &mut Domain, project: &str, chats: &[ChatId]) {
    let handles: Vec<String> = chats.iter().map(|chat| chat::handle(state, chat)).collect();
    let text = format!(
        "The setup of {project} was denied and does not run: {}.",
        handles.join(", ")
    );
    state.notices.push(Notice::News(text));
}
