//! `@main`: the chat that orchestrates the work on the repository around the current directory.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::args::Init;
use super::asking::{ask, environment, here};
use super::changes::one_chat;
use super::output::{Form, show, text};
use crate::model::request::NewChat;
use crate::model::role::ORCHESTRATOR;
use crate::model::text::visible;
use crate::model::{ChatId, Mode, Problem, Request, tool};
use crate::{git, store};

/// What `@main` is called where a chat is named.
pub const MAIN: &str = "@main";
/// What its role and that of its workers is, and how to have another.
const ROLES: &str =
    "`parlour roles copy orchestrator` makes a copy of its role for you to edit, so does `… copy worker`\n";

/// A repository with a chat that orchestrates the work on it.
pub struct Main {
    pub chat: ChatId,
    pub root: PathBuf,
}

/// That of the repository around this directory. One that was deleted is an error: another chat in its place would be
/// taken for it.
pub fn around(home: &Path, dir: &Path) -> Result<Option<Main>, Problem> {
    let Some((root, bound)) = git::root(dir).and_then(|root| Some((root.clone(), store::bound(home, &root)?))) else {
        return Ok(None);
    };
    if bound.role.as_deref() != Some(ORCHESTRATOR) {
        return Ok(None);
    }
    let chat = there(bound, &root)?;
    Ok(Some(Main { chat, root }))
}

fn there(bound: store::Bound, dir: &Path) -> Result<ChatId, Problem> {
    if !bound.in_trash {
        return Ok(bound.chat);
    }
    let doing = format!("opening the chat of {}", visible(&dir.to_string_lossy()));
    let hint = format!(
        "`parlour undo-rm {}` brings it back, `parlour init` makes another",
        bound.chat
    );
    Err(Problem::new(doing, format!("it was deleted: {}", bound.chat), hint))
}

/// The chat that plain `parlour` opens here.
pub fn bound_here(home: &Path) -> anyhow::Result<Option<ChatId>> {
    let here = here()?;
    let found = store::bound(home, &here).map(|bound| (here.clone(), bound));
    let found = found.or_else(|| {
        let root = git::root(&here)?;
        let bound = store::bound(home, &root)?;
        Some((root, bound))
    });
    Ok(found.map(|(dir, bound)| there(bound, &dir)).transpose()?)
}

/// A name as the engine knows it: it cannot see from where `@main` is said.
pub fn resolve(home: &Path, name: String) -> anyhow::Result<String> {
    if name != MAIN {
        return Ok(name);
    }
    let main = around(home, &here()?)?;
    Ok(main.map_or(name, |main| main.chat.to_string()))
}

/// Makes `@main` for the repository around the current directory, or says that it is there.
pub fn init(home: &Path, form: Form, init: Init) -> anyhow::Result<()> {
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
    let open = tool::OpenDir {
        path_or_url: root.to_string_lossy().into_owned(),
        mode: Some(Mode::Ro),
        in_place: true,
        ..tool::OpenDir::default()
    };
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
    let made = ask(home, Request::New(request))?;
    show(form, &made, |_| {
        let handle = visible(text(&made, "handle"));
        let words = "`parlour` in this repository opens it, `parlour new NAME` makes a worker under it\n";
        format!(
            "{}{words}`parlour send @main …` or `parlour send {handle} …` tells it what to do\n{ROLES}",
            one_chat(&made)
        )
    })
}
