//! From words to what does it: one line a verb.

use std::ffi::OsString;
use std::io::{self, IsTerminal};
use std::iter;
use std::path::Path;
use std::process::ExitCode;

use clap::error::ErrorKind;
use clap::{ArgMatches, CommandFactory, FromArgMatches};

use super::args::{
    ApprovalVerb, CalledVerb, ChatVerb, ChatsVerb, EngineVerb, KeepVerb, ParlourArgs, ProjectVerb, ReviewVerb, Verb,
};
use super::help_text::laid_out;
use super::init;
use super::keep;
use super::output::{self, OutputForm};
use super::requests::{self, said};
use super::{
    approvals, changes, compare, complete, config, demo, directory, doctor, edit, explain, export, home, hook, list,
    main_chat, manual, person_only, pick, query, queue, remark, removal, replay, review, roles, schedule, script,
    search, send, servers, single_word, status, storage, templates, theme, todos, usage, watching, work, wrong_use,
};
use crate::client::{self, EndSignals, Killed};
use crate::model::chat::ListMark;
use crate::model::{Problem, ProblemKind};
use crate::{agents, engine};

/// As clap has it.
const WRONG_USE: u8 = 2;

/// Does what these arguments say, program name first, and gives the exit code. It must be called before any thread is started:
/// a screen starts this program again and stays behind as its guard.
pub fn run(words: impl IntoIterator<Item = OsString>) -> ExitCode {
    outlive_file_limit();
    let words: Vec<OsString> = words.into_iter().collect();
    if complete::answered(&words) {
        return ExitCode::SUCCESS;
    }
    let is_hook = words.get(1).is_some_and(|verb| verb == "hook");
    let ends = is_hook.then(EndSignals::listen).and_then(Result::ok);
    let line = match read(words.clone()) {
        Ok(line) => line,
        Err(wrong) => return told(&wrong, &words),
    };
    // A hook never fails, not even where no home can be found.
    if let Some(Verb::Called(CalledVerb::Hook(hook))) = &line.verb {
        return hook::run(hook, ends);
    }
    requests::typed(&line.typed);
    let form = line.form();
    let ended = home::home().and_then(|home| carry_out(&home, line));
    match ended {
        Ok(code) => code,
        Err(error) if output::is_unread(&error) => ExitCode::SUCCESS,
        Err(error) => output::complain(form, &error),
    }
}

/// Where files may be only so large (`ulimit -f`), a write that goes further fails as on a full disk, in place of ending the
/// program. What it starts has the default again.
fn outlive_file_limit() {
    use signal_hook::consts::signal::SIGXFSZ;
    if let Err(error) = signal_hook::flag::register(SIGXFSZ, std::sync::Arc::default()) {
        tracing::warn!("the limit of file sizes ends this program: {error}");
    }
}

pub(super) fn read(words: impl IntoIterator<Item = OsString>) -> Result<ParlourArgs, clap::Error> {
    let words: Vec<OsString> = words.into_iter().collect();
    let read = laid_out(ParlourArgs::command()).try_get_matches_from(&words);
    let read = read.and_then(|mut read| {
        let typed = verb_of(&read);
        ParlourArgs::from_arg_matches_mut(&mut read).map(|line| ParlourArgs { typed, ..line })
    });
    let line = read.map_err(|wrong| {
        let better = single_word::unknown_verb(&words).or_else(|| single_word::chat_of_work(&words, &wrong));
        better.unwrap_or(wrong)
    })?;
    match (&line.chat, &line.verb) {
        // The second word is called like a verb.
        (Some(chat), Some(_)) => Err(single_word::unknown_verb(&words).unwrap_or_else(|| {
            let said = format!("{chat} is no verb of parlour, and a chat to open takes no verb");
            ParlourArgs::command().error(ErrorKind::ArgumentConflict, said)
        })),
        (Some(_) | None, _) => Ok(line),
    }
}

/// With what stands behind it, where that is a verb too (`schedule run`).
fn verb_of(read: &ArgMatches) -> String {
    let words = iter::successors(read.subcommand(), |(_, read)| read.subcommand());
    words.map(|(word, _)| word).collect::<Vec<_>>().join(" ")
}

/// Help and version go to standard output with 0; wrong use to standard error with 2.
fn told(wrong: &clap::Error, words: &[OsString]) -> ExitCode {
    let code = ExitCode::from(u8::try_from(wrong.exit_code()).unwrap_or(WRONG_USE));
    // Behind `--` it is a word as any other.
    let mut options = words.iter().take_while(|word| *word != "--");
    if wrong.use_stderr() && options.any(|word| word == "--json") {
        let problem = wrong_use::problem(&wrong.render().to_string());
        output::complain(OutputForm::Json, &problem.into());
        return code;
    }
    if matches!(wrong.kind(), ErrorKind::ValueValidation | ErrorKind::InvalidValue) {
        output::tell(&wrong_use::problem(&wrong.render().to_string()).cause);
        return code;
    }
    // Nobody is left to be told that they cannot be told.
    let _ = wrong.print();
    code
}

