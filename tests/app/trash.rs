//! The list of deleted chats on screen: restored from, and deleted for good with a yes.

use parlour::domain::event::{DiskEvent, Outcome};
use parlour::domain::work::{ChatDone, ChatWork, TrashDone, TrashWork};
use parlour::domain::{Effect, Event, Work};
use parlour::model::deleted::Deleted;
use parlour::model::request::{By, Request, TrashRequest};
use parlour::model::{Losses, WorkId};
use parlour::screen::dialog::Dialog;

use crate::support::events::{jobs, problem, works};
use crate::support::world::{ME, World, deleted, id};

/// The trash is open with these in it, the newest first.
fn opened(world: &mut World, names: &[&str]) -> Vec<Effect> {
    let (work, job) = works(&world.press("X")).remove(0);
    assert_eq!(job, Work::Trash(TrashWork::List { below: None }));
    listed(world, work, names)
}

fn listed(world: &mut World, work: WorkId, names: &[&str]) -> Vec<Effect> {
    let list = names.iter().zip(1..).map(|(name, hours)| deleted(name, hours));
    let effects = world.done(work, Outcome::Trash(TrashDone::Listed(list.collect())));
    [effects, world.look()].concat()
}

fn loses(world: &mut World, work: WorkId, what: &str) -> Vec<Effect> {
    let losses = Losses {
        lost: vec![what.into()],
        ..Losses::default()
    };
    let effects = world.done(work, Outcome::Chat(ChatDone::Losses(losses)));
    [effects, world.look()].concat()
}

fn chosen(world: &mut World) -> String {
    match &world.view().over.dialog {
        Some(Dialog::Trash(trash)) => trash.chosen().unwrap().title().into(),
        _ => panic!("{}", world.picture()),
    }
}

#[test]
fn the_chosen_chat_is_restored_and_the_cursor_is_on_it() {
    for key in ["enter", "u"] {
        let mut world = World::morning(120, 40);
        world.state.domain.disk.chats.remove(&id("auth"));
        world.look();
        opened(&mut world, &["gone", "auth"]);
        let (work, job) = works(&world.press(&format!("down {key}"))).remove(0);
        assert_eq!(job, Work::Trash(TrashWork::Restore(Some(id("auth").to_string()))));
        assert_eq!(world.press("enter"), [], "one thing at a time");
        let back = World::morning(120, 40).state.domain.disk.chats[&id("auth")].clone();
        world.done(work, Outcome::Trash(TrashDone::Restored(Box::new(back))));
        world.look();
        assert!(world.view().over.dialog.is_none());
        assert_eq!(world.selected(), "Fix auth bug");
    }
}

#[test]
fn a_chat_that_cannot_be_restored_stays_listed_with_the_reason() {
    let mut world = World::morning(120, 40);
    opened(&mut world, &["gone"]);
    let (work, _) = works(&world.press("u")).remove(0);
    world.done(work, Outcome::Failed(problem("the disk is full")));
    assert!(world.picture().contains("the disk is full"));
    assert_eq!(
        jobs(&world.press("u")),
        [Work::Trash(TrashWork::Restore(Some(id("gone").to_string())))]
    );
}

#[test]
fn deleting_for_good_needs_a_yes_to_what_is_lost() {
    let mut world = World::morning(120, 40);
    let (work, job) = works(&opened(&mut world, &["one", "two"])).remove(0);
    assert_eq!(job, Work::Chat(ChatWork::Losses(id("one"))));
    world.press("x");
    world.later(1_000);
    assert_eq!(world.press("y"), [], "what would be lost is not known yet");
    loses(&mut world, work, "grove: 2 commits");
    assert_eq!(world.press("y"), [], "it has just appeared");
    assert!(world.picture().contains("grove: 2 commits"));
    world.later(500);
    let (work, job) = works(&world.press("y")).remove(0);
    assert_eq!(job, Work::Trash(TrashWork::Purge(Some(id("one").to_string()))));
    let again = world.done(work, Outcome::Trash(TrashDone::Purged(Vec::new())));
    let (work, job) = works(&again).remove(0);
    assert_eq!(job, Work::Trash(TrashWork::List { below: None }));
    listed(&mut world, work, &["two"]);
    assert_eq!(chosen(&mut world), "two");
}

#[test]
fn no_is_the_first_answer_and_escape_leads_back_to_the_list() {
    let mut world = World::morning(120, 40);
    let (work, _) = works(&opened(&mut world, &["one"])).remove(0);
    loses(&mut world, work, "grove: 2 commits");
    for answer in ["enter", "n", "esc"] {
        world.press("x");
        world.later(1_000);
        assert_eq!(world.press(answer), [], "{answer}");
        world.calm();
        assert_eq!(chosen(&mut world), "one", "{answer}");
    }
}

#[test]
fn what_each_would_lose_is_found_out_when_it_is_chosen_one_at_a_time() {
    let mut world = World::morning(120, 40);
    let (work, _) = works(&opened(&mut world, &["one", "two", "three"])).remove(0);
    assert_eq!(jobs(&world.press("down down")), [], "one is being looked at");
    let (last, job) = works(&loses(&mut world, work, "a")).remove(0);
    assert_eq!(job, Work::Chat(ChatWork::Losses(id("three"))));
    // It fails: that is said, and not tried again and again.
    world.done(last, Outcome::Failed(problem("no")));
    assert_eq!(jobs(&world.look()), []);
    assert!(world.picture().contains("unknown: it could not be found out"));
    assert_eq!(jobs(&world.press("up up")), [], "it is known of the first");
}

