//! The mouse in copy mode: it scrolls, puts the cursor somewhere, and selects.

use crossterm::event::{MouseButton, MouseEventKind};
use parlour::app::update;
use parlour::domain::event::PtyEvent;
use parlour::domain::{Effect, Event, PaneOrder};
use parlour::screen::layout;

use super::reading::{build, copy, copy_lines, numbered, shows, spot, wrote};
use crate::support::world::{ME, World, scrolled};

const LINES: u32 = 180;
const NEWEST: u64 = 145;

fn at(world: &mut World, col: u16, row: u16) -> (u16, u16) {
    let pane = layout::arrange(world.view()).pane;
    (pane.x + col, pane.y + row)
}

/// Turns the wheel by a notch, and the terminal's thread sends what is wanted then.
fn turn(world: &mut World, way: MouseEventKind) -> Vec<Effect> {
    let (x, y) = at(world, 20, 20);
    let effects = world.mouse(way, x, y);
    if let Some(top) = world.view().reading.top {
        let back = usize::try_from(NEWEST - top).unwrap();
        let view = scrolled(&numbered(LINES), layout::pane_size(world.view()), back);
        let event = PtyEvent::View(ME, view);
        update(&mut world.state, Event::Pty(build().into(), event));
    }
    effects
}

fn click(world: &mut World, col: u16, row: u16) -> Vec<Effect> {
    let (x, y) = at(world, col, row);
    let mut effects = world.click(x, y);
    effects.extend(world.mouse(MouseEventKind::Up(MouseButton::Left), x, y));
    effects
}

fn drag(world: &mut World, from: (u16, u16), to: (u16, u16)) -> Vec<Effect> {
    let ((x, y), (to_x, to_y)) = (at(world, from.0, from.1), at(world, to.0, to.1));
    world.click(x, y);
    world.mouse(MouseEventKind::Drag(MouseButton::Left), to_x, to_y);
    world.mouse(MouseEventKind::Up(MouseButton::Left), to_x, to_y)
}

fn cursor(world: &mut World) -> (u64, u16) {
    let cursor = world.view().reading.copy.unwrap().cursor;
    (cursor.line, cursor.col)
}

#[test]
fn the_wheel_goes_on_and_takes_the_cursor_and_a_selection_along() {
    let mut world = wrote(&numbered(LINES));
    world.press("v k k v");
    let (line, _) = cursor(&mut world);
    for turns in 1..=4 {
        assert_eq!(turn(&mut world, MouseEventKind::ScrollUp), [shows(NEWEST - 3 * turns)]);
        assert_eq!(cursor(&mut world).0, line - 3 * turns);
    }
    assert_eq!(world.press("y"), [copy(spot(line - 12, 0), spot(line, 0))]);
}

#[test]
fn the_wheel_leads_down_from_the_oldest_line_and_stops_at_the_ends() {
    let mut world = wrote(&numbered(LINES));
    world.press("v g");
    assert_eq!(turn(&mut world, MouseEventKind::ScrollUp), []);
    assert_eq!(cursor(&mut world).0, 0);
    assert_eq!(turn(&mut world, MouseEventKind::ScrollDown), [shows(3)]);
    assert_eq!(turn(&mut world, MouseEventKind::ScrollDown), [shows(6)]);
    assert_eq!(cursor(&mut world).0, 6);
    world.press("G");
    let end = cursor(&mut world);
    assert_eq!(turn(&mut world, MouseEventKind::ScrollDown), []);
    assert_eq!(cursor(&mut world), end);
    assert!(world.view().reading.copy.is_some());
}

#[test]
fn a_click_puts_the_cursor_there_and_what_was_begun_reaches_to_it() {
    let mut world = wrote(&numbered(LINES));
    world.press("enter ctrl+q v");
    assert_eq!(click(&mut world, 5, 4), []);
    assert_eq!(cursor(&mut world), (NEWEST + 4, 5));
    world.press("v");
    click(&mut world, 3, 9);
    assert_eq!(world.press("y"), [copy(spot(NEWEST + 4, 5), spot(NEWEST + 9, 3))]);
}

#[test]
fn a_click_leaves_the_line_whole_that_was_begun_with_and_is_out_of_sight() {
    let mut world = wrote(&numbered(LINES));
    world.press("enter ctrl+q v");
    click(&mut world, 5, 30);
    world.press("V");
    for _ in 0..15 {
        turn(&mut world, MouseEventKind::ScrollUp);
    }
    click(&mut world, 3, 2);
    let last = layout::pane_size(world.view()).cols - 1;
    let (from, to) = (spot(NEWEST - 45 + 2, 0), spot(NEWEST + 30, last));
    assert_eq!(world.press("y"), [copy_lines(from, to)]);
}

#[test]
fn a_second_click_takes_the_word_a_third_the_line_and_a_drag_what_it_crosses() {
    let mut world = wrote(&numbered(LINES));
    world.press("enter ctrl+q v");
    click(&mut world, 6, 4);
    assert_eq!(
        click(&mut world, 6, 4),
        [copy(spot(NEWEST + 4, 5), spot(NEWEST + 4, 7))]
    );
    let last = layout::pane_size(world.view()).cols - 1;
    assert_eq!(
        click(&mut world, 6, 4),
        [copy_lines(spot(NEWEST + 4, 0), spot(NEWEST + 4, last))]
    );
    assert!(world.view().reading.copy.is_none());
    // Who took something by the mouse types on at once.
    let typed = Effect::Pane(build().into(), PaneOrder::Input(b"x".to_vec()));
    assert_eq!(world.press("x"), [typed]);
    world.press("ctrl+q v v");
    assert_eq!(
        drag(&mut world, (2, 3), (4, 5)),
        [copy(spot(NEWEST + 3, 2), spot(NEWEST + 5, 4))]
    );
    assert!(world.view().reading.copy.is_none());
}

#[test]
fn a_drag_beyond_the_edge_goes_on_in_copy_mode() {
    let mut world = wrote(&numbered(LINES));
    world.press("v");
    let (x, y) = at(&mut world, 4, 2);
    world.click(x, y);
    world.later(100);
    assert!(
        world
            .mouse(MouseEventKind::Drag(MouseButton::Left), x, y - 3)
            .contains(&shows(NEWEST - 1))
    );
    let view = scrolled(&numbered(LINES), layout::pane_size(world.view()), 1);
    update(&mut world.state, Event::Pty(build().into(), PtyEvent::View(ME, view)));
    assert_eq!(world.view().reading.top, Some(NEWEST - 1));
    let effects = world.mouse(MouseEventKind::Up(MouseButton::Left), x, y - 3);
    assert_eq!(effects, [copy(spot(NEWEST - 1, 0), spot(NEWEST + 2, 4))]);
}
