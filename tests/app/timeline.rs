//! The turns above the Changes tab, and how much each changed.

use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{ReviewDone, ReviewWork, Work};
use parlour::model::Timestamp;
use parlour::model::review::{Amount, Cause, Checkpoint, DiffSet, EndedTurn, Overview};
use parlour::screen::tab::changes::{ChangesPart, timeline};
use parlour::screen::view::Tab;

use crate::support::review::{answer, answer_with, checkpoint, overview, remarked_upon, remarks, reviewed};
use crate::support::world::World;

/// What the row about the turns says each changed.
fn amounts(world: &mut World) -> Vec<Option<Amount>> {
    let marks = timeline::marks(&world.view().changes);
    marks.iter().map(|mark| mark.amount).collect()
}

#[test]
fn what_the_last_turn_changed_is_told_with_each_comparison() {
    let mut world = reviewed(120, 40);
    world.press_each("c u", answer);
    let now = Amount {
        files: 10,
        added: 24,
        removed: 136,
    };
    let effects = world.press("r");
    for effect in effects {
        if let Effect::Work(number, Work::Review(ReviewWork::Overview(chat, set))) = effect {
            assert_eq!(set, DiffSet::Uncommitted);
            let found = Overview {
                since_last: Some(now),
                ..overview(set)
            };
            world.happens(Event::Done(number, Outcome::Review(ReviewDone::Overview(chat, found))));
        }
    }
    assert_eq!(amounts(&mut world).last(), Some(&Some(now)));
}

#[test]
fn the_turn_that_is_named_is_the_one_that_is_compared_when_another_has_begun() {
    let mut world = reviewed(120, 40);
    world.press_each("[ ]", answer);
    let before = timeline::chosen(&world.view().changes).expect("a turn is chosen");
    for effect in world.press("r") {
        if let Effect::Work(number, Work::Review(ReviewWork::Overview(chat, set))) = effect {
            assert_eq!(set, DiffSet::LastPrompt);
            let mut found = overview(set);
            found
                .checkpoints
                .push(checkpoint(90, before + 1, 1, "one more", Amount::default()));
            world.happens(Event::Done(number, Outcome::Review(ReviewDone::Overview(chat, found))));
        }
    }
    assert_eq!(timeline::chosen(&world.view().changes), Some(before + 1));
}

/// The comparison is asked for again by itself, and a turn has begun; says what is compared at the end.
fn turn_begins(world: &mut World, turn: u32) -> DiffSet {
    let new = checkpoint(90 + u64::from(turn), turn, 1, "one more", Amount::default());
    compares_again(world, &[new])
}

/// The same with these checkpoints behind the others.
fn compares_again(world: &mut World, new: &[Checkpoint]) -> DiffSet {
    compares_by(world, "r", new)
}

fn compares_by(world: &mut World, key: &str, new: &[Checkpoint]) -> DiffSet {
    let mut due = world.press(key);
    while let Some(effect) = due.pop() {
        if let Effect::Work(number, Work::Review(ReviewWork::Overview(chat, set))) = effect {
            let mut found = overview(set);
            found.checkpoints.extend_from_slice(new);
            if found.set == DiffSet::LastPrompt {
                found.changes.iter_mut().for_each(|clone| clone.files.clear());
            }
            due.extend(world.happens(Event::Done(number, Outcome::Review(ReviewDone::Overview(chat, found)))));
        } else {
            answer(world, vec![effect]);
        }
    }
    world.view().changes.set.clone()
}

#[test]
fn whoever_is_in_the_lines_stays_there_when_a_turn_begins() {
    let mut world = reviewed(120, 40);
    world.press_each("enter j j j", answer);
    let (row, file) = (world.view().changes.place.row, world.view().changes.file.clone());
    assert_eq!(turn_begins(&mut world, 4), DiffSet::Turn(3));
    assert_eq!(world.view().changes.place.row, row);
    assert_eq!(world.view().changes.file, file);
    let picture = world.picture();
    assert!(picture.contains("turn 3 alone  turn 4 is new: ] shows it"), "{picture}");
    assert_eq!(turn_begins(&mut world, 5), DiffSet::Turn(3));
    assert!(world.picture().contains("turn 5 is new"), "{}", world.picture());
    world.press("]");
    assert!(!world.picture().contains("is new"), "{}", world.picture());
    assert_eq!(timeline::chosen(&world.view().changes), Some(5));
}

#[test]
fn a_turn_that_begins_while_an_earlier_one_is_read_stands_beside_it() {
    let mut world = reviewed(120, 40);
    world.press_each("[ enter j", answer);
    let chosen = timeline::chosen(&world.view().changes);
    let turns = |world: &mut World| amounts(world).len();
    let before = turns(&mut world);
    world.edits("auth", |chat| chat.seq += 1);
    for effect in world.later(1_100) {
        if let Effect::Work(number, Work::Review(ReviewWork::Overview(chat, set))) = effect {
            let mut found = overview(set);
            let new = checkpoint(94, 4, 1, "one more", Amount::default());
            found.checkpoints.push(new);
            world.happens(Event::Done(number, Outcome::Review(ReviewDone::Overview(chat, found))));
        }
    }
    assert_eq!(turns(&mut world), before + 1);
    assert_eq!(timeline::chosen(&world.view().changes), chosen);
}