#[test]
fn the_list_is_read_again_when_a_chat_comes_or_goes_elsewhere() {
    let mut world = World::morning(120, 40);
    let (work, _) = works(&opened(&mut world, &["one", "two"])).remove(0);
    loses(&mut world, work, "a");
    world.press("down");
    let effects = world.happens(Event::Disk(DiskEvent::ChatGone(id("rails"))));
    let (work, job) = works(&effects).remove(0);
    assert_eq!(job, Work::Trash(TrashWork::List { below: None }));
    listed(&mut world, work, &["rails", "one", "two"]);
    assert_eq!(chosen(&mut world), "two", "the cursor stays at its chat");
}

#[test]
fn a_chat_that_is_deleted_for_good_elsewhere_leaves_the_list() {
    let mut world = World::morning(120, 40);
    let (work, _) = works(&opened(&mut world, &["one", "two"])).remove(0);
    loses(&mut world, work, "a");
    let elsewhere = world.ask(Request::Trash(TrashRequest::Purge {
        yes: true,
        chat: Some("one".into()),
    }));
    let (work, _) = works(&elsewhere).remove(0);
    let effects = world.done(work, Outcome::Trash(TrashDone::Purged(Vec::new())));
    let (work, job) = works(&effects).remove(0);
    assert_eq!(job, Work::Trash(TrashWork::List { below: None }));
    listed(&mut world, work, &["two"]);
    assert_eq!(chosen(&mut world), "two");
}

#[test]
fn what_fails_names_the_chat_and_what_was_to_be_done_and_the_list_is_read_again() {
    let mut world = World::morning(120, 40);
    let (work, _) = works(&opened(&mut world, &["one", "two"])).remove(0);
    loses(&mut world, work, "a");
    world.press("x");
    world.later(1_000);
    let (work, _) = works(&world.press("y")).remove(0);
    let effects = world.done(work, Outcome::Failed(problem("it is not in the trash")));
    let (work, job) = works(&effects).remove(0);
    assert_eq!(job, Work::Trash(TrashWork::List { below: None }));
    let picture = world.picture();
    assert!(
        picture.contains("deleting one for good: it is not in the trash"),
        "{picture}"
    );
    listed(&mut world, work, &["two"]);
    assert!(world.picture().contains("deleting one for good"));
}

#[test]
fn chats_of_one_name_are_told_apart_by_their_handles_and_else_by_their_ids() {
    let mut world = World::morning(120, 40);
    let (work, _) = works(&world.press("X")).remove(0);
    let named = |short: &str, handle: &str| Deleted {
        name: Some("Count letters".into()),
        handle: parlour::model::Handle::parse(handle),
        ..deleted(short, 1)
    };
    let list = vec![
        named("one", "count"),
        named("two", "count-2"),
        named("three", "count-2"),
        deleted("else", 2),
    ];
    world.done(work, Outcome::Trash(TrashDone::Listed(list)));
    let picture = world.picture();
    for label in [
        "count ",
        &format!("count-2 ({})", id("two")),
        &format!("count-2 ({})", id("three")),
        "else ",
    ] {
        assert!(picture.contains(label), "{label}: {picture}");
    }
    assert!(!picture.contains("Count letters"));
}

#[test]
fn of_a_chat_without_a_project_it_is_not_said_that_all_is_pushed() {
    let mut world = World::morning(120, 40);
    let (work, _) = works(&opened(&mut world, &["one", "two"])).remove(0);
    world.done(work, Outcome::Chat(ChatDone::Losses(Losses::default())));
    assert!(world.picture().contains("Nothing would be lost."));
    let (work, _) = works(&world.press("down")).remove(0);
    let losses = Losses {
        clones: 1,
        ..Losses::default()
    };
    world.done(work, Outcome::Chat(ChatDone::Losses(losses)));
    assert!(
        world
            .picture()
            .contains("All work in its projects is committed and pushed.")
    );
}

#[test]
fn an_empty_trash_says_how_chats_come_into_it() {
    let mut world = World::new(80, 24);
    opened(&mut world, &[]);
    assert!(world.picture().contains("The trash is empty"));
    assert!(world.picture().contains("`parlour rm`) stays here"));
    assert_eq!(world.press("u"), []);
    assert_eq!(world.press("x"), []);
    world.press("esc");
    assert!(world.state.views[&ME].over.dialog.is_none());
}

#[test]
fn an_agent_is_told_of_what_was_deleted_below_it_alone() {
    let mut world = World::unwatched(&["auth", "other"]);
    world.chat("redis", "redis", 1).below("auth");
    let effects = world.asked_by(By::Chat(id("auth")), Request::Trash(TrashRequest::List));
    let below = Some(vec![id("redis"), id("auth")]);
    assert_eq!(jobs(&effects), [Work::Trash(TrashWork::List { below })]);
}

#[test]
fn what_fails_names_the_chat_that_it_was_done_to_wherever_the_cursor_is_by_then() {
    let mut world = World::morning(120, 40);
    opened(&mut world, &["one", "two"]);
    let (work, job) = works(&world.press("u")).remove(0);
    assert!(matches!(job, Work::Trash(TrashWork::Restore(_))), "{job:?}");
    world.press("down");
    assert_eq!(chosen(&mut world), "two");
    world.done(work, Outcome::Failed(problem("it is not in the trash")));
    let picture = world.picture();
    assert!(picture.contains("restoring one: it is not in the trash"), "{picture}");
}
