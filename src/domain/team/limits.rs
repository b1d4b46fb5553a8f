//! How many chats agents may make: each refusal names its limit. A person's own chats are bound by `liveAgents` alone.

use crate::domain::agent::{self, alert};
use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::notice::Notice;
use crate::domain::state::Domain;
use crate::model::alert::AlertKind;
use crate::model::atom::Who;
use crate::model::open_dir::OpenDir;
use crate::model::request::NewChat;
use crate::model::text::{count, visible};
use crate::model::{ChatId, Problem, Timestamp};

use super::state::Dispatching;
use super::tree;

const MINUTE_MS: i64 = 60_000;

/// The limit that passes by itself.
const PASSING: &str = "spawnsPerMinute";

/// Why the agent of this chat may make no further one now.
pub fn refusal(state: &Domain, caller: &ChatId) -> Option<Problem> {
    let limits = &state.disk.settings.limits;
    let name = visible(&chat::handle(state, caller));
    let root = tree::root(state, caller).clone();
    let under_way: Vec<_> = state
        .live
        .teams
        .dispatches
        .iter()
        .filter(|d| d.is_under_way())
        .collect();
    let live = |chat: &ChatId| state.live.is_live(chat);

    let depth = tree::depth(state, caller) + 1;
    let children = tree::children(state, caller).filter(|chat| live(chat)).count();
    let children = children
        + under_way
            .iter()
            .filter(|d| &d.parent == caller && !live(&d.chat))
            .count();
    // One that rests sleeps as soon as another needs its place, but for the one that asks.
    let yielding = agent::yielding::chats(state).into_iter().filter(|chat| *chat != caller);
    let agents = state.live.places_taken() - yielding.count();
    let agents = agents + under_way.iter().filter(|d| !live(&d.chat)).count();
    let in_tree = |d: &&&Dispatching| tree::root(state, &d.parent) == &root;
    let unmade = |d: &&&Dispatching| !state.disk.chats.contains_key(&d.chat);
    let below = tree::below(state, &root);
    let descendants = below.len() + under_way.iter().filter(in_tree).filter(unmade).count();

    let limited = |cause: String, name: &str, value: usize| Some(Problem::limited("dispatching", cause, name, value));
    if depth > limits.dispatch_depth {
        let cause = format!("the new chat would be {depth} below its root");
        return limited(cause, "dispatchDepth", limits.dispatch_depth);
    }
    if children >= limits.live_children {
        let cause = match children {
            1 => format!("{name} has 1 child at work"),
            many => format!("{name} has {many} children at work"),
        };
        return limited(cause, "liveChildren", limits.live_children);
    }
    if agents >= limits.live_agents {
        let runs = match agents {
            1 => "1 agent runs already".into(),
            many => format!("{many} agents run already"),
        };
        let problem = limited(runs, "liveAgents", limits.live_agents);
        return problem
            .map(|problem| problem.hinted(format!("a person can make room: {}", agent::what_makes_room(state))));
    }
    if descendants >= limits.descendants {
        let below = match descendants {
            1 => "1 chat is".into(),
            many => format!("{many} chats are"),
        };
        let cause = format!("{below} below {}", visible(&chat::handle(state, &root)));
        return limited(cause, "descendants", limits.descendants);
    }
    too_fast(state, caller, "dispatching")
}

/// Its agent was refused what only a person can grant: they are told so, once until it may go on.
pub fn tell(state: &mut Domain, caller: &ChatId, refused: &Problem) -> Vec<Effect> {
    let of_a_person = refused.limit.as_ref().filter(|limit| limit.name != PASSING);
    let Some(limit) = of_a_person else {
        return Vec::new();
    };
    if !state.live.teams.refused.insert((caller.clone(), limit.name.clone())) {
        return Vec::new();
    }
    let name = visible(&chat::handle(state, caller));
    let text = format!("{name} cannot dispatch: {}; {}", refused.cause, refused.hint);
    state.notices.push(Notice::Trouble(text));
    alert::call(state, caller, AlertKind::Limit, refused.cause.clone())
}

/// It made another one: if it is refused again, that is news.
pub fn granted(state: &mut Domain, caller: &ChatId) {
    state.live.teams.refused.retain(|(of, _)| of != caller);
}

/// Why the tree of this chat may make no chat of any kind within this minute.
pub fn too_fast(state: &Domain, caller: &ChatId, doing: &str) -> Option<Problem> {
    let most = state.disk.settings.limits.spawns_per_minute;
    let root = tree::root(state, caller);
    let spawned = lately(state, root, &tree::below(state, root));
    let cause = format!("this tree made {} within the last minute", count(spawned, "chat"));
    (spawned >= most).then(|| Problem::limited(doing, cause, PASSING, most))
}

/// Chats that the agents of a tree made within the last minute: as this engine remembers, and as the disk does. Where the
/// clock was set back those on disk are forgotten, since they would hold up the tree for as long as it was set back.
fn lately(state: &Domain, root: &ChatId, below: &[ChatId]) -> usize {
    let recent = |at: Timestamp| (0..MINUTE_MS).contains(&(state.now.0 - at.0));
    let remembered = state
        .live
        .teams
        .spawned
        .iter()
        .filter(|(of, at)| of == root && recent(*at));
    let made = below.iter().filter_map(|chat| state.disk.chats.get(chat));
    let made = made.filter(|chat| recent(chat.record.created));
    remembered.count().max(made.count())
}

/// One more was made.
pub fn spawned(state: &mut Domain, caller: &ChatId) {
    let (now, root) = (state.now, tree::root(state, caller).clone());
    state
        .live
        .teams
        .spawned
        .retain(|(_, at)| (0..MINUTE_MS).contains(&(now.0 - at.0)));
    state.live.teams.spawned.push((root, now));
}

/// A chat to be, where it belongs: what an agent makes from its shell is below its own chat, and counts as dispatched.
pub fn placed(state: &mut Domain, new: NewChat) -> Result<NewChat, Problem> {
    let Some(sender) = new.sender.clone() else {
        return Ok(new);
    };
    // A role may want one too: the worker that reads it looks again.
    if new.llm.as_deref() == Some("shell") {
        return Err(tree::no_shell("making a chat"));
    }
    if new.permissions.is_some() {
        let cause = "what its agent does unasked is for a person to say";
        return Err(Problem::new("making a chat", cause, "leave --permissions out"));
    }
    if let Some(problem) = refusal(state, &sender) {
        return Err(problem);
    }
    spawned(state, &sender);
    let dirs = new.dirs.into_iter().map(|open| OpenDir {
        in_place: false,
        by: Who::Agent,
        ..open
    });
    Ok(NewChat {
        dirs: dirs.collect(),
        parent: Some(sender),
        bind: None,
        ..new
    })
}