fn carry_out(home: &Path, line: ParlourArgs) -> anyhow::Result<ExitCode> {
    let form = line.form();
    let Some(verb) = line.verb else {
        person_only::refuse_nested(|name| std::env::var_os(name))?;
        let (chat, bound) = match line.chat {
            Some(name) => {
                let name = main_chat::resolve(home, name)?;
                if let Err(error) = single_word::chat(home, &name) {
                    let code = output::complain(form, &error);
                    let problem = error.downcast_ref::<Problem>();
                    let is_wrong_use = problem.is_some_and(|problem| problem.kind == ProblemKind::User);
                    return Ok(if is_wrong_use { ExitCode::from(WRONG_USE) } else { code });
                }
                // Another chat was asked for: a binding that is broken is of no interest.
                (Some(name), main_chat::shown_here(home).ok().flatten())
            }
            None => (None, main_chat::shown_here(home)?),
        };
        let bound = bound.map(|chat| chat.to_string());
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            let hint = "run it in a terminal; for scripts there is `parlour list --json`";
            return Err(Problem::new("opening the screen", "there is no terminal to show it in", hint).into());
        }
        let home = home.to_owned();
        let (edits, reader) = (line.edits, line.reader);
        // A screen that cannot be shown has no answer that a script reads by its kind.
        return Ok(client::attach(client::ScreenOptions {
            home,
            chat,
            bound,
            edits,
            reader,
        })
        .unwrap_or_else(|error| {
            output::complain(form, &error);
            ExitCode::FAILURE
        }));
    };
    match verb {
        Verb::Chats(verb) => chats_verb(home, form, verb)?,
        Verb::Status => return status::run(home, form),
        Verb::Usage(of) => usage::run(home, form, of)?,
        Verb::Export(of) => export::run(home, form, of)?,
        Verb::Search(of) => return search::run(home, form, of),
        Verb::Cache(of) => storage::cache(home, form, of.verb)?,
        Verb::Setup(of) => storage::setup(home, form, of.verb)?,
        Verb::Chat(verb) => return chat_verb(home, form, verb),
        Verb::Query(query) => return query::run(home, form, query),
        Verb::Dre(of) => query::last_answer(home, form, of)?,
        Verb::DirChat(of) => return directory::run(home, form, of),
        Verb::Review(verb) => review_verb(home, form, verb)?,
        Verb::Keep(verb) => keep_verb(home, form, verb)?,
        Verb::Log(log) => watching::log(home, form, log)?,
        Verb::Project(verb) => return project_verb(home, form, verb),
        Verb::Work(work) => work::run(home, form, work)?,
        Verb::Schedule(of) => schedule::run(home, form, of)?,
        Verb::Roles(of) => roles::run(home, form, of)?,
        Verb::Config(of) => return config::run(home, form, of.verb),
        Verb::Theme(of) => theme::run(home, form, of)?,
        Verb::Templates(of) => templates::run(home, form, of)?,
        Verb::Approval(verb) => approval_verb(home, form, verb)?,
        Verb::Demo(of) => return demo::run(home, form, of.cast),
        Verb::Engine(verb) => return engine_verb(home, form, verb),
        Verb::Reset => client::reset().map_err(no_terminal)?,
        Verb::Completions(completions) => print_script(completions.shell)?,
        Verb::Man(of) => manual::run(form, &of.dir)?,
        Verb::Called(verb) => return Ok(called_verb(verb)),
    }
    Ok(ExitCode::SUCCESS)
}

fn chats_verb(home: &Path, form: OutputForm, verb: ChatsVerb) -> anyhow::Result<()> {
    match verb {
        ChatsVerb::New(new) => changes::new(home, form, new),
        ChatsVerb::Init(init) => init::init(home, form, init),
        ChatsVerb::List(of) => list::run(home, form, &of),
    }
}

