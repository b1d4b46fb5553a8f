//! The numbers of chats: what they mean in the shell, and whose they are.

use parlour::domain::Event;
use parlour::domain::event::{DiskEvent, Outcome};
use parlour::domain::work::TrashDone;
use parlour::model::chat::{ENGINE_STOPPED, ListMark};
use parlour::model::preferences::ListOrder;
use parlour::model::request::{By, ChatRequest, Request, TrashRequest};
use parlour::model::{Chat, Problem, Record, Status};
use serde_json::json;

use crate::support::events::{claude, refusals, replies, works};
use crate::support::world::{World, id};

fn find(world: &World, name: &str) -> Result<String, String> {
    let found = world.state.domain.find(name);
    found.map(|chat| chat.to_string()).map_err(|problem| problem.cause)
}

#[test]
fn a_chat_is_found_by_its_number_where_none_is_called_that_and_deleted_by_none() {
    let mut world = World::morning(120, 40);
    for chat in ["auth", "redis"] {
        let number = number(&world, chat).unwrap_or_default().to_string();
        assert_eq!(find(&world, &number), Ok(id(chat).to_string()));
    }
    assert_eq!(number(&world, "auth"), Some(1));
    assert_eq!(find(&world, "9"), Err("no chat has number 9".into()), "there are eight");
    let removed = |world: &mut World, yes| {
        let chat = "1".into();
        refusals(&world.ask(Request::Trash(TrashRequest::Rm { chat, yes })))
    };
    let refused = world.state.domain.find("9").unwrap_err();
    assert_eq!(
        refused.hint, "`parlour list` shows them",
        "a number is no misspelt name"
    );
    // The next chat may have the number by the time that somebody says it again.
    let refused = ["no chat is called that; fix-auth-bug has that number"];
    assert_eq!(removed(&mut world, false), refused);
    assert_eq!(removed(&mut world, true), refused);
    world.chat("one", "1", 1);
    assert_eq!(find(&world, "1"), Ok(id("one").to_string()));
    assert_eq!(removed(&mut world, true), [""; 0]);
}

#[test]
fn an_agent_names_no_chat_by_its_number() {
    let mut world = World::morning(120, 40);
    let number = number(&world, "auth").unwrap().to_string();
    let me = id("redis");
    let asked = [
        json!({"noun": "chat", "verb": "send", "chat": number, "text": "look at this", "sender": me}),
        json!({"noun": "work", "chat": number, "sender": me, "ask": {"list": {}}}),
        json!({"noun": "review", "chat": me, "ask": {"do": "diff", "set": {"with": number}}}),
    ];
    for body in asked {
        let request: Request = serde_json::from_value(body.clone()).unwrap();
        let refused = refusals(&world.asked_by(By::Chat(me.clone()), request));
        assert_eq!(refused, ["there is no such chat"], "{body}");
    }
}

/// `u` brings it back.
fn restored(world: &mut World, chat: &Chat) {
    let effects = world.press("u");
    let (number, _) = works(&effects).remove(0);
    world.done(number, Outcome::Trash(TrashDone::Restored(Box::new(chat.clone()))));
    world.look();
}

fn number(world: &World, chat: &str) -> Option<u8> {
    world.state.domain.live.looked_at.numbers.get(&id(chat)).copied()
}

#[test]
fn a_chat_that_the_engines_end_stopped_keeps_its_number_from_those_that_start() {
    let mut world = World::new(120, 40);
    for (at, name) in ["ash", "elm", "fir", "oak", "yew", "bay", "box", "gum", "nut"]
        .iter()
        .enumerate()
    {
        let minutes = 90 - i64::try_from(at).unwrap();
        let why = if *name == "fir" { "stopped" } else { ENGINE_STOPPED };
        world.chat(name, name, minutes).ended(why);
    }
    world.look();
    let freed = number(&world, "fir");
    assert!(freed.is_some());
    world.chat("new", "New", 1).runs(Status::Idle(None), "");
    world.look();
    assert_eq!((number(&world, "new"), number(&world, "fir")), (freed, None));
    world.chat("late", "Late", 0).runs(Status::Idle(None), "");
    world.look();
    assert_eq!(number(&world, "late"), None, "all others are likely to run again");
}

