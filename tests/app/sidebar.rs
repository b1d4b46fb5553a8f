//! The sidebar: which chats stand where, and what a row says.

use parlour::domain::event::Outcome;
use parlour::domain::work::{ChatDone, ChatWork, Work};
use parlour::model::query::Binding;
use parlour::model::{ChatId, Handle, PaneEvent, Status, Zone};
use parlour::screen::settle;
use parlour::screen::sidebar_row::{Day, Heading, What};

use crate::support::events::{interrupted, works};
use crate::support::world::{ME, World, id};

pub fn order(world: &World) -> Vec<String> {
    let name = |chat: &ChatId| world.state.domain.disk.chats[chat].record.name.clone();
    let rows = world.state.views[&ME].sidebar.rows.iter();
    rows.map(|row| match &row.what {
        What::Heading(Heading::Day(day)) => format!("-- {}", day.title()),
        What::Heading(heading) => format!("-- {heading:?}"),
        What::Runs { count, .. } => format!("{count} runs"),
        What::Chat(chat, rails) => format!("{}{}", "  ".repeat(rails.len()), name(chat)),
    })
    .collect()
}

#[test]
fn what_needs_a_person_stands_first_with_its_whole_tree() {
    let world = World::morning(120, 40);
    assert_eq!(
        order(&world),
        [
            "Fix auth bug",
            "  Try memcached",
            "  Try Redis",
            "Dates in the report are off by one",
            "Research caching",
            "日本語のドキュメントを直す",
            "Flaky CI",
            "Upgrade to Rails 9",
        ]
    );
}

#[test]
fn each_need_has_its_place_and_what_moved_last_stands_first_in_it() {
    let mut world = World::new(120, 40);
    let idle = || Status::Idle(None);
    world.chat("ended", "ended", 1).ended("stopped");
    world.chat("idle", "idle", 2).runs(idle(), "");
    world.chat("busy", "busy", 3).runs(Status::Running(None), "");
    world.chat("later", "later", 5).runs(idle(), "").unseen();
    world.chat("done", "done", 4).runs(idle(), "").unseen();
    world
        .chat("asks", "asks", 60)
        .runs(Status::NeedsYou("go on?".into()), "");
    world.look();
    assert_eq!(order(&world), ["asks", "done", "later", "busy", "idle", "ended"]);
}

#[test]
fn an_agent_at_work_does_not_make_the_list_jump() {
    let mut world = World::new(120, 40);
    for short in ["one", "two", "three"] {
        world.chat(short, short, 3).runs(Status::Running(None), "");
    }
    world.look();
    let before = order(&world);
    for short in ["two", "three", "one"] {
        let now = world.state.domain.now;
        world.edits(short, |chat| chat.updated = now);
        world.look();
        assert_eq!(order(&world), before);
    }
}

#[test]
fn nothing_moves_under_who_moves_among_the_chats() {
    let mut world = World::morning(120, 40);
    world.press("G");
    let before = order(&world);
    let asks = |world: &mut World, chat: &str, status| {
        world.chat(chat, chat, 0).runs(status, "");
        world.look();
    };
    asks(&mut world, "new", Status::Idle(None));
    assert_eq!(order(&world)[1..], before, "what is new stands at the top");
    asks(&mut world, "new", Status::NeedsYou("go on?".into()));
    world.later(2_000);
    assert_eq!(order(&world)[1..], before);
    world.later(1_500);
    assert_eq!(order(&world), [&["new".to_string()], &before[..]].concat());
    assert_eq!(world.selected(), "Upgrade to Rails 9");
}

