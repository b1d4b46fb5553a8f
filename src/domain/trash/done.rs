//! The trash was looked at, or has changed.

use serde_json::json;

use crate::domain::effect::Effect;
use crate::domain::notice::{DiskNews, Done};
use crate::domain::state::{Domain, Requester};
use crate::domain::work::{ForeignResult, TrashDone, TrashThen};
use crate::domain::{chat, reply};
use crate::model::text::visible;
use crate::model::{Losses, Problem};

pub fn done(
    state: &mut Domain,
    requester: Requester,
    then: TrashThen,
    done: TrashDone,
) -> Result<Vec<Effect>, ForeignResult> {
    match (then, done) {
        (TrashThen::Restored, TrashDone::Restored(loaded)) => {
            let id = loaded.id().clone();
            let mut effects = chat::loaded(state, *loaded);
            reply::show(state, requester, Done::Restored(id.clone()));
            let value = chat::json(state, &id);
            effects.extend(reply::answer(state, requester, Ok(value)));
            Ok(effects)
        }
        (TrashThen::Restored, TrashDone::NothingSince) => {
            reply::show(state, requester, Done::NothingDeletedSince);
            Ok(Vec::new())
        }
        (TrashThen::List, TrashDone::Listed(list)) => Ok(reply::answer(state, requester, Ok(json!({"trash": list})))),
        (TrashThen::Show, TrashDone::Listed(list)) => {
            reply::show(state, requester, Done::Disk(DiskNews::Trash(list)));
            Ok(Vec::new())
        }
        (TrashThen::Purged, TrashDone::Purged(purged)) => {
            state.live.trashed += 1;
            match requester {
                Requester::Screen(_) => {
                    reply::show(state, requester, Done::Disk(DiskNews::Purged));
                    Ok(Vec::new())
                }
                Requester::Call(_) | Requester::Launch(_) | Requester::Nobody => {
                    Ok(reply::answer(state, requester, Ok(json!({"purged": purged}))))
                }
            }
        }
        (TrashThen::LetGo, TrashDone::LetGo) => {
            state.live.trashed += 1;
            Ok(Vec::new())
        }
        (TrashThen::Refuse(name), TrashDone::Losses(found)) => {
            let problem = refusal(name.as_deref(), found);
            Ok(reply::answer(state, requester, Err(problem)))
        }
        (
            TrashThen::Restored
            | TrashThen::List
            | TrashThen::Show
            | TrashThen::Purged
            | TrashThen::LetGo
            | TrashThen::Refuse(_),
            _,
        ) => Err(ForeignResult),
    }
}

/// For a shell without `--yes`.
fn refusal(name: Option<&str>, found: Losses) -> Problem {
    let what = name.map_or("all that is in the trash".into(), visible);
    let lost = format!("nothing was removed: {}", found.sentence("nothing would bring it back"));
    Problem {
        lost: found.lost.into(),
        ..Problem::new(format!("removing {what} for good"), lost, "say `--yes` to remove it")
    }
}
