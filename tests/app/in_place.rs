//! Keys of the Changes tab where a person's own directories are open in place.

use parlour::domain::work::ReviewWork;
use parlour::model::review::DiffSet;
use parlour::screen::dialog::Dialog;

use crate::support::in_place::{in_place, places, press_in_place};
use crate::support::review::overview;
use crate::support::world::World;

const READ_ONLY: &str = "grove is your own directory, opened in place";
const ONE_COMPARISON: &str = "What is open in place is compared";

fn opened() -> World {
    in_place(140, 40, &places())
}

#[test]
fn it_compares_with_the_last_commit_whatever_was_compared_before() {
    let mut world = opened();
    assert_eq!(world.view().changes.set, DiffSet::Uncommitted);
    let asked = press_in_place(&mut world, "r", &places());
    assert!(
        matches!(&asked[0], ReviewWork::Overview(_, DiffSet::Uncommitted)),
        "{asked:?}"
    );
}

#[test]
fn what_would_change_the_repository_says_in_a_sentence_why_it_does_not() {
    for keys in ["space", "x", "p", "R", "u", "C", "A", "O", "enter space", "enter x"] {
        let mut world = opened();
        let asked = press_in_place(&mut world, keys, &places());
        let picture = world.picture();
        assert!(picture.contains(READ_ONLY), "{keys}: {picture}");
        assert!(world.view().over.dialog.is_none(), "{keys}");
        let changes = |work: &ReviewWork| {
            !matches!(
                work,
                ReviewWork::File(..) | ReviewWork::Overview(..) | ReviewWork::Remark(..)
            )
        };
        assert!(!asked.iter().any(changes), "{keys}: {asked:?}");
    }
}

#[test]
fn other_comparisons_say_why_there_are_none() {
    for keys in ["c b", "c o", "c a", "=", "enter j B"] {
        let mut world = opened();
        press_in_place(&mut world, keys, &places());
        let picture = world.picture();
        assert!(picture.contains(ONE_COMPARISON), "{keys}: {picture}");
        assert_eq!(world.view().changes.set, DiffSet::Uncommitted, "{keys}");
    }
    let mut world = opened();
    press_in_place(&mut world, "c u", &places());
    assert!(!world.picture().contains(ONE_COMPARISON));
}

#[test]
fn remarks_searches_and_copies_work_as_in_a_clone() {
    let mut world = opened();
    press_in_place(&mut world, "enter j enter", &places());
    assert!(matches!(world.view().over.dialog, Some(Dialog::Remark(_))));
    let mut world = opened();
    let asked = press_in_place(&mut world, "enter y", &places());
    assert!(
        asked.iter().any(|work| matches!(work, ReviewWork::Detail(..))),
        "{asked:?}"
    );
    let asked = press_in_place(&mut world, "/ c l a i m s enter", &places());
    assert!(
        asked.iter().any(|work| matches!(work, ReviewWork::Detail(..))),
        "{asked:?}"
    );
    assert!(world.view().changes.search.is_on());
}

#[test]
fn beside_a_clone_the_files_of_the_place_alone_are_left_as_they_are() {
    let mut mixed = overview(DiffSet::LastPrompt).changes;
    mixed.extend(places().into_iter().skip(1));
    let mut world = World::morning(140, 40);
    press_in_place(&mut world, "d", &mixed);
    press_in_place(&mut world, "x", &mixed);
    assert!(world.view().over.dialog.is_some(), "a file of a clone is discarded");
    press_in_place(&mut world, "esc G k space", &mixed);
    let picture = world.picture();
    assert!(picture.contains("data is your own directory"), "{picture}");
    press_in_place(&mut world, "p", &mixed);
    assert!(world.view().over.dialog.is_some(), "the clones are kept as ever");
}
