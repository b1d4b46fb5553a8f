//! Workers: each takes one job, calls the services, and sends one `Done`.
//!
//! They run on threads beside the loop, so a slow disk or a large clone holds up nobody. Start at [`start`].

mod agent_tokens;
mod always;
mod atoms;
mod auxiliary;
mod browse;
mod chats;
mod clones;
mod completions;
pub mod composing;
mod confine;
mod context;
mod copied_talk;
mod dispatch;
mod duplicate;
mod edit;
mod export;
mod guard;
mod identity;
mod instruct;
mod judged;
mod keep;
mod kept_output;
mod link;
mod loading;
mod local_call;
mod login;
mod losses;
mod names;
mod open;
mod opened;
mod output;
mod read;
mod reopened;
mod review;
mod run;
mod schedules;
mod scripts;
mod server_login;
mod servers;
mod settings;
mod setups;
mod storage;
mod switch;
mod templates;
mod terminal;
mod trash;
mod usage;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crate::domain::event::Outcome;
use crate::domain::work::{
    AgentDone, AgentWork, ApprovalDone, ApprovalWork, ChatDone, ChatWork, ProjectDone, ProjectWork, ScheduleWork,
    ScriptDone, ScriptWork, ServerWork, TeamDone, TeamWork, TrashDone, TrashWork,
};
use crate::domain::{Event, Work};
use crate::git::setup;
use crate::model::{ChatId, Problem, ProblemKind, WorkId};

use super::author::Author;
use super::inbound::Inbound;

pub use chats::keep_left;
pub use context::WorkContext;
pub use edit::editor;
pub use read::{above, joined, show_record};
pub use scripts::ask_again;

/// Hands the job to a thread. What it runs can be stopped from here on, however long no thread has time for it.
pub fn start(id: WorkId, job: Work, context: WorkContext) {
    let sender = context.sender.clone();
    if let Some((chat, author)) = runs(&job) {
        context.services.scripts.expect(id, &chat, author);
    }
    tokio::task::spawn_blocking(move || {
        let worked = catch_unwind(AssertUnwindSafe(|| carry_out(id, job, &context)));
        let outcome = worked.unwrap_or_else(|_| Err(broken())).unwrap_or_else(Outcome::Failed);
        if let Outcome::Failed(problem) = &outcome {
            tracing::debug!("{problem}");
        }
        context.services.scripts.end(id);
        sender.send(Inbound::Event(Event::Done(id, outcome)));
    });
}

/// Whoever waits for the job hears of it. What went wrong is in the engine's log.
fn broken() -> Problem {
    let cause = "parlour itself broke at it, which `run/engine.log` in its home tells of";
    Problem::new("working", cause, "try again, and report it").of_kind(ProblemKind::Fault)
}

/// Of a job that runs a program of a chat: whose, and on whose word that acts. In an editor a person types.
fn runs(job: &Work) -> Option<(ChatId, Author)> {
    if let Work::Script(ScriptWork::Edit { chat, .. } | ScriptWork::LogIn { chat, .. }) = job {
        return Some((chat.clone(), Author::Person));
    }
    let (Work::Script(ScriptWork::Run { chat, .. })
    | Work::Approval(ApprovalWork::LocalCall { chat, .. })
    | Work::Schedule(ScheduleWork::Check { chat, .. })) = job
    else {
        return None;
    };
    Some((chat.clone(), Author::Chat(chat.clone())))
}

