//! Workers: each takes one job, calls the hands, and sends one `Done`.
//!
//! They run on threads beside the loop, so a slow disk or a large clone holds up nobody. Start at [`start`].

mod atoms;
mod chats;
mod clones;
mod confine;
mod deed;
mod dispatch;
mod duplicate;
mod edit;
mod guard;
mod identity;
mod instruct;
mod link;
mod loading;
mod losses;
mod names;
mod open;
mod opened;
mod output;
mod passes;
mod places;
mod read;
mod run;
mod schedules;
mod scripts;
mod servers;
mod side;
mod switch;
mod terminal;
mod ticket;
mod trash;

use crate::domain::event::Outcome;
use crate::domain::{Event, Job};
use crate::model::{ChatId, Problem, WorkId};

use super::author::Author;
use super::inbound::Inbound;

pub use read::{above, joined, show_record};
pub use scripts::ask_again;
pub use ticket::Ticket;

/// Hands the job to a thread. What it runs can be stopped from here on, however long no thread has time for it.
pub fn start(id: WorkId, job: Job, ticket: Ticket) {
    let sender = ticket.sender.clone();
    if let Some((chat, author)) = runs(&job) {
        ticket.hands.scripts.expect(id, &chat, author);
    }
    tokio::task::spawn_blocking(move || {
        let outcome = carry_out(id, job, &ticket).unwrap_or_else(Outcome::Failed);
        ticket.hands.scripts.end(id);
        sender.send(Inbound::Event(Event::Done(id, outcome)));
    });
}

/// Of a job that runs a program of a chat: whose, and on whose word that acts. In an editor a person types.
fn runs(job: &Job) -> Option<(ChatId, Author)> {
    if let Job::Edit { chat, .. } = job {
        return Some((chat.clone(), Author::Person));
    }
    let (Job::RunScript { chat, .. } | Job::Deed { chat, .. } | Job::Check { chat, .. }) = job else {
        return None;
    };
    Some((chat.clone(), Author::Chat(chat.clone())))
}

fn carry_out(id: WorkId, job: Job, ticket: &Ticket) -> Result<Outcome, Problem> {
    if job.writes() {
        ticket.hands.may_write()?;
    }
    ticket.hands.mend_home();
    match job {
        Job::Create(new) => chats::create(&ticket.hands, &new),
        Job::Duplicate { from, new, env } => duplicate::duplicate(ticket, &from, &new, &env),
        Job::Sample => chats::sample(&ticket.hands),
        Job::Start { chat, env, size } => run::start(ticket, &chat, &env, size),
        Job::Open { chat, open, parent, .. } => open::open(ticket, &chat, &open, parent.as_ref()),
        Job::OpenFrom { chat, from, open, .. } => dispatch::open_from(ticket, &chat, &from, &open),
        Job::LastWords(chat, lines) => dispatch::last_words(ticket, &chat, lines),
        Job::SaveSetup { chat, project, files } => open::save_setup(&ticket.hands, &chat, &project, &files),
        Job::Tally(chat) => read::tally(&ticket.hands, &chat),
        Job::Tail(chat) => read::tail(&ticket.hands, &chat),
        Job::Output {
            chat,
            file,
            whence,
            seeks,
        } => read::output(&ticket.hands, &chat, file, whence, seeks.as_deref()),
        Job::Session { chat, session } => chats::session(&ticket.hands, &chat, session),
        Job::Declare(chat, declared) => chats::declare(&ticket.hands, &chat, &declared),
        Job::Rename { chat, name } => chats::rename(&ticket.hands, &chat, &name),
        Job::ReadyTrash(chat) => chats::ready_trash(&ticket.hands, &chat),
        Job::Discard(chat) => chats::discard(ticket, &chat),
        Job::Trash(chat) => chats::trash(ticket, &chat),
        Job::Restore(name) => trash::restore(ticket, name.as_deref()),
        Job::ListTrash => trash::list(&ticket.hands),
        Job::Upkeep => trash::let_go(&ticket.hands),
        Job::TrashLosses(name) => trash::losses(&ticket.hands, name.as_deref()),
        Job::PurgeTrash(name) => trash::purge(&ticket.hands, name.as_deref()),
        Job::Recreate(chat) => chats::recreate(&ticket.hands, &chat),
        Job::MakeSchedule(schedule) => schedules::make(&ticket.hands, *schedule),
        Job::Schedule(schedule, change) => schedules::change(&ticket.hands, &schedule, change),
        Job::CancelSchedule(schedule) => schedules::cancel(&ticket.hands, &schedule),
        Job::Check {
            chat,
            command,
            env,
            seconds,
        } => schedules::check(&ticket.hands, id, &chat, command, (&env, seconds)),
        Job::Instruct(chat, arrival) => instruct::instruct(&ticket.hands, &chat, &arrival),
        Job::InstructByFile(chat, arrival) => instruct::by_file(&ticket.hands, &chat, arrival),
        Job::Losses(chat) => losses::losses(&ticket.hands, &chat),
        Job::Screen { chat, ansi, scrollback } => read::screen(&ticket.hands, &chat, ansi, scrollback),
        Job::Servers { chat, told } => Ok(servers::explain(&ticket.hands, &chat, told)),
        Job::ListServers { chat, ask } => servers::list(ticket, &chat, ask.as_ref()),
        Job::SwitchServer { chat, name, switch } => switch::switch(&ticket.hands, &chat, &name, &switch),
        Job::Entries { chat, after, .. } => read::entries(ticket, &chat, after),
        Job::Log { chat, lines } => read::log(&ticket.hands, &chat, lines),
        Job::Detect { path, .. } => Ok(run::detect(&ticket.hands, &path)),
        Job::Places { text, cwd } => Ok(places::suggest(&ticket.hands, &text, &cwd)),
        Job::Trust { llm, env } => run::trust(&ticket.hands, &llm, &env),
        Job::Scripts(chat) => scripts::list(&ticket.hands, &chat),
        Job::ApproveScript {
            chat,
            order,
            definition,
        } => scripts::approve(&ticket.hands, &chat, &order, &definition),
        Job::DenySetup { chat, project } => scripts::deny_setup(&ticket.hands, &chat, &project),
        Job::RunScript {
            number,
            chat,
            order,
            env,
            size,
        } => scripts::run(ticket, number, &chat, &order, (&env, size)),
        Job::Edit {
            number,
            chat,
            dir,
            env,
            size,
        } => edit::edit(ticket, number, &chat, dir.as_deref(), (&env, size)),
        Job::Deed {
            number,
            chat,
            errand,
            env,
        } => deed::carry_out(ticket, number, &chat, &errand, &env),
        Job::Judge(case) => Ok(Outcome::Judged(case.judge())),
        Job::StopScript(number) => {
            ticket.hands.scripts.stop(number);
            Ok(Outcome::Nothing)
        }
        Job::ReadAtoms(root) => atoms::read(&ticket.hands, &root),
        Job::Atoms { root, change, by } => atoms::change(&ticket.hands, &root, &change, &by),
        Job::FreeAtoms(root, release) => atoms::free(&ticket.hands, &root, &release),
        // Transcripts and prompts have one writer, and this is not it.
        Job::Append(..) | Job::Prompts(..) | Job::Inbox(..) => Ok(Outcome::Nothing),
    }
}
