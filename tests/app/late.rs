//! What a person asked for arrives when they have gone on: it takes no keys from what they type in by then, and is told of.

use parlour::domain::agent::work::AgentDone;
use parlour::domain::event::{DiskEvent, Event, Outcome};
use parlour::domain::work::{ChatDone, ChatWork, ReviewDone, ReviewWork, TrashDone, Work};
use parlour::domain::{Effect, PaneOrder};
use parlour::model::WorkId;
use parlour::screen::keymap::PaneSheet;
use parlour::screen::view::{Focus, Mode, Tab};

use crate::support::composing::{composing, text};
use crate::support::events::{problem, works};
use crate::support::review::{answer, detail, reviewed};
use crate::support::told::show_cards;
use crate::support::world::{World, claude_and_codex, id};

/// The copy that this work makes is there.
fn copied(world: &mut World, work: WorkId, short: &str) {
    world.chat(short, short, 0);
    let chat = Box::new(world.on_disk(short));
    let notes = Vec::new();
    world.done(work, Outcome::Chat(ChatDone::Duplicated { chat, notes }));
}

fn asks_for_copy(world: &mut World) -> WorkId {
    world.press("+");
    world.calm();
    let (work, _) = works(&world.press("y")).remove(0);
    world.calm();
    work
}

/// A chat is deleted elsewhere.
fn goes(world: &mut World, short: &str) {
    world.happens(Event::Disk(DiskEvent::ChatGone(id(short))));
}

/// What was typed into an agent.
fn typed(effects: &[Effect]) -> Vec<(String, String)> {
    let of = |effect: &Effect| match effect {
        Effect::Pane(pane, PaneOrder::Input(keys)) => {
            Some((format!("{pane:?}"), String::from_utf8_lossy(keys).into_owned()))
        }
        _ => None,
    };
    effects.iter().filter_map(of).collect()
}

fn told(world: &mut World) -> String {
    let toasts = &world.view().over.toasts;
    let texts: Vec<&str> = toasts.iter().map(|toast| toast.text.as_str()).collect();
    texts.join("\n")
}

#[test]
fn of_two_copies_the_one_that_was_asked_for_last_comes() {
    let mut world = World::morning(120, 40);
    let before = world.view().chat.clone();
    let works = [asks_for_copy(&mut world), asks_for_copy(&mut world)];
    copied(&mut world, works[0], "one");
    assert_eq!(world.view().chat, before);
    assert!(
        told(&mut world).contains("one is there, in the list."),
        "{}",
        told(&mut world)
    );
    copied(&mut world, works[1], "two");
    assert_eq!(
        (world.view().chat.clone(), world.view().mode),
        (Some(id("two")), Mode::Agent)
    );
}

#[test]
fn a_copy_stays_away_from_who_types_though_something_else_failed_meanwhile() {
    let mut world = World::morning(120, 40);
    let fails = asks_for_copy(&mut world);
    let copy = asks_for_copy(&mut world);
    world.press("enter x");
    world.done(fails, Outcome::Failed(problem("the disk is full")));
    copied(&mut world, copy, "copy");
    assert_eq!(world.view().chat, Some(id("auth")));
    let keys = typed(&world.press("y"));
    assert_eq!(keys.len(), 1);
    assert!(keys[0].0.contains("auth"), "{keys:?}");
}

#[test]
fn a_demo_does_not_take_the_keys_of_who_went_into_an_agent_meanwhile() {
    let mut world = World::morning(120, 40);
    let (work, job) = world.presses_for("D");
    assert!(matches!(job, Work::Chat(ChatWork::Sample)), "{job:?}");
    world.press("enter r m");
    let effects = world.done(work, Outcome::Chat(ChatDone::Sampled("/tmp/sample".into())));
    let (work, job) = works(&effects).remove(0);
    let Work::Chat(ChatWork::Create(record)) = job else {
        panic!("{job:?}");
    };
    world.chat("made", &record.name, 0);
    let mut chat = world.on_disk("made");
    (chat.record.id, chat.record.handle) = (record.id, record.handle);
    world.done(work, Outcome::Chat(ChatDone::Loaded(Box::new(chat))));
    assert_eq!(
        (world.view().chat.clone(), world.view().mode),
        (Some(id("auth")), Mode::Agent)
    );
    assert!(
        told(&mut world).contains("demo is there, in the list."),
        "{}",
        told(&mut world)
    );
}

#[test]
fn a_restored_chat_is_not_shown_to_who_types_elsewhere_meanwhile() {
    let mut world = World::morning(120, 40);
    let back = world.on_disk("memcd");
    goes(&mut world, "memcd");
    let (work, _) = works(&world.press("u")).remove(0);
    world.press("enter x");
    world.done(work, Outcome::Trash(TrashDone::Restored(Box::new(back))));
    assert_eq!(
        (world.view().chat.clone(), world.view().mode),
        (Some(id("auth")), Mode::Agent)
    );
    assert!(told(&mut world).contains("Restored \"Try memcached\": it is in the list."));
}

