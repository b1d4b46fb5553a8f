//! The numbers by which the screen lists chats. Only an engine that runs knows them; none is started for it.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::output::text;
use super::requests::{QuestionOutcome, listen};
use crate::client::StartEngine;
use crate::model::request::ChatsRequest;
use crate::model::{ChatId, Request};

/// Those that the engine tells within this time.
pub fn given(home: &Path, patience: Duration) -> BTreeMap<ChatId, u8> {
    let (_, hears) = listen(home, Request::Chats(ChatsRequest::List), StartEngine::Never);
    let Ok(QuestionOutcome::Answer(Ok(answer))) = hears.recv_timeout(patience) else {
        return BTreeMap::new();
    };
    let chats = answer["chats"].as_array().into_iter().flatten();
    let numbered = chats.filter_map(|chat| {
        let number = u8::try_from(chat["number"].as_u64()?).ok()?;
        Some((ChatId::parse(text(chat, "id"))?, number))
    });
    numbered.collect()
}
