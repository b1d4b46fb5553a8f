//! `@main`: the chat that orchestrates the work on the repository around the current directory.

use std::path::{Path, PathBuf};

use serde_json::json;

use super::args::Init;
use super::asking::{ask, environment, here};
use super::changes::one_chat;
use super::output::{Form, show, text};
use crate::git;
use crate::model::request::NewChat;
use crate::model::text::visible;
use crate::model::{ChatId, Mode, Problem, Request, tool};
use crate::store;

/// What `@main` is called where a chat is named.
pub const MAIN: &str = "@main";
const ORCHESTRATOR: &str = "orchestrator";

/// A repository with a chat that orchestrates the work on it.
pub struct Main {
    pub chat: ChatId,
    pub root: PathBuf,
}

/// That of the repository around this directory.
pub fn around(home: &Path, dir: &Path) -> Option<Main> {
    let root = git::root(dir)?;
    let bound = store::bound(home, &root)?;
    (bound.role.as_deref() == Some(ORCHESTRATOR)).then_some(Main { chat: bound.chat, root })
}

/// The chat that plain `parlour` opens here.
pub fn bound_here(home: &Path) -> Option<ChatId> {
    let here = here().ok()?;
    let bound = store::bound(home, &here).or_else(|| store::bound(home, &git::root(&here)?));
    bound.map(|bound| bound.chat)
}

/// A name as the engine knows it: it cannot see from where `@main` is said.
pub fn resolve(home: &Path, name: String) -> String {
    if name != MAIN {
        return name;
    }
    let main = here().ok().and_then(|here| around(home, &here));
    main.map_or(name, |main| main.chat.to_string())
}

/// Makes `@main` for the repository around the current directory, or says that it is there.
pub fn init(home: &Path, form: Form, init: Init) -> anyhow::Result<()> {
    let here = here()?;
    let Some(root) = git::root(&here) else {
        let cause = format!("{} lies in no git repository", here.display());
        return Err(Problem::new("making @main", cause, "go into one, or make one with `git init`").into());
    };
    if let Some(main) = around(home, &here) {
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
            "{}{words}`parlour send @main …` or `parlour send {handle} …` tells it what to do\n",
            one_chat(&made)
        )
    })
}
