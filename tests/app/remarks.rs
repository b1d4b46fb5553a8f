//! Choosing lines in the Changes tab: to remark on them, and to stage, unstage and discard them.

use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{JournalDone, JournalWork, RemarkWork, ReviewDone, ReviewWork, Work};
use parlour::model::Problem;
use parlour::model::detail::DetailWork;
use parlour::model::pick::{Pick, PickAct, PickedPart};
use parlour::model::remark::{RemarkChange, RemarkSide, RemarkState};
use parlour::model::review::DiffSet;
use parlour::screen::tab::changes::ChangesPart;
use parlour::screen::tab::changes::lines::DiffRow;
use parlour::screen::tab::changes::place::rows as shown;

use crate::support::events::works;
use crate::support::picked::was_reverted;
use crate::support::review::{answer, answer_with, remarked_upon, remarks};
use crate::support::world::{World, id};

fn press(world: &mut World, keys: &str) -> Vec<ReviewWork> {
    world.press_each(keys, |world, effects| answer_with(world, effects, &remarks()))
}

fn picked(asked: &[ReviewWork]) -> Vec<(PickAct, Pick)> {
    let picks = asked.iter().flat_map(|work| match work {
        ReviewWork::Pick(_, act, pick) => vec![(*act, pick.clone())],
        ReviewWork::PickSeveral(_, act, picks) => picks.iter().map(|pick| (*act, pick.clone())).collect(),
        _ => Vec::new(),
    });
    picks.collect()
}

fn remarked(asked: &[ReviewWork]) -> Vec<RemarkWork> {
    let works = asked.iter().filter_map(|work| match work {
        ReviewWork::Remark(_, work) if *work != RemarkWork::List => Some(work.clone()),
        _ => None,
    });
    works.collect()
}

fn line(hunk: usize, line: usize) -> PickedPart {
    PickedPart {
        hunk,
        lines: Some((line, line)),
    }
}

/// The tab with what is not committed, at the lines of the first file.
fn uncommitted() -> World {
    let mut world = remarked_upon(120, 60);
    press(&mut world, "space");
    assert_eq!(world.view().changes.set, DiffSet::Uncommitted);
    press(&mut world, "enter");
    world
}

#[test]
fn files_and_lines_are_staged_from_a_comparison_with_what_is_there_now() {
    let mut world = remarked_upon(120, 40);
    press(&mut world, "enter");
    assert_eq!(picked(&press(&mut world, "space"))[0].1.parts.len(), 1);
    let mut world = remarked_upon(120, 40);
    press(&mut world, "enter");
    world.compares(DiffSet::Turn(1));
    let staged = picked(&press(&mut world, "space"));
    assert!(staged.is_empty(), "what a turn did may be gone: {staged:?}");
    let mut world = remarked_upon(120, 40);
    let staged = picked(&press(&mut world, "space"));
    let picture = world.picture();
    assert!(picture.contains("Staged. Compared with the last"), "{picture}");
    let [(PickAct::Stage, pick)] = staged.as_slice() else {
        panic!("{staged:?}");
    };
    assert_eq!(pick.of.path(), std::path::Path::new("README.md"));
    assert!(pick.parts.is_empty(), "the whole file");
}

#[test]
fn a_hunk_is_staged_from_any_of_its_lines() {
    let mut world = uncommitted();
    let staged = picked(&press(&mut world, "j j space"));
    assert_eq!(staged[0].1.parts, [PickedPart { hunk: 0, lines: None }]);
    let staged = picked(&press(&mut world, "n space"));
    assert_eq!(staged[0].1.parts, [PickedPart { hunk: 1, lines: None }]);
}

#[test]
fn chosen_lines_are_staged_and_those_that_did_not_change_are_not_named() {
    let mut world = uncommitted();
    let staged = picked(&press(&mut world, "j V j j space"));
    assert_eq!(staged[0].1.parts, [line(0, 1), line(0, 2)]);
    assert_eq!(world.view().changes.range, None, "what was chosen is done with");
    let asked = press(&mut world, "g g home j V space");
    assert!(picked(&asked).is_empty());
    assert!(
        world.picture().contains("No changed line is chosen"),
        "{}",
        world.picture()
    );
}

