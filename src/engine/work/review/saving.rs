//! Saves clones under a number, whatever becomes of that: it is in the list only once a line of it is.

use crate::engine::prepared::SavedClones;
use crate::model::Problem;
use crate::model::review::LeftOutOf;
use crate::model::text::visible;

use super::clones::{Review, Reviewed};

/// Saves these clones under a number, each that can be.
pub fn save(review: &Review<'_>, clones: &[Reviewed], number: u64) -> SavedClones {
    let mut saved = SavedClones::default();
    for clone in clones {
        match clone.store.take(&clone.dir, &review.options(number, &[], false)) {
            Ok(taken) => {
                saved.commits.insert(clone.name.clone(), taken.snapshot.commit());
                if taken.is_new {
                    saved.changed.push(clone.name.clone());
                    saved.amount = saved.amount + taken.amount;
                }
                saved.left_out.extend(taken.left_out.into_iter().map(|out| LeftOutOf {
                    project: clone.name.clone(),
                    why: out.reason.words().into(),
                    path: out.path,
                }));
            }
            // One clone that cannot be saved is no reason to save none.
            Err(error) => {
                saved.left_out.push(LeftOutOf {
                    project: clone.name.clone(),
                    path: LeftOutOf::WHOLE.into(),
                    why: error.to_string(),
                });
                let doing = format!("taking a checkpoint of {}", visible(&clone.name));
                saved.unsaved.push((clone.name.clone(), Problem::of(doing, &error)));
            }
        }
    }
    saved
}
