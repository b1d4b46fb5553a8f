//! Workers: each takes one job, calls the hands, and sends one `Done`.
//!
//! They run on threads beside the loop, so a slow disk or a large clone holds up nobody. Start at [`start`].

mod agent_tokens;
mod atoms;
mod auxiliary;
mod chats;
mod clones;
mod completions;
mod confine;
mod context;
mod dispatch;
mod duplicate;
mod edit;
mod guard;
mod identity;
mod instruct;
mod link;
mod loading;
mod local_call;
mod losses;
mod names;
mod open;
mod opened;
mod output;
mod read;
mod review;
mod run;
mod schedules;
mod scripts;
mod servers;
mod switch;
mod terminal;
mod trash;

use crate::domain::event::Outcome;
use crate::domain::work::{
    AgentWork, ChatWork, GateDone, GateWork, ProjectWork, ScheduleWork, ScriptDone, ScriptWork, ServerWork, TeamWork,
    TrashDone, TrashWork,
};
use crate::domain::{Event, Work};
use crate::model::{ChatId, Problem, WorkId};

use super::author::Author;
use super::inbound::Inbound;

pub use context::Ticket;
pub use read::{above, joined, show_record};
pub use scripts::ask_again;

/// Hands the job to a thread. What it runs can be stopped from here on, however long no thread has time for it.
pub fn start(id: WorkId, job: Work, ticket: Ticket) {
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
fn runs(job: &Work) -> Option<(ChatId, Author)> {
    if let Work::Script(ScriptWork::Edit { chat, .. }) = job {
        return Some((chat.clone(), Author::Person));
    }
    let (Work::Script(ScriptWork::Run { chat, .. })
    | Work::Gate(GateWork::Deed { chat, .. })
    | Work::Schedule(ScheduleWork::Check { chat, .. })) = job
    else {
        return None;
    };
    Some((chat.clone(), Author::Chat(chat.clone())))
}

fn carry_out(id: WorkId, job: Work, ticket: &Ticket) -> Result<Outcome, Problem> {
    if job.writes() {
        ticket.hands.may_write()?;
    }
    ticket.hands.mend_home();
    match job {
        Work::Chat(work) => chat(ticket, work),
        Work::Trash(work) => trash(ticket, work).map(Outcome::Trash),
        Work::Agent(work) => agent(ticket, work),
        Work::Project(work) => project(ticket, work),
        Work::Team(work) => team(ticket, work),
        Work::Schedule(work) => schedule(ticket, id, work),
        Work::Script(work) => script(ticket, work),
        Work::Gate(work) => gate(ticket, work),
        Work::Server(work) => server(ticket, work),
        Work::Review(work) => review::carry_out(ticket, work).map(Outcome::Review),
        Work::Read(read) => read::carry_out(ticket, read).map(Outcome::Read),
        // It goes to the writer of transcripts, in order, before any worker.
        Work::Journal(_) => Err(Problem::fault("writing a transcript", "a worker was given it")),
    }
}

fn chat(ticket: &Ticket, work: ChatWork) -> Result<Outcome, Problem> {
    match work {
        ChatWork::Create(new) => chats::create(&ticket.hands, &new),
        ChatWork::Duplicate { from, new, env } => duplicate::duplicate(ticket, &from, &new, &env),
        ChatWork::Sample => chats::sample(&ticket.hands),
        ChatWork::Rename { chat, name } => chats::rename(&ticket.hands, &chat, &name),
        ChatWork::ReadyTrash(chat) => chats::ready_trash(&ticket.hands, &chat),
        ChatWork::Discard(chat) => chats::discard(ticket, &chat),
        ChatWork::Trash(chat) => chats::trash(ticket, &chat),
        ChatWork::Recreate(chat) => chats::recreate(&ticket.hands, &chat),
        ChatWork::Losses(chat) => losses::losses(&ticket.hands, &chat),
    }
}

fn trash(ticket: &Ticket, work: TrashWork) -> Result<TrashDone, Problem> {
    match work {
        TrashWork::Restore(name) => trash::restore(ticket, name.as_deref()),
        TrashWork::List => trash::list(&ticket.hands),
        TrashWork::LetGo => trash::let_go(&ticket.hands),
        TrashWork::Losses(name) => trash::losses(&ticket.hands, name.as_deref()),
        TrashWork::Purge(name) => trash::purge(&ticket.hands, name.as_deref()),
    }
}

fn agent(ticket: &Ticket, work: AgentWork) -> Result<Outcome, Problem> {
    match work {
        AgentWork::Start { chat, env, size } => run::start(ticket, &chat, &env, size),
        AgentWork::Session { chat, session } => chats::session(&ticket.hands, &chat, session),
        AgentWork::Instruct(chat, arrival) => instruct::instruct(&ticket.hands, &chat, &arrival),
        AgentWork::InstructByFile(chat, arrival) => instruct::by_file(&ticket.hands, &chat, arrival),
        AgentWork::Detect { path, .. } => Ok(run::detect(&ticket.hands, &path)),
        AgentWork::Trust { llm, env } => run::trust(&ticket.hands, &llm, &env),
    }
}

fn project(ticket: &Ticket, work: ProjectWork) -> Result<Outcome, Problem> {
    match work {
        ProjectWork::Open { chat, open, parent, .. } => open::open(ticket, &chat, &open, parent.as_ref()),
        ProjectWork::OpenFrom { chat, from, open, .. } => dispatch::open_from(ticket, &chat, &from, &open),
        ProjectWork::SaveSetup { chat, project, files } => open::save_setup(&ticket.hands, &chat, &project, &files),
    }
}

fn team(ticket: &Ticket, work: TeamWork) -> Result<Outcome, Problem> {
    match work {
        TeamWork::Declare(chat, declared) => chats::declare(&ticket.hands, &chat, &declared),
        TeamWork::ReadAtoms(root) => atoms::read(&ticket.hands, &root),
        TeamWork::Atoms { root, change, by } => atoms::change(&ticket.hands, &root, &change, &by),
        TeamWork::FreeAtoms(root, release) => atoms::free(&ticket.hands, &root, &release),
    }
}

fn schedule(ticket: &Ticket, id: WorkId, work: ScheduleWork) -> Result<Outcome, Problem> {
    match work {
        ScheduleWork::Make(schedule) => schedules::make(&ticket.hands, *schedule),
        ScheduleWork::Change(schedule, change) => schedules::change(&ticket.hands, &schedule, change),
        ScheduleWork::Cancel(schedule) => schedules::cancel(&ticket.hands, &schedule),
        ScheduleWork::Check {
            chat,
            command,
            env,
            seconds,
        } => schedules::check(&ticket.hands, id, &chat, command, (&env, seconds)),
    }
}

fn script(ticket: &Ticket, work: ScriptWork) -> Result<Outcome, Problem> {
    match work {
        ScriptWork::Approve {
            chat,
            order,
            definition,
        } => scripts::approve(&ticket.hands, &chat, &order, &definition),
        ScriptWork::DenySetup { chat, project } => scripts::deny_setup(&ticket.hands, &chat, &project),
        ScriptWork::Run {
            number,
            chat,
            order,
            env,
            size,
        } => scripts::run(ticket, number, &chat, &order, (&env, size)),
        ScriptWork::Edit {
            number,
            chat,
            dir,
            env,
            size,
        } => edit::edit(ticket, number, &chat, dir.as_deref(), (&env, size)),
        ScriptWork::Stop(number) => {
            ticket.hands.scripts.stop(number);
            Ok(Outcome::Script(ScriptDone::Stopped))
        }
    }
}

fn gate(ticket: &Ticket, work: GateWork) -> Result<Outcome, Problem> {
    match work {
        GateWork::Deed {
            number,
            chat,
            errand,
            env,
        } => local_call::carry_out(ticket, number, &chat, &errand, &env),
        GateWork::Judge(case) => Ok(Outcome::Gate(GateDone::Judged(case.judge()))),
    }
}

fn server(ticket: &Ticket, work: ServerWork) -> Result<Outcome, Problem> {
    match work {
        ServerWork::List { chat, ask } => servers::list(ticket, &chat, ask.as_ref()),
        ServerWork::Switch { chat, name, switch } => switch::switch(&ticket.hands, &chat, &name, &switch),
    }
}
