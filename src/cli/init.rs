//! `parlour init`: a chat that orchestrates the work on a repository.

use std::path::Path;

use serde_json::json;

use super::args::Init;
use super::changes::one_chat;
use super::environment::{environment, here};
use super::main_chat::around;
use super::output::{OutputForm, show, text};
use super::person_only;
use super::requests::ask;
use crate::git;
use crate::model::open_dir::OpenDir;
use crate::model::request::ChatsRequest;
use crate::model::request::NewChat;
use crate::model::role::ORCHESTRATOR;
use crate::model::text::visible;
use crate::model::{AreaMode, Problem, Request};

/// What its role and that of its workers is, and how to have another.
const ROLES: &str =
    "`parlour roles copy orchestrator` makes a copy of its role for you to edit, so does `… copy worker`\n";

/// Makes `@main` for the repository around the current directory, or says that it is there.
pub fn init(home: &Path, form: OutputForm, init: Init) -> anyhow::Result<()> {
    let here = here()?;
    let Some(root) = git::root(&here) else {
        let cause = format!("{} lies in no git repository", here.display());
        return Err(Problem::new("making @main", cause, "go into one, or make one with `git init`").into());
    };
    // In place of one that was deleted another is made.
    if let Ok(Some(main)) = around(home, &here) {
        let known = json!({"id": main.chat, "created": false});
        return show(form, &known, |_| {
            "this repository has an @main already: `parlour` opens it\n".into()
        });
    }
    let name = root
        .file_name()
        .map_or_else(|| "repository".into(), |name| name.to_string_lossy());
    let open = OpenDir {
        path_or_url: root.to_string_lossy().into_owned(),
        mode: Some(AreaMode::Ro),
        in_place: true,
        ..OpenDir::default()
    };
    person_only::under_an_agent("making an orchestrator")?;
    let request = NewChat {
        name: Some(format!("{name} main")),
        llm: init.llm,
        role: Some(ORCHESTRATOR.into()),
        dirs: vec![open],
        cwd: here,
        env: environment(),
        bind: Some(root),
        ..NewChat::default()
    };
    let made = ask(home, Request::Chats(ChatsRequest::New(request)))?;
    show(form, &made, |_| {
        let handle = visible(text(&made, "handle"));
        let words = "`parlour` in this repository opens it, `parlour new NAME` makes a worker under it\n";
        format!(
            "{}{words}`parlour send @main …` or `parlour send {handle} …` tells it what to do\n{ROLES}",
            one_chat(&made)
        )
    })
}
