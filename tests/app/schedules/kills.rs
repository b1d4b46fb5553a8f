//! Runs that a kill of the engine cut off before their agent started.

use parlour::domain::event::{DiskEvent, Outcome};
use parlour::domain::work::{ChatDone, ChatWork};
use parlour::domain::{Effect, Event, Work};
use parlour::model::chat::Pending;
use parlour::model::entry::From;
use parlour::model::{ChatId, Record, ScheduleId};

use super::play::{HOUR, MINUTE, Play, rule};
use crate::support::world::noon;

/// A run whose chat is on disk, and the chat.
fn launched() -> (Play, ScheduleId, ChatId) {
    let mut play = Play::new();
    let deps = play.add(rule("0 13 * * *"));
    play.pass(HOUR);
    let chat = play.launched[0].0.clone();
    (play, deps, chat)
}

/// What is on disk of it when the engine is killed.
fn change(play: &mut Play, chat: &ChatId, change: impl FnOnce(&mut Record)) {
    let mut changed = play.world.state.domain.disk.chats[chat].clone();
    change(&mut changed.record);
    play.happens(Event::Disk(DiskEvent::Chat(Box::new(changed))));
}

#[test]
fn one_whose_clone_was_cut_off_is_made_again_once_what_is_left_is_removed() {
    let (mut play, deps, chat) = launched();
    change(&mut play, &chat, |record| record.to_open = 1);
    let mut next = play.killed(noon().plus_ms(HOUR + MINUTE));
    assert!(next.launched.is_empty());
    let discard = |effect: &Effect| match effect {
        Effect::Work(work, Work::Chat(ChatWork::Discard(_))) => Some(*work),
        _ => None,
    };
    let work = next.rest.iter().find_map(discard).unwrap();
    let removed = Outcome::Chat(ChatDone::Removed(chat.clone(), Vec::new()));
    next.happens(Event::Done(work, removed));
    assert_eq!(next.launched.len(), 1);
    assert_eq!(next.launched[0].0, chat);
    next.finish();
    assert_eq!(next.runs(&deps), ["success on-time"]);
}

#[test]
fn one_that_was_made_and_never_started_is_started() {
    let (mut play, deps, chat) = launched();
    let prompt = Pending::new("Update what is outdated".into(), From::Schedule, noon());
    change(&mut play, &chat, |record| record.prompts = vec![prompt]);
    let next = play.killed(noon().plus_ms(HOUR + MINUTE));
    assert_eq!(next.runs(&deps), ["running on-time"]);
    assert!(next.launched.is_empty(), "its chat is there");
    assert!(next.world.state.domain.live.agents[&chat].is_live());
}