#[test]
fn the_key_that_begins_a_choice_ends_it_and_so_does_escape() {
    let mut world = uncommitted();
    press(&mut world, "j V j");
    assert!(world.view().changes.range.is_some());
    press(&mut world, "V");
    assert_eq!(world.view().changes.range, None);
    press(&mut world, "V j esc");
    assert_eq!(world.view().changes.range, None);
    assert_eq!(
        world.view().changes.part,
        ChangesPart::Lines,
        "Esc ended the choice alone"
    );
}

#[test]
fn all_files_of_a_clone_are_staged_from_its_row() {
    let mut world = remarked_upon(120, 40);
    press(&mut world, "space k");
    let staged = picked(&press(&mut world, "space"));
    assert_eq!(staged.len(), 6, "the files of grove: {staged:?}");
}

#[test]
fn discarding_asks_first_with_cancel_first_and_names_the_checkpoint() {
    let mut world = uncommitted();
    assert!(picked(&press(&mut world, "j x")).is_empty());
    assert!(
        world.picture().contains("This hunk of grove/README.md:"),
        "{}",
        world.picture()
    );
    assert!(picked(&press(&mut world, "enter")).is_empty(), "Enter cancels");
    world.later(2_000);
    assert!(world.view().over.dialog.is_none());
    assert!(picked(&press(&mut world, "x y")).is_empty());
    let effects = world.later(500);
    let discarded = picked(&answer(&mut world, effects));
    let [(PickAct::Discard, pick)] = discarded.as_slice() else {
        panic!("{discarded:?}\n{}", world.picture());
    };
    assert_eq!(pick.parts, [PickedPart { hunk: 0, lines: None }]);
    assert!(
        world.picture().contains("Discarded in grove/README.md. u undoes it;"),
        "{}",
        world.picture()
    );
}

#[test]
fn a_discard_is_undone_by_the_key_that_undoes_a_revert_and_that_is_undone_next() {
    let mut world = uncommitted();
    press(&mut world, "j x");
    world.later(2_000);
    press(&mut world, "y");
    assert!(press(&mut world, "u").is_empty());
    assert!(world.picture().contains("Undo the discard?"), "{}", world.picture());
    assert!(
        world.picture().contains("grove/README.md, from checkpoint 12"),
        "{}",
        world.picture()
    );
    world.later(2_000);
    let asked = press(&mut world, "y");
    let brought = asked.iter().filter(|work| matches!(work, ReviewWork::BringBack(..)));
    assert_eq!(brought.count(), 1, "{asked:?}");
    assert!(
        world.picture().contains("grove/README.md is as it was before."),
        "{}",
        world.picture()
    );
    press(&mut world, "u");
    assert!(world.picture().contains("Nothing to undo"), "{}", world.picture());
    was_reverted(&mut world);
    press(&mut world, "u");
    assert!(world.picture().contains("Undo the last revert?"), "{}", world.picture());
}

#[test]
fn what_is_discarded_is_named_line_by_line() {
    let mut world = uncommitted();
    press(&mut world, "j j V j x");
    let picture = world.picture();
    for line in [
        "These 2 changed lines of grove/README.md:",
        "88 −     let claims = decode(token).unwrap();",
        "88 +     let Ok(claims) = decode(token) else {",
        "as it was in the last commit",
    ] {
        assert!(picture.contains(line), "{line}\n{picture}");
    }
}

fn type_words(world: &mut World, words: &str) {
    for letter in words.chars() {
        let key = if letter == ' ' {
            "space".into()
        } else {
            letter.to_string()
        };
        press(world, &key);
    }
}

