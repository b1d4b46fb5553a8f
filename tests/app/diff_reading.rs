//! Reading in the Changes tab: searching, folding, going to a file, copying.

use crossterm::event::Event as Input;
use parlour::domain::event::ClientEvent;
use parlour::domain::work::{ReviewWork, ScriptWork, Work};
use parlour::domain::{Effect, Event};
use parlour::model::detail::DetailWork;
use parlour::model::diff::{DiffBody, LineKind};
use parlour::model::pick::PickedPart;
use parlour::model::script::ScriptEnding;
use parlour::screen::surface::Surface;
use parlour::screen::tab::changes::lines::{DiffRow, line_of};
use parlour::screen::tab::changes::place::{areas, is_side_by_side, rows as shown};
use parlour::screen::tab::changes::search::count;
use parlour::screen::tab::changes::{ChangesPart, hints};

use crate::support::events::jobs;
use crate::support::review::{answer, reviewed};
use crate::support::world::{ME, World};

fn press(world: &mut World, keys: &str) -> Vec<ReviewWork> {
    world.press_each(keys, answer)
}

/// The text of the line under the cursor, with the file that it is in.
fn here(world: &mut World) -> (String, String) {
    let view = world.view();
    let file = view.changes.file.as_ref().unwrap();
    let row = shown(view)[view.changes.place.row];
    let text = line_of(file, row).map_or(String::new(), |line| line.text.clone());
    (file.ask.path.to_string_lossy().into(), text)
}

fn searched(keys: &str) -> World {
    let mut world = reviewed(120, 40);
    press(&mut world, "/");
    assert_eq!(world.view().surface(), Surface::Search);
    press(&mut world, keys);
    press(&mut world, "enter");
    world
}

/// Which of how many lines with the words one is at.
fn at_match(world: &mut World) -> Option<(usize, usize)> {
    count(world.view()).map(|found| (found.at, found.all))
}

#[test]
fn nothing_stands_side_by_side_where_there_is_no_room_and_the_way_back_is_told() {
    let asked = |cols: u16| {
        let mut world = reviewed(cols, 50);
        press(&mut world, "enter s");
        let keys = hints(&world.state, &world.state.views[&ME]);
        let words: Vec<String> = keys
            .iter()
            .map(|hint| format!("{} {}", hint.label, hint.words))
            .collect();
        let told = world.view().over.toasts.last().map(|toast| toast.text.clone());
        (is_side_by_side(world.view()), words.join("  "), told)
    };
    let (beside, keys, told) = asked(60);
    assert!(!beside && !keys.contains("side by side"), "{keys}");
    assert!(keys.contains("file  Esc files"), "{keys}");
    assert_eq!(told.as_deref(), Some("Here is no room for two side by side."));
    let (beside, keys, _) = asked(200);
    assert!(beside && keys.contains("side by side"), "{keys}");
}

#[test]
fn half_pages_of_the_lines_go_by_the_keys_of_copy_mode() {
    let mut world = reviewed(120, 40);
    press(&mut world, "enter");
    let row = |world: &mut World| world.view().changes.place.row;
    let (first, half) = (row(&mut world), usize::from(areas(world.view()).lines.height / 2));
    let last = shown(world.view()).len() - 1;
    press(&mut world, "ctrl+d");
    assert_eq!(row(&mut world), (first + half).min(last));
    press(&mut world, "ctrl+u");
    assert_eq!(row(&mut world), first);
}

#[test]
fn a_search_goes_through_the_lines_of_all_files_and_round() {
    let mut world = searched("c l a i m s");
    assert_eq!(at_match(&mut world), Some((1, 28)), "four lines in each of seven files");
    assert_eq!(
        here(&mut world),
        (
            "README.md".into(),
            "fn check(token: &str) -> Result<Claims, Denied> {".into()
        )
    );
    press(&mut world, "n n n");
    assert_eq!(here(&mut world), ("README.md".into(), "    Ok(claims)".into()));
    press(&mut world, "n");
    assert_eq!(here(&mut world).0, "assets/logo.png");
    assert_eq!(at_match(&mut world), Some((5, 28)));
    press(&mut world, "N N");
    assert_eq!(at_match(&mut world), Some((3, 28)));
    press(&mut world, "N N N");
    assert_eq!(here(&mut world), ("docs/login.md".into(), "    Ok(claims)".into()));
    assert_eq!(at_match(&mut world), Some((28, 28)));
    let told = |world: &mut World| world.view().over.toasts.last().map(|toast| toast.text.clone());
    let around = told(&mut world);
    assert_eq!(around.as_deref(), Some("From the end: above there is no more."));
    press(&mut world, "n");
    assert_eq!(at_match(&mut world), Some((1, 28)));
    let around = told(&mut world);
    assert_eq!(around.as_deref(), Some("From the top: below there is no more."));
    press(&mut world, "esc");
    assert_eq!(at_match(&mut world), None);
    assert_eq!(
        world.view().changes.part,
        ChangesPart::Lines,
        "Esc ended the search alone"
    );
}

#[test]
fn a_capital_letter_counts_and_what_is_nowhere_is_said() {
    let mut world = searched("C l a i m s");
    assert_eq!(at_match(&mut world), Some((1, 7)));
    press(&mut world, "esc /");
    press(&mut world, "n o p e enter");
    assert!(world.picture().contains("no line has that"), "{}", world.picture());
    press(&mut world, "/ esc");
    assert_eq!(
        world.view().surface(),
        Surface::Sheet(parlour::screen::keymap::PaneSheet::Changes)
    );
}

