//! Verbs that look at a chat: its screen, its transcript, its log, and what it comes to.

use std::path::Path;
use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, SyncSender};
use std::time::{Duration, Instant};
use std::{io, thread};

use rustix::event::{PollFd, PollFlags, poll};
use serde_json::Value;

use super::args::{Events, LogArgs, ScreenArgs, WaitArgs};
use super::changes::one_chat;
use super::output::{self, OutputForm, print, show, text};
use super::requests::{QuestionOutcome, ask, listen, no_answer, try_ask};
use crate::client::StartEngine;
use crate::model::chat_name::pasted;
use crate::model::request::ChatRequest;
use crate::model::text::visible;
use crate::model::{Problem, Request};

/// As `timeout` has it.
const RAN_OUT: u8 = 124;

/// How long a wait says nothing of what goes on, at first and later.
const QUIET: Duration = Duration::from_secs(5);
const RARELY: Duration = Duration::from_secs(60);

pub fn wait(home: &Path, form: OutputForm, wait: WaitArgs) -> anyhow::Result<ExitCode> {
    let (chat, until) = (wait.chat, wait.until);
    let asked = Request::Chat(ChatRequest::Wait {
        chat: chat.clone(),
        until,
    });
    let (_, heard) = listen(home, asked, StartEngine::IfMissing);
    let end = wait.timeout.map(|most| Instant::now() + most);
    let mut quiet = QUIET;
    loop {
        let rest = end.map(|end| end.saturating_duration_since(Instant::now()));
        match heard.recv_timeout(rest.map_or(quiet, |rest| rest.min(quiet))) {
            Ok(QuestionOutcome::Answer(answer)) => {
                let answer = answer?;
                show(form, &answer, |_| waited(&answer))?;
                return Ok(ExitCode::SUCCESS);
            }
            Err(RecvTimeoutError::Timeout) if rest.is_some_and(|rest| rest <= quiet) => {
                let seconds = wait.timeout.unwrap_or_default().as_secs_f64();
                let cause = format!("timed out after {seconds} s");
                let hint = format!("`parlour explain {}` tells what it does", pasted(&chat));
                output::complain(form, &Problem::busy(format!("waiting for {chat}"), cause, hint).into());
                return Ok(ExitCode::from(RAN_OUT));
            }
            Err(RecvTimeoutError::Timeout) => {
                output::tell(&format!("still waiting for {chat}: {}", now_at(home, &chat)));
                quiet = RARELY;
            }
            Ok(QuestionOutcome::Line(_) | QuestionOutcome::Unread | QuestionOutcome::Interrupted)
            | Err(RecvTimeoutError::Disconnected) => {
                return Err(no_answer());
            }
        }
    }
}

/// What a chat has come to, a shell with how its last command line ended.
fn waited(chat: &Value) -> String {
    let said = one_chat(chat);
    match chat["exit_code"].as_i64() {
        Some(code) => format!("{}, exit {code}\n", said.trim_end()),
        None => said,
    }
}

/// What a chat does now, in a few words.
fn now_at(home: &Path, chat: &str) -> String {
    let explained = try_ask(
        home,
        &Request::Chat(ChatRequest::Explain { chat: chat.into() }),
        StartEngine::Never,
        drop,
    );
    let explained = explained.unwrap_or_default();
    match (text(&explained, "status"), text(&explained, "detail")) {
        ("", _) => "the engine does not say what it does".into(),
        (status, "") => format!("it is {status}"),
        (status, detail) => format!("it is {status}, {detail}"),
    }
}

pub fn screen(home: &Path, form: OutputForm, screen: ScreenArgs) -> anyhow::Result<()> {
    let request = Request::Chat(ChatRequest::Screen {
        chat: screen.chat,
        ansi: screen.ansi,
        scrollback: screen.scrollback,
    });
    let answer = ask(home, request)?;
    show(form, &answer, |_| ended(text(&answer, "text")))
}

pub fn log(home: &Path, form: OutputForm, log: LogArgs) -> anyhow::Result<()> {
    let (chat, lines) = (log.chat, log.lines);
    let answer = ask(home, Request::Chat(ChatRequest::Log { chat, lines }))?;
    show(form, &answer, |_| {
        let lines = answer["lines"].as_array().into_iter().flatten();
        lines
            .filter_map(Value::as_str)
            .map(|line| visible(line) + "\n")
            .collect()
    })
}

/// Each line as it comes, until the engine has no more or nobody reads them.
pub fn events(home: &Path, events: Events) -> anyhow::Result<()> {
    let request = Request::Chat(ChatRequest::Events {
        chat: events.chat,
        after: events.after,
        follow: events.follow,
        all: events.all,
    });
    let (says, heard) = listen(home, request, StartEngine::IfMissing);
    tell_when_unread(says);
    for heard in heard {
        match heard {
            QuestionOutcome::Line(event) => print(&format!("{event}\n"))?,
            QuestionOutcome::Answer(answer) => return answer.map(drop),
            QuestionOutcome::Unread | QuestionOutcome::Interrupted => return Ok(()),
        }
    }
    Err(no_answer())
}

/// A reader that has gone is otherwise noticed at the next event only, which may be hours away.
fn tell_when_unread(says: SyncSender<QuestionOutcome>) {
    thread::spawn(move || {
        let stdout = io::stdout();
        // Only errors are waited for: hangups are told without being asked for.
        let mut watched = [PollFd::new(&stdout, PollFlags::empty())];
        if poll(&mut watched, None).is_ok() {
            // The verb may have ended by itself.
            let _ = says.send(QuestionOutcome::Unread);
        }
    });
}

/// Ended like a line; nothing where there is nothing.
fn ended(text: &str) -> String {
    match text.is_empty() || text.ends_with('\n') {
        true => text.to_owned(),
        false => format!("{text}\n"),
    }
}