fn carry_out(id: WorkId, job: Work, context: &WorkContext) -> Result<Outcome, Problem> {
    if job.writes() {
        context.services.may_write()?;
    }
    context.services.repair_home();
    match job {
        Work::Chat(work) => chat(context, work).map(Outcome::Chat),
        Work::Trash(work) => trash(context, work).map(Outcome::Trash),
        Work::Storage(work) => storage::carry_out(&context.services, work).map(Outcome::Storage),
        Work::Agent(work) => agent(context, work).map(Outcome::Agent),
        Work::Project(work) => project(context, work).map(Outcome::Project),
        Work::Team(work) => team(context, work).map(Outcome::Team),
        Work::Schedule(work) => schedule(context, id, work),
        Work::Script(work) => script(context, work),
        Work::Approval(work) => gate(context, work),
        Work::Server(work) => server(context, work),
        Work::Setting(work) => settings::carry_out(context, work).map(Outcome::Setting),
        Work::Review(work) => review::carry_out(context, work).map(Outcome::Review),
        Work::Keep(work) => keep::carry_out(context, work).map(Outcome::Keep),
        Work::Usage(work) => usage::carry_out(&context.services, work).map(Outcome::Usage),
        Work::Read(read) => read::carry_out(context, read).map(Outcome::Read),
        // It goes to the writer of transcripts, in order, before any worker.
        Work::Journal(_) => Err(Problem::fault("writing a transcript", "a worker was given it")),
    }
}

fn chat(context: &WorkContext, work: ChatWork) -> Result<ChatDone, Problem> {
    match work {
        ChatWork::Create(new) => chats::create(&context.services, &new),
        ChatWork::Duplicate { from, at, new, env } => duplicate::duplicate(context, (&from, at), &new, &env),
        ChatWork::Sample => chats::sample(&context.services),
        ChatWork::Mark { chat, mark, on, at } => chats::mark(&context.services, &chat, (mark, on), at),
        ChatWork::Set { chat, changes } => chats::set(&context.services, &chat, &changes),
        ChatWork::TourSeen => chats::keep_tour_seen(&context.services),
        ChatWork::KeepLeft(left) => chats::keep_left(&context.services, left),
        ChatWork::KeepLook(look) => chats::keep_look(&context.services, look),
        ChatWork::Rename { chat, name } => chats::rename(&context.services, &chat, &name),
        ChatWork::Name { chat, name } => chats::name(&context.services.home, &chat, &name),
        ChatWork::ReadyTrash(chat) => chats::ready_trash(&context.services, &chat),
        ChatWork::Discard(chat) => chats::discard(context, &chat),
        ChatWork::Forget(chat) => {
            chats::forget(context, &chat);
            Ok(ChatDone::Forgotten)
        }
        ChatWork::Trash(chat) => chats::trash(context, &chat),
        ChatWork::Recreate(chat) => chats::recreate(&context.services, &chat),
        ChatWork::Losses(chat) => losses::losses(&context.services, &chat),
        ChatWork::Bind(binding) => chats::bind(&context.services, binding),
        ChatWork::Draft { chat, text, instead_of } => {
            chats::draft(&context.services, &chat, text, instead_of.as_deref())
        }
        ChatWork::Todos { chat, changes, first } => chats::todos(&context.services, &chat, &changes, first),
    }
}

fn trash(context: &WorkContext, work: TrashWork) -> Result<TrashDone, Problem> {
    match work {
        TrashWork::Restore(name) => trash::restore(context, name.as_deref()),
        TrashWork::RestoreLast { since } => trash::restore_last(context, since),
        TrashWork::List { below } => trash::list(&context.services, below),
        TrashWork::LetGo => trash::let_go(&context.services),
        TrashWork::Losses(name) => trash::losses(&context.services, name.as_deref()),
        TrashWork::Purge(name) => trash::purge(&context.services, name.as_deref()),
    }
}

fn agent(context: &WorkContext, work: AgentWork) -> Result<AgentDone, Problem> {
    match work {
        AgentWork::Start { chat, env, size } => run::start(context, &chat, &env, size),
        AgentWork::Session { chat, session } => chats::session(&context.services, &chat, session),
        AgentWork::Instruct(chat, arrival) => instruct::instruct(&context.services, &chat, &arrival),
        AgentWork::InstructByFile(chat, arrival) => instruct::by_file(&context.services, &chat, arrival),
        AgentWork::Detect { path, env } => Ok(run::detect(&context.services, &path, &env)),
        AgentWork::Trust { llm, env } => run::trust(&context.services, &llm, &env),
    }
}

