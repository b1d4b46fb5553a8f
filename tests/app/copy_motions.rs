//! Where the cursor of copy mode goes by the keys of vi.

use parlour::app::update;
use parlour::domain::event::PtyEvent;
use parlour::domain::{Effect, Event};
use parlour::screen::layout;

use super::reading::{build, copy, numbered, shows, spot, wrote};
use crate::support::world::{ME, World, scrolled};

fn at(world: &mut World) -> (u64, u16) {
    let cursor = world.view().reading.copy.unwrap().cursor;
    (cursor.line, cursor.col)
}

/// The lines that were asked for have come: so many above the newest.
fn came(world: &mut World, text: &str, back: usize) -> Vec<Effect> {
    let screen = scrolled(text, layout::pane_size(world.view()), back);
    update(&mut world.state, Event::Pty(build().into(), PtyEvent::View(ME, screen)))
}

#[test]
fn a_count_says_how_often_the_motion_behind_it_goes() {
    let mut world = wrote(&numbered(30));
    world.press("v g 1 0");
    assert!(world.picture().contains("10 times"), "{}", world.picture());
    world.press("j");
    assert_eq!(at(&mut world), (10, 0));
    world.press("3 l");
    assert_eq!(at(&mut world), (10, 3));
    world.press("4 k");
    assert_eq!(at(&mut world), (6, 3), "the count before is over");
    world.press("0");
    assert_eq!(at(&mut world), (6, 0), "a zero alone is the start of the line");
    world.press("2 w");
    assert_eq!(at(&mut world), (7, 0));
}

#[test]
fn the_other_end_of_what_is_selected_can_be_moved() {
    let mut world = wrote(&numbered(30));
    world.press("v g v 5 j o");
    assert_eq!(at(&mut world), (0, 0));
    let effects = world.press("2 j y");
    assert!(effects.contains(&copy(spot(2, 0), spot(5, 0))), "{effects:?}");
    world.later(1_000);
    world.press("v o");
    let told = world.view().over.toasts.last().unwrap().text.clone();
    assert_eq!(told, "Nothing was selected: v begins.");
    assert!(world.view().reading.copy.is_some());
}

#[test]
fn the_top_the_middle_and_the_bottom_are_those_of_what_is_seen() {
    let mut world = wrote(&numbered(180));
    world.press("v");
    let effects = world.press("H");
    assert_eq!((at(&mut world), effects), ((145, 0), vec![]));
    world.press("L");
    assert_eq!(at(&mut world), (180, 0));
    world.press("M");
    assert_eq!(at(&mut world), (162, 0));
}

#[test]
fn long_words_end_at_blanks_alone() {
    let mut world = wrote("a-b(c) d.e,f g\n");
    world.press("v g w");
    assert_eq!(at(&mut world), (0, 3));
    world.press("0 W");
    assert_eq!(at(&mut world), (0, 7));
    world.press("E");
    assert_eq!(at(&mut world), (0, 11));
    world.press("B");
    assert_eq!(at(&mut world), (0, 7));
}

#[test]
fn paragraphs_end_at_empty_lines() {
    let mut world = wrote("a\nb\n\nc\nd\n");
    world.press("v g l }");
    assert_eq!(at(&mut world), (2, 0));
    world.press("}");
    assert_eq!(at(&mut world), (5, 0));
    world.press("2 {");
    assert_eq!(at(&mut world), (0, 0), "there is none above the first");
}

#[test]
fn an_empty_line_further_back_is_looked_for_a_screen_at_a_time() {
    let text = format!("{}\n{}", numbered(60), numbered(119));
    let mut world = wrote(&text);
    world.press("v");
    assert_eq!(world.press("{"), [shows(110)]);
    assert_eq!(came(&mut world, &text, 35), [shows(75)]);
    assert_eq!(came(&mut world, &text, 70), [shows(40)]);
    assert_eq!(came(&mut world, &text, 105), []);
    assert_eq!(at(&mut world), (60, 0));
}