/// Numbers that persons know by heart are not for teams.
#[test]
fn a_chat_that_an_agent_made_takes_no_number_of_a_persons_chat() {
    let mut world = World::new(120, 40);
    for (at, name) in ["ash", "elm", "fir", "oak", "yew", "bay", "box"].iter().enumerate() {
        let minutes = 90 - i64::try_from(at).unwrap();
        world.chat(name, name, minutes).ended("stopped");
    }
    world.look();
    let of_persons = world.state.domain.live.looked_at.numbers.clone();
    assert_eq!(of_persons.len(), 7);
    let given = ["one", "two", "six"].map(|name| dispatched(&mut world, name));
    assert_eq!(given, [Some(8), Some(9), None]);
    let numbers = &world.state.domain.live.looked_at.numbers;
    assert!(
        of_persons
            .iter()
            .all(|(chat, number)| numbers.get(chat) == Some(number))
    );
    // The number of a child that is gone is free for the next, that of a person's chat is not.
    world.updates(Event::Disk(DiskEvent::ChatGone(id("ash"))));
    world.updates(Event::Disk(DiskEvent::ChatGone(id("two"))));
    world.look();
    assert_eq!(["ten", "eve"].map(|name| dispatched(&mut world, name)), [Some(9), None]);
}

/// The number of a chat that an agent makes now.
fn dispatched(world: &mut World, name: &str) -> Option<u8> {
    world.chat(name, name, 1).below("box");
    world.edits(name, |chat| chat.record.origin.by_agent = true);
    world.run(name, claude());
    world.look();
    number(world, name)
}

#[test]
fn a_query_and_a_run_of_a_schedule_take_no_number_unless_they_are_pinned() {
    let ways: [&dyn Fn(&mut Record); 2] = [&|record| record.set.unnumbered = true, &|record| {
        record.schedule = Some("nightly".into())
    }];
    for lies_aside in ways {
        let mut world = World::morning(120, 40);
        world.chat("aside", "What is this", 0).runs(Status::Idle(None), "");
        let mut aside = world.state.domain.disk.chats[&id("aside")].clone();
        lies_aside(&mut aside.record);
        world.happens(Event::Disk(DiskEvent::Chat(Box::new(aside.clone()))));
        world.look();
        assert_eq!(number(&world, "aside"), None);
        aside.record.set.pinned = true;
        world.happens(Event::Disk(DiskEvent::Chat(Box::new(aside))));
        world.look();
        assert_eq!(number(&world, "aside"), Some(9));
    }
}

#[test]
fn a_chat_that_comes_back_has_its_number_again_where_it_is_free() {
    let mut world = World::morning(120, 40);
    let had = number(&world, "dates");
    assert!(had.is_some());
    let dates = world.state.domain.disk.chats[&id("dates")].clone();
    let deleted = |world: &mut World| {
        world.updates(Event::Disk(DiskEvent::ChatGone(id("dates"))));
        world.look();
    };
    deleted(&mut world);
    assert_eq!(number(&world, "dates"), None);
    restored(&mut world, &dates);
    assert_eq!(number(&world, "dates"), had);
    assert!(!world.picture().contains("leads to"), "{}", world.picture());
    // Of ten, the one without is neither new nor does it start: it gets none. Nor does a new one that does not run.
    world.chat("ninth", "Ninth", 0).runs(Status::Idle(None), "");
    world.look();
    world.chat("tenth", "Tenth", 0);
    world.look();
    deleted(&mut world);
    world.chat("eleventh", "Eleventh", 0);
    world.look();
    world.later(60_000);
    for chat in ["tenth", "eleventh"] {
        assert_eq!(number(&world, chat), None, "{chat}");
    }
    restored(&mut world, &dates);
    assert_eq!(number(&world, "dates"), had);
    // One that starts takes it where no other is free.
    deleted(&mut world);
    world.chat("later", "Later", 0).runs(Status::Idle(None), "");
    world.look();
    assert_eq!(number(&world, "later"), had);
    restored(&mut world, &dates);
    assert!(
        world.picture().contains("leads to \"Later\" now."),
        "{}",
        world.picture()
    );
}

