//! `@main`: the chat that orchestrates the work on the repository around the current directory.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::bound::{self, shown};
use super::environment::here;
use crate::model::chat_name::MAIN;
use crate::model::{ChatId, Problem};
use crate::store::BoundChat;
use crate::{git, store};

/// A repository with a chat that orchestrates the work on it.
pub struct Main {
    pub chat: ChatId,
    pub root: PathBuf,
}

/// That of the repository around this directory. One that was deleted is an error: another chat in its place would be
/// taken for it.
pub fn around(home: &Path, dir: &Path) -> Result<Option<Main>, Problem> {
    let Some(root) = git::root(dir) else {
        return Ok(None);
    };
    let doing = format!("finding the @main of {}", shown(&root));
    let bound = store::bound_main(home, &root).map_err(|error| Problem::of(&*doing, &error))?;
    let Some(chat) = bound else {
        return Ok(None);
    };
    match store::bound_chat(home, &chat).map_err(|error| Problem::of(doing, &error))? {
        BoundChat::Here(_) => Ok(Some(Main { chat, root })),
        BoundChat::Gone => Ok(None),
        BoundChat::InTrash(_) => {
            let doing = format!("opening the chat of {}", shown(&root));
            let hint = format!("`parlour undo-rm {chat}` brings it back, `parlour init` makes another");
            Err(Problem::missing(doing, format!("it was deleted: {chat}"), hint))
        }
    }
}

/// The chat of this directory, else the orchestrator of the repository around it.
pub fn bound_here(home: &Path) -> anyhow::Result<Option<ChatId>> {
    let here = here()?;
    if let Some(found) = bound::bound(home, &here)? {
        return Ok(Some(found.chat));
    }
    Ok(around(home, &here)?.map(|main| main.chat))
}

/// As [`bound_here`], for plain `parlour`. The chat may be deleted: the screen says so, and shows what it shows elsewhere.
pub fn shown_here(home: &Path) -> anyhow::Result<Option<ChatId>> {
    let here = here()?;
    if let Some(binding) = store::binding(home, &here).context("finding the chat of this directory")? {
        let shown = binding.shown().cloned();
        if shown.is_some() {
            return Ok(shown);
        }
    }
    let Some(root) = git::root(&here) else {
        return Ok(None);
    };
    let doing = || format!("finding the @main of {}", shown(&root));
    let Some(chat) = store::bound_main(home, &root).with_context(doing)? else {
        return Ok(None);
    };
    Ok(match store::bound_chat(home, &chat).with_context(doing)? {
        BoundChat::Here(_) | BoundChat::InTrash(_) => Some(chat),
        BoundChat::Gone => None,
    })
}

/// A name as the engine knows it: it cannot see from where `@main` is said.
pub fn resolve(home: &Path, name: String) -> anyhow::Result<String> {
    if name != MAIN {
        return Ok(name);
    }
    let main = around(home, &here()?)?;
    Ok(main.map_or(name, |main| main.chat.to_string()))
}
