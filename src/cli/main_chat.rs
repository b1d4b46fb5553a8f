//! `@main`: the chat that orchestrates the work on the repository around the current directory.

use std::path::{Path, PathBuf};

use super::environment::here;
use crate::model::role::ORCHESTRATOR;
use crate::model::text::visible;
use crate::model::{ChatId, Problem};
use crate::{git, store};

/// What `@main` is called where a chat is named.
pub const MAIN: &str = "@main";

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

fn there(bound: store::BoundChat, dir: &Path) -> Result<ChatId, Problem> {
    if !bound.in_trash {
        return Ok(bound.chat);
    }
    let doing = format!("opening the chat of {}", visible(&dir.to_string_lossy()));
    let hint = format!(
        "`parlour undo-rm {}` brings it back, `parlour init` makes another",
        bound.chat
    );
    Err(Problem::missing(doing, format!("it was deleted: {}", bound.chat), hint))
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
