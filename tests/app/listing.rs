//! Orders, groups, pins, the archive, marks and jumps in the list of chats.

use parlour::domain::Event;
use parlour::domain::event::{ClientEvent, DiskEvent, Outcome};
use parlour::domain::work::{ChatDone, ChatWork, TrashDone, TrashWork, Work};
use parlour::model::chat::ListMark;
use parlour::model::preferences::{LeftScreen, ListGrouping, ListLook, ListOrder};
use parlour::model::request::{ChatRequest, Request};
use parlour::model::{ClientId, Losses, PaneEvent, Status};
use parlour::screen::view::Mode;

use super::sidebar::order;
use crate::support::events::{jobs, works};
use crate::support::world::{ME, World, id};

/// The marks that these effects set, carried out as a worker does.
fn carried_out(world: &mut World, effects: &[parlour::domain::Effect]) -> usize {
    let works = works(effects);
    for (number, work) in &works {
        let Work::Chat(ChatWork::Mark { chat, mark, on, at }) = work else {
            panic!("{work:?}");
        };
        let mut marked = world.state.domain.disk.chats[chat].clone();
        marked.record.set.mark(*mark, *on, *at);
        world.done(*number, Outcome::Chat(ChatDone::Loaded(Box::new(marked))));
    }
    works.len()
}

fn pressed(world: &mut World, keys: &str) -> usize {
    let effects = world.press(keys);
    carried_out(world, &effects)
}

/// `u` where nothing was deleted since the last chat was archived: how many are listed again.
fn brings_back(world: &mut World) -> usize {
    let (work, job) = works(&world.press("u")).remove(0);
    assert!(matches!(job, Work::Trash(TrashWork::RestoreLast { .. })), "{job:?}");
    let effects = world.happens(Event::Done(work, Outcome::Trash(TrashDone::NothingSince)));
    carried_out(world, &effects)
}

#[test]
fn orders_go_round_and_are_what_new_screens_begin_with() {
    let mut world = World::morning(120, 40);
    let effects = world.press("O");
    let by_activity = ListLook {
        order: ListOrder::Activity,
        groups: ListGrouping::None,
    };
    assert_eq!(jobs(&effects), [Work::Chat(ChatWork::KeepLook(by_activity))]);
    assert!(world.picture().contains("by activity"), "{}", world.picture());
    world.press("O");
    assert_eq!(order(&world)[0], "Fix auth bug", "the chat that was made last");
    let effects = world.press("O");
    assert_eq!(
        order(&world),
        [
            "Dates in the report are off by one",
            "Fix auth bug",
            "  Try memcached",
            "  Try Redis",
            "Flaky CI",
            "Research caching",
            "Upgrade to Rails 9",
            "日本語のドキュメントを直す",
        ]
    );
    let (number, _) = works(&effects).remove(0);
    let by_name = ListLook {
        order: ListOrder::Name,
        ..by_activity
    };
    world.done(number, Outcome::Chat(ChatDone::LookKept(by_name)));
    world.attach(ClientId(9), 120, 40);
    assert_eq!(world.state.views[&ClientId(9)].sidebar.look, by_name);
    // By the numbers that chats have: they stay where they are whatever happens.
    world.press("O");
    assert_eq!(world.state.views[&ME].sidebar.look.order, ListOrder::Number);
    assert!(world.picture().contains("by number"), "{}", world.picture());
    let numbers = |world: &World| {
        let listed = world.state.views[&ME].sidebar.chats().filter_map(|chat| {
            let chats = &world.state.domain.disk.chats;
            let is_root = chats[chat].record.stands_below().is_none();
            let numbers = &world.state.domain.live.looked_at.numbers;
            numbers.get(chat).copied().filter(|_| is_root)
        });
        listed.collect::<Vec<_>>()
    };
    let before = numbers(&world);
    assert!(before.len() > 3 && before.is_sorted(), "{before:?}");
    world.press("O");
    assert_eq!(world.state.views[&ME].sidebar.look.order, ListOrder::Need);
}

