//! From a changed line to the turn and the card that wrote it, and from a card to the lines that it changed.

use parlour::domain::work::ReviewWork;
use parlour::model::detail::DetailWork;
use parlour::model::origin::{AskedLine, LineAsk, ShownUpTo};
use parlour::model::review::DiffSet;
use parlour::screen::keymap::PaneSheet;
use parlour::screen::tab::changes::{ChangesPart, told_turn};
use parlour::screen::view::{Focus, Tab};

use crate::support::review::answer;
use crate::support::told::show_cards;
use crate::support::world::World;

fn press(world: &mut World, keys: &str) -> Vec<ReviewWork> {
    world.press_each(keys, answer)
}

/// The cards of a chat are shown, and its changes, at the lines of the first file.
fn reading() -> World {
    let mut world = World::morning(140, 50);
    show_cards(&mut world);
    press(&mut world, "d enter");
    world
}

fn origins(asked: Vec<ReviewWork>) -> Vec<LineAsk> {
    let of = |work| match work {
        ReviewWork::Detail(_, DetailWork::Origin(asked)) => Some(asked),
        _ => None,
    };
    asked.into_iter().filter_map(of).collect()
}

#[test]
fn a_line_leads_to_the_turn_and_the_card_that_wrote_it() {
    let mut world = reading();
    let asked = origins(press(&mut world, "j j j B"));
    let [asked] = asked.as_slice() else {
        panic!("{asked:?}");
    };
    assert_eq!(
        (asked.line, &*asked.text, &asked.shown),
        (
            AskedLine::There(88),
            "    let Ok(claims) = decode(token) else {",
            &ShownUpTo::Checkpoint(4)
        )
    );
    let picture = world.picture();
    assert!(picture.contains("Turn 2 wrote this line: Edit."), "{picture}");
    assert!(picture.contains("Turn 2 wrote this line  Now fix it"), "{picture}");
    assert_eq!(world.view().focus, Focus::Inspector);
    assert_eq!(world.view().inspector.selected, Some(5));
    assert_eq!(world.view().changes.set, DiffSet::LastPrompt, "what is read stays");
}

#[test]
fn what_is_told_of_a_line_is_told_only_there() {
    let mut world = reading();
    let asked = origins(press(&mut world, "j j B"));
    assert_eq!(asked[0].line, AskedLine::Removed(88));
    assert!(world.picture().contains("Turn 2 removed this line  Now fix it"));
    press(&mut world, "d j");
    assert_eq!(told_turn::told(world.view()), None, "the cursor is on another line");
    assert!(!world.picture().contains("removed this line  "), "{}", world.picture());
}

#[test]
fn what_came_after_the_comparison_has_no_part_in_it() {
    let mut world = reading();
    press(&mut world, "[");
    let shown = |asked: Vec<LineAsk>| asked.into_iter().map(|asked| asked.shown).collect::<Vec<_>>();
    let asked = origins(press(&mut world, "j B"));
    assert_eq!(shown(asked), [ShownUpTo::Checkpoint(4)], "turn 3 began with it");
    press(&mut world, "d [");
    let asked = origins(press(&mut world, "j B"));
    assert_eq!(shown(asked), [ShownUpTo::Checkpoint(2)]);
    press(&mut world, "d c o enter");
    let asked = origins(press(&mut world, "j B"));
    assert_eq!(shown(asked), [ShownUpTo::Commit("a".repeat(40))]);
}

#[test]
fn no_line_is_no_question() {
    let mut world = reading();
    assert_eq!(origins(press(&mut world, "esc B")), [], "it is a file");
    assert!(world.picture().contains("Go to a line first"), "{}", world.picture());
}

#[test]
fn the_heading_of_a_hunk_stands_for_the_first_line_that_changed_in_it() {
    let mut world = reading();
    let at_heading = origins(press(&mut world, "B"));
    let at_line = origins(press(&mut world, "d j j B"));
    assert_eq!(at_heading[0].line, AskedLine::Removed(88));
    assert_eq!(at_heading, at_line);
}

/// Selects the card that is so many below the first, among the cards.
fn card(world: &mut World, below: usize) {
    press(world, "tab g");
    for _ in 0..below {
        press(world, "j");
    }
}

#[test]
fn a_card_leads_to_the_lines_that_it_changed() {
    let mut world = reading();
    press(&mut world, "d");
    world.calm();
    card(&mut world, 3);
    let asked = press(&mut world, "B");
    assert!(
        matches!(asked[0], ReviewWork::Detail(_, DetailWork::TurnOf(5))),
        "{asked:?}"
    );
    let view = world.view();
    assert_eq!(
        (view.tab, view.focus),
        (Tab::Sheet(PaneSheet::Changes), Focus::Pane),
        "{asked:?}"
    );
    let changes = &view.changes;
    assert_eq!((&changes.set, changes.turn), (&DiffSet::Turn(2), Some(2)));
    let selected = changes.tree.selected.clone().unwrap();
    assert_eq!(selected.path, std::path::Path::new("README.md"));
    assert_eq!(changes.part, ChangesPart::Lines);
    assert_eq!(changes.place.row, 2, "the line that it removed comes first");
}

#[test]
fn a_prompt_leads_to_all_of_its_turn() {
    let mut world = reading();
    card(&mut world, 2);
    press(&mut world, "B");
    assert_eq!(world.view().changes.set, DiffSet::Turn(2));
    assert_eq!(world.view().changes.goal, None);
}

#[test]
fn a_card_that_changed_nothing_says_so() {
    let said = [
        (1, "This call changed no file."),
        (4, "This call changed nothing: it was denied."),
        (5, "changed no file of a clone of this chat"),
        (6, "A command does not tell which files it changed"),
        (7, "src/same.rs is the same at the end of this turn"),
    ];
    for (below, words) in said {
        let mut world = reading();
        card(&mut world, below);
        press(&mut world, "B");
        let picture = world.picture();
        let told: String = picture.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(told.contains(words), "{words}: {picture}");
    }
}

#[test]
fn cards_that_lie_over_the_lines_make_room_for_them() {
    let mut world = World::morning(80, 24);
    show_cards(&mut world);
    press(&mut world, "g j j j B");
    let picture = world.picture();
    assert!(picture.contains("return Err(Denied::Expired);"), "{picture}");
}

#[test]
fn what_is_told_of_a_line_goes_with_the_comparison_and_with_the_lines() {
    for keys in ["d [", "d esc"] {
        let mut world = reading();
        press(&mut world, "j j B");
        assert!(told_turn::told(world.view()).is_some());
        press(&mut world, keys);
        assert_eq!(told_turn::told(world.view()), None, "{keys}");
        assert!(!world.picture().contains("removed this line  "), "{}", world.picture());
    }
}
