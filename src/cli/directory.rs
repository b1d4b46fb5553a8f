//! `parlour chat`: the conversation of a directory.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use serde_json::{Value, json};

use super::args::{DirChatArgs, DirChatVerb, ListArgs};
use super::bound::{self, shown};
use super::changes::one_chat;
use super::environment::here;
use super::opening::{OpeningPlace, open};
use super::output::{OutputForm, print, show, text};
use super::requests::ask;
use super::{changes, list, person_only, query, removal};
use crate::model::Request;
use crate::model::query::QueryRequest;
use crate::model::text::visible;
use crate::store;

pub fn run(home: &Path, form: OutputForm, of: DirChatArgs) -> anyhow::Result<ExitCode> {
    match of.verb {
        DirChatVerb::Dir => describe(home, form)?,
        DirChatVerb::New(new) => changes::new(home, form, *new)?,
        DirChatVerb::Continue(of) if !of.text.is_empty() => return query::go_on(home, form, of.chat, of.text),
        DirChatVerb::Continue(of) => go_on(home, form, of.chat)?,
        DirChatVerb::List => list::run_here(home, form, &ListArgs { all: false })?,
        DirChatVerb::Delete(rm) => removal::remove(home, form, rm)?,
        DirChatVerb::Bind(of) => {
            let (bound, dir) = bind(home, of.chat)?;
            show(form, &bound, |_| said(&bound, &dir))?;
        }
        DirChatVerb::Unbind => unbind(home, form)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn describe(home: &Path, form: OutputForm) -> anyhow::Result<()> {
    let told = match bound::bound(home, &here()?)? {
        None => json!({}),
        Some(found) => {
            let messages = store::count_messages(home, &found.chat, &found.record);
            json!({
                "chat_id": found.chat,
                "handle": found.record.handle,
                "llm": found.record.llm,
                "profile": found.record.role,
                "messages": messages.context("counting the messages of the chat")?,
                "updated": found.binding.updated,
                "conversation_created": found.record.created,
            })
        }
    };
    match form {
        OutputForm::Json => print(&format!("{told}\n")),
        OutputForm::Words => print(&format!("{told:#}\n")),
    }
}

/// Binds the current directory to this chat.
pub fn bind(home: &Path, chat: String) -> anyhow::Result<(Value, PathBuf)> {
    person_only::under_an_agent("binding a directory to a chat")?;
    let dir = here()?;
    let request = QueryRequest::Bind {
        chat,
        dir: dir.clone(),
        asked: false,
    };
    Ok((ask(home, Request::Query(request))?, dir))
}

fn said(bound: &Value, dir: &Path) -> String {
    let handle = visible(text(bound, "handle"));
    format!(
        "{}{} is bound to it: `parlour` there opens {handle} next, and `parlour query --dre` goes on with it\n",
        one_chat(bound),
        shown(dir)
    )
}

fn go_on(home: &Path, form: OutputForm, chat: String) -> anyhow::Result<()> {
    let (bound, dir) = bind(home, chat)?;
    let is_seen = io::stdin().is_terminal() && io::stdout().is_terminal();
    if form == OutputForm::Words && is_seen {
        return Err(open(home, text(&bound, "id"), OpeningPlace::Agent));
    }
    show(form, &bound, |_| said(&bound, &dir))
}

fn unbind(home: &Path, form: OutputForm) -> anyhow::Result<()> {
    person_only::under_an_agent("unbinding a directory")?;
    let dir = here()?;
    let answer = ask(home, Request::Query(QueryRequest::Unbind { dir: dir.clone() }))?;
    show(form, &answer, |_| format!("{} is bound to no chat\n", shown(&dir)))
}