/// What the tab wants to know comes when `meanwhile` was pressed since.
fn arrives_after(world: &mut World, asks: &str, meanwhile: &str) {
    let (number, chat, wanted) = world
        .press(asks)
        .into_iter()
        .find_map(|effect| match effect {
            Effect::Work(number, Work::Review(ReviewWork::Detail(chat, work))) => Some((number, chat, work)),
            _ => None,
        })
        .expect("something is looked up");
    if !meanwhile.is_empty() {
        let effects = world.press(meanwhile);
        answer(world, effects);
    }
    let done = ReviewDone::Detail(chat, detail(&wanted));
    world.happens(Event::Done(number, Outcome::Review(done)));
}

#[test]
fn lists_of_the_changes_open_over_nothing_that_is_typed_in_meanwhile() {
    for asks in ["c o", "="] {
        let mut world = reviewed(120, 40);
        arrives_after(&mut world, asks, "");
        assert!(world.view().over.dialog.is_some(), "{asks}");
        let mut world = reviewed(120, 40);
        arrives_after(&mut world, asks, "esc enter x");
        assert!(world.view().over.dialog.is_none(), "{asks}");
        assert_eq!(world.view().mode, Mode::Agent);
        assert_eq!(typed(&world.press("y")).len(), 1);
        assert!(
            told(&mut world).contains("in its Changes tab again."),
            "{}",
            told(&mut world)
        );
    }
}

#[test]
fn where_a_line_comes_from_leads_nobody_out_of_an_agent() {
    let mut world = reviewed(160, 40);
    let effects = world.press("enter");
    answer(&mut world, effects);
    world.press("j j");
    arrives_after(&mut world, "B", "esc esc tab tab enter x");
    assert_eq!(world.view().mode, Mode::Agent);
    assert_ne!(world.view().focus, Focus::Inspector);
    assert!(
        told(&mut world).contains("again to go to its card"),
        "{}",
        told(&mut world)
    );
}

#[test]
fn what_a_card_changed_is_not_shown_in_another_chat() {
    for meanwhile in ["", "ctrl+q esc j"] {
        let mut world = World::morning(140, 50);
        show_cards(&mut world);
        world.press("g j j");
        arrives_after(&mut world, "B", meanwhile);
        let view = world.view();
        if meanwhile.is_empty() {
            assert_eq!(view.tab, Tab::Sheet(PaneSheet::Changes));
        } else {
            assert_ne!(view.chat, Some(id("auth")));
            assert_eq!(view.tab, Tab::Terminal);
            assert!(told(&mut world).contains("What a card changed"), "{}", told(&mut world));
        }
    }
}

#[test]
fn who_could_review_is_listed_at_once_and_not_again_to_who_has_left() {
    let mut world = reviewed(120, 40);
    let works = works(&world.press("O"));
    let (work, _) = works
        .into_iter()
        .find(|(_, job)| matches!(job, Work::Agent(_)))
        .unwrap();
    assert!(world.picture().contains("Who reviews this?"), "{}", world.picture());
    world.press("esc");
    world.done(
        work,
        Outcome::Agent(AgentDone::Detected(claude_and_codex(), Vec::new())),
    );
    assert!(world.view().over.dialog.is_none());
}

#[test]
fn keys_typed_at_a_chat_that_is_deleted_elsewhere_reach_no_other() {
    let mut world = World::morning(120, 40);
    world.press("enter");
    assert_eq!(typed(&world.press("a")).len(), 1);
    goes(&mut world, "auth");
    assert_ne!(world.view().chat, Some(id("auth")));
    assert_eq!(typed(&world.press("b")), []);
    assert_eq!(world.view().mode, Mode::Outside);
    // A key of a burst is no command either.
    world.press("x");
    assert!(world.view().over.dialog.is_none());
    assert!(told(&mut world).contains("was deleted"), "{}", told(&mut world));
    world.calm();
    world.press("x");
    assert!(world.view().over.dialog.is_some());
}

#[test]
fn a_prompt_that_is_written_for_a_chat_that_is_deleted_elsewhere_goes_to_no_other() {
    let mut world = composing();
    world.chat("docs", "docs", 2);
    world.press("f i");
    goes(&mut world, "auth");
    world.press("x enter");
    assert_eq!(world.view().chat, Some(id("docs")));
    assert_eq!(text(&mut world), "");
    assert!(!world.view().composer.is_entered);
}

#[test]
fn whoever_deletes_the_chat_that_they_typed_in_types_in_no_other_one() {
    let mut world = World::morning(120, 40);
    world.press("enter a");
    world.press("ctrl+q x");
    world.loses(Default::default());
    world.later(1_000);
    world.press("y");
    world.loses(Default::default());
    world.is_deleted("auth");
    assert_eq!(world.view().mode, Mode::Outside);
    assert!(
        !told(&mut world).contains("keys go to no agent"),
        "{}",
        told(&mut world)
    );
}
