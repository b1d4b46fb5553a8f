//! Directories outside of the chat that a person opened in place. An agent reaches them by a link in its own directory, and
//! the sandbox of its CLI may have to be told where they lie.

use std::path::Path;

use super::LaunchContext;
use crate::fs::Dir;
use crate::model::chat::Directory;
use crate::model::{AreaMode, Kind};

/// Those that it may write in. One that holds a read-only one is not among them, since its CLI cannot part them, nor one that
/// the agent opened itself: no person said anything of it.
pub(super) fn writable<'a>(context: &'a LaunchContext) -> impl Iterator<Item = &'a str> {
    let of_mode = |mode: AreaMode| opened(context).filter(move |dir| dir.mode == mode);
    of_mode(AreaMode::Rw)
        .map(|dir| dir.origin.as_str())
        .filter(move |path| !of_mode(AreaMode::Ro).any(|kept| Path::new(&kept.origin).starts_with(path)))
}

/// All of them that a person opened. One that is reached by a link that somebody has put there since leads elsewhere.
pub(super) fn opened<'a>(context: &'a LaunchContext) -> impl Iterator<Item = &'a Directory> {
    let dirs = context.chat.dirs.iter();
    dirs.filter(|dir| dir.kind == Kind::Local && !dir.asks && Dir::open_unlinked(&dir.origin).is_ok())
}
