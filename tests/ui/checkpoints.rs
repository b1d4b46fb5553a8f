//! The Checkpoints tab.

use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{ReviewDone, ReviewWork, Work};
use parlour::model::lineage::PointList;

use crate::support::review::{answer, listed};
use crate::support::world::World;

fn at_four_sizes(name: &str, what: &str, build: impl Fn(u16, u16) -> World) {
    super::pictured(&format!("checkpoints.{name}"), what, build);
}

fn pressed(cols: u16, rows: u16, keys: &str) -> World {
    let mut world = listed(cols, rows);
    world.press_each(keys, answer);
    world
}

#[test]
fn checkpoints_stand_newest_first_with_their_causes() {
    at_four_sizes(
        "list",
        "Eleven checkpoints; 11 is selected and the base; turn 4 is crossed out; its files are told of.",
        listed,
    );
}

#[test]
fn what_a_checkpoint_does_not_hold_has_reasons() {
    at_four_sizes(
        "left-out",
        "Three paths of checkpoint 11 with why each is left out.",
        |cols, rows| pressed(cols, rows, "o"),
    );
}

#[test]
fn a_turn_that_was_gone_back_before_says_so() {
    at_four_sizes(
        "gone-back",
        "Checkpoint 9 is selected; 11 is marked; a note says that turn 4 was taken back.",
        |cols, rows| pressed(cols, rows, "m j j"),
    );
}

#[test]
fn going_back_to_a_checkpoint_is_asked_about() {
    at_four_sizes(
        "revert",
        "The dialog names checkpoint 10; Cancel has the focus.",
        |cols, rows| pressed(cols, rows, "j R"),
    );
}

#[test]
fn forks_stand_below_their_original_and_at_their_checkpoint() {
    at_four_sizes(
        "forks",
        "Checkpoint 9 has the fork fork-fix-auth, 10 has two; all three stand below Fix auth bug in the sidebar.",
        |cols, rows| {
            let mut world = listed(cols, rows);
            for (id, name, number) in [
                ("one", "fork: Fix auth", 9),
                ("two", "With Redis", 10),
                ("three", "Without", 10),
            ] {
                world.chat(id, name, 1).forked_from("auth", number).ended("stopped");
            }
            world
        },
    );
}

#[test]
fn an_empty_list_says_what_to_do() {
    at_four_sizes(
        "empty",
        "No checkpoint yet, with the key that saves one.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            for effect in world.press("h") {
                let Effect::Work(number, Work::Review(ReviewWork::Points(chat))) = effect else {
                    continue;
                };
                let list = PointList {
                    checkpoints: Vec::new(),
                    bytes: 0,
                };
                let done = ReviewDone::Points(chat, list);
                world.happens(Event::Done(number, Outcome::Review(done)));
            }
            world
        },
    );
}