#[test]
fn chats_that_were_deleted_in_one_go_come_back_in_one_go() {
    let mut world = World::morning(120, 40);
    world.press("7 M M x");
    world.loses(Losses::default());
    world.loses(Losses::default());
    world.calm();
    for (work, job) in works(&world.press("y")) {
        let Work::Chat(ChatWork::Trash(chat)) = job else {
            panic!("{job:?}");
        };
        world.done(work, Outcome::Chat(ChatDone::Removed(chat, Vec::new())));
    }
    let toasts = |world: &mut World| {
        let toasts = world.view().over.toasts.drain(..);
        toasts.map(|toast| toast.text).collect::<Vec<_>>()
    };
    assert_eq!(
        toasts(&mut world),
        ["Deleted 2 chats. u restores them, X shows the trash."]
    );
    world.calm();
    let before = World::morning(120, 40).state.domain.disk.chats;
    for ((work, job), chat) in works(&world.press("u")).into_iter().zip(["flaky", "rails"]) {
        assert_eq!(job, Work::Trash(TrashWork::Restore(Some(id(chat).to_string()))));
        let back = Box::new(before[&id(chat)].clone());
        world.done(work, Outcome::Trash(TrashDone::Restored(back)));
    }
    assert_eq!(toasts(&mut world), ["Restored 2 chats."]);
    assert_eq!(world.selected(), "Flaky CI");
    // What is newest in the trash is next.
    assert_eq!(
        jobs(&world.press("u")),
        [Work::Trash(TrashWork::RestoreLast { since: None })]
    );
}

#[test]
fn minus_leads_back_to_where_a_filter_was_opened_and_over_one_that_was_given_up() {
    let mut world = World::morning(120, 40);
    world.later(2_000);
    world.press("5");
    world.later(2_000);
    world.press("/ f l");
    world.later(2_000);
    world.press("a enter");
    assert_eq!(world.selected(), "Flaky CI");
    world.press("-");
    assert_eq!(
        world.selected(),
        "Research caching",
        "what the filter passed over is nowhere"
    );
    world.later(2_000);
    world.press("1");
    world.later(2_000);
    world.press("/ f l a");
    world.later(2_000);
    world.press("esc");
    assert_eq!(world.selected(), "Fix auth bug");
    world.press("-");
    assert_eq!(world.selected(), "Research caching");
}

#[test]
fn numbers_lead_to_chats_and_minus_back_to_where_one_was() {
    let mut world = World::morning(120, 40);
    world.later(2_000);
    world.press("5");
    assert_eq!(world.selected(), "Research caching");
    world.press("j j");
    world.press("-");
    assert_eq!(world.selected(), "Fix auth bug", "nobody was at what they passed over");
    world.press("-");
    assert_eq!(world.selected(), "Flaky CI");
    world.press("9");
    assert_eq!(world.selected(), "Flaky CI", "there are eight");
    world.press("1 enter");
    world.press("ctrl+q 3");
    assert_eq!(world.selected(), "Try Redis", "from inside an agent, behind the leader");
}

#[test]
fn a_pinned_chat_stands_first_and_pinning_it_again_lets_go() {
    let mut world = World::morning(120, 40);
    world.press("7");
    assert_eq!(pressed(&mut world, "P"), 1);
    assert_eq!(order(&world)[..2], ["Flaky CI", "Fix auth bug"]);
    pressed(&mut world, "P");
    assert_eq!(order(&world)[0], "Fix auth bug");
    world.press("3");
    assert_eq!(world.selected(), "Try Redis");
    pressed(&mut world, "P");
    let told = &world.view().over.toasts[0].text;
    assert_eq!(
        told,
        "It keeps its number, and stays below the chat that it belongs to."
    );
}