#[test]
fn a_remark_is_made_on_the_line_under_the_cursor() {
    let mut world = uncommitted();
    press(&mut world, "j j j enter");
    assert!(world.picture().contains("grove/README.md:88"), "{}", world.picture());
    type_words(&mut world, "why so");
    let asked = press(&mut world, "ctrl+s");
    let works = remarked(&asked);
    let [RemarkWork::Add(new)] = works.as_slice() else {
        panic!("{works:?}");
    };
    assert_eq!(
        (new.lines, new.side, new.text.as_str()),
        (Some((88, 88)), RemarkSide::After, "why so")
    );
    assert_eq!(new.tree.as_deref(), Some("2".repeat(40).as_str()), "as it was seen");
    assert!(world.view().over.dialog.is_none(), "it is kept, and the dialog closed");
    press(&mut world, "V j enter");
    type_words(&mut world, "both");
    press(&mut world, "ctrl+s");
    assert_eq!(world.view().changes.range, None, "the next remark is on a line again");
    assert_eq!(
        asked.last(),
        Some(&ReviewWork::Remark(
            world.view().chat.clone().unwrap(),
            RemarkWork::List
        ))
    );
}

#[test]
fn a_remark_on_a_removed_line_is_on_the_side_before() {
    let mut world = uncommitted();
    press(&mut world, "j j #");
    type_words(&mut world, "keep it");
    let works = remarked(&press(&mut world, "ctrl+s"));
    let [RemarkWork::Add(new)] = works.as_slice() else {
        panic!("{works:?}");
    };
    assert_eq!((new.lines, new.side), (Some((88, 88)), RemarkSide::Before));
    assert_eq!(new.tree.as_deref(), Some("1".repeat(40).as_str()));
}

#[test]
fn a_remark_on_a_whole_file_is_made_in_the_tree_and_stands_above_its_lines() {
    let mut world = remarked_upon(120, 60);
    press(&mut world, "#");
    assert!(world.picture().contains("grove/README.md  "), "{}", world.picture());
    type_words(&mut world, "split it");
    let works = remarked(&press(&mut world, "ctrl+s"));
    let [RemarkWork::Add(new)] = works.as_slice() else {
        panic!("{works:?}");
    };
    assert_eq!((new.lines, new.side), (None, RemarkSide::After));

    let mut known = remarks();
    known[2].remark.anchor = None;
    known[2].outdated = false;
    let effects = world.press("r");
    answer_with(&mut world, effects, &known);
    assert_eq!(remarks_shown(&mut world), [2, 0, 1]);
    assert!(
        world.picture().contains("You · the whole file · open"),
        "{}",
        world.picture()
    );
}

#[test]
fn going_to_a_remark_compares_more_until_its_file_is_there() {
    let mut world = remarked_upon(120, 60);
    let mut known = remarks();
    known[3].remark.path = "src/reverted.rs".into();
    let go_there = |world: &mut World| {
        let mut asked = Vec::new();
        for key in ["r", "M", "down", "down", "down", "down", "enter"] {
            let effects = world.press(key);
            asked.extend(answer_with(world, effects, &known));
        }
        let sets = asked.into_iter().filter_map(|work| match work {
            ReviewWork::Overview(_, set) => Some(set),
            _ => None,
        });
        sets.collect::<Vec<_>>()
    };
    let shown = world.view().changes.set.clone();
    assert_eq!(
        go_there(&mut world),
        [shown.clone(), DiffSet::Base, DiffSet::Since(1), shown.clone()]
    );
    assert_eq!(
        world.view().changes.set,
        shown,
        "nothing has it: what was shown is shown"
    );
    assert!(world.picture().contains("was taken back"), "{}", world.picture());
}

#[test]
fn a_remark_that_says_nothing_is_not_made() {
    let mut world = uncommitted();
    press(&mut world, "j enter");
    assert!(remarked(&press(&mut world, "ctrl+s")).is_empty());
    assert!(world.picture().contains("it says nothing"), "{}", world.picture());
    press(&mut world, "esc");
    assert!(world.view().over.dialog.is_none());
}

