//! Commits in the clones of chats, as the watch tells of them, and what a comparison of their branches finds.

use std::collections::BTreeSet;

use parlour::domain::effect::Effect;
use parlour::domain::event::{DiskEvent, Event, Outcome};
use parlour::domain::work::{KeepDone, KeepWork, RadarScope, Work};
use parlour::model::keep::{Collision, CollisionSide};
use parlour::model::{ChatId, WorkId};

use super::world::{World, id};

/// The clones of a chat stand at this commit now.
pub fn commits(world: &mut World, chat: &str, commit: &str) -> Vec<Effect> {
    let mut known = world.state.domain.disk.chats[&id(chat)].clone();
    for project in &mut known.projects {
        project.commit = Some(commit.into());
    }
    world.happens(Event::Disk(DiskEvent::Chat(Box::new(known))))
}

/// Which chats' branches are to be compared with all others.
pub fn comparisons(effects: &[Effect]) -> Vec<(WorkId, BTreeSet<ChatId>)> {
    let compared = |effect: &Effect| match effect {
        Effect::Work(number, Work::Keep(KeepWork::Radar(RadarScope::Changed(chats), _))) => {
            Some((*number, chats.clone()))
        }
        _ => None,
    };
    effects.iter().filter_map(compared).collect()
}

pub fn collision(one: (&str, &str), other: (&str, &str), files: &[&str]) -> Collision {
    let side = |(chat, project): (&str, &str)| CollisionSide {
        id: id(chat),
        chat: chat.into(),
        project: project.into(),
        branch: "work".into(),
    };
    Collision {
        sides: [side(one), side(other)],
        files: files.iter().map(|file| (*file).into()).collect(),
    }
}

pub fn found(world: &mut World, number: WorkId, collisions: Vec<Collision>) -> Vec<Effect> {
    let done = Outcome::Keep(KeepDone::Collisions(collisions));
    world.happens(Event::Done(number, done))
}

/// These chats make commits, and a comparison finds these conflicts.
pub fn colliding(world: &mut World, chats: &[&str], collisions: Vec<Collision>) {
    let mut effects = Vec::new();
    for chat in chats {
        effects.extend(commits(world, chat, "1111"));
    }
    while let Some((number, compared)) = comparisons(&effects).pop() {
        let is_of = |one: &&Collision| one.sides.iter().any(|side| compared.contains(&side.id));
        let of_these = collisions.iter().filter(is_of).cloned().collect();
        effects = found(world, number, of_these);
    }
}