#[test]
fn an_archived_chat_is_in_no_list_but_among_the_states_and_where_a_filter_finds_it() {
    let mut world = World::morning(120, 40);
    world.press("5");
    assert_eq!(pressed(&mut world, "H"), 1);
    assert_eq!(world.selected(), "日本語のドキュメントを直す");
    assert!(!order(&world).contains(&"Research caching".to_string()));
    world.press("/ r e s e a r c h");
    assert_eq!(order(&world), ["Research caching"]);
    world.press("esc V V V V");
    let rows = order(&world);
    assert_eq!(rows[rows.len() - 2..], ["-- Archived", "Research caching"]);
}

#[test]
fn an_archived_chat_that_needs_a_person_is_listed_all_the_same() {
    let mut world = World::morning(120, 40);
    pressed(&mut world, "H");
    assert!(order(&world).contains(&"Fix auth bug".to_string()), "one below it asks");
    world.chat("calm", "Calm", 3).runs(Status::Idle(None), "");
    world.look();
    let all = order(&world).len();
    let effects = world.ask(Request::Chat(ChatRequest::Mark {
        chat: "calm".into(),
        mark: ListMark::Archived,
        on: true,
    }));
    carried_out(&mut world, &effects);
    assert_eq!(order(&world).len(), all - 1);
}

#[test]
fn what_is_done_to_marked_chats_is_done_to_all_of_them() {
    let mut world = World::morning(120, 40);
    world.press("5 M M");
    assert_eq!(world.selected(), "Flaky CI");
    assert_eq!(world.picture().lines().filter(|line| line.starts_with('*')).count(), 2);
    assert_eq!(pressed(&mut world, "P"), 2);
    assert_eq!(order(&world)[..2], ["Research caching", "日本語のドキュメントを直す"]);
    assert!(world.view().sidebar.marked.is_empty());
}

#[test]
fn deleting_marked_chats_says_first_what_each_would_lose() {
    let mut world = World::morning(120, 40);
    world.press("G M k M");
    let effects = world.press("x");
    assert!(world.picture().contains("Delete 2 chats?"), "{}", world.picture());
    let mut next = effects;
    for _ in 0..2 {
        let (number, _) = works(&next).remove(0);
        let losses = Losses {
            lost: vec!["2 commits on main".into()],
            ..Losses::default()
        };
        next = world.done(number, Outcome::Chat(ChatDone::Losses(losses)));
    }
    world.calm();
    assert_eq!(
        world.picture().matches("2 commits on main").count(),
        2,
        "{}",
        world.picture()
    );
    let asked = jobs(&world.press("y"));
    let trash = |chat: &str| Work::Chat(ChatWork::Trash(id(chat)));
    assert_eq!(asked, [trash("flaky"), trash("rails")]);
}

/// The screen ends, and another one is opened as plain `parlour` does.
fn comes_back(world: &mut World) -> Vec<Work> {
    let effects = world.updates(Event::Client(ME, ClientEvent::Gone));
    world.attach(ME, 120, 40);
    world.look();
    jobs(&effects)
}

#[test]
fn the_chat_of_a_directory_is_shown_once_and_then_what_was_left_there() {
    let mut world = World::morning(120, 40);
    world.press("j");
    assert_eq!(world.selected(), "Try memcached");
    let comes = |world: &mut World| {
        world.updates(Event::Client(ME, ClientEvent::Gone));
        world.attach_where_bound(ME, "dates");
        world.look();
        (world.selected().to_owned(), world.state.views[&ME].mode)
    };
    assert_eq!(
        comes(&mut world),
        ("Dates in the report are off by one".into(), Mode::Outside),
        "keys go where they went"
    );
    let told = world.view().over.toasts.last().map(|toast| toast.text.clone());
    let wanted =
        "This is dates-in-the-report-are-off-by-one, the chat of this directory. - goes back to try-memcached.";
    assert_eq!(told.as_deref(), Some(wanted));
    world.press("-");
    assert_eq!(
        comes(&mut world),
        ("Try memcached".into(), Mode::Outside),
        "nobody asked for another"
    );
    world.press("enter");
    assert_eq!(comes(&mut world), ("Try memcached".into(), Mode::Agent));
    // From elsewhere too, and there it is the directory's again: nobody typed in that one.
    comes_back(&mut world);
    assert_eq!(world.selected(), "Try memcached");
    assert_eq!(
        comes(&mut world),
        ("Dates in the report are off by one".into(), Mode::Outside)
    );
}

