//! A prompt for a CLI of which nothing but its screen is known: Enter is not to answer what was drawn meanwhile.

use parlour::model::{Activity, Source};

use crate::support::events::{custom, typed};
use crate::support::world::World;

const NOTHING: [&str; 0] = [];

/// It shows its prompt.
fn at_its_prompt() -> World {
    let mut world = World::unwatched(&["auth"]);
    world.run("auth", custom());
    world.shows_text("done\n> ");
    world.hears(Source::Screen, Activity::Idle);
    assert_eq!(typed(&world.send("fix it")), ["fix it"]);
    world
}

#[test]
fn a_paste_that_shows_is_entered() {
    let mut world = at_its_prompt();
    world.shows_text("done\n> fix it");
    assert_eq!(typed(&world.after(900)), ["\r"]);
}

/// Nothing more is waited for where all of it can be seen.
#[test]
fn a_paste_that_shows_is_entered_soon() {
    let mut world = at_its_prompt();
    assert_eq!(typed(&world.after(60)), NOTHING);
    world.shows_text("done\n> fix it");
    assert_eq!(typed(&world.after(100)), ["\r"]);
}

#[test]
fn a_paste_that_never_shows_or_is_folded_is_entered_a_little_later() {
    for shown in ["done\n> ", "done\n> [Pasted text #1]"] {
        let mut world = at_its_prompt();
        world.shows_text(shown);
        assert_eq!(typed(&world.after(900)), NOTHING);
        assert_eq!(typed(&world.after(200)), ["\r"]);
    }
}

#[test]
fn no_enter_goes_into_a_question_that_was_drawn_behind_the_paste() {
    let mut world = at_its_prompt();
    world.shows_text("Delete all files? (y/n) ");
    for _ in 0..10 {
        assert_eq!(typed(&world.after(1_000)), NOTHING);
    }
    world.hears(Source::Screen, Activity::Busy(None));
    // It was answered with a no, and what became of the paste nobody knows.
    world.shows_text("kept\n> ");
    assert_eq!(typed(&world.after(1_000)), NOTHING);
    world.after(20_000);
    world.hears(Source::Screen, Activity::Idle);
    assert_eq!(
        typed(&world.shows_text("kept\n> _")),
        ["fix it"],
        "as the screen changes"
    );
    world.shows_text("kept\n> fix it");
    assert_eq!(typed(&world.after(900)), ["\r"]);
}

#[test]
fn what_was_left_is_not_pasted_into_a_question_that_stands() {
    let mut world = at_its_prompt();
    world.shows_text("> \nDelete all files? (y/n) ");
    for _ in 0..90 {
        assert_eq!(typed(&world.after(1_000)), NOTHING);
    }
    assert_eq!(typed(&world.shows_text("kept\n> ")), ["fix it"]);
}
