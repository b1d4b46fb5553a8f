//! When the branches of chats are compared, and how long a conflict is known.

use std::collections::BTreeSet;

use parlour::domain::event::{DiskEvent, Event, Outcome};
use parlour::domain::keep::radar::clashes;
use parlour::model::{ChatId, Problem};

use crate::support::pulls::{pull, questions, seen};
use crate::support::radar::{colliding, collision, commits, comparisons, found};
use crate::support::world::{World, id};

fn chats(names: &[&str]) -> BTreeSet<ChatId> {
    names.iter().map(|name| id(name)).collect()
}

/// What this chat conflicts with, and where.
fn known(world: &World, chat: &str) -> Vec<(String, Vec<String>)> {
    let clash = |clash: parlour::domain::keep::radar::Clash<'_>| (clash.with, clash.files.to_vec());
    clashes(&world.state.domain, &id(chat)).map(clash).collect()
}

#[test]
fn a_commit_is_compared_once_and_what_comes_meanwhile_after_it() {
    let mut world = World::morning(120, 40);
    let alone = commits(&mut world, "auth", "1111");
    assert_eq!(comparisons(&alone), [], "there is nobody to collide with");

    let (number, compared) = comparisons(&commits(&mut world, "redis", "2222")).remove(0);
    assert_eq!(compared, chats(&["redis"]));
    let again = commits(&mut world, "redis", "2222");
    assert_eq!(comparisons(&again), [], "it stands where it stood");
    let meanwhile = commits(&mut world, "memcd", "3333");
    assert_eq!(comparisons(&meanwhile), [], "one worker compares at a time");
    let after = found(&mut world, number, Vec::new());
    let (number, compared) = comparisons(&after).remove(0);
    assert_eq!(compared, chats(&["memcd"]));
    assert_eq!(comparisons(&found(&mut world, number, Vec::new())), []);
    assert_eq!(comparisons(&world.later(60_000)), [], "nothing is asked at rest");
}

#[test]
fn an_engine_that_begins_compares_all_at_once() {
    let mut world = World::new(120, 40);
    for chat in ["auth", "redis", "memcd"] {
        world.chat(chat, chat, 1).project("grove", chat).at("1111");
    }
    world.chat("cache", "cache", 1).local("engineering");
    let began = world.happens(Event::Disk(DiskEvent::Began(Default::default())));
    let compared: Vec<_> = comparisons(&began).into_iter().map(|(_, chats)| chats).collect();
    assert_eq!(compared, [chats(&["auth", "redis", "memcd"])]);
}

#[test]
fn a_branch_whose_pull_request_was_merged_conflicts_with_none() {
    let mut world = World::morning(120, 40);
    let pull = |state| pull(("grove", "fix/auth-500"), 7, state, (1, 0, 0));
    let both = || vec![collision(("auth", "grove"), ("redis", "grove"), &["src/cache.rs"])];
    let effects = commits(&mut world, "redis", "2222");
    seen(&mut world, questions(&effects)[0].0, Vec::new());
    let effects = commits(&mut world, "auth", "1111");
    found(&mut world, comparisons(&effects)[0].0, both());
    seen(&mut world, questions(&effects)[0].0, vec![pull("open")]);
    assert_eq!(known(&world, "redis").len(), 1);
    let asked = world.later(60_000);
    seen(&mut world, questions(&asked)[0].0, vec![pull("merged")]);
    assert_eq!(
        (known(&world, "redis"), known(&world, "auth")),
        (Vec::new(), Vec::new())
    );
}

#[test]
fn a_conflict_is_known_to_both_chats_until_one_moves_on_or_goes() {
    let mut world = World::morning(120, 40);
    let files = ["src/cache.rs", "Cargo.toml"];
    let both = || vec![collision(("auth", "grove"), ("redis", "grove"), &files)];
    colliding(&mut world, &["auth", "redis"], both());
    let files: Vec<String> = files.iter().map(|file| file.to_string()).collect();
    assert_eq!(known(&world, "auth"), [("try-redis".to_string(), files.clone())]);
    assert_eq!(known(&world, "redis"), [("fix-auth-bug".to_string(), files)]);
    assert_eq!(known(&world, "memcd"), []);

    let (number, compared) = comparisons(&commits(&mut world, "memcd", "3333")).remove(0);
    assert_eq!(
        compared,
        chats(&["auth", "memcd", "redis"]),
        "what is known is looked at again: the base may have it by now"
    );
    found(&mut world, number, both());
    assert_eq!(known(&world, "auth").len(), 1);

    let (number, _) = comparisons(&commits(&mut world, "redis", "4444")).remove(0);
    let failed = Outcome::Failed(Problem::new("comparing branches", "no object", ""));
    world.happens(Event::Done(number, failed));
    assert_eq!(known(&world, "auth").len(), 1, "what is not known to be over stays");
    assert!(!world.picture().contains("no object"), "{}", world.picture());

    let (number, _) = comparisons(&commits(&mut world, "redis", "5555")).remove(0);
    found(&mut world, number, Vec::new());
    assert_eq!(
        (known(&world, "auth"), known(&world, "redis")),
        (Vec::new(), Vec::new())
    );

    let (number, _) = comparisons(&commits(&mut world, "redis", "6666")).remove(0);
    found(&mut world, number, both());
    assert_eq!(known(&world, "auth").len(), 1);
    world.happens(Event::Disk(DiskEvent::ChatGone(id("redis"))));
    assert_eq!(known(&world, "auth"), []);
    let (number, _) = comparisons(&commits(&mut world, "memcd", "7777")).remove(0);
    found(&mut world, number, both());
    assert_eq!(
        known(&world, "auth"),
        [],
        "a chat that is gone meanwhile collides with nobody"
    );
}