#[test]
fn whoever_comes_back_from_an_earlier_turn_sees_the_newest_if_that_is_new() {
    let mut world = reviewed(120, 40);
    world.press_each("[ enter j", answer);
    assert_eq!(world.view().changes.set, DiffSet::Turn(2));
    let away = |world: &mut World| {
        world.press("d");
        world.later(1_000);
        assert_eq!(world.view().tab, Tab::Terminal);
    };
    away(&mut world);
    assert_eq!(compares_by(&mut world, "d", &[]), DiffSet::Turn(2), "nothing is new");
    away(&mut world);
    let new = checkpoint(94, 4, 1, "one more", Amount::default());
    assert_eq!(
        compares_by(&mut world, "d", std::slice::from_ref(&new)),
        DiffSet::LastPrompt
    );
    assert_eq!(timeline::chosen(&world.view().changes), Some(4));
    assert_eq!(world.view().changes.part, ChangesPart::Files);
    world.press_each("[ [ enter", answer);
    let set = world.view().changes.set.clone();
    assert_eq!(compares_again(&mut world, &[new]), set, "they stayed");
}

#[test]
fn the_newest_turn_is_chosen_too_where_something_else_is_compared_when_one_comes_back() {
    let mut world = reviewed(120, 40);
    world.press_each("[", answer);
    let set = world.view().changes.set.clone();
    world.press_each("c b", answer);
    let old = timeline::chosen(&world.view().changes);
    assert_ne!(world.view().changes.set, set);
    world.press("d");
    world.later(1_000);
    assert_eq!(compares_by(&mut world, "d", &[]), DiffSet::Base, "nothing is new");
    assert_eq!(timeline::chosen(&world.view().changes), old);
    world.press("d");
    world.later(1_000);
    let new = checkpoint(94, 4, 1, "one more", Amount::default());
    assert_eq!(compares_by(&mut world, "d", &[new]), DiffSet::Base);
    assert_eq!(timeline::chosen(&world.view().changes), Some(4));
}

#[test]
fn a_newer_turn_that_is_taken_back_is_not_new_and_the_next_one_is() {
    let mut world = reviewed(120, 40);
    world.press_each("enter j j j", answer);
    let turn = |number, turn| checkpoint(number, turn, 1, "one more", Amount::default());
    let reverted = Checkpoint {
        cause: Cause::Revert(94),
        turn: None,
        ..turn(95, 0)
    };
    assert_eq!(compares_again(&mut world, &[turn(94, 4)]), DiffSet::Turn(3));
    assert!(world.picture().contains("turn 4 is new"), "{}", world.picture());
    compares_again(&mut world, &[turn(94, 4), reverted.clone()]);
    assert!(!world.picture().contains("is new"), "{}", world.picture());
    compares_again(&mut world, &[turn(94, 4), reverted, turn(96, 5)]);
    assert!(world.picture().contains("turn 5 is new"), "{}", world.picture());
}

#[test]
fn whoever_is_at_the_files_or_comes_back_follows_the_newest_turn() {
    let mut world = reviewed(120, 40);
    world.press_each("j", answer);
    assert_eq!(turn_begins(&mut world, 4), DiffSet::LastPrompt);
    let mut world = reviewed(120, 40);
    world.press_each("enter q d", answer);
    assert_eq!(turn_begins(&mut world, 4), DiffSet::LastPrompt);
}

#[test]
fn whoever_sent_remarks_from_the_files_stays_too() {
    let mut world = remarked_upon(120, 40);
    world.press_each("M enter", |world, effects| answer_with(world, effects, &remarks()));
    assert_eq!(turn_begins(&mut world, 4), DiffSet::Turn(3));
}

#[test]
fn what_a_revert_and_its_undo_did_is_no_turns_work() {
    let mut world = reviewed(120, 40);
    let amount = |files| Amount {
        files,
        added: files,
        removed: 0,
    };
    let by = |number, cause, files| Checkpoint {
        cause,
        turn: None,
        ..checkpoint(number, 0, 1, "", amount(files))
    };
    let effects = world.press("r");
    for effect in effects {
        if let Effect::Work(number, Work::Review(ReviewWork::Overview(chat, set))) = effect {
            let mut found = overview(set);
            found.checkpoints = vec![
                checkpoint(1, 1, 9, "one", amount(0)),
                by(2, Cause::Revert(1), 1),
                by(3, Cause::Undo(2), 10),
                by(4, Cause::Asked, 10),
                checkpoint(5, 2, 1, "two", amount(10)),
            ];
            world.happens(Event::Done(number, Outcome::Review(ReviewDone::Overview(chat, found))));
        }
    }
    assert_eq!(amounts(&mut world)[0], Some(amount(1)));
    let is_reverted = |mark: &timeline::TurnMark<'_>| mark.is_reverted;
    assert!(!timeline::marks(&world.view().changes).iter().any(is_reverted));
}

