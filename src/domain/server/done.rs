//! The MCP servers of a chat are known.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::notice::Done;
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ServerDone, ServerThen};
use crate::domain::{chat, reply};

/// The agent has them from its next start on, so whether it runs is told along.
pub fn done(state: &mut Domain, requester: Requester, then: ServerThen, done: ServerDone) -> Vec<Effect> {
    let (
        ServerThen::Answer,
        ServerDone::Listed {
            chat: id,
            changed,
            servers,
        },
    ) = (then, done);
    let mut effects = changed.map_or(Vec::new(), |chat| chat::loaded(state, *chat));
    match requester {
        Requester::Screen(_) => reply::show(state, requester, Done::Servers(id, servers)),
        Requester::Call(_) | Requester::Launch(_) | Requester::Nobody => {
            let told = json!({
                "chat": chat::handle(state, &id),
                "running": state.status(&id).is_live(),
                "servers": servers.iter().filter(|one| !one.goes_without_saying()).collect::<Vec<_>>(),
            });
            effects.extend(reply::answer(state, requester, Ok(told)));
        }
    }
    effects
}
