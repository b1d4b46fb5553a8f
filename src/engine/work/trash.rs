//! What was deleted: listed, brought back, removed for good.

use serde_json::json;

use crate::app::event::Outcome;
use crate::model::Problem;
use crate::model::text::visible;
use crate::store::{TRASH_DAYS, Trashed};

use super::super::hands::Hands;
use super::{Ticket, scripts};

const DAY_MS: u64 = 86_400_000;

/// Newest first.
fn listed(hands: &Hands, doing: &str) -> Result<Vec<Trashed>, Problem> {
    let mut trash = hands
        .home
        .list_trash()
        .map_err(|error| Problem::new(doing, error, ""))?;
    trash.sort_by_key(|trashed| std::cmp::Reverse(trashed.deleted));
    Ok(trash)
}

/// By id, handle or name; of several of one name the one deleted last, and so where none is named.
fn find(trash: Vec<Trashed>, name: Option<&str>, doing: &str) -> Result<Trashed, Problem> {
    let is_named = |trashed: &Trashed| {
        let record = trashed.record.as_ref();
        name.is_none_or(|name| {
            trashed.id.as_str() == name || record.is_some_and(|r| r.handle.as_str() == name || r.name == name)
        })
    };
    trash.into_iter().find(is_named).ok_or_else(|| match name {
        Some(name) => {
            let cause = format!("there is no chat {} in the trash", visible(name));
            Problem::new(doing, cause, "`parlour trash list` shows what is there")
        }
        None => Problem::new(doing, "the trash is empty", "what was deleted stays there for 7 days"),
    })
}

pub fn list(hands: &Hands) -> Result<Outcome, Problem> {
    let trash = listed(hands, "listing the trash")?;
    let one = |trashed: &Trashed| {
        let record = trashed.record.as_ref();
        let gone = trashed.deleted.map(|at| at.plus_ms(TRASH_DAYS * DAY_MS));
        json!({
            "id": trashed.id,
            "handle": record.map(|record| &record.handle),
            "name": record.map(|record| &record.name),
            "projects": record.map(|record| record.dirs.iter().map(|dir| &dir.name).collect::<Vec<_>>()),
            "deleted": trashed.deleted,
            "until": gone,
        })
    };
    Ok(Outcome::Value(
        json!({"trash": trash.iter().map(one).collect::<Vec<_>>()}),
    ))
}

pub fn restore(ticket: &Ticket, name: Option<&str>) -> Result<Outcome, Problem> {
    let hands = &ticket.hands;
    let doing = "bringing a chat back";
    let trashed = find(listed(hands, doing)?, name, doing)?;
    let problem = |error| Problem::new(doing, error, "`parlour trash list` shows what is there");
    let chat = hands.home.restore(&trashed.id).map_err(problem)?;
    tracing::info!("{}: brought back", trashed.id);
    hands.watch_chat(&chat);
    scripts::ask_again(hands, &chat, &ticket.sender);
    Ok(Outcome::Chat(Box::new(chat)))
}

/// For good: nothing brings it back.
pub fn purge(hands: &Hands, name: Option<&str>) -> Result<Outcome, Problem> {
    let doing = "emptying the trash";
    let trash = listed(hands, doing)?;
    let ones = match name {
        Some(_) => vec![find(trash, name, doing)?],
        None => trash,
    };
    let mut purged = Vec::new();
    for trashed in ones {
        hands
            .home
            .purge(&trashed.id)
            .map_err(|error| Problem::new(doing, error, ""))?;
        tracing::info!("{}: removed for good", trashed.id);
        purged.push(trashed.id);
    }
    Ok(Outcome::Value(json!({"purged": purged})))
}
