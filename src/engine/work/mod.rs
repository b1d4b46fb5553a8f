//! Workers: each takes one job, calls the hands, and sends one `Done`.
//!
//! They run on threads beside the loop, so a slow disk or a large clone holds up nobody. Start at [`start`].

mod chats;
mod duplicate;
mod open;
mod places;
mod read;
mod run;
mod servers;

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc::Sender as Queue;

use crate::app::event::Outcome;
use crate::app::{Event, Job};
use crate::git::Cancel;
use crate::mcp::Progress;
use crate::model::{Problem, WorkId};

use super::hands::Hands;
use super::inbound::{Inbound, Sender};
use super::journals::Journals;

pub use read::{above, joined, show_record};

/// What a worker takes along beside its job.
pub struct Ticket {
    pub hands: Arc<Hands>,
    pub journals: Journals,
    pub sender: Sender,
    pub cancel: Cancel,
    /// Where a caller wants to hear how far its call has come.
    pub progress: Option<Progress>,
    /// Where an answer of several parts goes.
    pub stream: Option<Queue<Value>>,
}

/// Hands the job to a thread.
pub fn start(id: WorkId, job: Job, ticket: Ticket) {
    let sender = ticket.sender.clone();
    tokio::task::spawn_blocking(move || {
        let outcome = carry_out(job, &ticket).unwrap_or_else(Outcome::Failed);
        sender.send(Inbound::Event(Event::Done(id, outcome)));
    });
}

fn carry_out(job: Job, ticket: &Ticket) -> Result<Outcome, Problem> {
    if job.writes() {
        ticket.hands.may_write()?;
    }
    match job {
        Job::Create(new) => chats::create(&ticket.hands, &new),
        Job::Duplicate { from, new, env } => duplicate::duplicate(ticket, &from, &new, &env),
        Job::Sample => chats::sample(&ticket.hands),
        Job::Start { chat, env, size } => run::start(ticket, &chat, &env, size),
        Job::Open { chat, open, parent, .. } => open::open(ticket, &chat, &open, parent.as_ref()),
        Job::SaveSetup { chat, project, files } => open::save_setup(&ticket.hands, &chat, &project, &files),
        Job::Tally(chat) => read::tally(&ticket.hands, &chat),
        Job::Tail(chat) => read::tail(&ticket.hands, &chat),
        Job::Session { chat, session } => chats::session(&ticket.hands, &chat, session),
        Job::Rename { chat, name } => chats::rename(&ticket.hands, &chat, &name),
        Job::ReadyTrash(chat) => chats::ready_trash(&ticket.hands, &chat),
        Job::Trash(chat) => chats::trash(ticket, &chat),
        Job::Restore(name) => chats::restore(&ticket.hands, &name),
        Job::Recreate(chat) => chats::recreate(&ticket.hands, &chat),
        Job::Losses(chat) => read::losses(&ticket.hands, &chat),
        Job::Screen { chat, ansi, scrollback } => read::screen(&ticket.hands, &chat, ansi, scrollback),
        Job::Servers { chat, told } => Ok(servers::explain(&ticket.hands, &chat, told)),
        Job::Entries { chat, after, .. } => read::entries(ticket, &chat, after),
        Job::Log { chat, lines } => read::log(&ticket.hands, &chat, lines),
        Job::Detect { path, .. } => Ok(run::detect(&ticket.hands, &path)),
        Job::Places { text, cwd } => Ok(places::suggest(&ticket.hands, &text, &cwd)),
        Job::Trust { llm, env } => run::trust(&ticket.hands, &llm, &env),
        // Transcripts and prompts have one writer, and this is not it.
        Job::Append(..) | Job::Prompts(..) => Ok(Outcome::Nothing),
    }
}
