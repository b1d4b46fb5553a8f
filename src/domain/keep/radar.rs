//! Conflict radar: which branches of one project conflict, over all chats.
//!
//! A chat's clones are compared with those of others once one of them stands at another commit. The watch of the clones
//! tells of that; what is found stays until one of the two moves on.

use std::collections::{BTreeMap, BTreeSet};

use crate::domain::chat;
use crate::domain::effect::Effect;
use crate::domain::state::{Domain, Requester};
use crate::model::chat::Directory;
use crate::model::keep::{Collision, CollisionSide};
use crate::model::{ChatId, Kind, Problem, Project};

use super::work::{HeldClone, KeepThen, KeepWork, RadarScope};

/// A person asks for the conflicts of one chat, or for all.
pub fn ask(state: &mut Domain, chat: Option<&str>, requester: Requester) -> Result<Vec<Effect>, Problem> {
    let scope = match chat {
        Some(chat) => RadarScope::Chat(state.find(chat)?),
        None => RadarScope::All,
    };
    let work = KeepWork::Radar(scope, held(state));
    Ok(chat::work(state, requester, KeepThen::Answer, work))
}

/// The engine has begun: nothing has been compared yet.
pub fn begin(state: &mut Domain) {
    let chats: Vec<ChatId> = state.disk.chats.keys().cloned().collect();
    for chat in chats {
        learned(state, &chat);
    }
}

/// A chat was loaded: its clones may stand elsewhere.
pub fn learned(state: &mut Domain, chat: &ChatId) {
    let Some(known) = state.disk.chats.get(chat) else {
        return;
    };
    let clones = known.projects.iter().filter(|project| project.kind == Kind::Git);
    let tip = |project: &Project| Some((project.name.clone(), project.commit.clone()?));
    let tips: BTreeMap<String, String> = clones.filter_map(tip).collect();
    let radar = &mut state.live.branches.radar;
    let before = match tips.is_empty() {
        true => radar.tips.remove(chat),
        false => radar.tips.insert(chat.clone(), tips.clone()),
    };
    if before.unwrap_or_default() != tips {
        radar.due.insert(chat.clone());
    }
}

/// A chat is deleted.
pub fn gone(state: &mut Domain, chat: &ChatId) {
    let radar = &mut state.live.branches.radar;
    radar.tips.remove(chat);
    radar.due.remove(chat);
    radar.collisions.retain(|found| !is_of(found, chat));
}

/// Has compared what is due, where there is another chat to compare with. Conflicts that are known are looked at again: a
/// clone may have seen meanwhile that the base branch has what another one did.
pub fn settle(state: &mut Domain) -> Vec<Effect> {
    let radar = &mut state.live.branches.radar;
    if radar.due.is_empty() || radar.is_comparing {
        return Vec::new();
    }
    let mut due = std::mem::take(&mut radar.due);
    due.extend(
        radar
            .collisions
            .iter()
            .flat_map(|found| &found.sides)
            .map(|side| side.id.clone()),
    );
    if radar.tips.len() < 2 || state.disk.read_only.is_some() {
        radar.collisions.clear();
        return Vec::new();
    }
    radar.is_comparing = true;
    let work = KeepWork::Radar(RadarScope::Changed(due.clone()), held(state));
    chat::work(state, Requester::Nobody, KeepThen::Compared(due), work)
}

/// What was known of these chats is replaced.
pub fn compared(state: &mut Domain, chats: &BTreeSet<ChatId>, found: Vec<Collision>) {
    let (known, radar) = (&state.disk.chats, &mut state.live.branches.radar);
    radar.is_comparing = false;
    radar
        .collisions
        .retain(|one| !chats.iter().any(|chat| is_of(one, chat)));
    let is_between_two = |one: &Collision| one.sides[0].id != one.sides[1].id;
    let are_there = |one: &Collision| one.sides.iter().all(|side| known.contains_key(&side.id));
    let found = found.into_iter().filter(|one| is_between_two(one) && are_there(one));
    radar.collisions.extend(found);
    let place = |one: &Collision| one.sides.each_ref().map(|side| (side.id.clone(), side.project.clone()));
    radar.collisions.sort_by_cached_key(place);
}

/// It could not be found out: what was known stays.
pub fn not_compared(state: &mut Domain) {
    state.live.branches.radar.is_comparing = false;
}

/// A conflict as one of the two chats sees it.
pub struct Clash<'a> {
    /// Its own clone.
    pub project: &'a str,
    /// What the other chat is called on the shell.
    pub with: String,
    pub files: &'a [String],
}

/// The conflicts of a chat with others. A branch whose pull request was merged conflicts with none: a forge may have made
/// one new commit of all of its own, so that history does not tell.
pub fn clashes<'a>(state: &'a Domain, chat: &'a ChatId) -> impl Iterator<Item = Clash<'a>> {
    let of = |side: &CollisionSide| side.id == *chat;
    let is_merged = |side: &CollisionSide| {
        let pulls = state.live.branches.pulls.known.get(&side.id);
        pulls
            .and_then(|pulls| pulls.get(&side.project))
            .is_some_and(|pull| pull.state == "merged")
    };
    let all = state.live.branches.radar.collisions.iter();
    let all = all.filter(move |found| !found.sides.iter().any(is_merged));
    all.filter_map(move |found| {
        let own = found.sides.iter().position(of)?;
        Some(Clash {
            project: &found.sides[own].project,
            with: chat::handle(state, &found.sides[1 - own].id),
            files: &found.files,
        })
    })
}

fn is_of(found: &Collision, chat: &ChatId) -> bool {
    found.sides.iter().any(|side| side.id == *chat)
}

/// The clones of all chats.
fn held(state: &Domain) -> Vec<HeldClone> {
    let of_chat = |id: &ChatId| {
        let record = &state.disk.chats.get(id)?.record;
        let clones = record.dirs.iter().filter(|dir| dir.kind == Kind::Git);
        let held = |directory: &Directory| HeldClone {
            chat: id.clone(),
            handle: record.handle.to_string(),
            directory: directory.clone(),
        };
        Some(clones.map(held).collect::<Vec<_>>())
    };
    state.disk.chats.keys().filter_map(of_chat).flatten().collect()
}
