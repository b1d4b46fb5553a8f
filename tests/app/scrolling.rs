//! Bars beside what is longer than its place follow the mouse: a press beside the thumb, a drag, and letting go.

use crossterm::event::{MouseButton, MouseEventKind};
use parlour::config::theme::Theme;
use parlour::domain::Event;
use parlour::domain::event::{DiskEvent, Level, LogLine};
use parlour::model::{CallId, HookEvent, Status};
use parlour::screen::dialog::Dialog;
use serde_json::json;

use crate::support::paper::draw;
use crate::support::world::{ME, World, id};

const HELD: MouseEventKind = MouseEventKind::Drag(MouseButton::Left);
const LET_GO: MouseEventKind = MouseEventKind::Up(MouseButton::Left);

/// The cells of thumbs, from the top; the column of the last one alone.
fn thumb(world: &World) -> Vec<(u16, u16)> {
    let drawn = draw(&world.state, ME, &Theme::dark()).buffer;
    let area = drawn.area;
    let cells = (0..area.width)
        .rev()
        .flat_map(|x| (0..area.height).map(move |y| (x, y)));
    let thumbs: Vec<_> = cells.filter(|at| matches!(drawn[*at].symbol(), "▐" | "┃")).collect();
    let column = thumbs.first().map(|(x, _)| *x);
    thumbs.into_iter().filter(|(x, _)| Some(*x) == column).collect()
}

/// Drags the thumb to the bottom and back, and says what was seen there.
fn dragged_to_the_end(world: &mut World, what: &str) -> String {
    let before = world.picture();
    let held = thumb(world);
    let first = *held.first().unwrap_or_else(|| panic!("{what} has no thumb:\n{before}"));
    world.click(first.0, first.1);
    assert_eq!(thumb(world), held, "{what}: a press on the thumb moves nothing");
    for y in first.1..world.state.views[&ME].size.rows {
        world.mouse(HELD, first.0 - 1, y);
    }
    let end = world.picture();
    assert_ne!(end, before, "{what} stays where it is");
    world.mouse(HELD, first.0, 0);
    world.mouse(LET_GO, first.0, 0);
    assert_eq!(
        thumb(world).first(),
        Some(&first),
        "{what} does not come back:\n{}",
        world.picture()
    );
    end
}

fn short(number: u8) -> String {
    let letter = |at: u8| char::from(b'b' + at);
    [letter(number / 10), letter(number % 10)].iter().collect()
}

fn many_chats(cols: u16, rows: u16) -> World {
    let mut world = World::new(cols, rows);
    for number in 0..60 {
        world
            .chat(&short(number), &format!("Chat {number}"), 5)
            .runs(Status::Idle(None), "");
    }
    world.look();
    world
}

#[test]
fn each_page_and_list_follows_its_thumb() {
    for (cols, rows) in [(120, 30), (80, 24), (60, 20)] {
        for (keys, last) in [("?", ""), (":", ""), ("L", "line 199")] {
            let mut world = World::morning(cols, rows);
            for number in 0..200 {
                world.updates(Event::Disk(DiskEvent::Log(LogLine {
                    at: world.state.domain.now,
                    level: Level::Info,
                    text: format!("line {number}"),
                })));
            }
            world.look();
            world.press("esc");
            world.press(keys);
            if keys == "L" {
                world.press("g");
            }
            let end = dragged_to_the_end(&mut world, &format!("{keys} at {cols}x{rows}"));
            assert!(!end.contains(" more ─") && end.contains(last), "{keys}:\n{end}");
        }
    }
}

#[test]
fn the_sidebar_follows_its_thumb_and_its_border_is_dragged_beside_it() {
    let mut world = many_chats(120, 30);
    let end = dragged_to_the_end(&mut world, "the sidebar");
    assert!(end.contains("Chat 59"), "{end}");
    let (x, _) = thumb(&world)[0];
    world.click(x, 25);
    world.mouse(HELD, x + 6, 25);
    world.mouse(LET_GO, x + 6, 25);
    assert_eq!(thumb(&world)[0].0, x + 6);
}

#[test]
fn a_press_beside_the_thumb_brings_it_there() {
    let mut world = World::morning(80, 24);
    world.look();
    world.press("esc ?");
    let held = thumb(&world);
    let (x, last) = *held.last().unwrap();
    world.click(x, last + 6);
    assert!(thumb(&world).contains(&(x, last + 6)), "{}", world.picture());
    world.mouse(LET_GO, x, last + 6);
    // The wheel goes on from there, and a mouse that only moves holds nothing.
    world.mouse(HELD, x, 0);
    assert!(thumb(&world).contains(&(x, last + 6)));
}

#[test]
fn a_list_that_another_thing_lies_over_stays_where_it_is() {
    let mut world = many_chats(120, 30);
    let (x, y) = thumb(&world)[0];
    world.press(":");
    world.click(x, y);
    world.mouse(HELD, x, 25);
    world.mouse(LET_GO, x, 25);
    assert_eq!(world.state.views[&ME].sidebar.scroll, 0);
    assert!(world.state.domain.disk.chats.contains_key(&id(&short(0))));
}

#[test]
fn the_wheel_goes_through_the_settings_whichever_column_has_the_keys() {
    let mut world = World::at_settings(120, 40, json!({}));
    world.press("left");
    let at = |world: &World| match &world.state.views[&ME].over.dialog {
        Some(Dialog::Settings(page)) => (page.at, page.section),
        _ => panic!("the settings are open"),
    };
    let before = at(&world);
    world.mouse(MouseEventKind::ScrollDown, 60, 10);
    let after = at(&world);
    assert!(after.0 > before.0 && after.1 == before.1, "{before:?} {after:?}");
    world.mouse(MouseEventKind::ScrollUp, 60, 10);
    assert_eq!(at(&world), before);
}

#[test]
fn the_wheel_over_the_list_of_questions_goes_to_the_next() {
    let mut world = World::morning(120, 40);
    for (chat, call) in [("auth", 21), ("dates", 22)] {
        let asked = HookEvent::PermissionAsked {
            reach: Vec::new(),
            tool: "Bash".into(),
            input: json!({"command": format!("echo {chat}")}),
        };
        world.happens(Event::Hook(CallId(call), id(chat), vec![asked]));
    }
    world.press("esc a");
    let at = |world: &World| match &world.state.views[&ME].over.dialog {
        Some(Dialog::Approvals(queue)) => queue.at.clone(),
        _ => panic!("the questions are open"),
    };
    let before = at(&world);
    // It stands in the middle, four fifths of the screen: the list is at its left.
    world.mouse(MouseEventKind::ScrollDown, 20, 8);
    assert_ne!(at(&world), before, "{}", world.picture());
    world.mouse(MouseEventKind::ScrollUp, 20, 8);
    assert_eq!(at(&world), before);
    world.mouse(MouseEventKind::ScrollDown, 80, 12);
    assert_eq!(at(&world), before, "over the question it scrolls that");
}