#[test]
fn chats_stand_under_what_they_have_in_common() {
    let mut world = World::morning(120, 40);
    let mut next = || {
        world.press("V");
        order(&world)
    };
    assert_eq!(
        next(),
        [
            "-- Today",
            "Fix auth bug",
            "  Try memcached",
            "  Try Redis",
            "Research caching",
            "-- Yesterday",
            "Dates in the report are off by one",
            "日本語のドキュメントを直す",
            "-- Last week",
            "Flaky CI",
            "-- Older",
            "Upgrade to Rails 9",
        ]
    );
    let headings = |rows: Vec<String>| rows.into_iter().filter(|row| row.starts_with("--")).collect::<Vec<_>>();
    assert_eq!(
        headings(next()),
        [
            "-- Project(\"engineering\")",
            "-- Project(\"grove\")",
            "-- Project(\"ledger\")",
            "-- Project(\"shop\")",
            "-- NoProject",
        ]
    );
    assert_eq!(headings(next()), ["-- NoSchedule"]);
    assert_eq!(
        headings(next()),
        ["-- State(Waiting)", "-- State(Unseen)", "-- State(Ended)"]
    );
    assert_eq!(headings(next()), Vec::<String>::new());
}

#[test]
fn fifty_rows_show_forty_chats() {
    let mut world = World::new(200, 50);
    for number in 0..40_u8 {
        let short = format!(
            "chat{}{}",
            char::from(b'a' + number / 20),
            char::from(b'a' + number % 20)
        );
        let status = match number {
            0..3 => Status::NeedsYou("go on?".into()),
            3..20 => Status::Running(None),
            _ => Status::Idle(None),
        };
        world
            .chat(&short, &format!("Chat number {number}"), i64::from(number))
            .project("grove", &format!("branch-{number}"))
            .preview("It said something.")
            .runs(status, "");
    }
    world.look();
    let picture = world.picture();
    for number in 0..40 {
        assert!(
            picture.contains(&format!("Chat number {number} ")),
            "{number}:\n{picture}"
        );
    }
}

#[test]
fn a_circle_of_parents_loses_no_chat() {
    let mut world = World::new(120, 40);
    world.chat("one", "One", 1).below("two");
    world.chat("two", "Two", 2).below("one");
    world.chat("three", "Three", 3).below("gone");
    world.look();
    assert_eq!(order(&world), ["One", "Two", "Three"]);
}

#[test]
fn today_begins_at_midnight_where_the_person_is() {
    let mut world = World::new(120, 40);
    // It is noon UTC, and the chat moved half an hour after midnight; twelve hours west it is midnight only now.
    world.chat("late", "Late", 11 * 60 + 30);
    world.press("V");
    assert!(matches!(
        world.state.views[&ME].sidebar.rows[0].what,
        What::Heading(Heading::Day(Day::Today))
    ));
    world.state.domain.live.facts.zone = Zone::parse("Etc/GMT+12").unwrap();
    world.look();
    assert!(matches!(
        world.state.views[&ME].sidebar.rows[0].what,
        What::Heading(Heading::Day(Day::Yesterday))
    ));
}

#[test]
fn a_row_says_what_tells_chats_of_one_name_apart_where_a_path_is_and_that_an_agent_retries() {
    let mut world = World::morning(80, 24);
    let path = "/home/mia/.parlour/chats/authaaaaaa/projects/grove/src/store/journal/segments.rs";
    let status = Status::NeedsYou(format!("Write: {path}"));
    world
        .state
        .domain
        .live
        .agents
        .get_mut(&id("auth"))
        .unwrap()
        .verdict
        .status = status;
    let retrying = Status::Retrying("rate limit".into());
    world
        .state
        .domain
        .live
        .agents
        .get_mut(&id("memcd"))
        .unwrap()
        .verdict
        .status = retrying;
    for (short, handle) in [("redis", "kid"), ("memcd", "kid-2")] {
        world.edits(short, |chat| {
            chat.record.name = "kid".into();
            chat.record.handle = Handle::parse(handle).unwrap();
        });
    }
    settle::settle(&mut world.state);
    let picture = world.picture();
    assert!(picture.contains("kid-2 "), "{picture}");
    assert!(picture.contains("retrying"), "{picture}");
    assert!(
        picture.matches("/segments.rs").count() >= 2,
        "row and header: {picture}"
    );
    assert!(!picture.contains(".parlour/chats"), "{picture}");
    let listed = parlour::domain::chat::json(&world.state.domain, &id("auth"));
    assert_eq!(listed["detail"], "Write: src/store/journal/segments.rs");
}