#[test]
fn what_was_changed_after_a_turn_had_ended_is_counted_to_none() {
    let mut world = reviewed(120, 40);
    let amount = |files| Amount {
        files,
        added: files,
        removed: 0,
    };
    let end = |own, after| EndedTurn {
        own: amount(own),
        after: amount(after),
    };
    let effects = world.press("r");
    for effect in effects {
        if let Effect::Work(number, Work::Review(ReviewWork::Overview(chat, set))) = effect {
            let mut found = overview(set);
            found.checkpoints = vec![
                checkpoint(1, 1, 9, "one", amount(0)),
                checkpoint(2, 2, 5, "two", amount(4)),
                Checkpoint {
                    ended: Some(end(2, 3)),
                    ..checkpoint(3, 3, 1, "push it", amount(5))
                },
            ];
            (found.since_last, found.ended) = (Some(amount(3)), Some(end(0, 3)));
            world.happens(Event::Done(number, Outcome::Review(ReviewDone::Overview(chat, found))));
        }
    }
    assert_eq!(amounts(&mut world), [4, 2, 0].map(|files| Some(amount(files))));
    let marks = timeline::marks(&world.view().changes);
    let after: Vec<Option<Amount>> = marks.iter().map(|mark| mark.after).collect();
    assert_eq!(after, [None, Some(amount(3)), Some(amount(3))]);
    let words = "changed nothing, 3 files +3 −0 after it";
    assert!(world.picture().contains(words), "{}", world.picture());
}

#[test]
fn the_turns_that_changed_files_have_a_sign_and_keys_of_their_own() {
    let mut world = reviewed(120, 40);
    // The first one changed files too; the last did not.
    let changed = [(1, 0), (2, 9), (3, 0), (4, 4)];
    for effect in world.press("r") {
        if let Effect::Work(number, Work::Review(ReviewWork::Overview(chat, set))) = effect {
            let mut found = overview(set);
            let amount = |files| Amount {
                files,
                added: files,
                removed: 0,
            };
            // A checkpoint says what the turn before it changed.
            let begins = |(turn, files)| checkpoint(u64::from(turn), turn, 9, "words", amount(files));
            found.checkpoints = changed.map(begins).into();
            found.since_last = Some(Amount::default());
            world.happens(Event::Done(number, Outcome::Review(ReviewDone::Overview(chat, found))));
        }
    }
    let picture = world.picture();
    assert!(picture.contains(" 1± ─ 2 ─ 3± ─ 4 ─"), "{picture}");
    let mut step = |key: &str| {
        world.press(key);
        timeline::chosen(&world.view().changes)
    };
    assert_eq!([step("("), step("("), step("(")], [Some(3), Some(1), Some(1)]);
    assert_eq!([step(")"), step(")")], [Some(3), Some(3)]);
    assert!(
        world.picture().contains("No later turn changed files."),
        "{}",
        world.picture()
    );
    world.press("c");
    world.press("t");
    let picture = world.picture();
    for (turn, note) in [
        ("4  words", "no changes · "),
        ("3  words", "+4 −0 · "),
        ("2  words", "no changes · "),
    ] {
        let line = picture.lines().rfind(|line| line.contains(turn)).unwrap_or_default();
        assert!(line.contains(note), "{turn}: {picture}");
    }
}

#[test]
fn the_chosen_turn_stays_in_view_when_another_is_told_of() {
    let mark = |turn| timeline::TurnMark {
        turn,
        number: u64::from(turn),
        at: Timestamp(0),
        prompt: "words",
        amount: None,
        after: None,
        is_reverted: false,
    };
    let marks: Vec<_> = (1..=19).map(mark).collect();
    let seen = |chosen, told| -> Vec<u32> {
        let spots = timeline::spots(&marks, (Some(chosen), told), 36);
        spots.iter().map(|spot| spot.turn).collect()
    };
    assert_eq!(seen(19, None), [13, 14, 15, 16, 17, 18, 19]);
    assert_eq!(seen(19, Some(14)), [13, 14, 15, 16, 17, 18, 19]);
    assert_eq!(seen(12, Some(17)), [12, 13, 14, 15, 16, 17, 18]);
    assert_eq!(
        seen(19, Some(2)),
        [13, 14, 15, 16, 17, 18, 19],
        "there is no room for both"
    );
}

#[test]
fn what_is_said_of_the_first_of_two_turns_goes_with_the_second() {
    let mut world = reviewed(120, 40);
    world.press_each("[ m", answer);
    assert!(world.picture().contains("press m again"), "{}", world.picture());
    world.press_each("[ m", answer);
    assert!(!world.picture().contains("press m again"), "{}", world.picture());
}
