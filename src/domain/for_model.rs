//! What is written for a model: templates, and what parlour puts together for a person.

use std::path::PathBuf;

use crate::model::template::TemplateAsk;
use crate::model::{Chat, ChatId, Problem};

use super::chat;
use super::effect::Effect;
use super::state::{Domain, Requester};
use super::work::{Read, ReadThen};

/// # Errors
///
/// The chat runs a shell, in which it would be run line by line.
pub fn is_read_by(state: &Domain, chat: &ChatId, doing: &str) -> Result<(), Problem> {
    if !state.disk.chats.get(chat).is_some_and(Chat::is_shell) {
        return Ok(());
    }
    let cause = "this chat runs a shell, which would run it as commands";
    Err(Problem::new(doing, cause, "send it to the chat of an agent"))
}

/// Lists the templates that can be used in a chat, or fills one in.
///
/// # Errors
///
/// The chat runs a shell, which has no use for one.
pub fn template(
    state: &mut Domain,
    chat: ChatId,
    ask: TemplateAsk,
    person: Option<PathBuf>,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    if let TemplateAsk::Fill { .. } = ask {
        is_read_by(state, &chat, "filling in a template")?;
    }
    let date = state.live.facts.zone.wall(state.now).format("%Y-%m-%d").to_string();
    let read = Read::Template {
        chat,
        ask,
        date,
        person,
    };
    Ok(chat::work(state, requester, ReadThen::Answer, read))
}