#[test]
fn a_key_binds_the_directory_that_one_came_from_to_the_selected_chat() {
    let mut world = World::morning(120, 40);
    let effects = world.press("j .");
    let (work, job) = works(&effects).remove(0);
    let bound = id("memcd");
    let binding = Binding::To(bound.clone(), "/home/mia/grove".into());
    assert_eq!(job, Work::Chat(ChatWork::Bind(binding)));
    world.done(work, Outcome::Chat(ChatDone::Bound(Some(bound))));
    let picture = world.picture();
    assert!(picture.contains("from now on."), "{picture}");
}

#[test]
fn a_bell_in_a_shell_that_nobody_looks_at_calls_as_one_in_a_window_does() {
    let mut world = World::new(120, 40);
    world.chat("one", "One", 1).runs(Status::Idle(None), "");
    world.chat("sh", "Shell", 2).shell(Status::Running(Some("make".into())));
    world.look();
    world.press("G");
    world.later(2_000);
    assert_eq!(world.view().chat, Some(id("one")));
    world.said("sh", PaneEvent::Bell);
    world.press("w");
    assert_eq!(world.view().chat, Some(id("sh")));
    // Of one that is before a person nothing is to be told.
    world.later(2_000);
    world.said("sh", PaneEvent::Bell);
    assert!(!world.state.domain.live.unseen.contains(&id("sh")));
}

/// The row of this chat, and the one below.
fn rows(world: &World, name: &str) -> [String; 2] {
    let picture = world.picture();
    let mut lines = picture
        .lines()
        .map(|line| line.split(['│', '├']).next().unwrap_or_default());
    let mut row = || lines.next().unwrap_or_default().trim_matches(['▌', ' ']).to_owned();
    loop {
        let first = row();
        assert!(!first.is_empty(), "{picture}");
        if first.contains(name) {
            return [first, row()];
        }
    }
}

#[test]
fn a_chat_that_was_interrupted_before_it_ran_anything_says_so_alone() {
    let name = "Please rename the two";
    let mut world = World::new(120, 40);
    world.chat("auth", name, 0).runs(Status::Running(None), "");
    world.reads(vec![interrupted()]);
    let says = |world: &mut World, preview: &str| {
        world.edits("auth", |chat| chat.preview = preview.into());
        world.look();
        rows(world, name)
    };
    let [first, second] = says(&mut world, "denied");
    assert!(
        !first.contains("interr") && second == "interrupted",
        "{first}\n{second}"
    );
    let [_, second] = says(&mut world, "I look at it");
    assert_eq!(second, "interrupted · I look at it");
}

#[test]
fn a_chat_whose_agent_was_killed_says_so_also_when_it_was_seen() {
    let mut world = World::new(120, 40);
    world.chat("auth", "Fix it", 0).ran("ended by signal 9", "");
    world.edits("auth", |chat| {
        chat.preview = "I look at it".into();
        chat.interrupted = true;
    });
    world.look();
    let [_, second] = rows(&world, "Fix it");
    assert!(second.starts_with("ended by signal 9 · I"), "{second}");
}

#[test]
fn a_child_whose_agent_was_killed_is_told_from_those_that_ended() {
    let mut world = World::new(120, 40);
    world.chat("boss", "Boss", 1).runs(Status::Idle(None), "");
    world
        .chat("auth", "Be slow then report", 0)
        .below("boss")
        .ran("ended by signal 9", "")
        .unseen();
    world.edits("auth", |chat| chat.preview = "Be slow, then report".into());
    world.look();
    let [first, second] = rows(&world, "Be slow");
    assert!(first.contains('✗') && first.contains("failed"), "{first}");
    assert!(second.contains("ended by signal 9"), "{first}\n{second}");
}
