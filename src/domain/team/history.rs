//! Full text over all transcripts and outputs: which of them somebody may search, and how an agent reads what was found.

use serde_json::{Value, json};

use crate::domain::call::called;
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{Read, ReadThen};
use crate::model::history::{HistoryAsk, HistoryHit, HistoryPage, HistoryQuery, KnownChat};
use crate::model::tool::SearchHistory;
use crate::model::{ChatId, Problem};

use super::family;

/// Hits that an agent gets where it does not say, and at most.
const FEW: usize = 20;
const MOST: usize = 100;

/// What a query means now. With `within`, no other chats are searched, and none is named.
pub fn ask(state: &Domain, text: &str, within: Option<&[ChatId]>) -> Result<HistoryAsk, Problem> {
    let query = HistoryQuery::parse(text, state.now, state.live.facts.zone)?;
    let known: Vec<KnownChat> = match query.chats.is_empty() && query.projects.is_empty() {
        // Most queries name none.
        true => Vec::new(),
        false => state.disk.chats.keys().map(|chat| known(state, chat)).collect(),
    };
    query.resolve(&known, within)
}

fn known(state: &Domain, id: &ChatId) -> KnownChat {
    let chat = state.disk.chats.get(id);
    KnownChat {
        id: id.clone(),
        handle: chat::handle(state, id),
        name: chat.map_or_else(String::new, |known| chat::label(state, known).to_string()),
        projects: chat.map_or_else(Vec::new, |known| {
            known.projects.iter().map(|project| project.name.clone()).collect()
        }),
    }
}

/// An agent searches its own chat and those around it.
pub fn tool(
    state: &mut Domain,
    caller: &ChatId,
    asked: &SearchHistory,
    requester: Requester,
) -> Result<Vec<Effect>, Problem> {
    let around = family::around(state, caller);
    let mut ask = ask(state, &asked.query, Some(&around))?;
    if ask.sought.is_empty() && ask.tools.is_empty() && !ask.failed {
        let hint = "give words, \"a phrase\", or a filter like tool:bash or failed:yes";
        let cause = match asked.query.trim().is_empty() {
            true => "the query is empty",
            false => "nothing in the query can be looked for: its words are too long, or have no letters",
        };
        return Err(Problem::new("searching the transcripts", cause, hint));
    }
    ask.limit = asked.limit.unwrap_or(FEW).clamp(1, MOST);
    Ok(chat::work(state, requester, ReadThen::Found, Read::History(ask)))
}

/// As an agent reads it.
pub fn json(state: &Domain, page: &HistoryPage) -> Value {
    let hit = |hit: &HistoryHit| {
        let tool = hit.tool.as_deref().map(|tool| format!("{} ", called(tool)));
        let failed = if hit.failed { ", failed" } else { "" };
        json!({
            "chat": chat::handle(state, &hit.chat),
            "seq": hit.seq,
            "time": state.live.facts.zone.spell(hit.at),
            "kind": format!("{}{}{failed}", tool.unwrap_or_default(), hit.kind.name()),
            "text": hit.excerpt.text,
        })
    };
    // What was not searched to its end is told behind what was found.
    let hits: Vec<Value> = page.hits.iter().chain(&page.longer).map(hit).collect();
    json!({"hits": hits, "more": page.more.is_some() || page.pending.is_some()})
}
