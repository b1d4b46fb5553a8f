//! What the Changes tab says of what is being staged.

use parlour::domain::event::Outcome;
use parlour::domain::work::{ReviewWork, Work};
use parlour::model::Problem;
use parlour::model::review::DiffSet;

use crate::support::events::works;
use crate::support::review::remarked_upon;
use crate::support::world::World;

#[test]
fn what_is_staged_from_another_comparison_is_said_to_be_only_once_it_is() {
    let mut world = remarked_upon(120, 40);
    let effects = world.press("space");
    let (work, _) = works(&effects)
        .into_iter()
        .find(|(_, job)| matches!(job, Work::Review(ReviewWork::Pick(..))))
        .expect("it is to be staged");
    let says = |world: &mut World| world.picture().contains("Staged");
    assert!(!says(&mut world), "{}", world.picture());
    let refused = Problem::new("staging", "the index is locked", "try again");
    world.done(work, Outcome::Failed(refused));
    assert!(!says(&mut world), "{}", world.picture());
    assert_eq!(world.view().changes.set, DiffSet::Uncommitted);
}
