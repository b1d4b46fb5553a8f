//! `parlour query`: a question from the shell, and its answer as it comes.
//!
//! A query is a chat as any other: its prompt goes the way of `parlour send`, and its transcript is followed until its turn
//! is over. Start at [`run`]; [`turn`] follows the turn, [`printer`] prints it, [`approvals`] answers what it asks.

mod approvals;
mod asked;
mod page;
mod printer;
mod prompt;
mod turn;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use serde_json::{Value, json};

use super::args::{DreArgs, QueryArgs};
use super::bound::{self, shown};
use super::environment::{environment, here};
use super::output::{self, OutputForm, OutputLook, print, text};
use super::requests::{ask, try_ask};
use super::{person_only, send, single_word};
use crate::client::StartEngine;
use crate::model::open_dir::OpenDir;
use crate::model::query::QueryRequest;
use crate::model::request::{ChatsRequest, NewChat};
use crate::model::text::visible;
use crate::model::{AreaMode, ChatId, Happened, Problem, ProblemKind, Request, Status};
use crate::store::{self, Home, Line};

use asked::AskedChat;
use printer::Printer;

/// How far back the last answer is looked for.
const TAIL: usize = 5_000;

/// What becomes of the directory's binding when it went well.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Binds {
    To(PathBuf),
    Nothing,
}

/// As of a command line that clap does not take.
const WRONG_USE: u8 = 2;

/// Whatever goes wrong, the exit code is 1: a script that asks wants to know whether it has an answer.
pub fn run(home: &Path, form: OutputForm, query: QueryArgs) -> anyhow::Result<ExitCode> {
    let yes = match approvals::Yes::parse(&query.yes_to) {
        Ok(yes) => yes,
        Err(problem) => {
            output::complain(form, &problem.into());
            return Ok(ExitCode::from(WRONG_USE));
        }
    };
    match answered(home, form, query, None, yes) {
        Err(error) if !output::is_unread(&error) => {
            output::complain(form, &error);
            Ok(ExitCode::FAILURE)
        }
        ended => ended,
    }
}

/// As [`run`], in this chat, which the directory is bound to then.
pub fn go_on(home: &Path, form: OutputForm, chat: String, words: Vec<String>) -> anyhow::Result<ExitCode> {
    let query = QueryArgs {
        text: words,
        ..QueryArgs::default()
    };
    answered(home, form, query, Some(chat), approvals::Yes::default())
}

fn answered(
    home: &Path,
    form: OutputForm,
    query: QueryArgs,
    chat: Option<String>,
    yes: approvals::Yes,
) -> anyhow::Result<ExitCode> {
    person_only::under_an_agent("asking an agent from the shell")?;
    let text = prompt::whole(&query.text)?;
    let mut printer = Printer::new(form, query.raw, query.quiet);
    let target = match chat {
        Some(chat) => Some(chat),
        None => replied_to(home, &query)?,
    };
    let is_reply = query.reply || query.dir_reply;
    let binds = match is_reply {
        true => Binds::Nothing,
        false => Binds::To(here()?),
    };
    let ctrl_c = turn::CtrlC::keep();
    let asked = match target {
        Some(chat) => prompted(home, chat, text)?,
        None => made(home, &query, text, &here()?)?,
    };
    let patience = approvals::Patience { yes, waits: query.wait };
    let end = turn::follow(home, &asked, &mut printer, &patience, ctrl_c, !is_reply);
    // An error would stand behind it.
    printer.clear();
    let seq = match end? {
        turn::TurnEnd::Interrupted => {
            let (handle, open) = (visible(&asked.handle), single_word::opening(&asked.handle));
            let told = match printer.said.is_empty() {
                true => "interrupted before the agent had told any of its answer",
                false => "interrupted",
            };
            output::tell(&format!("{told}; the chat is {handle}, and `{open}` opens it"));
            return Ok(ExitCode::from(turn::INTERRUPTED));
        }
        turn::TurnEnd::Unheard(chat) => {
            let why = failure(&asked, &chat);
            return Err(why.unwrap_or_else(|| unheard(&asked)).into());
        }
        turn::TurnEnd::Done(chat) => {
            let silent = || printer.said.is_empty().then(|| unanswered(&asked));
            if let Some(problem) = failure(&asked, &chat).or_else(silent) {
                return Err(problem.into());
            }
            chat["seq"].as_u64().unwrap_or_default()
        }
    };
    if let Binds::To(dir) = binds {
        let chat = asked.id.clone();
        ask(home, Request::Query(QueryRequest::Bind { chat, dir, asked: true }))?;
    }
    tell_end(form, &asked, &printer)?;
    // Whoever asked has the answer, whatever becomes of an engine that ends just now.
    let seen = Request::Query(QueryRequest::Seen { chat: asked.id, seq });
    drop(try_ask(home, &seen, StartEngine::Never, |_| ()));
    Ok(ExitCode::SUCCESS)
}

/// The chat that a reply goes to. No other takes the place of one that is not there.
fn replied_to(home: &Path, query: &QueryArgs) -> anyhow::Result<Option<String>> {
    if query.dir_reply {
        return Ok(Some(bound::needed(home, &here()?)?.chat.to_string()));
    }
    if !query.reply {
        return Ok(None);
    }
    let doing = "finding the last query";
    let Some(last) = store::last_query(home).context(doing)? else {
        let hint = "`parlour query TEXT` makes one";
        return Err(Problem::missing(doing, "there was none yet", hint).into());
    };
    bound::there(home, &last, doing)?;
    Ok(Some(last.to_string()))
}

