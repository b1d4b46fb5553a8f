//! What may be opened: nothing of parlour's own home but what belongs to the chat.

use std::path::PathBuf;

use crate::engine::services::Services;
use crate::git::SourceGuard;
use crate::model::ChatId;

pub(super) fn guard(services: &Services, own: Vec<PathBuf>) -> SourceGuard {
    SourceGuard {
        home: person_home(),
        parlour_home: services.home.path().to_path_buf(),
        allowed: own.into_iter().chain([services.home.cache().join("demo")]).collect(),
    }
}

/// Of parlour's own home only these may be opened, beside the demo's sample: what belongs to the chat.
pub(super) fn allowed(services: &Services, id: &ChatId, parent: Option<&ChatId>) -> Vec<PathBuf> {
    let chats = [Some(id), parent]
        .into_iter()
        .flatten()
        .map(|chat| services.home.chat_path(chat));
    chats.collect()
}

pub(super) fn person_home() -> PathBuf {
    std::env::var_os("HOME")
        .map(PathBuf::from)
        .unwrap_or_else(|| "/".into())
}
