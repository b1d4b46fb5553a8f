//! An agent waits for chats that it dispatched: until all have come to something, until one needs somebody, or until the
//! time it gave is over.

use serde_json::{Value, json};

use crate::domain::agent::quiescence;
use crate::domain::effect::Effect;
use crate::domain::state::Domain;
use crate::model::request::Until;
use crate::model::tool::WaitFor;
use crate::model::{CallId, ChatId, Problem, Status};

use super::state::Gathering;
use super::{family, tree, until};

/// No wait is longer.
const LONGEST_S: u64 = 24 * 3600;

pub fn begin(state: &mut Domain, caller: &ChatId, asked: WaitFor, call: CallId) -> Result<Vec<Effect>, Problem> {
    let doing = "waiting for chats";
    let mut awaited = tree::below(state, caller);
    awaited.extend(tree::runs(state, caller));
    let who = "the chats below yours and the runs of your schedules";
    let find = |named: &String| family::find(state, &awaited, named, doing, who);
    let chats = match asked.chats.as_slice() {
        [] => tree::children(state, caller).cloned().collect(),
        named => named.iter().map(find).collect::<Result<Vec<_>, _>>()?,
    };
    let due = asked
        .timeout
        .map(|seconds| state.now.plus_ms(seconds.min(LONGEST_S) * 1000));
    state.live.teams.gatherings.push(Gathering {
        call,
        caller: caller.clone(),
        chats,
        until: asked.until,
        due,
        told: None,
        left: Vec::new(),
    });
    let mut effects: Vec<Effect> = due.map(Effect::WakeAt).into_iter().collect();
    effects.extend(look(state));
    Ok(effects)
}

/// Whether somebody waits for a chat.
pub fn is_awaited(state: &Domain, chat: &ChatId) -> bool {
    state
        .live
        .teams
        .gatherings
        .iter()
        .any(|gathering| gathering.chats.contains(chat))
}

/// Something changed, or time has passed: answers whoever has waited long enough, and tells the others how far it is.
pub fn look(state: &mut Domain) -> Vec<Effect> {
    let mut effects = Vec::new();
    let mut open = Vec::new();
    for mut gathering in std::mem::take(&mut state.live.teams.gatherings) {
        gathering.chats.retain(|chat| state.disk.chats.contains_key(chat));
        let is_over = gathering.due.is_some_and(|due| state.now >= due);
        let left = gathering
            .chats
            .iter()
            .filter(|chat| !has_come(state, chat, gathering.until));
        gathering.left = left.cloned().collect();
        let come = gathering.chats.len() - gathering.left.len();
        let met = come == gathering.chats.len() || gathering.chats.iter().any(|chat| needs_somebody(state, chat));
        if met || is_over {
            effects.push(Effect::Reply(gathering.call, Ok(answer(state, &gathering, met))));
            continue;
        }
        if gathering.told.replace(come) != Some(come) {
            let message = format!("{come} of {} done", gathering.chats.len());
            effects.push(Effect::Progress(gathering.call, message));
        }
        let settled = gathering.chats.iter().filter_map(|chat| quiescence::until(state, chat));
        effects.extend(settled.map(Effect::WakeAt));
        open.push(gathering);
    }
    state.live.teams.gatherings = open;
    effects
}

fn has_come(state: &Domain, chat: &ChatId, until: Until) -> bool {
    let exited = matches!(state.status(chat), Status::Exited(_));
    // What is still being made has not begun.
    let under_way = state
        .live
        .teams
        .dispatches
        .iter()
        .any(|d| d.is_under_way() && &d.chat == chat);
    !under_way && (exited || until::has_come(state, chat, until))
}

/// It will not go on by itself.
fn needs_somebody(state: &Domain, chat: &ChatId) -> bool {
    let status = state.status(chat);
    status.has_failed() || matches!(status, Status::NeedsYou(_))
}

fn answer(state: &Domain, gathering: &Gathering, met: bool) -> Value {
    let chats: Vec<Value> = gathering.chats.iter().map(|chat| family::short(state, chat)).collect();
    json!({"met": met, "chats": chats})
}

/// The caller waits no longer: it was told to call again, or is gone.
pub fn unheard(state: &mut Domain, call: CallId) -> Vec<Effect> {
    let before = state.live.teams.gatherings.len();
    state.live.teams.gatherings.retain(|gathering| gathering.call != call);
    match state.live.teams.gatherings.len() == before {
        true => Vec::new(),
        false => vec![Effect::Reply(
            call,
            Err(Problem::missing(
                "waiting for chats",
                "nobody waits",
                "name chats that run",
            )),
        )],
    }
}
