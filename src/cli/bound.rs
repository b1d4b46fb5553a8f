//! Which chat a directory is bound to: read from its file alone, without an engine and without a look at any other chat.

use std::path::Path;

use anyhow::Context;

use crate::model::text::visible;
use crate::model::{ChatId, Problem};
use crate::store::{self, BoundChat, BoundRecord, DirBinding};

/// A chat that a directory is bound to, and that is there.
pub struct DirChat {
    pub chat: ChatId,
    pub binding: DirBinding,
    pub record: BoundRecord,
}

/// The chat of this directory, if it is bound to one. One that is gone is an error: no other takes its place.
pub fn bound(home: &Path, dir: &Path) -> anyhow::Result<Option<DirChat>> {
    let Some(binding) = store::binding(home, dir).context("finding the chat of this directory")? else {
        return Ok(None);
    };
    let chat = binding.chat.clone();
    let record = there(home, &chat, &format!("finding the chat of {}", shown(dir)))?;
    Ok(Some(DirChat { chat, binding, record }))
}

/// As [`bound`], where one is needed.
pub fn needed(home: &Path, dir: &Path) -> anyhow::Result<DirChat> {
    bound(home, dir)?.ok_or_else(|| {
        let doing = format!("finding the chat of {}", shown(dir));
        let hint = "`parlour query TEXT` here begins one, `parlour chat bind CHAT` binds one that is there";
        Problem::missing(doing, "this directory is bound to no chat", hint).into()
    })
}

/// A chat that something is bound to, or why it is not there.
pub fn there(home: &Path, chat: &ChatId, doing: &str) -> anyhow::Result<BoundRecord> {
    let (cause, hint) = match store::bound_chat(home, chat).with_context(|| doing.to_owned())? {
        BoundChat::Here(record) => return Ok(record),
        BoundChat::InTrash(record) => (
            format!("it was deleted: {}", visible(&record.handle)),
            format!(
                "`parlour undo-rm {chat}` brings it back, `parlour chat bind CHAT` binds another, `parlour chat unbind` \
                 none"
            ),
        ),
        BoundChat::Gone => (
            format!("the chat that it is bound to is gone: {chat}"),
            "`parlour chat bind CHAT` binds another, `parlour chat unbind` none".into(),
        ),
    };
    Err(Problem::missing(doing, cause, hint).into())
}

pub fn shown(dir: &Path) -> String {
    visible(&dir.to_string_lossy())
}