/// What the rows of remarks are of, in order, each once.
fn remarks_shown(world: &mut World) -> Vec<usize> {
    let mut numbers: Vec<usize> = shown(world.view())
        .iter()
        .filter_map(|row| match row {
            DiffRow::Remark(_, number, _) => Some(*number),
            DiffRow::Hunk(_) | DiffRow::Line(..) | DiffRow::Pair(..) => None,
        })
        .collect();
    numbers.dedup();
    numbers
}

#[test]
fn remarks_stand_below_their_lines_and_outdated_ones_last() {
    let mut world = uncommitted();
    assert_eq!(remarks_shown(&mut world), [0, 1, 2]);
    let picture = world.picture();
    let at = |words: &str| picture.find(words).unwrap_or_else(|| panic!("{words}: {picture}"));
    assert!(at("return Err(Denied::Expired)") < at("You · answered"));
    assert!(at("You · answered") < at("The agent: Done"));
    assert!(at("log(") < at("You · outdated"));
    assert!(picture.contains("It was about line 40: retry(3);"), "{picture}");
    assert!(
        !picture.contains("I think not"),
        "one that is resolved has one row: {picture}"
    );
}

#[test]
fn a_remark_on_a_line_that_is_not_compared_says_so_and_stands_where_it_would() {
    let mut world = uncommitted();
    let mut known = remarks();
    let mut above = known[2].clone();
    (above.remark.id, above.line, above.outdated) = (9, Some(4), false);
    if let Some(anchor) = &mut above.remark.anchor {
        anchor.lines = vec!["def welcome(name):".into()];
    }
    let mut between = above.clone();
    (between.remark.id, between.line) = (10, Some(100));
    known.extend([above, between]);
    let effects = world.press("r");
    answer_with(&mut world, effects, &known);
    assert_eq!(remarks_shown(&mut world), [4, 0, 1, 5, 2]);
    let picture = world.picture();
    let at = |words: &str| picture.find(words).unwrap_or_else(|| panic!("{words}: {picture}"));
    let told = "Line 4, not in this comparison: def welcome(name):";
    assert!(at(told) < at("impl Session"), "{picture}");
    assert!(at("Line 100, not in this comparison") < at("@@ line 122"), "{picture}");
}

#[test]
fn the_last_line_of_a_file_is_no_remark() {
    let mut world = uncommitted();
    press(&mut world, "G");
    let row = world.view().changes.place.row;
    assert_eq!(shown(world.view())[row], DiffRow::Line(1, 1));
}

#[test]
fn keys_go_through_remarks_and_on_to_the_next_file() {
    let mut world = uncommitted();
    let at = |world: &mut World| shown(world.view())[world.view().changes.place.row];
    press(&mut world, "}");
    assert!(matches!(at(&mut world), DiffRow::Remark(0, 0, 0)));
    press(&mut world, "} }");
    assert!(matches!(at(&mut world), DiffRow::Remark(1, 2, 0)));
    press(&mut world, "{");
    assert!(matches!(at(&mut world), DiffRow::Remark(0, 1, 0)));
    press(&mut world, "} }");
    let selected = world.view().changes.tree.selected.clone().unwrap();
    assert_eq!(selected.path, std::path::Path::new("src/auth/session.rs"));
}

#[test]
fn a_remark_is_resolved_and_opened_again_and_edited_where_it_stands() {
    let mut world = uncommitted();
    let to = |state| RemarkChange::State(state);
    let works = remarked(&press(&mut world, "} D"));
    assert_eq!(works, [RemarkWork::Change(1, to(RemarkState::Resolved))]);
    let works = remarked(&press(&mut world, "} D"));
    assert_eq!(works, [RemarkWork::Change(2, to(RemarkState::Open))]);
    press(&mut world, "} enter");
    assert!(world.picture().contains("Why three times?"), "{}", world.picture());
    type_words(&mut world, "!");
    let works = remarked(&press(&mut world, "ctrl+s"));
    assert_eq!(
        works,
        [RemarkWork::Change(3, RemarkChange::Edit("Why three times?!".into()))]
    );
}