fn project(context: &WorkContext, work: ProjectWork) -> Result<ProjectDone, Problem> {
    match work {
        ProjectWork::Open { chat, open, parent, .. } => open::open(context, &chat, &open, parent.as_ref()),
        ProjectWork::OpenFrom { chat, from, open, .. } => dispatch::open_from(context, &chat, &from, &open),
        ProjectWork::SaveSetup { chat, project, files } => {
            setups::save(&context.services, &chat, (&project, &files), setup::Approval::Missing)
        }
    }
}

fn team(context: &WorkContext, work: TeamWork) -> Result<TeamDone, Problem> {
    match work {
        TeamWork::Declare(chat, declared) => chats::declare(&context.services, &chat, &declared),
        TeamWork::ReadAtoms(root) => atoms::read(&context.services, &root),
        TeamWork::Atoms { root, change, by } => atoms::change(&context.services, &root, &change, &by),
        TeamWork::FreeAtoms(root, release) => atoms::free(&context.services, &root, &release),
    }
}

fn schedule(context: &WorkContext, id: WorkId, work: ScheduleWork) -> Result<Outcome, Problem> {
    match work {
        ScheduleWork::Make(schedule) => schedules::make(&context.services, *schedule),
        ScheduleWork::Change(schedule, change) => schedules::change(&context.services, &schedule, change),
        ScheduleWork::Cancel(schedule) => schedules::cancel(&context.services, &schedule),
        ScheduleWork::Check {
            chat,
            command,
            judged,
            env,
            seconds,
        } => {
            let check = command.map(|command| schedules::RunCheck {
                command,
                judged: judged.map(|case| *case),
                limit: Duration::from_secs(seconds),
            });
            schedules::check(&context.services, id, &chat, check, &env)
        }
    }
}

fn script(context: &WorkContext, work: ScriptWork) -> Result<Outcome, Problem> {
    match work {
        ScriptWork::Approve {
            chat,
            order,
            definition,
        } => scripts::approve(&context.services, &chat, &order, &definition),
        ScriptWork::DenySetup { chat, project } => scripts::deny_setup(&context.services, &chat, &project),
        ScriptWork::Run {
            number,
            chat,
            order,
            env,
            size,
        } => scripts::run(context, number, &chat, &order, (&env, size)),
        ScriptWork::Edit {
            number,
            chat,
            prompt: Some(prompt),
            env,
            size,
            ..
        } => edit::write(context, number, &chat, &prompt, (&env, size)),
        ScriptWork::Edit {
            number,
            chat,
            with,
            dir,
            file,
            leader,
            prompt: None,
            env,
            size,
        } => {
            let place = edit::EditPlace {
                with,
                dir: dir.as_deref(),
                file: file.as_ref().map(|(path, line)| (path.as_path(), *line)),
                leader,
            };
            edit::edit(context, number, &chat, place, (&env, size))
        }
        ScriptWork::LogIn {
            number,
            chat,
            env,
            size,
        } => login::log_in(context, number, &chat, (&env, size)),
        ScriptWork::Browse { url, env } => browse::browse(&url, &env),
        ScriptWork::Stop(number) => {
            context.services.scripts.stop(number);
            Ok(Outcome::Script(ScriptDone::Stopped))
        }
    }
}

fn gate(context: &WorkContext, work: ApprovalWork) -> Result<Outcome, Problem> {
    match work {
        ApprovalWork::LocalCall {
            number,
            chat,
            local_job,
            env,
        } => local_call::carry_out(context, number, &chat, &local_job, &env),
        ApprovalWork::Judge(case) => Ok(Outcome::Approval(ApprovalDone::Judged(judged::judge(&case)))),
        ApprovalWork::Suggest(case) => always::suggest(&context.services, &case).map(Outcome::Approval),
        ApprovalWork::InFiles(cases) => Ok(Outcome::Approval(always::in_files(&cases))),
        ApprovalWork::AllowAlways(case, rule) => always::allow(&context.services, &case, rule).map(Outcome::Approval),
    }
}

fn server(context: &WorkContext, work: ServerWork) -> Result<Outcome, Problem> {
    match work {
        ServerWork::List { chat, ask } => servers::list(context, &chat, ask.as_ref()),
        ServerWork::Switch { chat, name, switch } => switch::switch(&context.services, &chat, &name, &switch),
    }
}