/// A new chat, which sees the directory in which it is asked.
fn made(home: &Path, query: &QueryArgs, text: String, dir: &Path) -> anyhow::Result<AskedChat> {
    let open = OpenDir {
        path_or_url: dir.to_string_lossy().into_owned(),
        mode: Some(if query.rw { AreaMode::Rw } else { AreaMode::Ro }),
        in_place: true,
        ..OpenDir::default()
    };
    // No agent sees all chats, and many ask in their home directory what needs no directory.
    let holds_home = dir.canonicalize().is_ok_and(|dir| home.starts_with(dir));
    if holds_home {
        let shown = shown(dir);
        output::tell(&format!(
            "the agent does not see {shown}: parlour's own home lies in it"
        ));
    }
    let id = send::new_id();
    let request = NewChat {
        name: query.name.clone(),
        prompt: Some(text),
        prompt_id: id.clone(),
        llm: query.llm.clone(),
        wants_answer: true,
        role: query.profile.clone(),
        dirs: if holds_home { Vec::new() } else { vec![open] },
        cwd: dir.to_owned(),
        env: environment(),
        ..NewChat::default()
    };
    let made = ask(home, Request::Chats(ChatsRequest::New(request)))?;
    Ok(AskedChat::of(&made, 0, id))
}

/// A chat that is there gets another prompt: a question of its own, which goes into no turn that runs.
fn prompted(home: &Path, chat: String, text: String) -> anyhow::Result<AskedChat> {
    let known = ask(home, Request::Query(QueryRequest::Look { chat }))?;
    let plain = send::Prompt::plain(self::text(&known, "id").to_owned(), text);
    let prompt = send::Prompt {
        follow_up: true,
        ..plain
    };
    let asked = AskedChat::of(&known, known["seq"].as_u64().unwrap_or_default(), prompt.id.clone());
    send::hand_over(home, prompt)?;
    Ok(asked)
}

/// Why the turn that ended so has not ended well.
fn failure(asked: &AskedChat, chat: &Value) -> Option<Problem> {
    let (status, detail) = (text(chat, "status"), visible(text(chat, "detail")));
    let (kind, cause) = match (status, detail.as_str()) {
        ("idle" | "hibernated", detail) if Status::is_interrupted(detail) => {
            (ProblemKind::User, "its turn was interrupted".to_owned())
        }
        ("idle" | "hibernated", _) | ("exited", "ended") => return None,
        ("exited", why) => (ProblemKind::Fault, format!("its agent has exited: {why}")),
        ("logged-out", why) if !why.is_empty() => (ProblemKind::Fault, format!("it is {why}")),
        (status, "") => (ProblemKind::Fault, format!("its agent is {status}")),
        (status, why) => (ProblemKind::Fault, format!("{status}: {why}")),
    };
    let handle = visible(&asked.handle);
    let hint = format!(
        "`{}` opens the chat, `parlour explain {handle}` says more",
        single_word::opening(&asked.handle)
    );
    let problem = Problem::new(format!("asking {}", visible(&asked.llm)), cause, hint);
    Some(problem.of_kind(kind))
}

fn unheard(asked: &AskedChat) -> Problem {
    let handle = visible(&asked.handle);
    let hint = format!("`parlour explain {handle}` says more, `parlour queue {handle}` what waits there");
    let cause = "nothing shows that it has the question";
    Problem::fault(format!("asking {}", visible(&asked.llm)), cause).hinted(hint)
}

/// Whoever asks wants words: a turn without any is no answer, whatever was done in it.
fn unanswered(asked: &AskedChat) -> Problem {
    let handle = visible(&asked.handle);
    let cause = "its turn ended without an answer";
    let hint = format!("`parlour screen {handle}` prints its terminal");
    Problem::fault(format!("asking {}", visible(&asked.llm)), cause).hinted(hint)
}

fn tell_end(form: OutputForm, asked: &AskedChat, printer: &Printer) -> anyhow::Result<()> {
    if form == OutputForm::Json {
        let told = json!({
            "chat_id": asked.id,
            "handle": asked.handle,
            "llm": asked.llm,
            "text": printer.said.join("\n\n"),
        });
        return print(&format!("{told}\n"));
    }
    Ok(())
}

/// `parlour dre`: the last answer in the conversation of this directory. No agent is asked, and no engine.
pub fn last_answer(home: &Path, form: OutputForm, of: DreArgs) -> anyhow::Result<()> {
    let dir = here()?;
    let found = bound::needed(home, &dir)?;
    let said = last_words(home, &found.chat)?;
    if said.is_empty() {
        let handle = visible(&found.record.handle);
        let hint = format!("`{}` opens the chat", single_word::opening(&handle));
        let cause = format!("{handle} has not answered yet");
        return Err(Problem::missing(format!("finding the last answer in {}", shown(&dir)), cause, hint).into());
    }
    let look = OutputLook::of_stdout();
    let whole = said.join("\n\n");
    match (form, look.width) {
        (OutputForm::Json, _) => {
            let told = json!({"chat_id": found.chat, "handle": found.record.handle, "text": whole});
            print(&format!("{told}\n"))
        }
        (OutputForm::Words, Some(_)) if !of.raw => print(&page::drawn(&whole, &look)),
        (OutputForm::Words, width) => print(&printer::plain(&whole, width)),
    }
}

/// What was said since the last prompt that was answered.
fn last_words(home: &Path, chat: &ChatId) -> anyhow::Result<Vec<String>> {
    let lines = Home::open(home)?.tail(chat, TAIL).context("reading the transcript")?;
    let mut said: Vec<String> = Vec::new();
    for line in lines.into_iter().rev() {
        let Line::Entry(entry) = line else { continue };
        if matches!(entry.what, Happened::Prompt { .. }) && !said.is_empty() {
            break;
        }
        if let Happened::Text { text, .. } = entry.what
            && !text.trim().is_empty()
        {
            said.push(text);
        }
    }
    said.reverse();
    Ok(said)
}