fn chat_verb(home: &Path, form: OutputForm, verb: ChatVerb) -> anyhow::Result<ExitCode> {
    match verb {
        ChatVerb::Explain(of) => explain::run(home, form, of.chat)?,
        ChatVerb::Servers(of) => servers::run(home, form, of)?,
        ChatVerb::OpenDir(open) => changes::open_dir(home, form, open)?,
        ChatVerb::Send(prompt) => send::send(home, form, prompt)?,
        ChatVerb::Compact(of) => send::compact(home, form, of)?,
        ChatVerb::Queue(of) => queue::run(home, form, of)?,
        ChatVerb::Wait(wait) => return watching::wait(home, form, wait),
        ChatVerb::Screen(screen) => watching::screen(home, form, screen)?,
        ChatVerb::Events(events) => watching::events(home, events)?,
        ChatVerb::Stop(stop) => return changes::stop(home, form, stop),
        ChatVerb::Resume(of) => changes::resume(home, form, of)?,
        ChatVerb::Restart(of) => changes::restart(home, form, of.chat)?,
        ChatVerb::Rm(rm) => removal::remove(home, form, rm)?,
        ChatVerb::UndoRm(of) => removal::bring_back(home, form, of.chat)?,
        ChatVerb::Trash(of) => removal::trash(home, form, of.verb)?,
        ChatVerb::Rename(rename) => changes::rename(home, form, rename)?,
        ChatVerb::Set(of) => changes::set(home, form, of)?,
        ChatVerb::Pin(of) => changes::mark(home, form, of.chat, (ListMark::Pinned, !of.undo))?,
        ChatVerb::Archive(of) => changes::mark(home, form, of.chat, (ListMark::Archived, !of.undo))?,
        ChatVerb::Duplicate(of) => changes::duplicate(home, form, of)?,
        ChatVerb::Fork(of) => changes::fork(home, form, of)?,
        ChatVerb::Todos(of) => todos::run(home, form, of)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn review_verb(home: &Path, form: OutputForm, verb: ReviewVerb) -> anyhow::Result<()> {
    match verb {
        ReviewVerb::Diff(of) => review::diff(home, form, of),
        ReviewVerb::Checkpoint(of) => review::checkpoint(home, form, of.chat),
        ReviewVerb::Checkpoints(of) => review::checkpoints(home, form, of.chat),
        ReviewVerb::Compare(of) => compare::compare(home, form, of.chat),
        ReviewVerb::Revert(of) => review::revert(home, form, of),
        ReviewVerb::UndoRevert(of) => review::undo_revert(home, form, of),
        ReviewVerb::Pick(verb) => pick::run(home, form, verb),
        ReviewVerb::Remark(verb) => remark::run(home, form, verb),
    }
}

fn keep_verb(home: &Path, form: OutputForm, verb: KeepVerb) -> anyhow::Result<()> {
    match verb {
        KeepVerb::Commit(of) => keep::commit(home, form, of),
        KeepVerb::Push(of) => keep::push(home, form, of),
        KeepVerb::Home(of) => keep::bring_home(home, form, of),
        KeepVerb::Rebase(of) => keep::rebase(home, form, of),
        KeepVerb::Pr(of) => keep::pull(home, form, of),
        KeepVerb::Radar(of) => keep::radar(home, form, of),
    }
}

fn project_verb(home: &Path, form: OutputForm, verb: ProjectVerb) -> anyhow::Result<ExitCode> {
    match verb {
        ProjectVerb::Script(of) => script::script(home, form, of)?,
        ProjectVerb::Run(run) => script::run(home, form, run)?,
        ProjectVerb::Edit(of) => return edit::run(home, form, of),
    }
    Ok(ExitCode::SUCCESS)
}

fn approval_verb(home: &Path, form: OutputForm, verb: ApprovalVerb) -> anyhow::Result<()> {
    match verb {
        ApprovalVerb::Approvals => approvals::list(home, form),
        ApprovalVerb::Approve(answer) => approvals::approve(home, form, answer),
        ApprovalVerb::Deny(answer) => approvals::deny(home, form, answer),
    }
}

fn engine_verb(home: &Path, form: OutputForm, verb: EngineVerb) -> anyhow::Result<ExitCode> {
    match verb {
        EngineVerb::Doctor(doctor) => return doctor::run(home, form, &doctor),
        EngineVerb::Engine(of) => engine::run(home, of.record.as_deref())?,
        EngineVerb::Replay(of) => replay::run(form, &of)?,
        EngineVerb::KillEngine => kill_engine(home, form)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn called_verb(verb: CalledVerb) -> ExitCode {
    match verb {
        CalledVerb::Hook(hook) => hook::run(&hook, None),
        CalledVerb::DemoAgent(options) => agents::demo::run(&options),
    }
}

fn kill_engine(home: &Path, form: OutputForm) -> anyhow::Result<()> {
    person_only::under_an_agent("ending the engine")?;
    let killed = client::kill_engine(home).map_err(said)?;
    let (ended, words) = match killed {
        Killed::Ended => (true, "the engine has ended; your chats are on disk\n"),
        Killed::NoEngine => (false, "no engine runs\n"),
    };
    output::show(form, &serde_json::json!({"ended": ended}), |_| words.into())
}

fn no_terminal(error: std::io::Error) -> Problem {
    Problem::of("repairing the terminal", &error).hinted("run it in the terminal that is to be repaired")
}

/// Written whole: the shell that reads it may stop early, which is no failure.
fn print_script(shell: clap_complete::Shell) -> anyhow::Result<()> {
    let shell = shell.to_string();
    let known = complete::shell(&shell);
    let known = known.ok_or_else(|| {
        Problem::new(
            "completing words",
            format!("{shell} is not known"),
            "bash, zsh and fish are known",
        )
    })?;
    output::print(&String::from_utf8(complete::script(known)?)?)
}
