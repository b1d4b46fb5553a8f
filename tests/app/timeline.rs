//! The turns above the Changes tab, and how much each changed.

use parlour::domain::effect::Effect;
use parlour::domain::event::{Event, Outcome};
use parlour::domain::work::{ReviewDone, ReviewWork, Work};
use parlour::model::review::{Amount, Cause, Checkpoint, DiffSet, Overview};
use parlour::screen::tab::changes::timeline;

use crate::support::review::{answer, checkpoint, overview, reviewed};
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
