//! Keys that move in what is longer than its room, and keys that do no harm where another place is meant.

use parlour::domain::event::{DiskEvent, Level, LogLine};
use parlour::domain::{Effect, Event, PaneOrder, Work, schedule};
use parlour::model::{ScheduleId, Status};
use parlour::screen::dialog::Dialog;
use parlour::screen::surface::Surface;
use parlour::screen::tab::transcript;

use crate::support::events::jobs;
use crate::support::transcript::{Paper, numbered, read, said};
use crate::support::world::{World, id, scrolled};

fn copies_of_chats(effects: &[Effect]) -> usize {
    let is_copy = |job: &Work| format!("{job:?}").contains("Duplicate");
    jobs(effects).iter().filter(|job| is_copy(job)).count()
}

#[test]
fn the_letter_that_copies_text_makes_no_chat_in_another_place() {
    for keys in ["y", "tab y"] {
        let mut world = World::morning(120, 40);
        assert_eq!(world.press(keys), [], "{keys}");
    }
    let mut world = World::morning(120, 40);
    assert_eq!(copies_of_chats(&world.press("+")), 0, "it asks first");
    world.calm();
    assert_eq!(copies_of_chats(&world.press("y")), 1);
}

#[test]
fn the_list_of_commands_has_ends() {
    let at = |world: &World| match &world.state.views[&crate::support::world::ME].over.dialog {
        Some(Dialog::Palette(palette)) => palette.picker.at,
        _ => panic!("the palette is not open"),
    };
    let mut world = World::morning(120, 40);
    world.press(": ctrl+end");
    let last = at(&world);
    world.press("down");
    assert_eq!((last > 50, at(&world)), (true, last));
    world.press("ctrl+home");
    assert_eq!(at(&world), 0);
}

#[test]
fn the_filter_turns_pages() {
    let mut world = World::new(120, 40);
    for (number, letter) in (0..).zip('a'..='z') {
        world.chat(&format!("chat{letter}"), &format!("Chat {letter}"), number);
    }
    world.look();
    world.press("g /");
    let first = world.selected().to_string();
    world.press("pagedown");
    let tenth = world.selected().to_string();
    world.press("up up up up up up up up up up");
    assert_eq!(world.selected(), first);
    world.press("pagedown");
    assert_eq!((world.selected(), tenth == first), (tenth.as_str(), false));
    world.press("pageup pageup");
    assert_eq!(world.selected(), first);
}

#[test]
fn of_very_many_that_match_the_best_are_listed_and_the_others_counted() {
    let letters = |number: i64| {
        number
            .to_string()
            .bytes()
            .map(|digit| char::from(digit + 50))
            .collect::<String>()
    };
    let mut world = World::new(120, 40);
    for number in 0..510 {
        world.chat(&letters(number), &format!("a row {number}"), 60 + number);
    }
    world.chat("best", "rows", 30 * 24 * 60);
    world.look();
    let mut found = |keys: &str| {
        world.press(keys);
        let listed = world.view().sidebar.chats().count();
        (
            listed,
            world.selected().to_string(),
            world.picture().contains("11 more"),
        )
    };
    assert_eq!(found("/ r o w"), (500, "a row 0".to_string(), true));
    assert_eq!(found("s"), (1, "rows".to_string(), false));
}

#[test]
fn all_chats_of_the_list_are_marked_at_once_or_none() {
    let mut world = World::morning(120, 40);
    let all = world.view().sidebar.chats().count();
    world.press("M ctrl+a");
    assert_eq!(world.view().sidebar.marked.len(), all);
    world.press("ctrl+a");
    assert!(world.view().sidebar.marked.is_empty());
}

#[test]
fn pages_are_turned_while_words_to_search_for_are_typed() {
    let mut world = World::new(120, 40);
    let text: String = (1..=200).map(|line| format!("line {line}\n")).collect();
    world
        .chat("build", "Watch the build", 2)
        .runs(Status::Running(None), "");
    world.look();
    let size = parlour::screen::layout::pane_size(world.view());
    let screen = parlour::domain::event::PtyEvent::Screen(scrolled(&text, size, 0));
    world.happens(parlour::domain::Event::Pty(id("build").into(), screen));
    world.press("v /");
    let cursor = |world: &mut World| world.view().reading.copy.unwrap().cursor.line;
    let begun = cursor(&mut world);
    world.press("pageup");
    let above = cursor(&mut world);
    assert!(above < begun, "{above} of {begun}");
    assert_eq!(world.view().surface(), Surface::Search, "the words are typed on");
    let found = world.press("l");
    assert!(
        matches!(&found[..], [Effect::Pane(_, PaneOrder::Find { words, .. })] if words == "l"),
        "{found:?}"
    );
    // Given up, one is where one looked last.
    world.press("pagedown ctrl+c");
    assert_eq!((world.view().surface(), cursor(&mut world)), (Surface::Copy, begun));
}

#[test]
fn the_runs_of_a_cancelled_schedule_keep_its_name() {
    let mut world = World::new(120, 40);
    let gone = ScheduleId::from_bits(7);
    for (chat, name, age) in [
        ("ash", "Hello cron", 3),
        ("elm", "Hello cron", 2),
        ("fir", "Renamed", 1),
    ] {
        world.chat(chat, name, age).ended("ended");
        world.edits(chat, |chat| chat.record.schedule = Some(gone.to_string()));
    }
    world.look();
    let picture = world.picture();
    assert!(picture.contains("⏱ Hello cron (canc"), "{picture}");
    assert_eq!(schedule::called(&world.state.domain, &gone), "Hello cron (cancelled)");
}

#[test]
fn half_pages_go_by_the_keys_of_copy_mode_where_no_text_is_typed() {
    let told = (0..200).map(|at| said(&format!("answer {at}")));
    let paper = Paper {
        entries: numbered(told.collect()),
        gap_behind: None,
        is_terminal_gone: false,
    };
    let mut world = read(120, 40, &paper);
    let half = transcript::place::areas(world.view()).list.height / 2;
    world.press(&["up"].repeat(half.into()).join(" "));
    let above = world.picture();
    world.press("G ctrl+u");
    assert_eq!(world.picture(), above);
    world.press("G");
    let newest = world.picture();
    world.press("ctrl+u ctrl+d");
    assert_eq!(world.picture(), newest);

    let mut world = World::morning(80, 24);
    for number in 0..200 {
        world.updates(Event::Disk(DiskEvent::Log(LogLine {
            at: world.state.domain.now,
            level: Level::Info,
            text: format!("line {number}"),
        })));
    }
    world.press("L g");
    let first = world.picture();
    world.press("ctrl+d");
    assert_ne!(world.picture(), first);
    world.press("ctrl+u");
    assert_eq!(world.picture(), first);
}
