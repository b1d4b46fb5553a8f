//! What workers answer who stage, discard and bring back.

use parlour::domain::work::ReviewDone;
use parlour::model::pick::{LeftFile, Pick, PickAct, Picked, SavedPick};
use parlour::model::review::{Amount, Cause, Checkpoint};

use super::review::checkpoint;
use super::world::World;

pub fn picked(act: PickAct, pick: &Pick) -> ReviewDone {
    let saved = matches!(act, PickAct::Discard | PickAct::Take).then_some(12);
    let left = LeftFile {
        path: pick.of.path().into(),
        is: Some("100644 1".into()),
    };
    let picked = Picked {
        act,
        project: pick.of.project().into(),
        path: pick.of.path().into(),
        saved,
    };
    ReviewDone::Picked(picked, saved.map(|_| left).into_iter().collect())
}

pub fn picked_several(act: PickAct, picks: &[Pick]) -> ReviewDone {
    let one = |pick: &Pick| match picked(act, pick) {
        ReviewDone::Picked(picked, left) => Some(SavedPick { picked, left }),
        _ => None,
    };
    ReviewDone::PickedSeveral(picks.iter().filter_map(one).collect(), Vec::new())
}

pub fn brought_back(picks: &[SavedPick]) -> ReviewDone {
    ReviewDone::BroughtBack(picks.iter().map(|pick| pick.picked.clone()).collect())
}

/// The last that happened to the clones is a revert, so there is one to undo.
pub fn was_reverted(world: &mut World) {
    let overview = world.view().changes.overview.as_mut().unwrap();
    overview.checkpoints.push(Checkpoint {
        cause: Cause::Revert(1),
        turn: None,
        ..checkpoint(9, 0, 1, "", Amount::default())
    });
}