#[test]
fn a_directory_whose_chat_was_deleted_shows_what_was_left_and_says_so() {
    let mut world = World::morning(120, 40);
    world.press("j");
    let left = world.selected().to_owned();
    world.updates(Event::Client(ME, ClientEvent::Gone));
    world.attach_where_bound(ME, "none");
    world.look();
    assert_eq!(world.selected(), left);
    let told = world.view().over.toasts.last().map(|toast| toast.text.clone());
    let told = told.unwrap_or_default();
    assert!(
        told.starts_with("The chat of this directory was deleted. `parlour undo-rm "),
        "{told}"
    );
}

#[test]
fn a_person_goes_on_where_they_left() {
    let mut world = World::morning(120, 40);
    world.press("j M");
    let left = LeftScreen {
        chat: Some(id("redis")),
        marked: [id("memcd")].into(),
        unseen: [id("dates")].into(),
        numbers: world.state.domain.live.looked_at.numbers.clone(),
        ..LeftScreen::default()
    };
    assert_eq!(comes_back(&mut world), [Work::Chat(ChatWork::KeepLeft(left.clone()))]);
    assert_eq!(world.selected(), "Try Redis");
    assert_eq!(world.view().sidebar.marked, left.marked);
    assert_eq!(comes_back(&mut world), [], "nothing else is to be kept");
    world.press("/");
    world.paste("flak");
    comes_back(&mut world);
    assert_eq!(order(&world), ["Flaky CI"]);
    world.press("esc 1 enter");
    comes_back(&mut world);
    assert_eq!(
        (world.selected(), world.state.views[&ME].mode),
        ("Fix auth bug", Mode::Agent)
    );
    // What has ended since is shown, and not started.
    let exited = PaneEvent::Exited {
        code: Some(0),
        signal: None,
    };
    world.said("auth", exited);
    comes_back(&mut world);
    assert_eq!(
        (world.selected(), world.state.views[&ME].mode),
        ("Fix auth bug", Mode::Outside)
    );
    // Another chat that is asked for is shown; what is marked stays marked.
    world.updates(Event::Client(ME, ClientEvent::Gone));
    world.attach_to(ME, "Flaky CI");
    assert_eq!(world.view().chat, Some(id("flaky")));
    assert_eq!(world.view().sidebar.marked, left.marked);
    // A chat that is gone is not looked for.
    world.updates(Event::Client(ME, ClientEvent::Gone));
    world.updates(Event::Disk(DiskEvent::ChatGone(id("flaky"))));
    world.attach(ME, 120, 40);
    world.look();
    assert!(world.view().chat.is_some());
}

#[test]
fn a_number_stays_with_its_chat_whatever_place_that_has() {
    let mut world = World::morning(120, 40);
    let before = world.state.domain.live.looked_at.numbers.clone();
    assert_eq!(before.len(), 8, "each chat that is listed has one");
    let first = world.state.domain.live.looked_at.numbers[&id("flaky")];
    for _ in 0..3 {
        world.press("O");
        assert_eq!(world.state.domain.live.looked_at.numbers, before);
        world.press(&first.to_string());
        assert_eq!(world.view().chat, Some(id("flaky")));
    }
    // It is seen on the selected chat too.
    let row = world
        .picture()
        .lines()
        .skip(1)
        .find(|line| line.contains("Flaky CI"))
        .unwrap_or_default()
        .to_owned();
    assert!(row.starts_with(&first.to_string()), "{row}");
    // The number of the one that is gone waits for it while another is free.
    let gone = before[&id("dates")];
    world.updates(Event::Disk(DiskEvent::ChatGone(id("dates"))));
    world.look();
    world.chat("later", "Later", 0).runs(Status::Idle(None), "");
    world.look();
    assert_eq!(world.state.domain.live.looked_at.numbers[&id("later")], 9);
    assert!(
        before
            .iter()
            .all(|(chat, number)| *chat == id("dates") || world.state.domain.live.looked_at.numbers[chat] == *number)
    );
    // A chat that runs takes that of one that has ended, where all are given.
    world.chat("ninth", "Ninth", 0).runs(Status::Idle(None), "");
    world.look();
    assert_eq!(world.state.domain.live.looked_at.numbers[&id("ninth")], gone);
    world.chat("tenth", "Tenth", 0).runs(Status::Idle(None), "");
    world.look();
    assert_eq!(
        world.state.domain.live.looked_at.numbers[&id("tenth")],
        before[&id("rails")],
        "it has rested longest"
    );
    assert!(!world.state.domain.live.looked_at.numbers.contains_key(&id("rails")));
}

