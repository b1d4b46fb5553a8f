//! Whether keys and clicks go through the chats or through the lines of a terminal, and what is kept of where one was in it.

use parlour::domain::Event;
use parlour::domain::event::DiskEvent;
use parlour::model::{CallId, Status};
use parlour::screen::view::{Focus, Mode};

use super::reading::{build, numbered, shows, wrote};
use crate::support::events::bash_asked;
use crate::support::world::{ME, World};

#[test]
fn a_second_click_that_comes_late_is_no_double_click() {
    let mut world = World::morning(120, 40);
    world.click(8, 4);
    world.later(400);
    world.click(8, 4);
    assert_eq!(
        (world.selected(), world.state.views[&ME].mode),
        ("Try Redis", Mode::Outside)
    );
    world.later(399);
    world.click(8, 4);
    assert_eq!(world.view().mode, Mode::Agent);
}

#[test]
fn in_the_terminal_the_keys_that_move_go_through_its_lines_and_in_the_list_through_the_chats() {
    let mut world = wrote(&numbered(180));
    world.chat("other", "Other", 9);
    world.look();
    let said = |world: &World| world.picture().lines().rev().nth(1).unwrap_or_default().to_string();
    world.press("tab");
    let chat = world.view().chat.clone();
    assert_eq!(world.press("j"), []);
    assert!(
        said(&world).contains("j does nothing here: this is the newest line"),
        "{}",
        said(&world)
    );
    world.later(2_000);
    assert_eq!(world.press("k"), [shows(144)]);
    assert_eq!(world.press("g"), [shows(0)]);
    assert!(said(&world).starts_with(" VIEW  Enter"), "{}", said(&world));
    assert_eq!(world.press("up"), []);
    assert!(
        said(&world).contains("↑ does nothing here: this is the oldest line"),
        "{}",
        said(&world)
    );
    assert_eq!(world.press("G"), []);
    assert_eq!(
        (world.view().reading.top, world.view().chat.clone()),
        (None, chat.clone())
    );
    world.press("tab");
    while world.view().focus != Focus::Sidebar {
        world.press("tab");
    }
    world.press("G");
    assert_ne!(world.view().chat, chat);
    world.press("g");
    assert_eq!(world.view().chat, chat);
}

#[test]
fn what_an_agent_asks_is_seen_by_whoever_comes_to_it_though_they_had_scrolled_back() {
    let mut world = wrote(&numbered(180));
    world.chat("docs", "Docs", 3).runs(Status::Running(None), "");
    world.look();
    world.press("pageup ctrl+q 2");
    assert_eq!(world.view().tabs.read.len(), 1);
    world.happens(Event::Hook(CallId(21), build(), vec![bash_asked("make")]));
    assert!(matches!(world.state.domain.status(&build()), Status::NeedsYou(_)));
    world.press("ctrl+q 1");
    assert_eq!(
        (world.view().chat.clone(), world.view().reading.top),
        (Some(build()), None)
    );
    assert!(world.view().tabs.read.is_empty());
}

#[test]
fn where_one_was_is_forgotten_with_the_chat() {
    let mut world = wrote(&numbered(180));
    world.chat("docs", "Docs", 3).runs(Status::Running(None), "");
    world.look();
    world.press("pageup ctrl+q 2");
    assert_eq!(world.view().tabs.read.len(), 1);
    world.happens(Event::Disk(DiskEvent::ChatGone(build())));
    assert!(world.view().tabs.read.is_empty());
}

#[test]
fn where_one_was_is_forgotten_where_the_chat_was_left_at_its_newest_line_through_the_grid() {
    let mut world = wrote(&numbered(180));
    world.chat("docs", "Docs", 3).runs(Status::Running(None), "");
    world.look();
    world.press("pageup ctrl+q 2 ctrl+q Z ctrl+q 1 ctrl+q Z");
    assert_eq!(
        (world.view().chat.clone(), world.view().reading.top),
        (Some(build()), None)
    );
    world.press("ctrl+q 2");
    assert!(world.view().tabs.read.is_empty());
}