#[test]
fn a_match_in_a_folded_hunk_unfolds_it() {
    let mut world = reviewed(120, 40);
    press(&mut world, "enter Z");
    assert_eq!(shown(world.view()), [DiffRow::Hunk(0), DiffRow::Hunk(1)]);
    press(&mut world, "/ l o g enter");
    assert_eq!(here(&mut world).1, "\t\tlog(\"修复\");\u{1b}[31m");
    assert_eq!(shown(world.view())[0], DiffRow::Hunk(0));
    assert_eq!(shown(world.view()).len(), 4, "only the second hunk is unfolded");
}

#[test]
fn hunks_fold_one_by_one_and_stay_folded_when_the_file_comes_again() {
    let mut world = reviewed(120, 40);
    press(&mut world, "enter n j j z");
    assert_eq!(world.view().changes.place.row, 7, "the cursor is on the heading");
    let folded = shown(world.view());
    press(&mut world, "w w");
    assert_eq!(shown(world.view()), folded);
    press(&mut world, "z");
    assert_eq!(shown(world.view()).len(), 10);
    press(&mut world, "Z Z");
    assert_eq!(shown(world.view()).len(), 10);
}

#[test]
fn a_file_is_found_by_a_few_letters() {
    let mut world = reviewed(120, 40);
    press(&mut world, "f k e y s enter");
    assert_eq!(here(&mut world).0, "src/auth/keys.rs");
    assert_eq!(world.view().changes.part, ChangesPart::Lines);
    // What was chosen from is gone, and the next key is for the lines.
    press(&mut world, "j");
    assert_eq!(world.view().changes.place.row, 1);
    press(&mut world, "f esc");
    assert_eq!(here(&mut world).0, "src/auth/keys.rs");
}

#[test]
fn an_editor_opens_at_the_line_and_says_why_it_does_not() {
    let mut world = reviewed(120, 40);
    let effects = world.press("enter");
    answer(&mut world, effects);
    press(&mut world, "n j j");
    let (_, job) = world.presses_for("e");
    let Work::Script(ScriptWork::Edit { dir, file, .. }) = job else {
        panic!("{job:?}")
    };
    assert_eq!(dir.as_deref(), Some("grove"));
    assert_eq!(file, Some(("README.md".into(), 123)));
    press(&mut world, "f k e y s enter e");
    assert!(world.picture().contains("was deleted"), "{}", world.picture());
    press(&mut world, "f l o g o enter e");
    assert!(world.picture().contains("is binary"), "{}", world.picture());
}

/// Nothing else tells of what a person changes themselves.
#[test]
fn what_differs_is_looked_at_again_behind_an_editor_and_when_the_window_has_the_focus() {
    let mut world = reviewed(120, 40);
    let (number, _) = world.presses_for("e");
    world.editor_starts(number, "");
    let is_asked = |effects: &[Effect]| {
        let mut asked = jobs(effects).into_iter();
        asked.any(|job| matches!(job, Work::Review(ReviewWork::Overview(..))))
    };
    let effects = world.comes_to_its_end(number, ScriptEnding::Exited(0));
    assert!(is_asked(&effects), "{effects:?}");
    answer(&mut world, effects);
    assert!(!is_asked(&world.later(100)));
    let gained = ClientEvent::Input(Input::FocusGained);
    let effects = world.happens(Event::Client(ME, gained));
    assert!(is_asked(&effects), "{effects:?}");
}

#[test]
fn a_hunk_or_a_whole_file_is_copied_as_a_patch() {
    let mut world = reviewed(120, 40);
    let patches = |asked: &[ReviewWork]| match asked {
        [ReviewWork::Detail(_, DetailWork::Patch(ask, parts))] => (ask.path.clone(), parts.clone()),
        other => panic!("{other:?}"),
    };
    let second = PickedPart { hunk: 1, lines: None };
    let asked = press(&mut world, "enter j y");
    assert_eq!(
        patches(&asked),
        ("README.md".into(), vec![PickedPart { hunk: 0, lines: None }])
    );
    assert_eq!(patches(&press(&mut world, "n y")), ("README.md".into(), vec![second]));
    assert_eq!(patches(&press(&mut world, "Y")), ("README.md".into(), Vec::new()));
    assert!(
        world.picture().contains("Copied a patch of 1 hunk"),
        "{}",
        world.picture()
    );
}

#[test]
fn n_stops_at_each_change_of_a_hunk() {
    let mut world = reviewed(120, 40);
    press(&mut world, "enter");
    let file = world.view().changes.file.as_mut().unwrap();
    let DiffBody::Lines { hunks, .. } = &mut file.body else {
        panic!("it has lines");
    };
    hunks.truncate(1);
    for (at, line) in hunks[0].lines.iter_mut().enumerate() {
        line.kind = match at {
            1 | 2 | 5 => LineKind::Added,
            _ => LineKind::Context,
        };
    }
    let row = |world: &mut World, key: &str| {
        press(world, key);
        world.view().changes.place.row
    };
    assert_eq!(row(&mut world, "j"), 1);
    assert_eq!(
        row(&mut world, "n"),
        6,
        "the head of the hunk is row 0, its first change belongs to that"
    );
    assert_eq!(row(&mut world, "N"), 0);
    assert_eq!(row(&mut world, "n"), 6);
    let first = here(&mut world).0;
    press(&mut world, "n");
    assert_ne!(here(&mut world).0, first, "there is no more here");
}

#[test]
fn a_remark_that_was_left_goes_on_at_its_line_alone() {
    let mut world = reviewed(120, 40);
    press(&mut world, "enter j j j enter");
    press(&mut world, "q u o k k a esc");
    world.later(20_000);
    press(&mut world, "j enter");
    assert!(!world.picture().contains("quokka"), "{}", world.picture());
    press(&mut world, "esc");
    world.later(2_000);
    press(&mut world, "k enter");
    assert!(world.picture().contains("quokka"), "{}", world.picture());
}