/// What is sent to a number, or deleted by it, may be meant for the chat that was listed there a moment ago, or for the next.
#[test]
fn an_archived_chat_is_named_and_not_meant_by_the_number_that_it_had() {
    let mut world = World::morning(120, 40);
    let had = number(&world, "dates").unwrap().to_string();
    let mut archived = world.state.domain.disk.chats[&id("dates")].clone();
    archived.record.set.archived = true;
    let handle = archived.record.handle.to_string();
    world.happens(Event::Disk(DiskEvent::Chat(Box::new(archived))));
    world.look();
    let cause = format!("no chat has number {had}; the archived {handle} had it");
    assert_eq!(find(&world, &had), Err(cause.clone()));
    let stop = Request::Chat(ChatRequest::Stop {
        chat: had.clone(),
        tree: false,
    });
    let effects = world.ask(stop);
    let said: Vec<Problem> = replies(&effects)
        .into_iter()
        .filter_map(|(_, said)| said.err())
        .collect();
    assert_eq!(said[0].cause, cause);
    assert_eq!(
        said[0].hint,
        format!("name {handle}, or bring it back: `parlour archive {handle} --undo`")
    );
    let mark = Request::Chat(ChatRequest::Mark {
        chat: had,
        mark: ListMark::Archived,
        on: false,
    });
    let effects = world.ask(mark);
    assert!(replies(&effects).iter().all(|(_, said)| said.is_ok()), "{effects:?}");
    assert_eq!(works(&effects).len(), 1, "it is brought back: {effects:?}");
}

#[test]
fn an_archived_chat_is_found_by_the_number_that_it_had_until_another_has_it() {
    let mut world = World::morning(120, 40);
    let had = number(&world, "dates").unwrap().to_string();
    let mut archived = world.state.domain.disk.chats[&id("dates")].clone();
    archived.record.set.archived = true;
    world.happens(Event::Disk(DiskEvent::Chat(Box::new(archived))));
    world.look();
    assert_eq!(number(&world, "dates"), None);
    assert_eq!(world.state.domain.find_listed(&had), Ok(id("dates")));
    // Two more: one takes the number that is free, the other this one.
    for name in ["ninth", "tenth"] {
        world.chat(name, name, 0).runs(Status::Idle(None), "");
        world.look();
    }
    assert_eq!(
        number(&world, "tenth").map(|number| number.to_string()),
        Some(had.clone())
    );
    assert_eq!(find(&world, &had), Ok(id("tenth").to_string()));
    // A deleted one is in no list, and is not found.
    world.updates(Event::Disk(DiskEvent::ChatGone(id("tenth"))));
    world.look();
    assert_eq!(find(&world, &had), Err(format!("no chat has number {had}")));
}

#[test]
fn numbers_of_several_chats_that_went_are_taken_in_the_order_in_which_they_went() {
    let mut world = World::morning(120, 40);
    let (first, second) = (number(&world, "dates"), number(&world, "flaky"));
    for chat in ["dates", "flaky"] {
        world.updates(Event::Disk(DiskEvent::ChatGone(id(chat))));
        world.look();
    }
    let starts = ["ninth", "tenth", "eleventh"].map(|name| {
        world.chat(name, name, 0).runs(Status::Idle(None), "");
        world.look();
        number(&world, name)
    });
    assert_eq!(starts, [Some(9), first, second]);
}

/// Numbers are given before the list that is ordered by them is drawn.
#[test]
fn a_list_in_the_order_of_numbers_shows_a_new_one_at_its_place_at_once() {
    let mut world = World::morning(120, 40);
    for _ in 0..4 {
        world.press("O");
    }
    assert_eq!(world.view().sidebar.look.order, ListOrder::Number);
    let dates = world.state.domain.disk.chats[&id("dates")].clone();
    world.updates(Event::Disk(DiskEvent::ChatGone(id("dates"))));
    world.later(60_000);
    let listed = |world: &mut World| world.view().sidebar.chats().cloned().collect::<Vec<_>>();
    world.happens(Event::Disk(DiskEvent::Chat(Box::new(dates))));
    let at_once = listed(&mut world);
    world.look();
    assert_eq!(at_once, listed(&mut world));
}