#[test]
fn the_key_for_what_was_deleted_brings_back_what_was_archived_since() {
    let mut world = World::morning(120, 40);
    world.press("5");
    pressed(&mut world, "H");
    assert!(world.picture().contains("Archived. u brings it back."));
    assert_eq!(brings_back(&mut world), 1);
    assert_eq!(world.selected(), "Research caching");
    assert!(order(&world).contains(&"Research caching".to_string()));
    assert_eq!(brings_back(&mut world), 0);
    let told = &world.view().over.toasts.last().unwrap().text;
    assert_eq!(told, "Nothing is left to bring back: the trash is empty.");
}

#[test]
fn each_time_what_was_archived_or_deleted_before_comes_back() {
    let mut world = World::morning(120, 40);
    for key in ["5", "4"] {
        world.press(key);
        world.later(1_000);
        pressed(&mut world, "H");
    }
    // One of an earlier parlour, which noted no time.
    world.edits("flaky", |chat| chat.record.set.archived = true);
    // Another screen has archived nothing, and neither has this one that begins anew.
    world.attach(ME, 120, 40);
    world.look();
    // What was deleted between the two is in between.
    assert_eq!(brings_back(&mut world), 1);
    let (work, job) = works(&world.press("u")).remove(0);
    let Work::Trash(TrashWork::RestoreLast { since: Some(since) }) = job else {
        panic!("{job:?}");
    };
    assert!(since < world.state.domain.now);
    let back = world.state.domain.disk.chats[&id("rails")].clone();
    world.done(work, Outcome::Trash(TrashDone::Restored(Box::new(back))));
    assert_eq!(brings_back(&mut world), 1);
    assert_eq!(world.selected(), "Research caching");
    assert_eq!(brings_back(&mut world), 0);
    let told = &world.view().over.toasts.last().unwrap().text;
    let there = "One chat is archived: V lists it by state, / finds it.";
    assert_eq!(
        *told,
        format!("Nothing is left to bring back: the trash is empty. {there}")
    );
}

#[test]
fn whoever_archives_the_chat_in_which_they_type_types_in_no_other_one() {
    let mut world = World::morning(120, 40);
    world.press("5 enter");
    assert_eq!(world.state.views[&ME].mode, Mode::Agent);
    assert_eq!(pressed(&mut world, "ctrl+q H"), 1);
    assert_ne!(world.selected(), "Research caching");
    assert_eq!(world.state.views[&ME].mode, Mode::Outside);
    assert_eq!(brings_back(&mut world), 1);
    assert_eq!(world.selected(), "Research caching");
}

#[test]
fn a_query_at_rest_stands_below_all_others_by_need() {
    let mut world = World::morning(120, 40);
    world.chat("aside", "What is this", 0).runs(Status::Idle(None), "");
    world.edits("aside", |chat| chat.record.set.unnumbered = true);
    world.is_unseen("aside");
    assert_eq!(order(&world).last().map(String::as_str), Some("What is this"));
    // It needs somebody: it stands where others do.
    world.chat("aside", "What is this", 0).runs(Status::Running(None), "");
    world.edits("aside", |chat| chat.record.set.unnumbered = true);
    world.look();
    assert_ne!(order(&world).last().map(String::as_str), Some("What is this"));
}
