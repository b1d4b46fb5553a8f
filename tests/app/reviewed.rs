//! That changes are reviewed is marked, and the mark taken back, by one key.

use std::collections::BTreeMap;

use crossterm::event::{MouseButton, MouseEventKind};
use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{ReviewDone, ReviewWork, Work};
use parlour::model::WorkId;
use parlour::model::review::{Amount, Cause, Checkpoint, DiffSet, KeptCheckpoint};

use crate::support::review::{answer, checkpoint, overview, reviewed};
use crate::support::world::{World, id};

/// What the key asks for.
fn press(world: &mut World, keys: &str) -> Option<(WorkId, ReviewWork)> {
    let mut asked = None;
    for key in keys.split(' ') {
        for effect in world.press(key) {
            match effect {
                Effect::Work(
                    number,
                    Work::Review(work @ (ReviewWork::MarkReviewed { .. } | ReviewWork::UnmarkReviewed(..))),
                ) => asked = Some((number, work)),
                other => drop(answer(world, vec![other])),
            }
        }
    }
    asked
}

fn is_done(world: &mut World, number: WorkId, done: ReviewDone) {
    let effects = world.happens(Event::Done(number, Outcome::Review(done)));
    answer(world, effects);
}

/// What is shown is marked as reviewed up to this checkpoint.
fn marked(world: &mut World, up_to: u64) {
    let Some((number, ReviewWork::MarkReviewed { .. })) = press(world, "A") else {
        panic!("it marks nothing: {}", world.picture());
    };
    let kept = KeptCheckpoint {
        checkpoint: checkpoint(up_to, 3, 0, "", Amount::default()),
        new: true,
        commits: BTreeMap::new(),
    };
    is_done(world, number, ReviewDone::MarkedReviewed(id("auth"), kept));
}

fn says(world: &mut World, words: &str) -> bool {
    let toasts = &world.view().over.toasts;
    toasts.iter().any(|toast| toast.text.contains(words))
}

#[test]
fn the_key_takes_its_mark_back_when_it_is_pressed_once_more() {
    for (before, told) in [
        (Some(2), "taken back: reviewed up to checkpoint 2, as before"),
        (None, "taken back: nothing is marked as reviewed"),
    ] {
        let mut world = reviewed(120, 40);
        marked(&mut world, 5);
        assert!(says(&mut world, "Reviewed up to checkpoint 5: A takes that back."));
        let Some((number, ReviewWork::UnmarkReviewed(chat, marked_last))) = press(&mut world, "A") else {
            panic!("it takes nothing back: {}", world.picture());
        };
        assert_eq!((&chat, marked_last), (&id("auth"), 5));
        is_done(&mut world, number, ReviewDone::UnmarkedReviewed(chat, before));
        assert!(says(&mut world, told));
        marked(&mut world, 6);
    }
}

#[test]
fn behind_another_key_it_marks_anew() {
    let mut world = reviewed(120, 40);
    marked(&mut world, 5);
    press(&mut world, "j");
    marked(&mut world, 6);
    press(&mut world, "[ ]");
    marked(&mut world, 7);
    // Keys of the lines and of remarks, and another tab.
    for (keys, number) in [("z", 8), ("V", 9), ("}", 10), ("h d", 11)] {
        press(&mut world, keys);
        marked(&mut world, number);
    }
}

#[test]
fn behind_the_mouse_it_marks_anew() {
    let mut world = reviewed(120, 40);
    marked(&mut world, 5);
    for (kind, number) in [
        (MouseEventKind::ScrollDown, 6),
        (MouseEventKind::Down(MouseButton::Left), 7),
    ] {
        let effects = world.mouse(kind, 80, 20);
        answer(&mut world, effects);
        marked(&mut world, number);
    }
}

/// What is shown of a turn ends where the clones were restored: what came after that was not reviewed.
#[test]
fn a_turn_that_a_revert_ended_is_reviewed_up_to_that() {
    let mut world = reviewed(120, 40);
    let mut due = world.press("r");
    while let Some(effect) = due.pop() {
        if let Effect::Work(number, Work::Review(ReviewWork::Overview(chat, set))) = effect {
            let mut found = overview(set);
            // The last turn is taken back: the one before it is shown, and from there one goes to it.
            let by_revert = Checkpoint {
                cause: Cause::Revert(4),
                turn: None,
                ..checkpoint(90, 0, 1, "", Amount::default())
            };
            found.checkpoints.push(by_revert);
            due.extend(world.happens(Event::Done(number, Outcome::Review(ReviewDone::Overview(chat, found)))));
            if world.view().changes.set == DiffSet::LastPrompt {
                due.extend(world.press("]"));
            }
        } else {
            answer(&mut world, vec![effect]);
        }
    }
    assert_eq!(world.view().changes.set, DiffSet::Turn(3));
    let asked = press(&mut world, "A").map(|(_, work)| work);
    let (chat, up_to) = (id("auth"), Some(90));
    assert_eq!(asked, Some(ReviewWork::MarkReviewed { chat, up_to }));
}
