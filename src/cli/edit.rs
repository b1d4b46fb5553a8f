//! `parlour edit`: a person's editor beside a chat's agent, shown where there is a terminal.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::process::ExitCode;

use super::args::EditArgs;
use super::environment::environment;
use super::opening::{OpeningPlace, open};
use super::output::{OutputForm, show, text};
use super::requests::ask;
use super::{main_chat, person_only};
use crate::model::request::ProjectRequest;
use crate::model::text::visible;
use crate::model::{Problem, Request};

pub fn run(home: &Path, form: OutputForm, edit: EditArgs) -> anyhow::Result<ExitCode> {
    const DOING: &str = "opening your editor";
    person_only::under_an_agent(DOING)?;
    let chat = match edit.chat {
        Some(chat) => Some(chat),
        None => main_chat::bound_here(home)?.map(|chat| chat.to_string()),
    };
    let chat = chat.ok_or_else(|| {
        let cause = "no chat is bound to this directory";
        Problem::new(
            DOING,
            cause,
            "name one: `parlour edit CHAT`; `parlour list` shows all of them",
        )
    })?;
    let request = Request::Project(ProjectRequest::Edit {
        chat,
        dir: edit.dir,
        env: environment(),
    });
    let opened = ask(home, request)?;
    if form == OutputForm::Words && io::stdin().is_terminal() && io::stdout().is_terminal() {
        return Err(open(home, text(&opened, "id"), OpeningPlace::Editor));
    }
    show(form, &opened, |_| {
        let handle = visible(text(&opened, "handle"));
        format!("it is open beside the agent of {handle}: `parlour edit {handle}` in a terminal shows it\n")
    })?;
    Ok(ExitCode::SUCCESS)
}
