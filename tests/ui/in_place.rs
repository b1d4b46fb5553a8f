//! The Changes tab of directories that a person opened in place.

use parlour::model::in_place::Uncompared;
use parlour::model::review::{Changes, DiffSet};

use crate::support::in_place::{in_place, places, press_in_place};
use crate::support::review::overview;
use crate::support::world::World;

fn at_four_sizes(name: &str, what: &str, build: impl Fn(u16, u16) -> World) {
    super::pictured(&format!("changes.in-place{name}"), what, build);
}

fn pressed(cols: u16, rows: u16, keys: &str) -> World {
    let mut world = in_place(cols, rows, &places());
    press_in_place(&mut world, keys, &places());
    world
}

#[test]
fn files_of_places_are_shown_as_those_of_clones_are() {
    at_four_sizes(
        "",
        "Two repositories in place with files, counts and what is staged, and a directory that is none; no key changes anything.",
        |cols, rows| pressed(cols, rows, ""),
    );
    at_four_sizes(
        "-lines",
        "The lines of a file, with keys to remark, to search, to copy and to edit.",
        |cols, rows| pressed(cols, rows, "j j enter"),
    );
}

#[test]
fn what_is_left_out_is_told_beside_the_place() {
    at_four_sizes(
        "-left-out",
        "The second place is chosen, and says how many untracked files are not shown.",
        |cols, rows| pressed(cols, rows, "j j j j j"),
    );
}

#[test]
fn the_menu_of_comparisons_says_which_are_for_clones() {
    at_four_sizes("-sets", "One comparison is possible.", |cols, rows| {
        pressed(cols, rows, "c")
    });
}

#[test]
fn a_place_stands_beside_clones_under_its_name() {
    let mixed = || -> Vec<Changes> {
        let clones = overview(DiffSet::LastPrompt).changes;
        clones.into_iter().take(1).chain(places().into_iter().skip(1)).collect()
    };
    at_four_sizes(
        "-mixed",
        "grove is a clone and compared with the last prompt; data is in place, and compared with its last commit.",
        |cols, rows| {
            let mut world = World::morning(cols, rows);
            press_in_place(&mut world, "d", &mixed());
            world
        },
    );
}

#[test]
fn where_nothing_differs_it_says_from_what_and_what_is_no_repository() {
    let same = || -> Vec<Changes> {
        let without = |place: Changes| Changes {
            files: Vec::new(),
            ..place
        };
        places().into_iter().map(without).collect()
    };
    at_four_sizes(
        "-nothing",
        "No file of grove and data differs; notes is no repository.",
        |cols, rows| in_place(cols, rows, &same()),
    );
    let why = "reading /home/mia/grove: the index is split";
    let unread = || {
        vec![Changes {
            files: Vec::new(),
            left_out: Some(Uncompared::Unreadable { why: why.into() }),
            ..places().remove(0)
        }]
    };
    at_four_sizes("-unread", "The repository cannot be read, and why.", |cols, rows| {
        in_place(cols, rows, &unread())
    });
}
