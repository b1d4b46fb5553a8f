//! `parlour demo`: a chat with the scripted agent on a sample repository, opened where there is a terminal.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use super::args::Cast;
use super::changes::one_chat;
use super::environment::{environment, here};
use super::opening::{OpeningPlace, open};
use super::output::{OutputForm, show, text};
use super::requests::ask;
use crate::model::Request;
use crate::model::request::ChatsRequest;
use crate::model::request::NewChat;

pub fn run(home: &Path, form: OutputForm, cast: Option<Cast>) -> anyhow::Result<ExitCode> {
    let request = NewChat {
        cwd: here()?,
        env: environment(),
        ..NewChat::default()
    };
    let request = match cast {
        Some(Cast::Team) => Request::Chats(ChatsRequest::DemoTeam(request)),
        None => Request::Chats(ChatsRequest::Demo(request)),
    };
    let made = ask(home, request)?;
    if form == OutputForm::Words && io::stdin().is_terminal() && io::stdout().is_terminal() {
        return Err(open(home, text(&made, "handle"), OpeningPlace::Agent));
    }
    show(form, &made, |_| one_chat(&made))?;
    Ok(ExitCode::SUCCESS)
}