#[test]
fn the_list_leads_to_a_remark_of_another_file_and_sends_what_is_open() {
    let mut world = uncommitted();
    press(&mut world, "M");
    assert!(
        world.picture().contains("Send 2 remarks to the agent"),
        "{}",
        world.picture()
    );
    press(&mut world, "down down down down enter");
    assert_eq!(remarks_shown(&mut world), [3]);
    let row = world.view().changes.place.row;
    assert!(matches!(shown(world.view())[row], DiffRow::Remark(_, 3, 0)));
    let works = remarked(&press(&mut world, "M enter"));
    assert_eq!(works.first(), Some(&RemarkWork::Compose(Vec::new())));
}

#[test]
fn remarks_of_a_folded_hunk_are_folded_with_it() {
    let mut world = uncommitted();
    press(&mut world, "j z");
    assert_eq!(remarks_shown(&mut world), [2], "the outdated one is of no hunk");
    press(&mut world, "z");
    assert_eq!(remarks_shown(&mut world), [0, 1, 2]);
}

#[test]
fn the_chosen_lines_are_copied_as_a_patch() {
    let mut world = uncommitted();
    let asked = press(&mut world, "j V j j y");
    let [ReviewWork::Detail(_, DetailWork::Patch(_, parts))] = asked.as_slice() else {
        panic!("{asked:?}");
    };
    assert_eq!(parts, &[line(0, 1), line(0, 2)]);
}

#[test]
fn remarks_that_cannot_be_written_to_disk_wait_and_the_person_is_told() {
    let mut world = uncommitted();
    press(&mut world, "M");
    let composing = works(&world.press("enter"));
    let composes = |(_, work): &&(_, Work)| matches!(work, Work::Review(ReviewWork::Remark(_, RemarkWork::Compose(_))));
    let (number, _) = composing.iter().find(composes).unwrap().clone();
    let done = Outcome::Review(ReviewDone::Composed("Remarks on your changes. Why?".into(), vec![1]));
    let queued = world.happens_while_the_disk_is_slow(Event::Done(number, done));
    let write = |all: Vec<_>| {
        let mut writes = all.into_iter().filter_map(|(number, work)| match work {
            Work::Journal(JournalWork::Prompts(_, prompts, _)) => Some((number, prompts.len())),
            _ => None,
        });
        writes.next()
    };
    let (number, count) = write(works(&queued)).unwrap();
    assert_eq!(count, 1);
    let full = Problem::new("keeping the prompts", "no space left on the disk", "");
    world.done(number, Outcome::Failed(full));
    let toasts: Vec<&str> = world
        .view()
        .over
        .toasts
        .iter()
        .map(|toast| toast.text.as_str())
        .collect();
    assert_eq!(
        toasts.last(),
        Some(&"Your prompt waits, since it cannot be written to disk: no space left on the disk.")
    );
    let waits = |world: &World| {
        let agent = &world.state.domain.live.agents[&id("auth")];
        let why = parlour::domain::agent::delivery::held_by(agent, world.state.domain.now);
        (agent.outbox.queue.len(), why)
    };
    assert_eq!(
        waits(&world),
        (1, Some("it cannot be written to disk, which is tried again"))
    );
    let said = world.view().over.toasts.len();
    let again = world.happens_while_the_disk_is_slow(Event::Clock(world.state.domain.now.plus_ms(1_000)));
    let (number, _) = write(works(&again)).unwrap();
    world.done(
        number,
        Outcome::Failed(Problem::new("keeping the prompts", "no space left", "")),
    );
    assert!(world.view().over.toasts.len() <= said, "it is said once");
    let again = world.happens_while_the_disk_is_slow(Event::Clock(world.state.domain.now.plus_ms(1_000)));
    let (number, count) = write(works(&again)).unwrap();
    assert_eq!(count, 1);
    let kept = JournalDone::Kept(Box::new(world.on_disk("auth")));
    world.done(number, Outcome::Journal(kept));
    assert_ne!(
        waits(&world).1,
        Some("it cannot be written to disk, which is tried again")
    );
}
