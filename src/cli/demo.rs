//! `parlour demo`: a chat with the scripted agent on a sample repository, opened where there is a terminal.

use std::env;
use std::io::{self, IsTerminal};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitCode};

use super::asking::{ask, environment, here};
use super::changes::one_chat;
use super::output::{Form, show, text};
use crate::model::Request;
use crate::model::request::NewChat;

pub fn run(home: &Path, form: Form) -> anyhow::Result<ExitCode> {
    let request = NewChat {
        cwd: here()?,
        env: environment(),
        ..NewChat::default()
    };
    let made = ask(home, Request::Demo(request))?;
    if form == Form::Words && io::stdin().is_terminal() && io::stdout().is_terminal() {
        return Err(open(home, text(&made, "handle")));
    }
    show(form, &made, |_| one_chat(&made))?;
    Ok(ExitCode::SUCCESS)
}

/// Becomes `parlour CHAT`. A screen starts this program again with its own arguments, and `demo` would then make
/// a second chat. Returns only where that fails.
fn open(home: &Path, chat: &str) -> anyhow::Error {
    let program = match env::current_exe() {
        Ok(program) => program,
        Err(error) => return error.into(),
    };
    let error = Command::new(program)
        .arg("--")
        .arg(chat)
        .env("PARLOUR_HOME", home)
        .exec();
    anyhow::Error::new(error).context("opening the chat")
}
